import {
  findLastSession,
  findSessionFile,
  readSessionFile,
  type ResumedThread,
  type SessionFilter,
} from "@codex/core";
import { StartError } from "../start-error.ts";

/** Which recorded thread a run takes up. */
export type ThreadSelection =
  | { readonly id: string }
  /** The one written to last with this provider, of this working directory or of all. */
  | { readonly last: "here" | "anywhere" };

/** Where threads are kept, and what a run is like. */
export interface ThreadPlace extends Required<SessionFilter> {
  readonly codexHome: string;
  readonly workdir: string;
}

/** The thread on this machine's disk. Throws a {@link StartError} when there is none: a new one would be a surprise. */
export function findThread(selection: ThreadSelection, place: ThreadPlace): ResumedThread {
  const file =
    "id" in selection
      ? findSessionFile(place.codexHome, selection.id)
      : findLastSession(place.codexHome, filterFor(selection.last, place));
  if (file === undefined) throw new StartError(notFound(selection, place));
  const recorded = readSessionFile(file);
  if (recorded === undefined) throw new StartError(`The session in ${file.path} cannot be read.`);
  return { recorded, path: file.path };
}

function filterFor(
  last: "here" | "anywhere",
  { workdir, environment, modelProvider }: ThreadPlace,
): SessionFilter {
  return last === "here" ? { workdir, environment, modelProvider } : { modelProvider };
}

function notFound(selection: ThreadSelection, place: ThreadPlace): string {
  const { workdir, environment, modelProvider } = place;
  const hint = "`codex sessions list --all` shows what there is.";
  if ("id" in selection) return `No session found with the id ${selection.id}. ${hint}`;
  if (selection.last === "anywhere")
    return `There is no session to resume with the provider ${modelProvider}. ${hint}`;
  const where = environment === "local" ? workdir : `${workdir} on ${environment}`;
  return `There is no session of ${where} with the provider ${modelProvider} to resume (--all looks at every directory). ${hint}`;
}
