// What a check of `doctor` says: a verdict, its cause, and what to do about it. Everything in it may have come from
// outside, so it is made printable where it is shown.

export type Verdict = "ok" | "warning" | "problem" | "skipped";

export type Finding = {
  readonly check: string;
  readonly verdict: Verdict;
  readonly cause: string;
  /** What to do; absent when there is nothing to do. */
  readonly next?: string;
  /** Lines for the configuration that the next step speaks of. */
  readonly yaml?: readonly string[];
};

/** Cause and next step, before a check puts its name and verdict to them. */
export type Explanation = { readonly cause: string; readonly next: string };
