// The month page of conversions against a script of its own: from the journal's fills, mints and prices, in plain arithmetic, to the
// cent; and its parts, which sum to the whole.

import { expect, test } from "vitest";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { conversionsPage } from "../../src/cli/conversion/page.ts";
import { type Row, rowsOf, sumsOf } from "../../src/cli/conversion/rows.ts";
import { entryText } from "../../src/journal/text/entry-text.ts";
import { PlanLog } from "../../src/treasury/approval/plan-log.ts";
import { PAIR, SHORT_PROTOCOL } from "../support/bot-core.ts";
import { carrier, configOf, MINUTE } from "./rebalance-world.ts";
import { TreasuryWorld } from "./world.ts";

const SEED = 5320;
const HOUR = 60 * MINUTE;
const CONFIG = configOf({
  mint: { minimum: "129000", minimumCurrency: "CHF", quantityMax: { VCHF: "140000" }, feeBpsMax: 10 },
  planning: { orders: { slippageBps: 2, feeBps: 1 }, mints: { VCHF: { chain: "ETH", feeBps: 1 } } },
});
const { polls } = pipelineDefaults;
const SETTINGS = {
  ...pipelineDefaults,
  tickMs: 5_000,
  polls: { ...polls, quotesMs: 5_000, balancesMs: MINUTE, historiesMs: 5 * MINUTE },
};
const PARTS = ["spread", "impact", "fees", "waiting", "carry"] as const;

test(`the month page is what a script makes of the journal, to the cent, seed ${SEED}`, async () => {
  const funds = { CHF: "1000000", VCHF: "500000" };
  const world = await TreasuryWorld.open(
    SEED,
    { mintFeeBps: 1, settlement: { medianMs: 20 * MINUTE, sigma: 0, minMs: MINUTE, maxMs: HOUR } },
    funds,
    SHORT_PROTOCOL,
  );
  expect(world.venue.venue.setPair(PAIR, { feeBps: 1.25 }).ok).toBe(true);
  world.bot({ ...carrier(CONFIG), settings: SETTINGS });
  await world.pass(3 * MINUTE);
  for (const wish of [
    { amount: "33000", from: "VCHF", to: "CHF", maxCostBps: "90" },
    { amount: "7777.77", from: "VCHF", to: "CHF", maxCostBps: "60", by: "30m" },
    { amount: "12000", from: "CHF", to: "VCHF", maxCostBps: "90", buy: true },
    { amount: "150000", from: "CHF", to: "VCHF", maxCostBps: "60", by: "5h" },
  ]) {
    const { code, stderr } = await world.end(world.asks("convert", wish, { config: CONFIG }), 12 * HOUR);
    expect(code, stderr).toBe(0);
  }
  const log = new PlanLog();
  for (const entry of world.journal.entries) log.fold(entry);
  const rows = rowsOf(log);
  const sums = sumsOf(rows);
  const tables = { conversions: rows, ...sums };
  const byScript = scripted(world.journal.entries.map((one) => entryText(one.sequence, one.writer, one.record)));
  expect(rows.map(({ id, value, cost, againstPar }) => [id, ...[value, cost, againstPar].map(Number)])).toEqual(
    byScript.map(({ id, whole }) => [id, ...whole.map((sum) => Number(sum.toFixed(2)))]),
  );
  for (const [i, { parts }] of byScript.entries())
    for (const [place, part] of PARTS.entries()) {
      // Rounded so that they sum: a cent for each of its routes at most.
      const { routes, ...row } = rows[i] as Row;
      expect(Math.abs(Number(row[part]) - (parts[place] ?? Number.NaN)), `${row.id} ${part}`).toBeLessThan(
        0.01 * routes.length,
      );
    }
  const moved = PARTS.map((_, place) => byScript.some(({ parts }) => Math.abs(parts[place] ?? 0) > 0.05));
  expect(moved, "a part that is zero everywhere tests nothing").toEqual([true, true, true, true, true]);

  const cents = (text: string): number => Math.round(Number(text) * 100);
  const rowsOfAll = [...rows, ...rows.flatMap(({ routes }) => routes), ...sums.byCurrency, ...sums.byRoute];
  for (const row of rowsOfAll) expect(PARTS.reduce((all, part) => all + cents(row[part]), 0)).toBe(cents(row.cost));
  const total = (of: readonly { readonly cost: string }[]): number =>
    of.reduce((all, { cost }) => all + cents(cost), 0);
  expect([total(sums.byCurrency), total(sums.byRoute)]).toEqual([total(rows), total(rows)]);
  expect(sums.byCurrency.map(({ name, count }) => [name, count])).toEqual([
    ["VCHF to CHF", 2],
    ["CHF to VCHF", 2],
  ]);
  // As people read it, from the page itself.
  const page = conversionsPage("paper", tables);
  const cells = [...page.matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) => cell),
  );
  const read = ["VCHF to CHF", "CHF to VCHF"].map((name) =>
    cells.find(([first]) => first === name)?.[1]?.replace(/,/g, ""),
  );
  expect(read.map(Number)).toEqual(sums.byCurrency.map(({ cost }) => Number(cost)));
  expect(cells.filter((row) => row.at(-2) === "taken").length).toBe(4);
});

