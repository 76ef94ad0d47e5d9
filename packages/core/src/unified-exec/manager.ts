import { ProcessError } from "@codex/environment";
import { joinPath } from "@codex/protocol";
import type { ToolContext } from "../tools/tool.ts";
import { startCommand, type StartRequest } from "./command/start-command.ts";
import { type Clock, systemClock, waitForOutput } from "./collect-output.ts";
import { type CommandResult, type ExecResult, outputBudgetFor } from "./exec-result.ts";
import { outputText } from "./retained-text.ts";
import { RetiredSessions } from "./retired-sessions.ts";
import { isSandboxDenial } from "./sandbox-denial.ts";
import { chooseForPruning, SessionStore } from "./session-store.ts";
import { ExecSession } from "./session.ts";
import type {
  ExecCommandRequest,
  UnifiedExecOptions,
  WriteStdinRequest,
} from "./unified-exec-options.ts";
import { UnifiedExecError } from "./unified-exec-error.ts";
import { emptyPollMs, execYieldMs, writeYieldMs } from "./yield-window.ts";

/** Time to leave for processes that are ended with the manager, and for one that is pruned. */
const disposeGraceMs = 250;
const pruneGraceMs = 2_000;
/** How long written input may take to have its first effect before the wait for output begins. */
const settleMs = 100;
const warningSessions = 60;
const interruptCharacter = "\u0003";

/**
 * The commands of one thread. A command that outlives its call goes on in the background, across turns and aborted
 * calls, until it ends by itself, is pruned as the least used of 65, or this is disposed, which ends every process.
 *
 * Calls reject with {@link UnifiedExecError} for what the model can act on, with the signal's reason as soon as that
 * is aborted (the command goes on), and with the environment's own error when the environment is lost.
 */
export class UnifiedExecManager implements AsyncDisposable {
  readonly allowLoginShell: boolean;
  readonly #options: UnifiedExecOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #store: SessionStore<ExecSession>;
  readonly #retired = new RetiredSessions();
  readonly #disposal = new AbortController();

  constructor(options: UnifiedExecOptions) {
    this.#options = options;
    this.allowLoginShell = options.allowLoginShell;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#store = new SessionStore(
      options.ids === "counting" ? { kind: "counting" } : { kind: "random", random: this.#random },
    );
  }

