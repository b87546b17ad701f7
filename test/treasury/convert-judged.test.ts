// Drawn conversions on the calibrated market, each against the single routes by fixed policies of their own: all of it at the shown
// price now; waiting for par until the deadline is near, then all of it; a mint, where the amount and the time allow one. Costs are
// against par, as the venue booked them. PEGBOT_TASKS says how many; in the suite they are few, small and soon.

import { expect, test } from "vitest";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import type { Config } from "../../src/config/schema.ts";
import { createRandom } from "../../src/domain/random.ts";
import { DEFAULT_MARKET } from "../../src/simulator/market/parameters.ts";
import { SHORT_PROTOCOL } from "../support/bot-core.ts";
import { carrier, configOf, MINUTE } from "./rebalance-world.ts";
import { CHF, recordsOf, TreasuryWorld, VCHF } from "./world.ts";

const TASKS = Number(process.env.PEGBOT_TASKS ?? 3);
const SEED = Number(process.env.PEGBOT_SEED ?? 5301);
const HOUR = 60 * MINUTE;
const FUNDS = { CHF: "1000000", VCHF: "500000" };

type Task = { readonly seed: number; readonly isSale: boolean; readonly amount: number; readonly hours: number };

/** One in five is a purchase that a mint could serve. */
function drawn(index: number): Task {
  const random = createRandom(SEED).fork(`task ${index}`);
  const seed = random.integer(1, 1_000_000);
  if (TASKS > 3 && index % 5 === 4)
    return { seed, isSale: false, amount: 1_000 * random.integer(130, 250), hours: random.integer(6, 12) };
  return {
    ...{ seed, isSale: random.next() < 0.5 },
    amount: 1_000 * random.integer(2, TASKS > 3 ? 40 : 6),
    hours: random.integer(1, TASKS > 3 ? 6 : 2),
  };
}

const MINT_MIN = 130_000;
const CONFIG = configOf({
  mint: { minimum: String(MINT_MIN - 1_000), minimumCurrency: "CHF", quantityMax: { VCHF: "500000" } },
  planning: { orders: { slippageBps: 2 }, mints: { VCHF: { chain: "ETH" } } },
});
const ORDERS_ONLY = {
  ...CONFIG,
  treasury: { ...CONFIG.treasury, planning: { ...CONFIG.treasury.planning, mints: {} } },
};
const COST_BPS_MAX = 20;
const { polls } = pipelineDefaults;
const BOT = {
  settings: {
    ...pipelineDefaults,
    tickMs: 5_000,
    polls: { ...polls, quotesMs: 5_000, balancesMs: MINUTE, historiesMs: 5 * MINUTE },
  },
};

/** `isWhole`: all of it had moved by the deadline. */
type Result = { readonly bps: number; readonly share: number; readonly isWhole: boolean };
type Way = { readonly maxCostBps: string; readonly by?: string };

/** Runs these conversions one after the other, each for what the one before has left. */
async function costs(task: Task, ways: readonly Way[], config: Config = ORDERS_ONLY): Promise<Result> {
  const world = await opened(task, config);
  const deadline = world.clock.now() + task.hours * HOUR;
  const [from, to] = task.isSale ? ["VCHF", "CHF"] : ["CHF", "VCHF"];
  for (const way of ways) {
    const left = task.amount - sum(world, "takes");
    if (left < 10) break;
    const wish = { amount: left.toFixed(2), from, to, ...way };
    await world.end(world.asks("convert", wish, { config }), 30 * HOUR);
  }
  const { value, lost } = { value: sum(world, "value"), lost: sum(world, "lost") };
  const share = sum(world, "takes") / task.amount;
  const isInTime = recordsOf(world, "plan-progress").every(({ state, at }) => state !== "step" || at <= deadline);
  return { bps: value > 0 ? (lost / value) * 1e4 : Number.NaN, share, isWhole: share > 0.999 && isInTime };
}

