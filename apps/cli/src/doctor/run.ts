import { loadSettings } from "../config/load.ts";
import type { ExecOptions } from "../exec/options.ts";
import { exitCode } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import type { Check, CheckResult, Patient } from "./check.ts";
import { environmentChecks } from "./environment-checks.ts";
import { providerCheck } from "./provider-check.ts";
import { sandboxCheck } from "./sandbox-check.ts";
import { settingsCheck } from "./settings-check.ts";
import { terminalCheck } from "./terminal-check.ts";
import { versionsCheck } from "./versions-check.ts";

/** In the order they are shown; those of the environments follow. */
const checks: readonly Check[] = [
  versionsCheck,
  terminalCheck,
  sandboxCheck,
  settingsCheck,
  providerCheck,
];

/** For all checks together, which run side by side. */
const timeoutMs = 15_000;

/** Makes every check and prints a line for each. */
export async function runDoctor(options: ExecOptions, context: ProcessContext): Promise<number> {
  const patient = patientOf(options, context);
  const all = [...checks, ...(await environmentChecks(patient))];
  const results = await Promise.all(
    all.map(async (check) => ({ name: check.name, ...(await resultOf(check, patient)) })),
  );
  for (const { name, isGood, text } of results)
    context.stdout.write(`${isGood ? "ok    " : "failed"}  ${name}: ${text}\n`);
  return results.every(({ isGood }) => isGood) ? exitCode.completed : exitCode.turnFailed;
}

function patientOf(options: ExecOptions, context: ProcessContext): Patient {
  const loaded = loadSettings(options, context);
  // Whoever asks hears of it; nobody may.
  loaded.catch(() => undefined);
  return { context, options, settings: () => loaded, signal: AbortSignal.timeout(timeoutMs) };
}

async function resultOf(check: Check, patient: Patient): Promise<CheckResult> {
  try {
    return await check.run(patient);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { isGood: false, text: message.trim().replaceAll(/\s*\n\s*/g, " ") };
  }
}
