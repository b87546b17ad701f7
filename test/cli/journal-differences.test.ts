// What is said of a journal beside a backtest, where more than the strategy is different.

import { expect, it } from "vitest";
import { differences, type Life } from "../../src/cli/research/compare.ts";
import { millis } from "../../src/domain/time.ts";
import { HOUR, T0 } from "../backtest/metric/small-run.ts";

const MINUTE = 60_000;
const at = (minutes: number) => millis(T0 + minutes * MINUTE);
const OWN = { strategy: "own", params: { size: 2_500 } };
const said = (life: Partial<Life>, backtest = OWN) =>
  differences("bot.db", { ran: [], stood: [], ...life }, { from: at(0), to: at(60) }, backtest);

it("another strategy, and parameters that changed in the journal, are named with their time", () => {
  const ran = [2_500, 1_000].map((size, i) => ({ at: at(i * 40), name: "own", params: { size } }));
  expect(said({ ran })).toEqual([
    "bot.db from 2026-01-01 00:40:00: other parameters than the backtest: size was 1000, is 2500",
  ]);
  expect(said({ ran: ran.slice(0, 1) }, { ...OWN, strategy: "twap" })).toEqual([
    "bot.db from 2026-01-01 00:00:00: another strategy, own; the backtest has twap",
  ]);
});

it("stops are named with their time and reason", () => {
  const stood = [
    { at: millis(T0 - HOUR), state: "HALTED", reason: "a rule" },
    { at: at(10), state: "ACTIVE", reason: "" },
    { at: at(55), state: "HALTED", reason: "lunch" },
  ] as const;
  expect(said({ stood })).toEqual([
    "bot.db was HALTED from 2026-01-01 00:00:00 to 2026-01-01 00:10:00: a rule",
    "bot.db was HALTED from 2026-01-01 00:55:00 to 2026-01-01 01:00:00: lunch",
  ]);
  expect(said({ stood: stood.slice(1, 2) })).toEqual([]);
});
