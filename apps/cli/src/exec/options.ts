import { type Command, InvalidArgumentError, Option } from "commander";
import { StartError } from "../start-error.ts";
import type { ThreadSelection } from "./find-thread.ts";
import type { ColorChoice } from "./style.ts";

/** What a command line asks of `codex exec`; nothing is looked up yet. */
export interface ExecOptions {
  /** Undefined and `-` both mean standard input. */
  readonly prompt: string | undefined;
  /** Left out: a new thread. */
  readonly resume?: ThreadSelection;
  readonly cd: string | undefined;
  readonly model: string | undefined;
  readonly profile: string | undefined;
  readonly sandbox: "read-only" | "workspace-write" | "danger-full-access" | undefined;
  /** `key=value` texts in the order given. */
  readonly overrides: readonly string[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  readonly strictConfig: boolean;
  readonly addDir: readonly string[];
  readonly environment: string | undefined;
  readonly oss: boolean;
  readonly localProvider: "ollama" | "lmstudio" | undefined;
  readonly cyberAccessProgram: string | undefined;
  readonly threadSource: string | undefined;
  readonly images: readonly string[];
  readonly replay: string | undefined;
  readonly skipGitRepoCheck: boolean;
  readonly ephemeral: boolean;
  readonly outputSchema: string | undefined;
  readonly outputLastMessage: string | undefined;
  readonly json: boolean;
  readonly color: ColorChoice;
  readonly maxTurns: number | undefined;
  readonly maxTokens: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly failOnToolError: boolean;
}

interface WrittenOptions {
  cd?: string;
  model?: string;
  profile?: string;
  sandbox?: NonNullable<ExecOptions["sandbox"]>;
  config?: string[];
  enable?: string[];
  disable?: string[];
  strictConfig?: boolean;
  addDir?: string[];
  environment?: string;
  oss?: boolean;
  localProvider?: NonNullable<ExecOptions["localProvider"]>;
  cyberAccessProgram?: string;
  threadSource?: string;
  image?: string[];
  replay?: string;
  skipGitRepoCheck?: boolean;
  ephemeral?: boolean;
  outputSchema?: string;
  outputLastMessage?: string;
  json?: boolean;
  experimentalJson?: boolean;
  color?: ColorChoice;
  maxTurns?: number;
  maxTokens?: number;
  timeout?: number;
  failOnToolError?: boolean;
  fullAuto?: boolean;
  dangerouslyBypassApprovalsAndSandbox?: boolean;
  yolo?: boolean;
}

/** Options that also select and change the configuration of other commands. */
export function addConfigOptions(command: Command): Command {
  return command
    .option("-C, --cd <dir>", "work in this folder")
    .option(
      "-c, --config <key=value>",
      "override a configuration key; the value is TOML, else text (repeatable)",
      collect,
    )
    .option("-p, --profile <name>", "use this profile of the configuration")
    .option("-m, --model <name>", "model to ask")
    .option("--oss", "use a model server on this machine")
    .addOption(
      new Option("--local-provider <name>", "which one, with --oss").choices([
        "ollama",
        "lmstudio",
      ]),
    )
    .addOption(sandboxOption())
    .option("--add-dir <dir>", "a further folder that may be written (repeatable)", collect)
    .option("--environment <name>", "where commands run and files lie")
    .option("--enable <feature>", "turn a feature on (repeatable)", collect)
    .option("--disable <feature>", "turn a feature off (repeatable)", collect)
    .option("--strict-config", "an unknown configuration key is an error")
    .option("--full-auto", "the same as --sandbox workspace-write")
    .option("--dangerously-bypass-approvals-and-sandbox", "no sandbox and no git check")
    .addOption(new Option("--yolo").hideHelp());
}

/** Options of a run; given before `exec` they count too. */
export function addRunOptions(command: Command): Command {
  return command
    .option("-i, --image <file>", "show the model an image (repeatable, one file each)", collect)
    .option("--skip-git-repo-check", "run outside a git repository")
    .option("--ephemeral", "keep no session on disk")
    .option("--json", "print events as JSON lines on stdout")
    .addOption(new Option("--experimental-json").hideHelp())
    .option("-o, --output-last-message <file>", "write the last message to a file")
    .option("--output-schema <file>", "JSON Schema the last message must have")
    .addOption(
      new Option("--color <when>", "colours on stderr").choices(["auto", "always", "never"]),
    )
    .option("--max-turns <n>", "stop after so many model requests", positiveInteger)
    .option(
      "--max-tokens <n>",
      "stop after so many tokens, cached ones not counted",
      positiveInteger,
    )
    .option("--timeout <time>", "stop after this long: seconds, or 500ms, 90s, 5m, 1h", duration)
    .option("--fail-on-tool-error", "exit 5 when the turn completed but a command or tool failed")
    .option("--replay <file>", "play the model from a conversation file; tools run for real")
    .addOption(new Option("--thread-source <text>").hideHelp())
    .addOption(new Option("--cyber-access-program <text>").hideHelp());
}

/** `commands` from the outermost to the innermost: a value closer to the prompt wins, lists are joined in order. */
export function execOptions(commands: readonly Command[], prompt: string | undefined): ExecOptions {
  const levels = commands.map((command) => command.opts<WrittenOptions>());
  const written: WrittenOptions = Object.assign({}, ...levels);
  const list = (key: "config" | "enable" | "disable" | "addDir" | "image"): string[] =>
    levels.flatMap((level) => level[key] ?? []);
  const bypasses = written.dangerouslyBypassApprovalsAndSandbox ?? written.yolo ?? false;
  return {
    prompt,
    cd: written.cd,
    model: written.model,
    profile: written.profile,
    sandbox: sandboxOf(written, bypasses),
    overrides: list("config"),
    enable: list("enable"),
    disable: list("disable"),
    strictConfig: written.strictConfig ?? false,
    addDir: list("addDir"),
    environment: written.environment,
    oss: written.oss ?? false,
    localProvider: written.localProvider,
    cyberAccessProgram: written.cyberAccessProgram,
    threadSource: written.threadSource,
    images: list("image"),
    replay: written.replay,
    skipGitRepoCheck: bypasses || (written.skipGitRepoCheck ?? false),
    ephemeral: written.ephemeral ?? false,
    outputSchema: written.outputSchema,
    outputLastMessage: written.outputLastMessage,
    json: written.json ?? written.experimentalJson ?? false,
    color: written.color ?? "auto",
    maxTurns: written.maxTurns,
    maxTokens: written.maxTokens,
    timeoutMs: written.timeout,
    failOnToolError: written.failOnToolError ?? false,
  };
}

function sandboxOption(): Option {
  return new Option("-s, --sandbox <mode>", "what commands may do").choices([
    "read-only",
    "workspace-write",
    "danger-full-access",
  ]);
}

function sandboxOf(written: WrittenOptions, bypasses: boolean): ExecOptions["sandbox"] {
  if (bypasses && written.fullAuto === true) {
    throw new StartError(
      "--full-auto cannot be used with --dangerously-bypass-approvals-and-sandbox",
    );
  }
  if (bypasses) return "danger-full-access";
  return written.sandbox ?? (written.fullAuto === true ? "workspace-write" : undefined);
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** A number on the command line. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

const unitMs: Record<string, number> = { ms: 1, "": 1000, s: 1000, m: 60_000, h: 3_600_000 };
/** Timers of Node cannot wait longer. */
const maxTimerMs = 2 ** 31 - 1;

function duration(text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? Number.NaN));
  if (ms > 0 && ms <= maxTimerMs) return ms;
  throw new InvalidArgumentError("It must be a time such as 90, 500ms, 5m or 1h.");
}
