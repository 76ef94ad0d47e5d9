import type { JsonRpcMessage } from "@codex/protocol";

/**
 * A message whose one large field is bytes: on the wire it is `prefix`, the bytes as base64, `suffix`, which
 * together are the JSON text of one message. Twenty times cheaper than building and escaping a string first.
 */
export interface SplicedMessage {
  readonly prefix: string;
  readonly bytes: Uint8Array;
  readonly suffix: string;
}

export type OutgoingMessage = JsonRpcMessage | SplicedMessage;

/** Something arrived that is no message. `excerpt` quotes its start: for the person who connected, never for a log. */
export interface MalformedMessage {
  readonly malformed: string;
  readonly excerpt: string;
}

export type IncomingMessage = JsonRpcMessage | MalformedMessage;

/**
 * Messages in, messages out, whatever carries them.
 *
 * The owner disposes it. Disposing hands over what was sent, for a bounded time, then closes both directions;
 * `messages` ends and later sends reject with a `ConnectionClosedError`. Safe to repeat.
 */
export interface Transport extends AsyncDisposable {
  /** Names the peer in logs and errors, such as `websocket 127.0.0.1:4711`. */
  readonly label: string;
  /**
   * One consumer; messages are pulled, so a consumer that stops holds the peer back. Ends when the peer has ended its
   * side (sending may still work then) and when this side is disposed. Throws a `TransportError` when the connection
   * broke, the peer fell silent, or a message was larger than the limit.
   */
  readonly messages: AsyncIterable<IncomingMessage>;
  /**
   * Sends in the order of the calls. The promise settles when the next message may be sent: at once while less than
   * the high mark (1 MiB) waits to go out, otherwise when that has fallen to the low mark (256 KiB). A sender of many
   * messages awaits it; one that does not still loses nothing. Rejects with a `ConnectionClosedError` once the
   * message cannot go out any more.
   */
  send(message: OutgoingMessage): Promise<void>;
  /** Bytes that were sent and have not been handed to the operating system. */
  readonly pendingBytes: number;
}

/** 64 MiB, what the original server takes; one file of 48 MiB as base64. */
export const defaultMaxMessageBytes = 64 * 1024 * 1024;

export function isSpliced(message: OutgoingMessage): message is SplicedMessage {
  return "bytes" in message;
}

export function isMalformed(message: IncomingMessage): message is MalformedMessage {
  return "malformed" in message;
}
