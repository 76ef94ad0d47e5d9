export { type Call, type ConnectionLimits, SplicedResult } from "./answers.ts";
export { AsyncQueue, type AsyncQueueOptions } from "./async-queue.ts";
export { Connection, type ConnectionOptions, type RequestOptions } from "./connection.ts";
export {
  ConnectionClosedError,
  ProtocolError,
  type ProtocolErrorKind,
  RequestTimeoutError,
  ResponseError,
  TransportError,
  type TransportErrorKind,
} from "./errors.ts";
export { createTransportPair } from "./in-memory-transport.ts";
export { createLineTransport, type LineTransportOptions } from "./line-transport.ts";
export type { PeerWatchOptions } from "./peer-watch.ts";
export { type Handler, Router, type RouterOptions } from "./router.ts";
export { settleWithin } from "./settle-within.ts";
export {
  defaultMaxMessageBytes,
  type IncomingMessage,
  isMalformed,
  type MalformedMessage,
  type OutgoingMessage,
  type SplicedMessage,
  type Transport,
} from "./transport.ts";
export { connectWebSocket, type WebSocketConnectOptions } from "./websocket-connect.ts";
export {
  type Admission,
  type AdmissionRequest,
  listenWebSocket,
  type WebSocketListener,
  type WebSocketListenerOptions,
} from "./websocket-listener.ts";
