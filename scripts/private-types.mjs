// The names that a caller of a package would have to write down and cannot: types of parameters, of records and of what
// they are made of, that are not exported. What a class's method returns or a property holds can be used without a name.
import { join, sep } from "node:path";

/** `ts` is a TypeScript with a compiler API (5.9); `folder` an installed package. */
export function privateTypes(ts, folder) {
  const entry = join(folder, "dist/index.d.ts");
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const exported = new Set(
    checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map((name) => resolved(name)),
  );
  const found = new Set();
  for (const symbol of exported) for (const node of symbol.declarations ?? []) visit(node, symbol);
  return [...found].toSorted((a, b) => a.localeCompare(b));

  function visit(node, owner) {
    if (isPrivate(node)) return;
    const name = referencedName(node);
    if (name !== undefined) look(name, owner);
    ts.forEachChild(node, (child) => {
      if (!isGivenByClass(node, child)) visit(child, owner);
    });
  }

  function look(name, owner) {
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && resolved(symbol);
    const file = target?.declarations?.[0]?.getSourceFile().fileName;
    if (file === undefined || exported.has(target) || !isOurs(file)) return;
    if (target.flags & ts.SymbolFlags.TypeParameter || isShorthand(target)) return;
    found.add(`${owner.name} uses ${target.name}`);
  }

  /** An alias with parameters is a way to write a type, not a type to be named. */
  function isShorthand({ declarations: [declaration] }) {
    return ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters !== undefined;
  }

  function isGivenByClass(node, child) {
    return ts.isClassElement(node) && ts.isTypeNode(child);
  }

  /** A class may keep private what it likes. */
  function isPrivate(node) {
    return (
      (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
      (ts.canHaveModifiers(node) &&
        ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword))
    );
  }

  function referencedName(node) {
    if (ts.isTypeReferenceNode(node)) return node.typeName;
    return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
  }

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  function isOurs(file) {
    return file.includes(`${folder}${sep}dist`);
  }
}