/** All of it by one mint; undefined where none is possible. */
async function minted(task: Task): Promise<Result | undefined> {
  if (task.isSale || task.amount < MINT_MIN) return undefined;
  const world = await opened(task, CONFIG);
  const { code, stderr } = await world.end(world.mint({ quantity: String(task.amount) }, { config: CONFIG }), HOUR);
  expect(code, stderr).toBe(0);
  await world.pass(task.hours * HOUR);
  const { accounts } = world.reader().books;
  const [came, went] = [VCHF, CHF].map((asset) => accounts.settled(asset)?.toNumber() ?? 0) as [number, number];
  const [arrived, paid] = [came - Number(FUNDS.VCHF), Number(FUNDS.CHF) - went];
  return { bps: (1 - arrived / paid) * 1e4, share: arrived / task.amount, isWhole: arrived > task.amount * 0.999 };
}

async function opened(task: Task, config: Config): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(task.seed, {}, FUNDS, SHORT_PROTOCOL, DEFAULT_MARKET);
  world.bot({ ...carrier(config), ...BOT });
  await world.pass(3 * MINUTE);
  return world;
}

function sum(world: TreasuryWorld, field: "takes" | "value" | "lost"): number {
  return recordsOf(world, "plan-progress")
    .filter(({ state }) => state === "step")
    .reduce((all, { move }) => {
      const found = move?.[field];
      return all + (typeof found === "string" ? Number(found.split(" ")[0]) : (found?.toNumber() ?? 0));
    }, 0);
}

const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN;
const text = ({ bps, share, isWhole }: Result): string =>
  `${bps.toFixed(2)} bp of ${(share * 100).toFixed(1)} %${isWhole ? "" : " (not in time)"}`;

test(`${TASKS} drawn conversions cost no more than the best single route plus 1 bp in the median, and never more than they may, seed ${SEED}`, async () => {
  const rows = [];
  for (let index = 0; index < TASKS; index++) {
    const task = drawn(index);
    const minutes = task.hours * 60;
    const ours = await costs(task, [{ maxCostBps: String(COST_BPS_MAX), by: `${minutes}m` }], CONFIG);
    const now = await costs(task, [{ maxCostBps: "500" }]);
    const late = task.amount < MINT_MIN ? 20 : 60;
    const par = await costs(task, [{ maxCostBps: "0.5", by: `${minutes - late}m` }, { maxCostBps: "500" }]);
    const mint = await minted(task);
    const could = [now, par, ...(mint === undefined ? [] : [mint])].filter(({ isWhole }) => isWhole);
    rows.push({ ours, now, could });
    const singles = `now ${text(now)}, par ${text(par)}${mint === undefined ? "" : `, mint ${text(mint)}`}`;
    process.stdout.write(`${index} ${JSON.stringify(task)} ours ${text(ours)}; ${singles}\n`);
  }
  const possible = rows.filter(({ could }) => could.length > 0);
  const inTime = possible.filter(({ ours }) => ours.isWhole);
  const over = inTime.map(({ ours, could }) => ours.bps - Math.min(...could.map(({ bps }) => bps)));
  const saved = inTime.flatMap(({ ours, now }) => (now.isWhole ? [now.bps - ours.bps] : []));
  const mean = saved.reduce((all, one) => all + one, 0) / saved.length;
  const squares = saved.reduce((all, one) => all + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares / Math.max(1, saved.length - 1) / saved.length);
  process.stdout.write(
    `conversions: median ${median(over).toFixed(2)} bp over the best single route, ${inTime.length} of ${possible.length} in time, saved ${mean.toFixed(2)} bp (95 %: ${(mean - 1.96 * error).toFixed(2)} to ${(mean + 1.96 * error).toFixed(2)}, ${saved.length} tasks) against all at the shown price, at most ${Math.max(...rows.map(({ ours }) => ours.bps || 0)).toFixed(2)} bp of ${COST_BPS_MAX}\n`,
  );
  expect(rows.filter(({ ours }) => ours.bps > COST_BPS_MAX)).toEqual([]);
  expect(median(over)).toBeLessThanOrEqual(1);
  expect(inTime.length).toBeGreaterThanOrEqual(0.95 * possible.length);
});
