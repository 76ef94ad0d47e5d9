/** How much of a tool's output the model is shown by default. */
export interface OutputBudget {
  readonly unit: "tokens" | "bytes";
  readonly limit: number;
}

/** What we know of a model. */
export interface ModelInfo {
  readonly name: string;
  readonly isKnown: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  readonly applyPatch: "freeform" | "function" | "none";
  readonly outputBudget: OutputBudget;
  readonly supportsImages: boolean;
  readonly imageDetail: "original" | "high";
  readonly supportsParallelToolCalls: boolean;
  readonly reasoning: { readonly effort?: string; readonly summary?: string };
  readonly verbosity?: string;
  readonly experimentalSupportedTools: readonly string[];
}
