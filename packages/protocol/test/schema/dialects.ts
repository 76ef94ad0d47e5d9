import * as z from "zod";
import * as currentEnvironment from "../../src/exec-server/current/environment.ts";
import * as currentFiles from "../../src/exec-server/current/file-system.ts";
import * as currentHandshake from "../../src/exec-server/current/initialize.ts";
import { execServerCurrent } from "../../src/exec-server/current/methods.ts";
import * as currentProcesses from "../../src/exec-server/current/process.ts";
import * as currentSandbox from "../../src/exec-server/current/sandbox.ts";
import * as files from "../../src/exec-server/v0/file-system.ts";
import * as handshake from "../../src/exec-server/v0/initialize.ts";
import { execServerV0 } from "../../src/exec-server/v0/methods.ts";
import * as processes from "../../src/exec-server/v0/process.ts";
import type { NotificationDefinition, RequestDefinition } from "../../src/method.ts";
import { SandboxIntent } from "../../src/sandbox-intent.ts";

/** One form of the wire: its method table and every type with the name it is exported by. */
export interface Dialect {
  readonly protocolVersion: string;
  readonly requests: Readonly<Record<string, RequestDefinition>>;
  readonly clientNotifications: Readonly<Record<string, NotificationDefinition>>;
  readonly serverNotifications: Readonly<Record<string, NotificationDefinition>>;
  readonly types: Readonly<Record<string, z.ZodType>>;
}

/** A further form is one more line. */
export const dialects: readonly Dialect[] = [
  { ...execServerV0, types: schemasOf({ ...handshake, ...processes, ...files }) },
  {
    ...execServerCurrent,
    types: schemasOf({
      ...currentHandshake,
      ...currentEnvironment,
      ...currentProcesses,
      ...currentFiles,
      ...currentSandbox,
      SandboxIntent,
    }),
  },
];

/** The exported name of a schema. */
export function typeNameOf({ types }: Dialect, schema: z.ZodType): string {
  const found = Object.entries(types).find(([, type]) => type === schema);
  if (found === undefined) throw new Error("a method uses a schema that is not exported");
  return found[0];
}

function schemasOf(exported: Readonly<Record<string, unknown>>): Record<string, z.ZodType> {
  const named = Object.entries(exported).filter((entry): entry is [string, z.ZodType] => {
    return entry[1] instanceof z.ZodType;
  });
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
