import type { FileSystem } from "@codex/environment";
import type { AbsolutePath, FileChange, SandboxIntent } from "@codex/protocol";
import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import { RespondToModelError, type Tool, type ToolContext, type ToolOutput } from "../tool.ts";
import { applyPlan } from "./apply.ts";
import { patchGrammar } from "./grammar.ts";
import { parsePatch } from "./parse.ts";
import { PatchError } from "./patch-error.ts";
import { planPatch } from "./plan.ts";
import { refusal } from "./policy.ts";
import { type InterceptedPatch, interceptApplyPatch } from "./shell-interception.ts";
import { failureText, patchAnswer, successText } from "./summary.ts";

export interface ApplyPatchOptions {
  readonly fileSystem: FileSystem;
  /** Relative paths of a patch start here. */
  readonly cwd: AbsolutePath;
  readonly sandbox: SandboxIntent;
  /** `$TMPDIR` of the environment, when it is known; writable if the sandbox says so. */
  readonly temporaryDirectory?: AbsolutePath | undefined;
  /** Name of the environment for the item, when it is not this machine. */
  readonly environment?: string | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

const description =
  "Changes files: adds, deletes, moves them, or replaces lines of them, all in one patch. Nothing is written unless every part of the patch fits the files.";

/** For a model that is given no grammar. */
const format = `A patch is text of this form:
*** Begin Patch
*** Add File: PATH
+every line of the new file, each after a plus
*** Delete File: PATH
*** Update File: PATH
*** Move to: NEW PATH (only to move the file)
@@ a line above the change, such as the head of a function (the text after @@ may be left out)
 a line that stays, after a blank: about three above and below a change
-a line that goes
+a line that comes
*** End of File (only when the lines before it are the last of the file)
*** End Patch
Any number of files, and of @@ chunks in a file, in the order of the file. Relative paths start at the working directory.`;

/** `apply_patch` in the form the model knows: a custom tool with a grammar, or a function with one text. */
export function createApplyPatchTool(
  form: "freeform" | "function",
  options: ApplyPatchOptions,
): Tool {
  if (form === "function")
    return defineTool({
      name: "apply_patch",
      description: `${description}\n${format}`,
      parameters: z.object({
        input: z
          .string()
          .describe(
            "The patch, from `*** Begin Patch` to `*** End Patch`, as apply_patch takes it.",
          ),
      }),
      run: ({ input }, context) => runPatch({ patch: input, base: options.cwd }, options, context),
    });
  return {
    name: "apply_patch",
    isParallel: false,
    definition: {
      type: "custom",
      name: "apply_patch",
      description: `${description} Write the patch itself, not JSON.`,
      format: { type: "grammar", syntax: "lark", definition: patchGrammar },
    },
    run: ({ input }, context) => runPatch({ patch: input, base: options.cwd }, options, context),
  };
}

/**
 * A look at a shell command before it is run: one that only feeds a patch to `apply_patch` is carried out here and
 * answered with the text; undefined for any other. Throws `RespondToModelError` as the tool itself does.
 */
export function createPatchIntercept(options: ApplyPatchOptions) {
  return async (
    cmd: string,
    workdir: AbsolutePath,
    context: ToolContext,
  ): Promise<string | undefined> => {
    const intercepted = verified(() => interceptApplyPatch(cmd, workdir));
    if (intercepted === undefined) return undefined;
    return (await runPatch(intercepted, options, context)).output;
  };
}

async function runPatch(
  { patch, base }: InterceptedPatch,
  options: ApplyPatchOptions,
  { signal, items }: ToolContext,
): Promise<ToolOutput & { readonly output: string }> {
  const startedAt = options.now();
  const { fileSystem, environment } = options;
  const hunks = verified(() => parsePatch(patch));
  if (hunks.length === 0) throw new RespondToModelError("patch rejected: empty patch");
  const plan = await planPatch(hunks, { fileSystem, base, signal }).catch(failVerification);
  const refused = await refusal(
    plan.files.map(({ path }) => path),
    options,
    signal,
  );
  if (refused !== undefined) throw new RespondToModelError(refused);

  const item = (status: FileChange["status"]) =>
    ({
      type: "file_change",
      changes: plan.changes,
      status,
      ...(environment && { environment }),
    }) as const;
  const open = items.start(item("in_progress"));
  let status: FileChange["status"] = "failed";
  try {
    const failure = await applyPlan(plan, options);
    if (failure === undefined) status = "completed";
    const exitCode = failure === undefined ? 0 : 1;
    const text = failure === undefined ? successText(hunks) : failureText(failure);
    const output = patchAnswer(text, { exitCode, elapsedMs: options.now() - startedAt });
    return { output, isSuccess: failure === undefined };
  } finally {
    open.complete(item(status));
  }
}

function verified<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return failVerification(error);
  }
}

function failVerification(error: unknown): never {
  if (error instanceof PatchError)
    throw new RespondToModelError(`apply_patch verification failed: ${error.message}`, {
      cause: error,
    });
  throw error;
}
