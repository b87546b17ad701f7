// How the suite reads answers: the contract's names first, the names seen in practice beside them, and nothing guessed
// where both are missing.

import { expect } from "vitest";
import type { Answer } from "./client.ts";

export type Row = Record<string, unknown>;

/** The list of an answer whose body is one list with a name that the interface does not show. */
export function rows(answer: Answer): Row[] {
  expect(answer.status, answer.text).toBe(200);
  const lists = Object.values(answer.body as object).filter(Array.isArray);
  expect(lists, `one list in ${answer.text}`).toHaveLength(1);
  return lists[0] as Row[];
}

/** A field by any of its names, whatever their case. */
export function field(row: unknown, ...names: string[]): unknown {
  if (typeof row !== "object" || row === null) return undefined;
  const wanted = names.map((name) => name.toLowerCase());
  return Object.entries(row).find(([key]) => wanted.includes(key.toLowerCase()))?.[1];
}

export function textOf(row: unknown, ...names: string[]): string {
  const value = field(row, ...names);
  expect(["string", "number"], `${names.join("/")} in ${JSON.stringify(row)}`).toContain(typeof value);
  return String(value);
}

export function amountOf(row: unknown, ...names: string[]): string {
  const text = textOf(row, ...names);
  expect(text).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
  return text;
}

/** Exact sum of two decimal texts, in units of 10^-18. */
export function units(text: string): bigint {
  const negative = text.startsWith("-");
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole + fraction.padEnd(18, "0"));
  return negative ? -value : value;
}

/** Errors carry code, status and message, flat or (seen) nested under `error`. */
export function refused(answer: Answer, ...expected: [status: number, code?: string | undefined][]): void {
  const body = (field(answer.body, "error") ?? answer.body) as Row;
  const code = textOf(body, "code");
  const fits = expected.some(
    ([status, word]) => answer.status === status && (word === undefined || code.toLowerCase() === word.toLowerCase()),
  );
  expect(fits, `${answer.status} ${answer.text} is one of ${JSON.stringify(expected)}`).toBe(true);
  expect(Number(textOf(body, "status"))).toBe(answer.status);
  expect(textOf(body, "message")).not.toBe("");
}

/** The error of an order envelope: undefined when absent, null, or an object of nulls. */
export function orderError(answer: Answer): { code: string; message: string } | undefined {
  expect(answer.status, answer.text).toBe(200);
  const error = field(answer.body, "error");
  if (error === undefined || error === null) return undefined;
  const code = field(error, "code");
  return code === null || code === undefined ? undefined : { code: String(code), message: textOf(error, "message") };
}

export function filledOrder(answer: Answer): Row {
  expect(orderError(answer), answer.text).toBeUndefined();
  expect(["ok", "success"]).toContain(field(answer.body, "result"));
  const order = field(answer.body, "order") as Row;
  expect(field(order, "ordstatus")).toBe("Filled");
  return order;
}

export function availableOf(answer: Answer, asset: string): bigint {
  const row = rows(answer).find((entry) => entry.asset === asset);
  return row === undefined ? 0n : units(amountOf(row, "available", "available_balance"));
}
