import { Readable, Writable } from "node:stream";
import { createLineTransport, settleWithin, type Transport } from "@codex/jsonrpc";
import { fullAccess } from "@codex/protocol";
import {
  type EnvironmentPolicy,
  openSpawnContext,
  type SpawnContext,
  type SpawnedProcess,
  spawnProcess,
} from "@codex/pty";
import { maxAnswerBytes } from "./connect-options.ts";
import { spawnFailed } from "./exec-server-error.ts";

/** Where a server that is our own child is started. */
export interface ServerChildOptions {
  /** This machine's variables, which the child gets, and the PATH its program is looked up on. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Default `/`. */
  readonly cwd?: string;
  /** Time between signs of life; silent for three of them while somebody waits, the server is lost. Default 10,000. */
  readonly heartbeatMs?: number;
  /** Shares an existing guard and pipes; left out, the child has its own. */
  readonly spawnContext?: SpawnContext;
}

interface ServerChildParts extends ServerChildOptions {
  readonly argv: readonly string[];
  readonly label: string;
  /** How much of a greeting is skipped before the first message. Default: none. */
  readonly bannerBytes?: number;
  /** Gets the child's standard error as it comes. */
  readonly onStderr: (bytes: Uint8Array) => void;
}

/** What is kept of either stream for an error. */
const quotedBytes = 1_000;
/** How long to wait for the rest of what a child says that is asked for an account. */
const lastWordsMs = 200;
/** How long a child may take to end by itself once its input has ended, before it is killed. */
const farewellMs = 2_000;

/** A program that speaks the protocol on its standard streams, and ends when its input ends. */
export class ServerChild {
  readonly transport: Transport;
  readonly #process: SpawnedProcess;
  readonly #context: AsyncDisposable | undefined;
  readonly #onStderr: (bytes: Uint8Array) => void;
  #firstOutput = Buffer.alloc(0);
  #lastError = Buffer.alloc(0);
  #exitCode: number | undefined;
  #readOn: () => void = () => undefined;

  /** Rejects with an `ExecServerError` of kind `spawn`, or the signal's reason. */
  static async start(parts: ServerChildParts, signal?: AbortSignal): Promise<ServerChild> {
    const own = parts.spawnContext === undefined ? openSpawnContext(parts.variables) : undefined;
    const { argv, cwd = "/", spawnContext: context = own ?? { baseEnvironment: {} } } = parts;
    try {
      const process = await spawnProcess(
        { argv, cwd, env: everything(parts), tty: false, stdin: "open", sandbox: fullAccess },
        context,
        signal,
      );
      return new ServerChild(process, own, parts);
    } catch (error) {
      await own?.[Symbol.asyncDispose]();
      throw signal?.aborted ? signal.reason : spawnFailed(error);
    }
  }

  private constructor(
    process: SpawnedProcess,
    context: AsyncDisposable | undefined,
    { label, bannerBytes, onStderr }: ServerChildParts,
  ) {
    this.#process = process;
    this.#context = context;
    this.#onStderr = onStderr;
    const stdout = new Readable({
      read: () => this.#readOn(),
      destroy: (error, done) => {
        this.#readOn();
        done(error);
      },
    });
    void this.#pump(stdout);
    void process.exit.then((exit) => this.#ended(exit.code));
    this.transport = createLineTransport({
      readable: stdout,
      writable: inputOf(process),
      label,
      maxMessageBytes: maxAnswerBytes,
      ...(bannerBytes === undefined ? {} : { bannerBytes }),
    });
  }

  /** What the child said and how it ended, for somebody who wonders why there is no connection. */
  async account(): Promise<string> {
    await settleWithin(this.#process.closed, lastWordsMs);
    const facts = [
      this.#exitCode === undefined ? "it is running" : `it exited with code ${this.#exitCode}`,
      ...(this.#firstOutput.length === 0 ? [] : [`stdout began with ${quoted(this.#firstOutput)}`]),
      ...(this.#lastError.length === 0 ? [] : [`stderr ended with ${quoted(this.#lastError)}`]),
    ];
    return facts.join("; ");
  }

  /** To be called when the transport is closed: waits for the child, 2 s at most, then kills it. */
  async end(): Promise<void> {
    await settleWithin(this.#process.exit, farewellMs);
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.#context?.[Symbol.asyncDispose]();
  }

  /** Both streams are read until they end; standard output waits for the connection, as long as there is one. */
  async #pump(stdout: Readable): Promise<void> {
    for await (const { stream, bytes } of this.#process.output) {
      if (stream === "stderr") {
        this.#lastError = Buffer.concat([this.#lastError, bytes]).subarray(-quotedBytes);
        this.#onStderr(bytes);
        continue;
      }
      const missing = quotedBytes - this.#firstOutput.length;
      if (missing > 0)
        this.#firstOutput = Buffer.concat([this.#firstOutput, bytes.subarray(0, missing)]);
      if (stdout.destroyed || stdout.push(bytes)) continue;
      await new Promise<void>((resolve) => (this.#readOn = resolve));
    }
    stdout.push(null);
  }

  /** A descendant may hold the streams open, as the master of shared ssh connections does: the child counts. */
  async #ended(code: number): Promise<void> {
    this.#exitCode = code;
    await settleWithin(this.#process.closed, farewellMs);
    await this.#process[Symbol.asyncDispose]();
  }
}

function everything({ variables }: ServerChildParts): EnvironmentPolicy {
  const entries = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    inherit: "none",
    ignoreDefaultExcludes: true,
    exclude: [],
    set: {},
    includeOnly: [],
    overlay: Object.fromEntries(entries),
  };
}

function inputOf(process: SpawnedProcess): Writable {
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      process.write(bytes).then(() => done(), done);
    },
    writev(pieces, done) {
      const bytes = Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer));
      process.write(bytes).then(() => done(), done);
    },
    final(done) {
      process.closeStdin().then(() => done(), done);
    },
  });
}

function quoted(bytes: Buffer): string {
  return JSON.stringify(bytes.toString("utf8").trim());
}
