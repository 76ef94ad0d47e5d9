import { isUtf8 } from "node:buffer";
import { encodeBase64, parseMessage } from "@codex/protocol";
import { type IncomingMessage, isSpliced, type OutgoingMessage } from "./transport.ts";

/** Bytes of one message → the message, or what is wrong with them. */
export function decodeMessage(bytes: Buffer): IncomingMessage {
  if (!isUtf8(bytes)) return malformed("not UTF-8", bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return malformed("not JSON", bytes);
  }
  return parseMessage(value) ?? malformed("not a JSON-RPC message", bytes);
}

/** The JSON text of a message. */
export function encodeMessage(message: OutgoingMessage): string {
  if (!isSpliced(message)) return JSON.stringify(message);
  return message.prefix + encodeBase64(message.bytes) + message.suffix;
}

/** How a text should be written: one byte a character where that is the same, which saves a scan and a copy. */
export function encodingOf(message: OutgoingMessage): "latin1" | "utf8" {
  if (!isSpliced(message)) return "utf8";
  return isAscii(message.prefix) && isAscii(message.suffix) ? "latin1" : "utf8";
}

/** Raw bytes in one piece of a large message: a multiple of 3, so that the base64 of the pieces joins without padding. */
const pieceBytes = 96 * 1024;

/** True when the message should go out piece by piece instead of as one text. */
export function isLarge(message: OutgoingMessage): boolean {
  return isSpliced(message) && message.bytes.byteLength > pieceBytes;
}

/** The text of a large message in pieces, made as they are asked for: a file of 512 MiB is no JavaScript string. */
export function* piecesOf(message: OutgoingMessage): Generator<string> {
  if (!isSpliced(message)) return yield encodeMessage(message);
  const { prefix, bytes, suffix } = message;
  yield prefix;
  for (let at = 0; at < bytes.byteLength; at += pieceBytes)
    yield encodeBase64(bytes.subarray(at, at + pieceBytes));
  yield suffix;
}

const excerptBytes = 200;

function malformed(reason: string, bytes: Buffer): IncomingMessage {
  return { malformed: reason, excerpt: bytes.toString("utf8", 0, excerptBytes) };
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
