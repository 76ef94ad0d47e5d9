import { type Environment, type EnvironmentInfo, isFileSystemError } from "@codex/environment";
import { type AbsolutePath, parseAbsolutePath, toAbsolutePath } from "@codex/protocol";

export interface CommandLineRequest {
  readonly cmd: string;
  /** A name or a path, as the model gave it; undefined: the user's own shell. */
  readonly shell: string | undefined;
  readonly login: boolean;
}

/**
 * The argv that runs a script: `[shell, "-lc" or "-c", cmd]`. The shell is the first of {@link shellCandidates} that
 * is a file in the environment, else `/bin/sh`; the user's own shell is believed without a look.
 */
export async function commandLine(
  request: CommandLineRequest,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { shell } = await environment.info(signal);
  const program = await findShell(shellCandidates(request.shell, shell), environment, signal);
  return [program, request.login ? "-lc" : "-c", request.cmd];
}

/** Where the shell may be, the best first; ends with a path that nobody has to check. */
export function shellCandidates(
  requested: string | undefined,
  userShell: EnvironmentInfo["shell"],
): readonly AbsolutePath[] {
  if (requested === undefined)
    return isKnownShell(userShell.name)
      ? [userShell.path]
      : [...wellKnownPaths("bash"), ...wellKnownPaths("zsh"), fallbackShell];
  const name = requested.slice(requested.lastIndexOf("/") + 1);
  if (!isKnownShell(name)) return [fallbackShell];
  const asGiven = parseAbsolutePath(requested);
  if (asGiven === undefined && userShell.name === name) return [userShell.path];
  return [
    ...(asGiven === undefined ? [] : [asGiven]),
    ...(userShell.name === name ? [userShell.path] : []),
    ...wellKnownPaths(name),
    fallbackShell,
  ];
}

/** For people: `/bin/bash -lc 'echo hi'`, a line a shell would read back as the same argv. */
export function displayCommand(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

/**
 * One word of a shell line: bare when nothing in it is special, else in single quotes, else in double quotes with
 * escapes; a word that no single form can carry is a row of pieces. `^` and `!` are kept where no interactive shell
 * expands them.
 */
export function quoteWord(word: string): string {
  if (word === "") return "''";
  const pieces: string[] = [];
  for (let rest = word; rest !== "";) {
    const { length, form } = longestPiece(rest);
    pieces.push(quotePiece(rest.slice(0, length), form));
    rest = rest.slice(length);
  }
  return pieces.join("");
}

const fallbackShell = toAbsolutePath("/bin/sh");

function isKnownShell(name: string): boolean {
  return name === "bash" || name === "zsh" || name === "sh";
}

function wellKnownPaths(name: string): AbsolutePath[] {
  return ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map((directory) =>
    toAbsolutePath(`${directory}/${name}`),
  );
}

async function findShell(
  candidates: readonly AbsolutePath[],
  environment: Environment,
  signal: AbortSignal,
): Promise<AbsolutePath> {
  const [first, ...others] = candidates;
  if (first === undefined) return fallbackShell;
  if (others.length === 0 || (await isFile(first, environment, signal))) return first;
  return findShell(others, environment, signal);
}

async function isFile(
  path: AbsolutePath,
  environment: Environment,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await environment.fileSystem.getMetadata(path, { signal })).isFile;
  } catch (error) {
    if (isFileSystemError(error) && error.kind !== "lost") return false;
    throw error;
  }
}

type QuoteForm = "bare" | "single" | "double";

/** How far from the start one form can go, and the plainest form that goes so far. */
function longestPiece(word: string): { readonly length: number; readonly form: QuoteForm } {
  // Right after an opening single quote is the only place where bash never reads `^` as history.
  const leadingCaret = word.startsWith("^");
  let forms: readonly QuoteForm[] = leadingCaret ? ["single"] : ["bare", "single", "double"];
  let length = leadingCaret ? 1 : 0;
  for (; length < word.length; length += 1) {
    const stillGood = forms.filter((form) => carries[form](word[length]!));
    if (stillGood.length === 0) break;
    forms = stillGood;
  }
  return { length, form: forms[0]! };
}

const carries: Readonly<Record<QuoteForm, (character: string) => boolean>> = {
  bare: (character) => /[+\-./:@\]_0-9A-Za-z]/.test(character),
  single: (character) => !"'^\\".includes(character),
  double: (character) => !"`$!^".includes(character),
};

function quotePiece(piece: string, form: QuoteForm): string {
  if (form === "bare") return piece;
  return form === "single" ? `'${piece}'` : `"${piece.replaceAll(/["\\]/g, "\\$&")}"`;
}
