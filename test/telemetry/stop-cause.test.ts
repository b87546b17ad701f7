// Why a bot is stopped, by the words that the bot really uses.

import { expect, test } from "vitest";
import { millis } from "../../src/domain/time.ts";
import { type StopCause, stopCauseOf } from "../../src/telemetry/meter/stop-cause.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { KNOWN, quietLook, scraped } from "./look.ts";

const stop = (state: "ACTIVE" | "REDUCED" | "HALTED" | "KILLED", reason: string) =>
  ({ state, reason, wayOut: "", by: "bot", since: millis(0) }) as const;

test.for<[string, StopCause]>([
  ["RC05: loss of the day is 12 CHF, limit is 10 CHF", "loss"],
  ["RC06: loss from the peak is 12 CHF, limit is 10 CHF", "loss"],
  ["RC10: orders of the day are 20, limit is 20", "used_up"],
  ["RC11: value traded in an hour is 2 CHF, limit is 1 CHF", "used_up"],
  ["RC18: fees of the day are 2 CHF, limit is 1 CHF", "used_up"],
  ["RC12: rejections in a row are 20, limit is 19", "rejections"],
  ["RC16: outcome of T-1 is unknown for 900001 ms, limit is 900000 ms", "doubt"],
  ["RC21: what leaves is 2, limit is 1", "exit_check"],
  ["RC25: time since the last heartbeat is 2 ms, limit is 1 ms", "heartbeat"],
  ["the venue's balances differ from the ledger by 5 CHF, which no order of ours explains", "balances"],
  ["the venue shows trade t17, of which the journal knows nothing", "foreign"],
  ["the venue shows T-1, which was never sent", "foreign"],
  ["T-1 happened after it had been given up (presumed-dead); it is booked", "late_fill"],
  ["the answer to T-1 contradicts itself: filled and rejected", "contradiction"],
  ["fill of T-1 contradicts its order: price", "contradiction"],
  ["T-1 was answered as done, and history does not show it after 900000 ms", "doubt"],
  ["journal-full: no room on the disk", "journal"],
  ["no stop could be kept: latch data/pegbot.db.latch cannot be written: EROFS", "journal"],
  ["the venue refuses our key", "venue"],
  ["the venue forbids T-1: not whitelisted", "venue"],
  ["stopped by a bug: x is undefined", "bug"],
  ["something nobody has thought of", "other"],
])("%s is %s", ([reason, cause]) => {
  expect(stopCauseOf(stop("HALTED", reason))).toBe(cause);
});

test("a person's stop is a person's, whatever the words, and an active bot has no cause", () => {
  expect(stopCauseOf(stop("KILLED", "RC05: I saw it coming"))).toBe("person");
  expect(stopCauseOf(stop("ACTIVE", "RC05: resumed"))).toBeUndefined();
});

test("a person's stop hides none of the bot's own", async () => {
  const also = [stop("HALTED", "the venue's balances differ from the ledger by 5 CHF")];
  const samples = await scraped(createMetrics(KNOWN), quietLook({ standing: { ...stop("KILLED", "dinner"), also } }));
  expect(samples.get('pegbot_stop_cause{cause="person"}')).toBe(1);
  expect(samples.get('pegbot_stop_cause{cause="balances"}')).toBe(1);
  expect(samples.get('pegbot_stop_cause{cause="loss"}')).toBe(0);
});
