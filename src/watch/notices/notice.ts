// Something that a person wants to be told of, as data: what kind of thing it is, how urgent, and the words for its template.

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
  "summary",
  "test",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export type Notice = {
  readonly kind: NoticeKind;
  readonly urgency: "info" | "warning" | "critical";
  /** The same thing again has the same key: it is told once in a while, not each time. */
  readonly key: string;
  readonly at: Millis;
  readonly fields: Readonly<Record<string, string>>;
};

/** As it is sent. */
export type Message = {
  readonly kind: NoticeKind;
  readonly urgency: Notice["urgency"];
  readonly at: Millis;
  readonly title: string;
  readonly text: string;
};
