import type { IncomingHttpHeaders } from "node:http";

/** Milliseconds of one unit; longer names stand before their beginnings. */
const units: Readonly<Record<string, number>> = {
  milliseconds: 1,
  millisecond: 1,
  ms: 1,
  minutes: 60_000,
  minute: 60_000,
  mins: 60_000,
  min: 60_000,
  m: 60_000,
  seconds: 1000,
  second: 1000,
  secs: 1000,
  sec: 1000,
  s: 1000,
  hours: 3_600_000,
  hour: 3_600_000,
  h: 3_600_000,
};
const amount = String.raw`\d+(?:\.\d+)?\s*(?:${Object.keys(units).join("|")})`;
const wish = new RegExp(String.raw`try again in\s+(${amount}(?:[\s,]*${amount})*)(?![a-z])`, "i");
const part = new RegExp(String.raw`(\d+(?:\.\d+)?)\s*(${Object.keys(units).join("|")})`, "gi");

/**
 * The wait a server asks for in its headers: `retry-after-ms`, else `retry-after` as seconds or as a date, which `nowMs`
 * is taken from. Milliseconds, never below 0; undefined when nothing readable is there.
 */
export function retryAfterHeader(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const exact = number(headers["retry-after-ms"]);
  if (exact !== undefined) return exact;
  const value = headers["retry-after"];
  const seconds = number(value);
  if (seconds !== undefined) return seconds * 1000;
  // `Thu, 01 Jan 2026 ...`: Date.parse alone takes "-1" for a year.
  const date = /^[a-z]{3}/i.test(value ?? "") ? Date.parse(value ?? "") : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** The wait a server asks for in words: `Please try again in 1.5s`, `... in 20 ms`, `... in 1m30s`. Milliseconds. */
export function retryAfterWords(text: string): number | undefined {
  const found = wish.exec(text)?.[1];
  if (found === undefined) return undefined;
  let total = 0;
  for (const [, count, unit] of found.matchAll(part)) {
    total += Number(count) * (units[unit?.toLowerCase() ?? ""] ?? 0);
  }
  return Math.round(total);
}

function number(value: string | string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
