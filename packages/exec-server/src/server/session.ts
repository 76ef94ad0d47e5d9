import type { FileSystem } from "@codex/environment";
import { CallOrder } from "./call-order.ts";
import type { Clock } from "./clock.ts";
import { FileHandles } from "./file-handles.ts";
import type { ServerLimits } from "./limits.ts";
import { ProcessTable } from "./process-table.ts";
import { SessionOutput } from "./session-output.ts";
import { WriteMemory } from "./write-memory.ts";

export interface SessionOptions {
  readonly id: string;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly fileSystem: FileSystem;
}

/** How long an exited process is kept, and its id reserved; from the original. */
const retentionMs = 80_000;

/** What a client owns on the server beyond one connection. Disposing ends its processes. */
export class Session implements AsyncDisposable {
  readonly id: string;
  readonly output: SessionOutput;
  readonly processes: ProcessTable;
  readonly handles: FileHandles;
  readonly order: CallOrder;
  readonly writes = new WriteMemory();

  constructor({ id, limits, clock, fileSystem }: SessionOptions) {
    this.id = id;
    this.output = new SessionOutput(limits);
    this.processes = new ProcessTable({ limits, clock, retentionMs, listener: this.output });
    this.handles = new FileHandles(fileSystem);
    this.order = new CallOrder(limits.maxOpenFiles);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.output.end();
    await this.processes[Symbol.asyncDispose]();
  }
}
