// A notice as data: its kind, urgency, and the fields of its template. A configuration may have its own templates; a
// field name that the kind does not have is a configuration error.

import { redacted } from "../../domain/redact.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";

export const NOTICE_KINDS = [
  "fill",
  "stop",
  "resume",
  "doubt",
  "mint",
  "rail",
  "plan",
  "strategy",
  "machine",
  "test",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export type Notice = {
  readonly kind: NoticeKind;
  readonly urgency: "info" | "warning" | "critical";
  /** The same event has the same key and is sent once within `repeatMs`. */
  readonly key: string;
  readonly at: Millis;
  readonly fields: Readonly<Record<string, string>>;
  /** The matter that waits for a person, and in another notice that it is over. */
  readonly about?: string | undefined;
  readonly ends?: string | undefined;
};

/** A rendered notice, ready to send. */
export type Message = {
  readonly kind: NoticeKind;
  readonly urgency: Notice["urgency"];
  readonly at: Millis;
  readonly title: string;
  readonly text: string;
  readonly about?: string | undefined;
  readonly ends?: string | undefined;
};

export const TEMPLATES: Readonly<Record<NoticeKind, string>> = {
  fill: "{side} {quantity} {symbol} at {price}, worth {value}, fee {fee}",
  stop: "{state} by {by} ({cause}): {reason}. Way out: {wayOut}",
  resume: "resumed by {by}: {reason}",
  doubt: "{id} {what}: {cause}. Way out: {wayOut}",
  mint: "mint {what} is {status} for {age}: {id}. Way out: {wayOut}",
  rail: "{what}, {status} for {age}: {id}. Way out: {wayOut}",
  plan: "plan {id} {status}: {what}. Way out: {wayOut}",
  strategy: "{what}. Way out: {wayOut}",
  machine: "{what}",
  test: "this is a test, sent by {by}: messages of the bot arrive here",
};

const NAME = /\{([a-zA-Z]+)\}/g;
const FIELD_MAX = 300;
const TEXT_MAX = 2_000;

/** Field names in a template that this kind does not have. */
export function unknownNames(kind: NoticeKind, template: string): readonly string[] {
  const known = new Set(namesIn(TEMPLATES[kind]));
  return namesIn(template).filter((name) => !known.has(name));
}

/** Text from outside is sanitised and redacted here. */
export function render(template: string, fields: Readonly<Record<string, string>>): string {
  const text = template.replace(NAME, (_, name: string) => printable(fields[name] ?? "-", FIELD_MAX));
  return redacted(text).slice(0, TEXT_MAX);
}

export function namesIn(template: string): readonly string[] {
  return Array.from(template.matchAll(NAME), ([, name = ""]) => name);
}
