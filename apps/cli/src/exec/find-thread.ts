import { findLastSession, findSessionFile, readSessionFile, type ResumedThread } from "@codex/core";
import { StartError } from "../start-error.ts";

/** Which recorded thread a run takes up. */
export type ThreadSelection =
  | { readonly id: string }
  /** The one written to last, of this working directory or of all. */
  | { readonly last: "here" | "anywhere" };

/** The thread on this machine's disk. Throws a {@link StartError} when there is none: a new one would be a surprise. */
export function findThread(
  selection: ThreadSelection,
  place: { readonly codexHome: string; readonly cwd: string },
): ResumedThread {
  const file =
    "id" in selection
      ? findSessionFile(place.codexHome, selection.id)
      : findLastSession(place.codexHome, {
          cwd: selection.last === "here" ? place.cwd : undefined,
        });
  if (file === undefined) throw new StartError(notFound(selection, place.cwd));
  const recorded = readSessionFile(file);
  if (recorded === undefined) throw new StartError(`The session in ${file.path} cannot be read.`);
  return { recorded, path: file.path };
}

function notFound(selection: ThreadSelection, cwd: string): string {
  if ("id" in selection) return `No session found with the id ${selection.id}.`;
  return selection.last === "here"
    ? `There is no session of ${cwd} to resume (--all looks at those of every directory).`
    : "There is no session to resume.";
}
