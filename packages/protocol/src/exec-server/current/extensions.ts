import * as z from "zod";

/**
 * What this project adds to the present form of the protocol. A client names those it wants in `initialize`, the
 * server answers with those of them it has, and only these count on that connection: a method of another answers
 * -32601, a field of another -32602, and nothing of another is ever sent.
 */
export const ExtensionName = z
  .enum([
    "instance",
    "sessionEnd",
    "terminalSize",
    "closeStdin",
    "signals",
    "gracefulTerminate",
    "processList",
    "exitSignal",
    "readGap",
    "outputAck",
    "rename",
    "fileMode",
    "atomicWrite",
    "readRange",
    "entryKinds",
    "walkMetadata",
    "sandboxIntent",
    "errorKinds",
  ])
  .describe("Something that is there only when both sides have named it.");

export type ExtensionName = z.infer<typeof ExtensionName>;

export const extensionNames: readonly ExtensionName[] = ExtensionName.options;
