// The cause of a stop that an earlier version wrote, without saying which it was: read from its words. Nothing that is made now is
// read so, and these texts change no more.

import type { StopCause } from "../domain/stop-cause.ts";

/** The first that fits counts: those that begin a reason come before those that may stand in what a venue or a strategy said. */
const BY_WORDS: readonly (readonly [RegExp, StopCause])[] = [
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
    /balances differ from the ledger|^balances must not be negative|^the venue does not say what there is of |^venue and ledger differ: /,
    "balances",
  ],
  [/must .+ was /, "contradiction"],
];

export function causeOfEarlier({
  state,
  reason,
  by,
}: {
  readonly state: string;
  readonly reason: string;
  readonly by: string;
}): StopCause {
  if (state === "KILLED") return by === "latch" ? "latch" : "person";
  return BY_WORDS.find(([pattern]) => pattern.test(reason))?.[1] ?? "other";
}
