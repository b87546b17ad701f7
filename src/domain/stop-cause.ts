// Why the bot is stopped, as one of a few kinds: each has its way out in docs/OPERATIONS.md, and some an alert of their own.
// Whoever stops it says which; the reason beside it is for people.

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
  /** Of no stop that the bot makes in earnest: the switch's test of itself has it. */
  "other",
] as const;

export type StopCause = (typeof STOP_CAUSES)[number];
