// One value, one text: keys sorted at every depth, no blanks, floats with the shortest digits that give them back. What is
// equal has the same bytes and the same hash on every machine.

import { hash } from "node:crypto";
import { invariant } from "../../src/domain/invariant.ts";

export function canonicalText(value: unknown): string {
  return write(value, "$");
}

export function canonicalDigest(value: unknown): string {
  return hash("sha256", canonicalText(value), "hex");
}

function write(value: unknown, at: string): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    invariant(Number.isFinite(value), `${at} must be a finite number, was ${value}`);
    return JSON.stringify(value);
  }
  invariant(typeof value === "object", `${at} must be plain data, was ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map((item, i) => write(item, `${at}[${i}]`)).join(",")}]`;
  const prototype = Object.getPrototypeOf(value);
  invariant(prototype === Object.prototype || prototype === null, `${at} must be plain data, was an object of a class`);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, `${at}.${key}`)}`);
  return `{${members.join(",")}}`;
}