  /** Runs a command and waits until it has ended or its yield window is over. Announces it as an item. */
  async execCommand(request: ExecCommandRequest, context: ToolContext): Promise<ExecResult> {
    const { cwd, intercept } = this.#options;
    const workdir = joinPath(cwd, request.workdir ?? "");
    const text = await intercept?.(request.cmd, workdir, context);
    if (text !== undefined) return { kind: "intercepted", text };
    const { cmd, shell, login, tty } = request;
    const session = await this.#start({ cmd, workdir, shell, login, tty }, context.signal);
    try {
      return await this.#collect(session, {
        yieldMs: execYieldMs(request.yieldTimeMs),
        maxOutputTokens: request.maxOutputTokens,
        signal: context.signal,
      });
    } finally {
      this.#moveToBackground(session);
    }
  }

  /** Writes to a command, if there is something to write, and waits for what it says. */
  async writeStdin(request: WriteStdinRequest, signal: AbortSignal): Promise<CommandResult> {
    const session = this.#store.get(request.sessionId);
    session.lastUsedMs = this.#clock.now();
    if (request.chars !== "") await this.#send(session, request.chars, signal);
    return this.#collect(session, {
      yieldMs:
        request.chars === ""
          ? emptyPollMs(request.yieldTimeMs, this.#options.emptyPollMaxMs)
          : writeYieldMs(request.yieldTimeMs),
      maxOutputTokens: request.maxOutputTokens,
      signal,
    });
  }

  /** At the end of a turn: what still runs is told as failed without an exit code, with its output so far. It runs on. */
  completeOpenItems(): void {
    for (const session of this.#store.all()) session.completeItem();
  }

  /** Ends every process of the thread, also those left behind by commands that have ended. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposal.abort(new Error("the commands of this thread have been ended"));
    const sessions = [...this.#store.all(), ...this.#retired.all()];
    for (const { id } of this.#store.all()) this.#store.release(id);
    await Promise.all(sessions.map((session) => session.terminate(disposeGraceMs)));
  }

  async #start(request: StartRequest, signal: AbortSignal): Promise<ExecSession> {
    const id = this.#store.reserveId();
    try {
      const untilDisposed = AbortSignal.any([signal, this.#disposal.signal]);
      const { process, item } = await startCommand(request, this.#options, untilDisposed);
      const isTerminal = request.tty;
      const session = new ExecSession({ id, process, isTerminal, item, clock: this.#clock });
      if (this.#disposal.signal.aborted) await session.terminate(0);
      this.#disposal.signal.throwIfAborted();
      this.#store.add(session);
      return session;
    } catch (error) {
      this.#store.release(id);
      throw error;
    }
  }

  async #send(session: ExecSession, chars: string, signal: AbortSignal): Promise<void> {
    if (!session.isTerminal && chars !== interruptCharacter) throw stdinClosed();
    const sent = session.isTerminal ? session.write(Buffer.from(chars)) : session.interrupt();
    let failure: unknown;
    sent.catch((error: unknown) => (failure = error));
    await waitForOutput(session, { yieldMs: settleMs, clock: this.#clock, signal });
    // A command that has just ended takes no input; that it ended is the better answer.
    if (failure !== undefined && session.exit === undefined) throw writeFailure(failure);
  }

  async #collect(session: ExecSession, window: CollectWindow): Promise<CommandResult> {
    const startedMs = this.#clock.now();
    try {
      await waitForOutput(session, { ...window, clock: this.#clock });
    } catch (error) {
      if (!window.signal.aborted) this.#retire(session);
      throw error;
    }
    const wallTimeMs = this.#clock.now() - startedMs;
    const output = outputText(session.takeOutput());
    const { outputBudget, outputTokenLimit } = this.#options;
    return {
      kind: "command",
      chunkId: chunkId(this.#random()),
      wallTimeMs,
      state: this.#stateOf(session, output.text),
      output,
      budget: outputBudgetFor(window.maxOutputTokens, outputBudget, outputTokenLimit),
    };
  }

  /** Telling an exit is the end of the session. */
  #stateOf(session: ExecSession, output: string): CommandResult["state"] {
    const { exit } = session;
    if (exit === undefined) return { kind: "running", sessionId: session.id };
    this.#retire(session);
    const isDenial = isSandboxDenial(this.#options.sandbox, exit, output);
    return { kind: "exited", code: exit.code, isSandboxDenial: isDenial };
  }

  #moveToBackground(session: ExecSession): void {
    if (!this.#store.has(session.id)) return;
    const pruned = chooseForPruning(this.#store.inBackground());
    if (pruned !== undefined) this.#prune(pruned);
    session.isInBackground = true;
    const count = this.#store.inBackground().length;
    if (count >= warningSessions) this.#options.warn?.(tooManySessions(count));
  }

  /** The command has ended for the model; what it left behind lives on. */
  #retire(session: ExecSession): void {
    session.retire();
    this.#store.release(session.id);
    this.#retired.add(session);
  }

  #prune(session: ExecSession): void {
    this.#store.release(session.id);
    this.#retired.add(session);
    void session.terminate(pruneGraceMs);
  }
}

interface CollectWindow {
  readonly yieldMs: number;
  readonly maxOutputTokens: number | undefined;
  readonly signal: AbortSignal;
}

function stdinClosed(): UnifiedExecError {
  return new UnifiedExecError(
    "stdinClosed",
    "stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
  );
}

/** A lost environment ends the turn; anything else is for the model. */
function writeFailure(cause: unknown): unknown {
  if (!(cause instanceof ProcessError) || cause.kind === "lost") return cause;
  const message = cause.kind === "unsupported" ? cause.message : "failed to write to stdin";
  return new UnifiedExecError("writeFailed", message, { cause });
}

function chunkId(random: number): string {
  return Math.floor(random * 0x1000000)
    .toString(16)
    .padStart(6, "0");
}

function tooManySessions(count: number): string {
  return (
    `The maximum number of unified exec processes you can keep open is ${warningSessions} and you currently have ` +
    `${count} processes open. Reuse older processes or close them to prevent automatic pruning of old processes`
  );
}
