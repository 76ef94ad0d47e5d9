import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** A part of the built app, loaded. */
export interface Bundle<Exports> {
  readonly exports: Exports;
  /** Writes down what V8 has compiled of it by now, for {@link loadBundle} to start from. */
  readonly codeCache: () => Buffer;
}

/**
 * Loads `NAME.cjs` beside this file, with the bytecode that the build left for this version of V8: compiling is a
 * quarter of a short run, and Node keeps no cache of its own before 22. Without a cache, or when V8 does not want it,
 * the source alone does.
 */
export function loadBundle<Exports>(name: string): Bundle<Exports> {
  const file = fileURLToPath(new URL(`./${name}.cjs`, import.meta.url));
  const cachedData = cacheFor(file);
  const source = `(function (exports, require, module, __filename) {${readFileSync(file, "utf8")}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const run = script.runInThisContext() as ModuleFunction;
  const module = { exports: {} };
  run(module.exports, createRequire(file), module, file);
  return { exports: module.exports as Exports, codeCache: () => script.createCachedData() };
}

/** Where the cache of a bundle lies for the V8 that asks. */
export function codeCachePath(bundle: string): string {
  return bundle.replace(/\.cjs$/, `.${process.versions.v8}.cache`);
}

type ModuleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
) => void;

/** V8 tells the source of a cache by its length alone, so one that is older than the bundle is left aside. */
function cacheFor(file: string): Buffer | undefined {
  const cache = codeCachePath(file);
  try {
    return statSync(cache).mtimeMs >= statSync(file).mtimeMs ? readFileSync(cache) : undefined;
  } catch {
    return undefined;
  }
}
