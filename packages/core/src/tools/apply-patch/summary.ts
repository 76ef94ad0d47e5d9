import type { ApplyFailure } from "./apply.ts";
import type { Hunk } from "./parse.ts";
import { outsideRefusal } from "./policy.ts";

/** `Success. …` with the paths as the patch spells them: added, modified (a moved file by its new path), deleted. */
export function successText(hunks: readonly Hunk[]): string {
  const lines = hunks.map((hunk) => {
    if (hunk.type === "add") return `A ${hunk.path}`;
    return hunk.type === "delete" ? `D ${hunk.path}` : `M ${hunk.moveTo ?? hunk.path}`;
  });
  const grouped = ["A", "M", "D"].flatMap((letter) =>
    lines.filter((line) => line.startsWith(letter)),
  );
  return ["Success. Updated the following files:", ...new Set(grouped), ""].join("\n");
}

/** What failed and, for every file, what it is now. */
export function failureText({ message, isDenied, states }: ApplyFailure): string {
  if (isDenied && states.every(({ isAsBefore }) => isAsBefore)) return outsideRefusal;
  const lines = states.map(({ path, text }) => `${path}: ${text}`);
  return [message, "The files now:", ...lines, ""].join("\n");
}

/** The answer to a patch that was carried out, as of a command that ran for `elapsedMs`. */
export function patchAnswer(
  output: string,
  { exitCode, elapsedMs }: { readonly exitCode: number; readonly elapsedMs: number },
): string {
  const seconds = Math.round(elapsedMs / 100) / 10;
  return `Exit code: ${exitCode}\nWall time: ${seconds} seconds\nOutput:\n${output}`;
}
