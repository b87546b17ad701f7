// `npm run test:blind-long [-- DAYS [SEED ...]]`: `blind-taker` on a venue that shows no quotes, against the same orders
// where the price is shown to it at no cost, against orders at fixed intervals, and against none. Prints each run and the
// table of docs/STRATEGIES.md; ends with 1 where that page promises more.

import { type BlindOutcome, blindTrial, type Choice } from "../test/support/blind.ts";

const [days = 1, ...given] = process.argv.slice(2).map(Number);
const seeds = given.length > 0 ? given : Array.from({ length: 10 }, (_, place) => 1_001 + place);
const INTERVALS = [10_000, 60_000, 450_000];
const FEW = 190;
const MANY = 15_000;
const SIDES = ["buy", "sell"] as const;
let isRight = true;

for (const ordersPerDay of [MANY, FEW]) {
  const limit = `${ordersPerDay} orders a day`;
  const taught = runs("demo", "taught", ordersPerDay);
  const shown = ordersPerDay === MANY ? runs("demo", "shown", ordersPerDay) : undefined;
  const turns = INTERVALS.map((interval) => ({ interval, profit: mean(runs("demo", interval, ordersPerDay)) }));
  if (shown !== undefined) {
    const part = mean(taught) / mean(shown);
    print(`demo, ${limit}: ${percent(part)} of what the shown price earns`, part >= 0.6);
    covered("demo", taught);
  }
  // With orders to spare any interval that is short against the swings of prices finds them.
  for (const { interval, profit } of turns)
    print(
      `demo, ${limit}: ${mean(taught).toFixed(0)} CHF a day, every ${interval / 1_000} s ${profit.toFixed(0)}`,
      mean(taught) > (ordersPerDay === FEW ? profit : 0),
    );
}
const calibrated = runs("calibrated", "taught", MANY);
for (const { bpsPerDay, seed } of calibrated)
  if (bpsPerDay <= -1) print(`calibrated, seed ${seed}: ${bpsPerDay.toFixed(2)} bp of equity a day`, false);
const least = Math.min(...calibrated.map(({ bpsPerDay }) => bpsPerDay));
print(`calibrated: ${least.toFixed(2)} bp of equity a day at the least`, least > -1);
covered("calibrated", calibrated);
process.exitCode = isRight ? 0 : 1;

type Run = BlindOutcome & { readonly seed: number };

function runs(market: "demo" | "calibrated", choice: Choice, ordersPerDay: number): readonly Run[] {
  return seeds.map((seed) => {
    const run = blindTrial({ market, seed, days, choice, params: { ordersPerDay } });
    const { earned, bpsPerDay, orders, fills, covers, state } = run;
    const held = SIDES.map((side) => percent(covers[side].held / covers[side].looks)).join(" ");
    const name = typeof choice === "number" ? `every ${choice / 1_000} s` : choice;
    process.stdout.write(
      `${market} ${seed}, ${ordersPerDay} a day, ${name}: ${earned.toFixed(0)} CHF, ${bpsPerDay.toFixed(2)} bp a day over holding, ${orders} orders, ${fills} fills, held ${held}, ${state}\n`,
    );
    return { ...run, seed };
  });
}

function covered(market: string, of: readonly Run[]): void {
  for (const side of SIDES) {
    const sum = (what: "held" | "looks"): number => of.reduce((total, { covers }) => total + covers[side][what], 0);
    const part = sum("held") / sum("looks");
    const text = `${market}: the 90 % interval of ${side === "buy" ? "asks" : "bids"} held the price in ${percent(part)} of ${sum("looks")} looks`;
    print(text, part >= 0.87 && part <= 0.93);
  }
}

/** Earned, CHF a day. */
function mean(of: readonly Run[]): number {
  return of.reduce((total, { earned }) => total + earned, 0) / of.length / days;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

function print(line: string, holds: boolean): void {
  if (!holds) isRight = false;
  process.stdout.write(`${holds ? "holds" : "FAILS"}  ${line}\n`);
}
