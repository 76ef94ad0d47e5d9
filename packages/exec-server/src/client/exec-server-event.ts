import type { OutputStream } from "@codex/environment";

/** What the server tells of its own accord about a process, in the order it happened. */
export type ExecServerEvent =
  | {
      readonly type: "output";
      readonly processId: string;
      readonly stream: OutputStream;
      readonly bytes: Uint8Array;
      /** Position in the process's events, where the dialect has one. */
      readonly seq: number | undefined;
    }
  | {
      readonly type: "exited";
      readonly processId: string;
      /** 128+n after signal n. */
      readonly exitCode: number;
      readonly signal: string | undefined;
      readonly sandboxDenied: boolean | undefined;
      readonly seq: number | undefined;
    }
  | { readonly type: "closed"; readonly processId: string; readonly seq: number | undefined };
