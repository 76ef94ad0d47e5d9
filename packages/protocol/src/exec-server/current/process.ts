import * as z from "zod";
import { SandboxIntent } from "../../sandbox-intent.ts";
import { chunk, pathUri, processId, sandbox, seq } from "./fields.ts";

export const OutputStream = z
  .enum(["stdout", "stderr", "pty"])
  .describe("Which stream the bytes came from; a terminal has only `pty`.");

export const EnvPolicy = z
  .object({
    inherit: z
      .enum(["core", "all", "none"])
      .describe("What the server's own variables give: the names a program needs, all, nothing."),
    ignoreDefaultExcludes: z
      .boolean()
      .describe("False drops inherited `*KEY*`, `*SECRET*` and `*TOKEN*`."),
    exclude: z.array(z.string()).describe("Globs of inherited names to drop, in any case."),
    set: z.record(z.string(), z.string()).describe("Variables put after the excludes."),
    includeOnly: z.array(z.string()).describe("When not empty: globs of the only names to keep."),
  })
  .describe("Which of the server's variables a process gets.");

export const TerminalSize = z
  .object({
    rows: z.int().min(1).max(65_535).describe("Lines."),
    columns: z.int().min(1).max(65_535).describe("Characters in a line."),
  })
  .describe("Size of a terminal.");

export const StartParams = z.object({
  processId,
  metadata: z.unknown().optional().describe("Thread and tool call it is for; ignored."),
  argv: z
    .array(z.string())
    .describe("Program and arguments; the program is looked up on the PATH it gets. Not empty."),
  cwd: pathUri.describe("Working directory, as a `file:` URI."),
  envPolicy: EnvPolicy.nullish().describe("What the process gets beside `env`."),
  env: z
    .record(z.string(), z.string())
    .describe(
      "Variables laid over what `envPolicy` gives; without a policy the whole environment.",
    ),
  tty: z
    .boolean()
    .describe(
      "True for a terminal of 24 rows and 80 columns on all three streams; false for pipes.",
    ),
  pipeStdin: z
    .boolean()
    .nullish()
    .describe("Leaves the standard input of a pipe process open for writes. Default: closed."),
  arg0: z
    .string()
    .nullish()
    .describe("What the process sees as its own name, when not the first of `argv`."),
  sandbox,
  enforceManagedNetwork: z.boolean().nullish().describe("True is refused."),
  managedNetwork: z.unknown().optional().describe("Anything but null is refused."),
  networkProxy: z.unknown().optional().describe("Anything but null is refused."),
  shellSnapshot: z.unknown().optional().describe("Anything but null is refused."),
  size: TerminalSize.optional().describe("Extension `terminalSize`: another size."),
  sandboxIntent: SandboxIntent.optional().describe(
    "Extension `sandboxIntent`: what may be done, with plain paths. Excludes `sandbox`.",
  ),
});

export const StartResponse = z.object({
  processId,
  sandboxType: z
    .string()
    .optional()
    .describe("What enforces the sandbox: `none` where none was asked for, else `linuxSeccomp`."),
});

export const ReadParams = z.object({
  processId,
  afterSeq: z
    .int()
    .min(0)
    .nullish()
    .describe("Only chunks with a larger `seq`; left out or null: all that is retained."),
  maxBytes: z
    .int()
    .min(0)
    .nullish()
    .describe("Stop before exceeding so many bytes, but give at least one chunk."),
  waitMs: z
    .int()
    .min(0)
    .nullish()
    .describe("How long to wait for a chunk, an exit not yet seen or the close."),
});

export const OutputChunk = z.object({ seq, stream: OutputStream, chunk });

export const ReadResponse = z.object({
  chunks: z.array(OutputChunk).describe("Oldest first; the newest 1 MiB is retained."),
  nextSeq: z
    .int()
    .describe(
      "One past the last chunk given when `maxBytes` cut the answer, else one past the newest event.",
    ),
  exited: z.boolean().describe("True when the process has ended."),
  exitCode: z
    .int()
    .nullable()
    .describe("Its code, 128+n after signal n, -1 when unknown; null while it runs."),
  closed: z.boolean().describe("True when it has ended and nothing more will be read from it."),
  failure: z.string().nullable().describe("Why there is no exit code, else null."),
  sandboxDenied: z.boolean().nullish().describe("True when the failure was the sandbox's refusal."),
  signal: z
    .string()
    .nullish()
    .describe("Extension `exitSignal`: the signal that ended it, such as `SIGTERM`."),
  firstSeq: z
    .int()
    .optional()
    .describe("Extension `readGap`: the oldest number still retained, else the next one."),
  droppedBytes: z
    .int()
    .optional()
    .describe("Extension `readGap`: bytes from the start of its output that are not retained."),
});

export const WriteParams = z.object({
  processId,
  chunk,
  writeId: z
    .string()
    .describe(
      "Not empty, at most 256 characters. A repeat among the last 4,096 of the process is acknowledged and not written again.",
    ),
});

export const WriteResponse = z.object({
  status: z
    .enum(["accepted", "unknownProcess", "stdinClosed", "starting"])
    .describe("`starting` is not said by this server: it waits for the start."),
});

export const SignalName = z
  .enum([
    "interrupt",
    "SIGINT",
    "SIGTERM",
    "SIGHUP",
    "SIGQUIT",
    "SIGKILL",
    "SIGUSR1",
    "SIGUSR2",
    "SIGWINCH",
  ])
  .describe("`interrupt` is SIGINT; the other names need the extension `signals`.");

export const SignalParams = z.object({
  processId,
  signal: SignalName,
});
export const SignalResponse = z
  .object({})
  .describe("Empty, also for a process that is not known or has ended.");

export const TerminateParams = z.object({
  processId,
  graceMs: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Extension `gracefulTerminate`: SIGTERM first, and SIGKILL after so long. 0 or left out: SIGKILL.",
    ),
});

export const TerminateResponse = z.object({
  running: z.boolean().describe("False when it had ended already or is not known."),
});

export const ResizeParams = z
  .object({ processId, size: TerminalSize })
  .describe("Extension `terminalSize`.");
export const ResizeResponse = z.object({}).describe("Empty: it is done.");

export const CloseStdinParams = z
  .object({ processId })
  .describe("Extension `closeStdin`: the end of a pipe process's input, after what was written.");
export const CloseStdinResponse = z.object({}).describe("Empty: it is done.");

export const ListParams = z.object({}).describe("Extension `processList`.");

export const ListedProcess = z.object({
  processId,
  tty: z.boolean().describe("True for a process on a terminal."),
  state: z.enum(["starting", "running", "exited", "closed"]).describe("How far it has come."),
  nextSeq: z.int().describe("One past its newest event."),
});

export const ListResponse = z.object({
  processes: z.array(ListedProcess).describe("All of the session that are still known."),
});

export const AckParams = z
  .object({ processId, seq })
  .describe(
    "Extension `outputAck`: all events up to `seq` have arrived; said again after a resume. The server holds the process back while more than half of what it retains has not, also while nobody is connected.",
  );

export const OutputNotification = z.object({ processId, seq, stream: OutputStream, chunk });

export const ExitedNotification = z.object({
  processId,
  seq,
  exitCode: z.int().describe("The code; 128+n after signal n; -1 when unknown."),
  sandboxDenied: z.boolean().nullish().describe("True when the failure was the sandbox's refusal."),
  signal: z
    .string()
    .nullish()
    .describe("Extension `exitSignal`: the signal that ended it, such as `SIGTERM`."),
});

export const ClosedNotification = z.object({ processId, seq });
