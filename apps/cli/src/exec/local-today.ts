import { readlinkSync } from "node:fs";

/**
 * The date here and the name of this machine's time zone: from `TZ`, else from where /etc/localtime leads. `Intl`
 * knows both too, but loading its data takes 15 ms of a run that needs nothing else of it.
 */
export function localToday(
  now: Date,
  { TZ }: Readonly<Record<string, string | undefined>>,
): { readonly currentDate: string; readonly timezone: string } {
  const day = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  const currentDate = [now.getFullYear(), ...day].join("-");
  return { currentDate, timezone: zoneOf(TZ) ?? linkedZone() ?? intlZone() };
}

const zoneName = /^:?([A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*)$/;

function zoneOf(variable: string | undefined): string | undefined {
  return variable === undefined ? undefined : zoneName.exec(variable)?.[1];
}

function linkedZone(): string | undefined {
  try {
    return /\/zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1];
  } catch {
    return undefined;
  }
}

function intlZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