type Line = { readonly record: Readonly<Record<string, unknown>> };
type Amount = { readonly asset: string; readonly amount: string };

/** Coins and francs at par: value, cost, cost against par, then the parts, all by the fills and mints that the journal booked. */
function scripted(journal: readonly string[]) {
  // biome-ignore lint/suspicious/noExplicitAny: plain JSON
  const records: any[] = journal.map((text) => (JSON.parse(text) as Line).record);
  const steps = records.filter(({ kind }) => kind === "step").map(({ step }) => step);
  const plans = records.filter(({ kind }) => kind === "plan");
  const sentBy = (id: string) =>
    records.filter((one) => one.kind === "plan-progress" && one.id === id && one.state === "sent");
  const number = ({ amount }: Amount): number => Number(amount);
  return plans.map(({ id, content }) => {
    const { arrival } = JSON.parse(content);
    const [spread, impact, fees, waiting, carry, value] = [[], [], [], [], [], []] as number[][] as [
      number[],
      number[],
      number[],
      number[],
      number[],
      number[],
    ];
    for (const { at, move } of sentBy(id)) {
      const filled = steps.find(
        ({ event }) =>
          event.kind === "report" && event.clientOrderId === move.request && event.report.kind === "filled",
      );
      if (filled !== undefined) {
        const { side, bought, sold, fee } = filled.event.report.fill;
        const [bid, ask] = arrival.shown["VCHF/CHF"].map(Number);
        const isBuy = side === "buy";
        const [size, paid, first, then] = isBuy
          ? [number(bought), number(sold), ask, 1]
          : [number(sold), number(bought), bid, -1];
        spread.push(then * size * (first - 1));
        waiting.push(then * size * (Number(move.shown) - first));
        impact.push(then * (paid - size * Number(move.shown)));
        fees.push(number(fee));
        value.push(isBuy ? paid + number(fee) : size);
      }
      const minted = (kind: string) =>
        steps.find(({ event }) => event.kind === "movement" && event.id === move.request && event.report.kind === kind);
      const [departed, arrived] = [minted("departed"), minted("arrived")];
      if (departed === undefined) continue;
      const { spent, comes } = departed.event.report;
      fees.push(number(spent) - number(comes));
      value.push(number(spent));
      const ended = records.find(
        (one) =>
          one.kind === "plan-progress" &&
          one.state === "step" &&
          one.move?.request === move.request &&
          one.at >= arrived.at,
      );
      carry.push((number(spent) * 0.05 * (ended.at - at)) / (365 * 86_400_000));
    }
    const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0);
    const parts = [spread, impact, fees, waiting, carry].map(sum);
    const cost = sum(parts);
    return { id: id as string, parts, whole: [sum(value), cost, cost - sum(carry)] };
  });
}
