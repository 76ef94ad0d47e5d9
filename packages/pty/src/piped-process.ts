import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { exitOf, spawnChild } from "./child.ts";
import type { Command } from "./command.ts";
import { openInputPipe } from "./input-pipe.ts";
import type { ProcessParts } from "./local-process.ts";
import { OutputQueue } from "./output-queue.ts";
import { noInput, PipeInput } from "./pipe-input.ts";
import { readPipe, readSocket } from "./pipe-reader.ts";
import { closePipe, type Pipe, type PipePool } from "./pipes.ts";

/** Starts `command` with a pipe per stream; where there are no real pipes, with sockets. Rejects with a `ProcessError`. */
export async function startPiped(
  command: Command,
  options: { hasInput: boolean; pool: PipePool | undefined; signal: AbortSignal | undefined },
): Promise<ProcessParts> {
  const { hasInput, pool, signal } = options;
  const outputPipes = await takePipes(pool, 2);
  const [stdout, stderr] = outputPipes;
  const stdin = hasInput && pool !== undefined ? await openInputPipe() : undefined;
  const forChild = [
    hasInput ? (stdin?.read ?? "pipe") : "ignore",
    stdout?.write ?? "pipe",
    stderr?.write ?? "pipe",
  ] as const;
  const child = await spawnOrClose();
  for (const descriptor of forChild) if (typeof descriptor === "number") closeSync(descriptor);

  const output = new OutputQueue();
  if (stdout === undefined) readSocket(child.stdout as Socket, "stdout", output);
  else readPipe(stdout.read, "stdout", output);
  if (stderr === undefined) readSocket(child.stderr as Socket, "stderr", output);
  else readPipe(stderr.read, "stderr", output);
  const exit = exitOf(child);
  if (!hasInput) return { pid: child.pid, exit, output, input: noInput };
  const socket =
    stdin === undefined
      ? (child.stdin as Socket)
      : new Socket({ fd: stdin.write, readable: false, writable: true });
  return { pid: child.pid, exit, output, input: new PipeInput(socket) };

  async function spawnOrClose(): ReturnType<typeof spawnChild> {
    try {
      signal?.throwIfAborted();
      return await spawnChild({ ...command, stdio: [...forChild, ...command.descriptors] });
    } catch (error) {
      outputPipes.forEach(closePipe);
      if (stdin !== undefined) closePipe(stdin);
      throw error;
    }
  }
}

async function takePipes(pool: PipePool | undefined, count: number): Promise<Pipe[]> {
  const pipes: Pipe[] = [];
  while (pipes.length < count) {
    const pipe = await pool?.take();
    if (pipe === undefined) break;
    pipes.push(pipe);
  }
  return pipes;
}
