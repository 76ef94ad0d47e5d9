import * as z from "zod";

const processId = z
  .string()
  .describe(
    "Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid.",
  );

const chunk = z.string().describe("Bytes as padded standard base64.");

export const ExecOutputStream = z
  .enum(["stdout", "stderr", "pty"])
  .describe("Which stream the bytes came from; a terminal has only `pty`.");

export const ExecSandboxMode = z
  .enum(["none", "hostDefault"])
  .describe("`none` runs without a sandbox; `hostDefault` is refused.");

export const ExecSandboxConfig = z.object({ mode: ExecSandboxMode });

export const ExecParams = z.object({
  processId,
  argv: z
    .array(z.string())
    .describe("Program and arguments; the program is looked up on the PATH of `env`. Not empty."),
  cwd: z
    .string()
    .describe(
      "Working directory on the server, absolute; a relative one starts at the server's own.",
    ),
  env: z.record(z.string(), z.string()).describe("The whole environment of the process."),
  tty: z
    .boolean()
    .describe(
      "True for a terminal of 24 rows and 80 columns on all three streams; false for pipes with stdin closed.",
    ),
  arg0: z
    .string()
    .nullish()
    .describe("What the process sees as its own name, when not the first of `argv`."),
  sandbox: ExecSandboxConfig.nullish().describe("Left out or null: no sandbox."),
});

export const ExecResponse = z.object({ processId });

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
    .describe("How long to wait for a chunk or the exit when there is neither yet."),
});

export const ProcessOutputChunk = z.object({
  seq: z.int().describe("Number of the chunk within its process, growing from 1."),
  stream: ExecOutputStream,
  chunk,
});

export const ReadResponse = z.object({
  chunks: z.array(ProcessOutputChunk).describe("Oldest first; the newest 1 MiB is retained."),
  nextSeq: z
    .int()
    .describe(
      "One past the last chunk given when `maxBytes` cut the answer, else one past the newest.",
    ),
  exited: z.boolean().describe("True when the process has ended."),
  exitCode: z
    .int()
    .nullable()
    .describe("Its code, 128+n after signal n, -1 when unknown; null while it runs."),
});

export const WriteParams = z.object({ processId, chunk });

export const WriteResponse = z.object({
  accepted: z.boolean().describe("Always true: a write that is not accepted is an error."),
});

export const TerminateParams = z.object({ processId });

export const TerminateResponse = z.object({
  running: z
    .boolean()
    .describe("True while the process is known, also after its exit; false when it is not."),
});

export const ExecOutputDeltaNotification = z.object({
  processId,
  stream: ExecOutputStream,
  chunk,
});

export const ExecExitedNotification = z.object({
  processId,
  exitCode: z.int().describe("The code; 128+n after signal n; -1 when unknown."),
});

export type ExecOutputStream = z.infer<typeof ExecOutputStream>;
export type ExecSandboxMode = z.infer<typeof ExecSandboxMode>;
export type ExecSandboxConfig = z.infer<typeof ExecSandboxConfig>;
export type ExecParams = z.infer<typeof ExecParams>;
export type ExecResponse = z.infer<typeof ExecResponse>;
export type ReadParams = z.infer<typeof ReadParams>;
export type ProcessOutputChunk = z.infer<typeof ProcessOutputChunk>;
export type ReadResponse = z.infer<typeof ReadResponse>;
export type WriteParams = z.infer<typeof WriteParams>;
export type WriteResponse = z.infer<typeof WriteResponse>;
export type TerminateParams = z.infer<typeof TerminateParams>;
export type TerminateResponse = z.infer<typeof TerminateResponse>;
export type ExecOutputDeltaNotification = z.infer<typeof ExecOutputDeltaNotification>;
export type ExecExitedNotification = z.infer<typeof ExecExitedNotification>;
