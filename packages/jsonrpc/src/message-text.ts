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

/** The bytes of a message and what ends it. Each byte of a large field is written once as base64 and copied once. */
export function encodeBytes(message: OutgoingMessage, end: string): Buffer {
  if (!isSpliced(message)) return Buffer.from(`${JSON.stringify(message)}${end}`);
  const prefix = Buffer.from(message.prefix);
  const suffix = Buffer.from(message.suffix + end);
  const text = encodeBase64(message.bytes);
  const bytes = Buffer.allocUnsafe(prefix.length + text.length + suffix.length);
  bytes.set(prefix);
  bytes.write(text, prefix.length, "latin1");
  bytes.set(suffix, prefix.length + text.length);
  return bytes;
}

/** Raw bytes in one piece of a large message: a multiple of 3, so that the base64 of the pieces joins without padding. */
const pieceBytes = 96 * 1024;

/** True when the message should go out piece by piece instead of as one text. */
export function isLarge(message: OutgoingMessage): boolean {
  return isSpliced(message) && message.bytes.byteLength > pieceBytes;
}

/** A large message in pieces, made as they are asked for: a file of 512 MiB is no JavaScript string. */
export function* piecesOf(message: OutgoingMessage): Generator<Buffer> {
  if (!isSpliced(message)) return yield encodeBytes(message, "");
  const { prefix, bytes, suffix } = message;
  yield Buffer.from(prefix);
  for (let at = 0; at < bytes.byteLength; at += pieceBytes)
    yield Buffer.from(encodeBase64(bytes.subarray(at, at + pieceBytes)), "latin1");
  yield Buffer.from(suffix);
}

const excerptBytes = 200;

function malformed(reason: string, bytes: Buffer): IncomingMessage {
  return { malformed: reason, excerpt: bytes.toString("utf8", 0, excerptBytes) };
}
