import { createAgent, TurnInterrupted } from "@codex/core";
import type { ThreadEvent, TurnCompleted, TurnFailed } from "@codex/protocol";
import { exitCode, exitCodeOfSignal } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import { productVersion } from "../version.ts";
import { endWithin } from "./end-within.ts";
import type { EventOutput } from "./event-output.ts";
import { humanOutputFor } from "./header.ts";
import { jsonOutput } from "./json-output.ts";
import { originatorOf } from "./open-model.ts";
import type { ExecOptions } from "./options.ts";
import { type PreparedRun, prepareRun } from "./prepare.ts";
import { localToday } from "./local-today.ts";
import { isTurnEnd, RunOutcome } from "./run-outcome.ts";
import { type Interruption, listenForInterruption } from "./signals.ts";
import { startFailure } from "./start-failure.ts";

/** How long what a run owns may take to end after its last event; the process's end takes care of the rest. */
const farewellMs = 700;

/** One run, from a command line to an exit code. Everything it started is ended when it settles. */
export async function runExec(options: ExecOptions, context: ProcessContext): Promise<number> {
  using interruption = listenForInterruption(context, (name) => new TurnInterrupted(name));
  const owned: AsyncDisposable[] = [];
  try {
    const own = (thing: AsyncDisposable): number => owned.push(thing);
    const { signal } = interruption;
    const prepared = await prepareRun(options, { context, signal, own });
    return await runTurn({ options, context, prepared, interruption, own });
  } catch (error) {
    if (interruption.received !== undefined) return exitCodeOfSignal(interruption.received);
    const failure = startFailure(error);
    context.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  } finally {
    await endWithin(farewellMs, disposeAll(owned));
  }
}

interface Turn {
  readonly options: ExecOptions;
  readonly context: ProcessContext;
  readonly prepared: PreparedRun;
  readonly interruption: Interruption;
  readonly own: (thing: AsyncDisposable) => void;
}

async function runTurn(turn: Turn): Promise<number> {
  const { options, context, prepared, interruption, own } = turn;
  const { config, environment, model, outputSchema } = prepared;
  const agent = createAgent({
    config,
    environment,
    model: model.client,
    isEphemeral: options.ephemeral,
    sessionIds: options.replay === undefined ? "random" : "counting",
    originator: originatorOf(context),
    version: productVersion(),
    today: () => localToday(new Date(context.now()), context.env),
  });
  const { resumed } = prepared;
  const thread = resumed === undefined ? agent.startThread() : agent.resumeThread(resumed);
  own(thread);
  const { prompt, images } = prepared;
  const events = thread.runStreamed(
    { text: prompt, images },
    {
      signal: interruption.signal,
      outputSchema,
      limits: limitsOf(options),
    },
  );
  const output = options.json
    ? jsonOutput(context.stdout)
    : humanOutputFor(prepared, options, context);
  return report(turn, events, output);
}

/** Passes every event on; the one that ends the turn carries the exit code. */
async function report(
  { options, context, prepared, interruption }: Turn,
  events: AsyncIterable<ThreadEvent>,
  output: EventOutput,
): Promise<number> {
  const outcome = new RunOutcome({ failsOnToolError: options.failOnToolError });
  let code: number = exitCode.turnFailed;
  for await (const event of events) {
    outcome.take(event);
    if (!isTurnEnd(event)) {
      output.event(event);
      continue;
    }
    const result = outcome.resultOf(event);
    code = outcome.exitCodeOf(event, interruption.received);
    if (!(await keepResult(prepared, result, context)) && code === exitCode.completed)
      code = exitCode.turnFailed;
    output.event(withExitCode(event, code));
    output.finish(result);
  }
  return code;
}

function withExitCode(event: TurnCompleted | TurnFailed, code: number): ThreadEvent {
  return { ...event, exit_code: code };
}

/** False when the file that was asked for could not be written. */
async function keepResult(
  { lastMessageFile }: PreparedRun,
  result: string | undefined,
  { stderr }: ProcessContext,
): Promise<boolean> {
  if (lastMessageFile === undefined) return true;
  if (result === undefined) stderr.write("Warning: no last agent message; wrote an empty file\n");
  try {
    await lastMessageFile.write(result ?? "");
    return true;
  } catch (error) {
    stderr.write(`The last message could not be written: ${(error as Error).message}\n`);
    return false;
  }
}

function limitsOf({ maxTurns, maxTokens, timeoutMs }: ExecOptions) {
  return {
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Last made, first ended. */
async function disposeAll(owned: readonly AsyncDisposable[]): Promise<void> {
  for (const thing of owned.toReversed()) await thing[Symbol.asyncDispose]();
}
