// What is said of a journal beside a backtest, where more than the strategy is different.

import { expect, it } from "vitest";
import { differences, type Life } from "../../src/cli/research/compare.ts";
import { millis } from "../../src/domain/time.ts";
import { HOUR, type SmallRun, smallRun, T0 } from "../backtest/metric/small-run.ts";

const MINUTE = 60_000;
const at = (minutes: number) => millis(T0 + minutes * MINUTE);
const runOf = (run: SmallRun) => smallRun({ days: 1 / 24, ...run });
const said = (life: Partial<Life>, journal: SmallRun = {}, backtest: SmallRun = {}) =>
  differences("bot.db", { ran: [], stood: [], ...life }, runOf(journal), runOf(backtest).settings);
const fill = (minutes: number, fee: string) => ({
  at: T0 + minutes * MINUTE,
  ...{ base: "100", quote: "100" },
  fee: [fee, "CHF"] as const,
});

it("parameters that changed in the journal are told with their time and how many fills were made with them", () => {
  const ran = [2_500, 1_000].map((size, i) => ({ at: at(i * 40), name: "own", params: { size } }));
  const fills = [1, 2, 39, 50].map((minutes) => fill(minutes, "0"));
  const settings = { strategy: "own", params: { size: 2_500 } };
  expect(said({ ran }, { fills }, { settings })).toEqual([
    "bot.db is of other parameters than the backtest (from 2026-01-01 00:40:00 to 2026-01-01 01:00:00, with 1 of its 4 fills): size was 1000, is 2500",
  ]);
  expect(said({ ran: ran.slice(1) }, { fills }, { settings })).toEqual([
    "bot.db is of other parameters than the backtest: size was 1000, is 2500",
  ]);
});

it("stops are told with what they took of the time", () => {
  const stood = [
    { at: millis(T0 - HOUR), state: "HALTED", reason: "a rule" },
    { at: at(10), state: "ACTIVE", reason: "" },
    { at: at(55), state: "HALTED", reason: "lunch" },
  ] as const;
  expect(said({ stood })).toEqual([
    "the bot of bot.db was stopped for 15 min of this time: HALTED from 2026-01-01 00:00:00 until 2026-01-01 00:10:00 (a rule); HALTED from 2026-01-01 00:55:00 to the end (lunch)",
  ]);
  expect(said({ stood: stood.slice(1, 2) })).toEqual([]);
});
