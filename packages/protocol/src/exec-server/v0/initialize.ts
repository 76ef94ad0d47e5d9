import * as z from "zod";

export const InitializeParams = z.object({
  clientName: z.string().describe("Name of the client, for the server's log."),
});

export const InitializeResponse = z.object({
  protocolVersion: z.string().describe("Always `exec-server.v0`."),
});

export const InitializedParams = z.unknown().describe("Ignored; clients send an empty object.");

export type InitializeParams = z.infer<typeof InitializeParams>;
export type InitializeResponse = z.infer<typeof InitializeResponse>;
