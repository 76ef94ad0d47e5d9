import { StartError } from "../start-error.ts";
import type { StandardInput } from "../standard-input.ts";
import { decodeText } from "./decode-text.ts";
import { formatCount } from "./figures.ts";
import { type InputEnd, type InputRead, readInput } from "./read-input.ts";

export interface PromptSource {
  readonly stdin: StandardInput;
  /** Tells a person what was done with standard input. */
  readonly notice: (text: string) => void;
  readonly signal: AbortSignal;
  readonly limits?: PromptLimits;
}

export interface PromptLimits {
  /** Beside a prompt argument: how long a pipe may take to begin. */
  readonly firstByteMs: number;
  /** Beside a prompt argument: how long a pipe that has begun may be silent. */
  readonly silenceMs: number;
  readonly maxBytes: number;
}

/** 250 ms to begin, 30 s of silence, 16 MiB. */
export const defaultPromptLimits: PromptLimits = {
  firstByteMs: 250,
  silenceMs: 30_000,
  maxBytes: 16 * 1024 * 1024,
};

/**
 * The prompt of a run. `-` and no argument mean standard input, read to its end. Beside an argument, standard input
 * that holds text is appended; a pipe nobody writes to never holds up the run.
 */
export async function readPrompt(
  argument: string | undefined,
  source: PromptSource,
): Promise<string> {
  if (argument === undefined || argument === "-") return promptFromInput(argument, source);
  const text = await textBeside(source);
  if (text.trim() === "") return argument;
  return `${argument}\n\n<stdin>\n${text}${text.endsWith("\n") ? "" : "\n"}</stdin>`;
}

async function promptFromInput(argument: "-" | undefined, source: PromptSource): Promise<string> {
  const { stdin, notice, signal, limits = defaultPromptLimits } = source;
  if (argument === undefined && stdin.kind === "terminal") {
    throw new StartError(
      "No prompt provided. Either specify one as an argument or pipe the prompt into stdin.",
    );
  }
  if (argument === undefined && stdin.kind !== "none") notice("Reading prompt from stdin...");
  const whole = { firstByteMs: undefined, silenceMs: undefined, maxBytes: limits.maxBytes };
  const read = stdin.kind === "none" ? nothing : await readInput(stdin.chunks(), whole, signal);
  if (read.stoppedBy === "tooLong") {
    throw new StartError(`The prompt on stdin is longer than ${mebibytes(limits.maxBytes)} MiB.`);
  }
  const text = decode(read);
  if (text.trim() === "") throw new StartError("No prompt provided via stdin.");
  return text;
}

async function textBeside(source: PromptSource): Promise<string> {
  const { stdin, notice, signal, limits = defaultPromptLimits } = source;
  if (stdin.kind === "terminal" || stdin.kind === "none") return "";
  const read = await readInput(stdin.chunks(), limits, signal);
  notice(told(read, limits));
  return decode(read);
}

const nothing: InputRead = { bytes: new Uint8Array(), stoppedBy: "end" };

function decode({ bytes, stoppedBy }: InputRead): string {
  try {
    return decodeText(bytes, stoppedBy !== "end");
  } catch (cause) {
    throw new StartError("Failed to read prompt from stdin: it is neither UTF-8 nor UTF-16 text", {
      cause,
    });
  }
}

function told({ bytes, stoppedBy }: InputRead, limits: PromptLimits): string {
  const size = `${formatCount(bytes.byteLength)} bytes`;
  const sentences: Record<InputEnd, string> = {
    end: bytes.byteLength === 0 ? "stdin is empty" : `read ${size} from stdin`,
    nothingCame: `nothing on stdin within ${limits.firstByteMs} ms, going on without it`,
    silent: `stdin was silent for ${limits.silenceMs / 1000} s, going on with the first ${size}`,
    tooLong: `stdin is longer than ${mebibytes(limits.maxBytes)} MiB, going on with the first ${size}`,
  };
  return sentences[stoppedBy];
}

function mebibytes(bytes: number): number {
  return bytes / 1024 / 1024;
}
