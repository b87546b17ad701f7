// Drawn conversions on the calibrated market, each against the fixed policies: all of it at the shown price now, and waiting for par
// until the deadline, then all of it. Costs are against par, as the venue booked them. PEGBOT_TASKS says how many; in the suite
// they are few, small and soon.

import { expect, test } from "vitest";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { createRandom } from "../../src/domain/random.ts";
import { DEFAULT_MARKET } from "../../src/simulator/market/parameters.ts";
import { SHORT_PROTOCOL } from "../support/bot-core.ts";
import { carrier, configOf, MINUTE } from "./rebalance-world.ts";
import { type BotOptions, recordsOf, TreasuryWorld } from "./world.ts";

const TASKS = Number(process.env.PEGBOT_TASKS ?? 3);
const SEED = Number(process.env.PEGBOT_SEED ?? 5301);
const HOUR = 60 * MINUTE;
const FUNDS = { CHF: "1000000", VCHF: "500000" };

type Task = { readonly seed: number; readonly isSale: boolean; readonly amount: number; readonly hours: number };

function drawn(index: number): Task {
  const random = createRandom(SEED).fork(`task ${index}`);
  return {
    seed: random.integer(1, 1_000_000),
    isSale: random.next() < 0.5,
    amount: 1_000 * random.integer(2, TASKS > 3 ? 40 : 6),
    hours: random.integer(1, TASKS > 3 ? 6 : 2),
  };
}

const CONFIG = configOf({ planning: { orders: { slippageBps: 2 }, mints: {} } });
const { polls } = pipelineDefaults;
const BOT: BotOptions = {
  ...carrier(CONFIG),
  settings: {
    ...pipelineDefaults,
    tickMs: 5_000,
    polls: { ...polls, quotesMs: 5_000, balancesMs: MINUTE, historiesMs: 5 * MINUTE },
  },
};

type Result = { readonly bps: number; readonly share: number };

/** Runs these conversions one after the other, each for what the one before has left. */
async function costs(
  task: Task,
  ways: readonly { readonly maxCostBps: string; readonly by?: string }[],
): Promise<Result> {
  const world = await TreasuryWorld.open(task.seed, {}, FUNDS, SHORT_PROTOCOL, DEFAULT_MARKET);
  world.bot(BOT);
  await world.pass(3 * MINUTE);
  const [from, to] = task.isSale ? ["VCHF", "CHF"] : ["CHF", "VCHF"];
  for (const way of ways) {
    const left = task.amount - sum(world, "takes");
    if (left < 10) break;
    const wish = { amount: left.toFixed(2), from, to, ...way };
    await world.end(world.asks("convert", wish, { config: CONFIG }), 30 * HOUR);
  }
  const { value, lost } = { value: sum(world, "value"), lost: sum(world, "lost") };
  return { bps: value > 0 ? (lost / value) * 1e4 : Number.NaN, share: sum(world, "takes") / task.amount };
}

function sum(world: TreasuryWorld, field: "takes" | "value" | "lost"): number {
  return recordsOf(world, "plan-progress")
    .filter(({ state }) => state === "step")
    .reduce((all, { move }) => {
      const found = move?.[field];
      return all + (typeof found === "string" ? Number(found.split(" ")[0]) : (found?.toNumber() ?? 0));
    }, 0);
}

test(`${TASKS} drawn conversions cost no more than the better fixed policy plus 1 bp in the median, and never more than they may, seed ${SEED}`, async () => {
  const rows = [];
  for (let index = 0; index < TASKS; index++) {
    const task = drawn(index);
    const by = `${task.hours * 60}m`;
    const ours = await costs(task, [{ maxCostBps: "20", by }]);
    const now = await costs(task, [{ maxCostBps: "500" }]);
    const par = await costs(task, [{ maxCostBps: "0.5", by: `${task.hours * 60 - 20}m` }, { maxCostBps: "500" }]);
    // Where no policy moved anything the coin was off its peg.
    if (ours.share + now.share + par.share > 0) rows.push({ ours, now, par });
    process.stdout.write(
      `${JSON.stringify(task)} ours ${ours.bps.toFixed(2)} bp of ${(ours.share * 100).toFixed(1)} %, now ${now.bps.toFixed(2)}, par ${par.bps.toFixed(2)} bp\n`,
    );
  }
  const over = rows.map(({ ours, now, par }) => ours.bps - Math.min(now.bps, par.bps)).sort((a, b) => a - b);
  const saved = rows.map(({ ours, now }) => now.bps - ours.bps);
  const mean = saved.reduce((all, one) => all + one, 0) / saved.length;
  const error = Math.sqrt(
    saved.reduce((all, one) => all + (one - mean) ** 2, 0) / Math.max(1, saved.length - 1) / saved.length,
  );
  const inTime = rows.filter(({ ours }) => ours.share > 0.999).length;
  process.stdout.write(
    `conversions: median ${over[over.length >> 1]?.toFixed(2)} bp over the better policy, ${inTime} of ${rows.length} in time, saved ${mean.toFixed(2)} bp (95 %: ${(mean - 1.96 * error).toFixed(2)} to ${(mean + 1.96 * error).toFixed(2)})\n`,
  );
  expect(rows.filter(({ ours }) => ours.bps > 20)).toEqual([]);
  expect(over[over.length >> 1] ?? 0).toBeLessThanOrEqual(1);
});
