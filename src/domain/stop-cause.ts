// The kinds of stops: each has its remediation in docs/operate/stops.md, and some have their own alert. The code that
// stops the bot names the cause; the reason next to it is for people.

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
  /** No real stop has it: the kill switch's self-test uses it. */
  "other",
] as const;

export type StopCause = (typeof STOP_CAUSES)[number];
