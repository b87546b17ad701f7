// Why the bot is stopped, as one of a few kinds: each has its way out in docs/OPERATIONS.md, and some an alert of their own.

import type { ShownStop } from "../status.ts";

export const STOP_CAUSES = [
  "person",
  "loss",
  "used_up",
  "rejections",
  "doubt",
  "exit_check",
  "heartbeat",
  "balances",
  "foreign",
  "late_fill",
  "contradiction",
  "journal",
  "venue",
  "bug",
  "other",
] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

const BY_REASON: readonly (readonly [RegExp, StopCause])[] = [
  [/^RC0[56]\b/, "loss"],
  [/^RC1[018]\b/, "used_up"],
  [/^RC12\b/, "rejections"],
  [/^RC16\b/, "doubt"],
  [/^RC21\b/, "exit_check"],
  [/^RC25\b/, "heartbeat"],
  [/^journal-|^no stop could be kept/, "journal"],
  [/^stopped by a bug\b/, "bug"],
  [/differs? from the ledger/, "balances"],
  [/of which the journal knows nothing|which was never sent/, "foreign"],
  [/after it had been given up|after it had filled/, "late_fill"],
  [/contradict|witnesses|must be .+ was /, "contradiction"],
  [/history does not show it|is unknown for|not known to have ended/, "doubt"],
  [/^the venue (refuses|forbids)/, "venue"],
];

/** Undefined while nothing stops it. */
export function stopCauseOf({ state, reason }: ShownStop): StopCause | undefined {
  if (state === "ACTIVE") return undefined;
  if (state === "KILLED") return "person";
  return BY_REASON.find(([pattern]) => pattern.test(reason))?.[1] ?? "other";
}
