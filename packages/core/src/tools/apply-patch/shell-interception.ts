import { type AbsolutePath, joinPath } from "@codex/protocol";
import { parsePatch } from "./parse.ts";
import { PatchError } from "./patch-error.ts";

/** A patch found in a shell command, and where its relative paths start. */
export interface InterceptedPatch {
  readonly patch: string;
  readonly base: AbsolutePath;
}

/** `cd DIR && apply_patch <<'EOF'`: a word without anything the shell would expand, or a quoted text. */
const head =
  /^(?:cd[ \t]+(?:'(?<single>[^']*)'|"(?<double>[^"$`\\]*)"|(?<word>[^\s'"\\$`~*?[\]{}();&|<>#!]+))[ \t]*&&[ \t]*)?(?:apply_patch|applypatch)[ \t]*<<[ \t]*(?:'(?<quoted>\w+)'|"(?<doubled>\w+)"|(?<bare>\w+))[ \t]*$/;

/**
 * The patch of a command that is nothing but `apply_patch` fed by a heredoc, alone or after one `cd DIR &&`; undefined
 * for any other command, which runs as it is. A bare patch in place of a command throws {@link PatchError}.
 */
export function interceptApplyPatch(
  cmd: string,
  workdir: AbsolutePath,
): InterceptedPatch | undefined {
  if (isPatch(cmd))
    throw new PatchError(
      'patch detected without explicit call to apply_patch. Rerun as ["apply_patch", "<patch>"]',
    );
  const [first, ...rest] = cmd.trimStart().split("\n");
  const groups = head.exec(first ?? "")?.groups;
  if (groups === undefined) return undefined;
  const end = rest.indexOf(groups["quoted"] ?? groups["doubled"] ?? groups["bare"] ?? "");
  if (end === -1 || rest.slice(end + 1).some((line) => line.trim() !== "")) return undefined;
  const directory = groups["single"] ?? groups["double"] ?? groups["word"];
  const base = directory === undefined ? workdir : joinPath(workdir, directory);
  return { patch: rest.slice(0, end).join("\n"), base };
}

function isPatch(cmd: string): boolean {
  if (!cmd.trimStart().startsWith("***")) return false;
  try {
    parsePatch(cmd);
    return true;
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}
