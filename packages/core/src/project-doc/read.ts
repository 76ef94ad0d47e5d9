import { setMaxListeners } from "node:events";
import { type FileSystem, isFileSystemError } from "@codex/environment";
import type { AbsolutePath } from "@codex/protocol";
import { characterBorder, decodeLossy } from "../tools/utf8.ts";
import { type DiscoverOptions, discoverProjectDocs, type FoundDoc } from "./discover.ts";

export interface LoadOptions extends DiscoverOptions {
  /** For all docs together; 0: no file is looked at. */
  readonly maxBytes: number;
}

export interface ProjectDocs {
  /** The docs, outermost first, joined by a blank line; undefined when there are none. */
  readonly text: string | undefined;
  /** What the text is made of, and how many bytes of each. */
  readonly sources: readonly { readonly path: AbsolutePath; readonly bytes: number }[];
  /** For the person who runs the agent: what could not be read, was cut or left out. */
  readonly warnings: readonly string[];
}

type ReadDoc = FoundDoc & { readonly bytes: Uint8Array | { readonly reason: string } };

/**
 * The project's docs, from the project root down to `cwd`, within the budget. Two round trips whatever the depth. A
 * doc that cannot be read costs itself and a warning; rejects only when the executor is lost or the signal aborts.
 */
export async function loadProjectDocs(given: LoadOptions): Promise<ProjectDocs> {
  if (given.maxBytes <= 0) return { text: undefined, sources: [], warnings: [] };
  const options = { ...given, signal: sharedSignal(given.signal) };
  const { docs, warnings } = await discoverProjectDocs(options);
  const read = await Promise.all(docs.map((doc) => readDoc(doc, options)));
  const gathered = gather(
    read.filter((doc) => doc !== undefined),
    options.maxBytes,
  );
  return { ...gathered, warnings: [...warnings, ...gathered.warnings] };
}

/** A signal that as many questions as there are may listen to at once, without Node's warning of a leak. */
function sharedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const shared = AbortSignal.any([signal]);
  setMaxListeners(0, shared);
  return shared;
}

/** One byte more than the budget, to know whether there is more. Undefined: gone since it was found. */
async function readDoc(
  doc: FoundDoc,
  { fileSystem, maxBytes, signal }: LoadOptions,
): Promise<ReadDoc | undefined> {
  try {
    return { ...doc, bytes: await readBounded(fileSystem, doc, { maxBytes, signal }) };
  } catch (error) {
    if (!isFileSystemError(error) || error.kind === "lost") throw error;
    return error.kind === "notFound" ? undefined : { ...doc, bytes: { reason: error.message } };
  }
}

function readBounded(
  fileSystem: FileSystem,
  { path, size }: FoundDoc,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  const options = signal === undefined ? {} : { signal };
  // A side that cannot tell the size cannot read a part either, so the whole costs no more and tells the size.
  if (size === undefined) return fileSystem.readFile(path, options);
  return fileSystem.readRange(path, { offset: 0, length: maxBytes + 1 }, options);
}

function gather(docs: readonly ReadDoc[], maxBytes: number): ProjectDocs {
  const texts: string[] = [];
  const sources: { path: AbsolutePath; bytes: number }[] = [];
  const warnings: string[] = [];
  let remaining = maxBytes;
  for (const { path, size, bytes } of docs) {
    if ("reason" in bytes) {
      warnings.push(`Project doc \`${path}\` could not be read: ${bytes.reason}`);
      continue;
    }
    if (isBlank(bytes)) continue;
    const kept = bytes.subarray(0, characterBorder(bytes, remaining));
    const isCut = kept.length < bytes.length;
    if (isCut) warnings.push(tooLarge(path, Math.max(size ?? 0, bytes.length), { kept, maxBytes }));
    if (isBlank(kept)) continue;
    texts.push(decodeLossy(kept));
    sources.push({ path, bytes: kept.length });
    remaining = isCut ? 0 : remaining - kept.length;
  }
  return { text: texts.length > 0 ? texts.join("\n\n") : undefined, sources, warnings };
}

function isBlank(bytes: Uint8Array): boolean {
  return decodeLossy(bytes).trim() === "";
}

function tooLarge(
  path: AbsolutePath,
  size: number,
  { kept, maxBytes }: { readonly kept: Uint8Array; readonly maxBytes: number },
): string {
  const used =
    kept.length === 0 ? "none of it is used" : `only its first ${kept.length} bytes are used`;
  return `Project doc \`${path}\` has ${size} bytes; ${used} (project_doc_max_bytes = ${maxBytes} for all docs)`;
}
