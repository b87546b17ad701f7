// `--market` of research, and `--param` of `data generate`, beside the flags that set several at once.

import { expect, test } from "vitest";
import { type MarketFlags, marketParameters } from "../../../src/cli/option/market-parameters.ts";
import { millis } from "../../../src/domain/time.ts";

const TO = millis(Date.UTC(2026, 1, 1));

test("a single setting beats --no-edge and --weekends, which set several", () => {
  const made = (settings: readonly string[], flags: MarketFlags) => marketParameters("--market", settings, flags, TO);
  const plain = made([], { edge: false, weekends: true });
  expect([plain.stress.chancePerDay, plain.weekendCloses]).toEqual([0, true]);
  const set = made(["stress.chancePerDay=1", "weekendCloses=false"], { edge: false, weekends: true });
  expect([set.stress.chancePerDay, set.weekendCloses]).toEqual([1, false]);
});
