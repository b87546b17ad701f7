import { expect, test } from "vitest";
import { worstOfMinute } from "../../../src/app/system/event-loop.ts";
import { handTime } from "../../support/hand-time.ts";

test("tells how late the loop was at its worst in the last minute, whoever asks and however often", async () => {
  const time = handTime(0);
  const delays = delaysOf();
  const watch = worstOfMinute(delays, time.timers);
  delays.late(4_000);
  // 4,000 ms late, and the 20 ms that it is looked at anyway.
  const stood = { p50Ms: 4_000, p99Ms: 4_000, maxMs: 4_000 };
  expect([watch.lag(), watch.lag(), watch.lag()]).toEqual([stood, stood, stood]);
  await time.pass(60_000);
  expect(watch.lag()).toEqual(stood);
  await time.pass(5_000);
  expect(watch.lag()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0 });
  delays.late(300);
  await time.pass(5_000);
  delays.late(200);
  expect(watch.lag().maxMs).toBe(300);
  watch.close();
  expect(time.waiting()).toEqual([]);
});

/** As of a loop that is free but for what is said; one that was not looked at yet knows no percentile. */
function delaysOf() {
  return {
    max: Number.NaN,
    late(ms: number) {
      this.max = (ms + 20) * 1e6;
    },
    percentile() {
      return this.max;
    },
    reset() {
      this.max = Number.NaN;
    },
  };
}
