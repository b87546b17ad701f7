// What is said of a journal beside a backtest, where more than the strategy is different.

import { expect, it } from "vitest";
import { computeFigures } from "../../backtest/figures.ts";
import type { Holding } from "../../backtest/record/run-record.ts";
import { differences, type Life } from "../../src/cli/research/compare.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { HOUR, type SmallRun, smallRun, T0 } from "../backtest/metric/small-run.ts";

const MINUTE = 60_000;
const at = (minutes: number) => millis(T0 + minutes * MINUTE);
const sideOf = (run: SmallRun) => {
  const record = smallRun({ days: 1 / 24, ...run });
  return { record, figures: computeFigures(record) };
};
const chf = (amount: string): Holding => ({ asset: "CHF" as Asset, amount, rate: "1" });
const said = (life: Partial<Life>, journal: SmallRun = {}, backtest: SmallRun = {}) =>
  differences("bot.db", { ran: [], stood: [], pauses: [], ...life }, sideOf(journal), sideOf(backtest));
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

it("stops and the time that a bot was down are told with what they took of the time", () => {
  const stood = [
    { at: millis(T0 - HOUR), state: "HALTED", reason: "a rule" },
    { at: at(10), state: "ACTIVE", reason: "" },
    { at: at(55), state: "KILLED", reason: "lunch" },
  ] as const;
  const pauses = [
    { from: millis(T0 - HOUR), to: millis(T0 - 1) },
    { from: at(20), to: at(22) },
  ];
  expect(said({ stood, pauses })).toEqual([
    "the bot of bot.db was stopped for 15 min of this time: HALTED from 2026-01-01 00:00:00 until 2026-01-01 00:10:00 (a rule); KILLED from 2026-01-01 00:55:00 to the end (lunch)",
    "the bot of bot.db was started again once in this time, first at 2026-01-01 00:22:00, and was down for 2 min at most",
  ]);
  expect(said({ stood: stood.slice(1, 2), pauses: pauses.slice(0, 1) })).toEqual([]);
});

it("funds and fees of different size are told, and the same are not", () => {
  const run = (amount: string, fee: string): SmallRun => ({ books: { opening: [chf(amount)] }, fills: [fill(1, fee)] });
  // 0.01 of 100 is 1 bp
  expect(said({}, run("100000", "0"), run("50000", "0.01"))).toEqual([
    "bot.db and the backtest begin with different funds: 100,000.00 and 50,000.00 CHF; --funds sets those of the backtest",
    "fills of bot.db cost 0.00 bp in fees, those of the backtest 1.00 bp; --fee-bps sets those of the backtest",
  ]);
  expect(said({}, run("100000", "0.01"), run("100000.5", "0.01"))).toEqual([]);
  expect(said({}, run("100000", "0.01"), { books: { opening: undefined } })).toEqual([]);
});
