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
  "no_rate",
  "strategy",
  "bug",
  "other",
] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/**
 * By its words, since records of earlier versions have nothing else; a test takes them from whoever makes them. The first that
 * fits counts: those that begin a reason come before those that may stand in what a venue or a strategy said.
 */
const BY_REASON: readonly (readonly [RegExp, StopCause])[] = [
  [/^RC0[56]\b/, "loss"],
  [/^RC1[018]\b/, "used_up"],
  [/^RC12\b/, "rejections"],
  [/^RC16\b/, "doubt"],
  [/^RC21\b/, "exit_check"],
  [/^RC25\b/, "heartbeat"],
  [/^journal-|^no stop could be kept|^the journal was anchored anew|^the ledger of the key is gone/, "journal"],
  [/^stopped by a bug\b/, "bug"],
  [/^strategy (stopped|.+ does not sit down): |^the state of strategy .+ cannot be recorded: /, "strategy"],
  [/^the venue (refuses|forbids)/, "venue"],
  [/ has no rate, so losses /, "no_rate"],
  [/of which the journal knows nothing|which was never sent|lists several new (mints|rails) that may be /, "foreign"],
  [/had been given up|after it had filled/, "late_fill"],
  [/history does not show it|is unknown for|not known to have ended/, "doubt"],
  [/^\S+: (trades? |an order fills once)|contradicts|as Rejected, which is booked as filled/, "contradiction"],
  [/the books do not know it|in flight already, and departed again/, "contradiction"],
  [/^mint \S+ cost .+, approved was at most /, "contradiction"],
  [
    /balances differ from the ledger|^balances must not be negative|^the venue does not say what there is of /,
    "balances",
  ],
  // Written by earlier versions.
  [/^venue and ledger differ: /, "balances"],
  [/must .+ was /, "contradiction"],
];

/** Undefined while nothing stops it. */
export function stopCauseOf({ state, reason }: ShownStop): StopCause | undefined {
  if (state === "ACTIVE") return undefined;
  if (state === "KILLED") return "person";
  return BY_REASON.find(([pattern]) => pattern.test(reason))?.[1] ?? "other";
}
