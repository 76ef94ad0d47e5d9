// The second entry of the bundle: what a run spawns pays for its start-up too, so it loads the server alone.
export { main } from "@codex/exec-server";
