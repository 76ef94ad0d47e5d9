import { once } from "node:events";
import { closeSync, constants, openSync, readlinkSync, readSync } from "node:fs";
import { spawnChild } from "./child.ts";
import { closePipe, type Pipe } from "./pipes.ts";

/** A small here-document is a pipe in the shells of Linux. Says so when it is there, then waits. */
const script = "exec 3<<END\nx\nEND\necho; read _";

/**
 * An anonymous pipe for a program's stdin, or undefined where this shell makes none. A FIFO will not do there: opening
 * `/dev/stdin` waits for a writer, for ever when all is written and closed already; an anonymous pipe does not. Costs
 * one short `/bin/sh`.
 */
export async function openInputPipe(): Promise<Pipe | undefined> {
  if (process.platform !== "linux") return undefined;
  const shell = await spawnChild({
    file: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: {},
    ownSession: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    await Promise.race([once(shell.stdout!, "data"), once(shell, "exit")]);
    return borrow(`/proc/${shell.pid}/fd/3`);
  } catch {
    return undefined;
  } finally {
    shell.kill("SIGKILL");
  }
}

function borrow(link: string): Pipe | undefined {
  if (!readlinkSync(link).startsWith("pipe:")) return undefined;
  const read = openSync(link, constants.O_RDONLY);
  let pipe: Pipe | undefined;
  try {
    pipe = { read, write: openSync(link, constants.O_WRONLY) };
    readSync(read, Buffer.alloc(2)); // the here-document itself
    return pipe;
  } catch (error) {
    if (pipe === undefined) closeSync(read);
    else closePipe(pipe);
    throw error;
  }
}
