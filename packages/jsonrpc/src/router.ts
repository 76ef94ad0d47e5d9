import {
  checkAgainst,
  ErrorCode,
  type JsonRpcRequest,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "@codex/protocol";
import type { Call, SplicedResult } from "./answers.ts";
import { ResponseError } from "./errors.ts";

type Answer<Result> = Result | SplicedResult;

/** Answers one method; see `ConnectionOptions.onRequest` for what throwing does. */
export type Handler<Definition extends RequestDefinition> = (
  params: ParamsOf<Definition>,
  call: Call,
) => Answer<ResultOf<Definition>> | Promise<Answer<ResultOf<Definition>>>;

export interface RouterOptions {
  /** What a method without a route answers; default code -32601. */
  readonly unknownMethod?: (method: string) => ResponseError;
}

/** Method → checked params → handler. Params that do not fit are refused with -32602 before the handler is called. */
export class Router {
  readonly #routes = new Map<string, (params: unknown, call: Call) => unknown>();
  readonly #options: RouterOptions;

  constructor(options: RouterOptions = {}) {
    this.#options = options;
  }

  on<Definition extends RequestDefinition>(
    definition: Definition,
    handler: Handler<Definition>,
  ): this {
    this.#routes.set(definition.method, (value, call) => {
      const checked = checkAgainst(definition.params, value);
      if (!checked.ok) throw new ResponseError(ErrorCode.invalidParams, checked.message);
      return handler(checked.value as ParamsOf<Definition>, call);
    });
    return this;
  }

  /** Fits `ConnectionOptions.onRequest`. */
  handle(request: JsonRpcRequest, call: Call): unknown {
    const route = this.#routes.get(request.method);
    if (route === undefined) throw this.#unknown(request.method);
    return route(request.params, call);
  }

  #unknown(method: string): ResponseError {
    const message = `unknown method: ${method}`;
    return (
      this.#options.unknownMethod?.(method) ?? new ResponseError(ErrorCode.methodNotFound, message)
    );
  }
}
