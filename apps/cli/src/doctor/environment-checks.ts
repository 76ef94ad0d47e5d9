import { loadSettings } from "../config/load.ts";
import { openEnvironment } from "../exec/open-environment.ts";
import type { Check, Patient } from "./check.ts";

/** One check for every environment of the settings, and for the one in use when it has no table. */
export async function environmentChecks({ settings }: Patient): Promise<Check[]> {
  const loaded = await settings().catch(() => undefined);
  if (loaded === undefined) return [];
  const { environments = {} } = loaded.table as { environments?: Record<string, unknown> };
  const named = Object.keys(environments).map(namedCheck);
  const { environment } = loaded.config;
  const isElsewhere = "name" in environment && !(environment.name in environments);
  return isElsewhere ? [...named, checkOf(environment.name, undefined)] : named;
}

function namedCheck(name: string): Check {
  return checkOf(name, name);
}

/** Connects and asks the machine about itself; `flag` is what `--environment` would say. */
function checkOf(name: string, flag: string | undefined): Check {
  return {
    name: `environment ${name}`,
    async run({ context, options, signal }) {
      const wanted = flag === undefined ? options : { ...options, environment: flag };
      const { config } = await loadSettings(wanted, context);
      await using environment = await openEnvironment(config, context, signal);
      const { cwd, platform, shell } = await environment.info(signal);
      return { isGood: true, text: `${platform}, works in ${cwd} with ${shell.path}` };
    },
  };
}
