import {
  createLocalEnvironment,
  createMappedEnvironment,
  createWorkspacePathMapper,
  type Environment,
  mapSandboxIntent,
} from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import type { Config } from "../config/config.ts";
import type {
  ConnectContext,
  OpenEnvironmentContext,
  RemoteSelection,
} from "./connect-executor.ts";
import { EnvironmentError } from "./environment-error.ts";
import { createNoEnvironment } from "./no-environment.ts";
import { workspaceRoots } from "./workspace-roots.ts";

/**
 * Opens the one environment of a run: the only place that knows where that is. Whoever calls disposes it. An executor
 * that cannot be reached is an {@link EnvironmentError} and never this machine instead.
 */
export async function openEnvironment(
  config: Config,
  context: OpenEnvironmentContext,
): Promise<Environment> {
  const { environment: selection } = config;
  const cwd = toAbsolutePath(config.cwd);
  const { variables } = context;
  if (selection.kind === "none") return createNoEnvironment(cwd);
  if (selection.kind === "local") return createLocalEnvironment({ cwd, variables });
  const roots = await workspaceRoots(cwd, selection);
  const there = roots?.environment[0] ?? cwd;
  const sandbox =
    roots === undefined
      ? config.sandbox
      : mapSandboxIntent(config.sandbox, createWorkspacePathMapper(roots));
  const environment = await connect(selection, { ...context, cwd: there, sandbox });
  return roots === undefined ? environment : createMappedEnvironment(environment, roots);
}

async function connect(selection: RemoteSelection, context: ConnectContext): Promise<Environment> {
  // A run on this machine does not pay for the protocol.
  const { connectExecutor } = await import("./connect-executor.ts");
  try {
    return await connectExecutor(selection, context);
  } catch (error) {
    if (context.signal?.aborted) throw context.signal.reason;
    throw new EnvironmentError(selection.name, error);
  }
}
