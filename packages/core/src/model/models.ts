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

/** The model of a run that names none. */
export const defaultModel = "gpt-5.5";

type ModelFacts = Omit<ModelInfo, "name" | "isKnown">;

// One row for every model whose facts were observed on the wire; the others of its maker work through a
// program-writing tool that we do not offer.
const knownModels: Readonly<Record<string, ModelFacts>> = {
  "gpt-5.5": {
    contextWindow: 272_000,
    applyPatch: "freeform",
    outputBudget: { unit: "tokens", limit: 10_000 },
    supportsImages: true,
    imageDetail: "original",
    supportsParallelToolCalls: true,
    reasoning: { effort: "medium" },
    verbosity: "low",
    experimentalSupportedTools: [],
  },
};

const unknownModel: ModelFacts = {
  contextWindow: 272_000,
  applyPatch: "none",
  outputBudget: { unit: "bytes", limit: 10_000 },
  supportsImages: true,
  imageDetail: "high",
  supportsParallelToolCalls: true,
  reasoning: { summary: "auto" },
  experimentalSupportedTools: [],
};

/**
 * The facts of a model by its name; a dated name (`gpt-5.5-2026-02-01`) is the model it is a state of. A name that is
 * not in the table gets careful defaults and `isKnown: false`. `experimentalSupportedTools` of the configuration come
 * after the model's own, each name once.
 */
export function modelInfoFor(
  name: string,
  options: { readonly experimentalSupportedTools?: readonly string[] } = {},
): ModelInfo {
  const family = name.replace(/-\d{4}-\d{2}-\d{2}$/, "");
  const known = Object.hasOwn(knownModels, family) ? knownModels[family] : undefined;
  const facts = known ?? unknownModel;
  const info = { name, isKnown: known !== undefined, ...facts };
  return withSupportedTools(info, options.experimentalSupportedTools ?? []);
}

/** The model with more tools offered: its own first, in their order, then the new ones, no name twice. */
export function withSupportedTools(model: ModelInfo, names: readonly string[]): ModelInfo {
  const all = new Set([...model.experimentalSupportedTools, ...names]);
  return { ...model, experimentalSupportedTools: [...all] };
}
