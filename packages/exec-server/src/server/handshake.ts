import { ProtocolError, ResponseError } from "@codex/jsonrpc";
import { ErrorCode } from "@codex/protocol";

/** `initialize`, its answer, `initialized`; only then everything else. */
export class Handshake {
  #state: "new" | "initializing" | "ready" = "new";

  /** Throws when it is not the first. */
  initialize(): void {
    if (this.#state !== "new") throw refusal("initialize may only be sent once per connection");
    this.#state = "initializing";
  }

  /** Throws what ends the connection when there was no `initialize`. */
  initialized(): void {
    if (this.#state === "new")
      throw new ProtocolError(
        "unexpectedNotification",
        "received `initialized` notification before `initialize`",
      );
    this.#state = "ready";
  }

  /** Throws until both have come; `methods` names what is refused. */
  require(methods: string): void {
    if (this.#state === "ready") return;
    const step = this.#state === "new" ? "call initialize" : "send initialized";
    throw refusal(`client must ${step} before using ${methods} methods`);
  }
}

function refusal(message: string): ResponseError {
  return new ResponseError(ErrorCode.invalidRequest, message);
}
