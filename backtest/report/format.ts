// Number formats for people, the same in terminal and page: thousands separators, a sign where it matters, UTC.

import type { Money } from "../../src/domain/money/money.ts";

export function number(value: number, decimals: number): string {
  const [whole = "", part] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const text = part === undefined ? grouped : `${grouped}.${part}`;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** `1 window`, `2,000 windows`. */
export function counted(count: number, what: string): string {
  return `${number(count, 0)} ${what}${count === 1 ? "" : "s"}`;
}

export function money(value: number | Money, currency: string): string {
  const amount = typeof value === "number" ? value : value.toNumber();
  const size = Math.abs(amount);
  return `${number(amount, decimalsFor(size))} ${currency}`;
}

function decimalsFor(size: number): number {
  if (size >= 1_000_000) return 0;
  if (size >= 1 || size === 0) return 2;
  return size >= 0.01 ? 4 : 6;
}

/** Adds a plus to gains. */
export function signed(text: string): string {
  return text.startsWith("-") || !/[1-9]/.test(text) ? text : `+${text}`;
}

export function percent(part: number, decimals = 2): string {
  return `${number(part * 100, decimals)} %`;
}

export function basisPoints(value: number): string {
  return `${number(value, 2)} bp`;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** The two largest units. */
export function duration(ms: number): string {
  const first = UNITS.findIndex(([, unit]) => ms >= unit);
  if (first < 0) return `${number(ms, 0)} ms`;
  let rest = ms;
  const parts: string[] = [];
  for (const [name, unit] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(" ");
}

export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

export function second(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}
