// The windows of a walk forward: each has a time to choose in and, after it, a time that judges the choice. The times that judge
// follow each other without a gap.

import { err, ok, type Result } from "../../../src/domain/result.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";

export type WindowTerms = {
  readonly trainMs: number;
  readonly testMs: number;
  /** Left out between the two, so that what was open at the end of one says nothing of the other. */
  readonly purgeMs: number;
  /** Every time to choose in begins where the first does, and grows; otherwise it moves along. */
  readonly anchored: boolean;
};

export type Span = { readonly from: Millis; readonly to: Millis };

export type Window = { readonly train: Span; readonly test: Span };

const WINDOWS_MAX = 1_000;

/** As many as fit whole; what is left at the end judges nothing. */
export function windowsOf({ from, to }: Span, terms: WindowTerms): Result<readonly Window[]> {
  const { trainMs, testMs, purgeMs, anchored } = terms;
  const count = Math.floor((to - from - trainMs - purgeMs) / testMs);
  if (count < 1)
    return err(
      `a window takes ${(trainMs + purgeMs + testMs) / 3_600_000} h (train, purge and test), the whole time is ${(to - from) / 3_600_000} h`,
    );
  if (count > WINDOWS_MAX) return err(`there may be ${WINDOWS_MAX} windows at most, was ${count}`);
  return ok(
    Array.from({ length: count }, (_, i) => {
      const end = from + trainMs + i * testMs;
      const begin = end + purgeMs;
      return {
        train: { from: millis(anchored ? from : end - trainMs), to: millis(end) },
        test: { from: millis(begin), to: millis(begin + testMs) },
      };
    }),
  );
}
