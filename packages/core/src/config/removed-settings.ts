/** Texts for settings the original once had; people still meet them in old files. */
export const chatWireApiRemoved = [
  '`wire_api = "chat"` is no longer supported.',
  'How to fix: set `wire_api = "responses"` in the provider\'s table; its server must speak the Responses API.',
].join("\n");

export const ollamaChatRemoved = [
  "`ollama-chat` is no longer supported.",
  "How to fix: replace `ollama-chat` with `ollama` in `model_provider`, `oss_provider` or `--local-provider`.",
].join("\n");
