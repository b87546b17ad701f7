// A backtest that rebalances: the steward of the running bot, on virtual time, against the simulator's mints.

import { expect, test } from "vitest";
import { computeFigures } from "../../backtest/figures.ts";
import { renderReport } from "../../backtest/report/render-report.ts";
import { renderTable } from "../../backtest/report/render-table.ts";
import { createSteward } from "../../src/bot/steward.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import type { PotName } from "../../src/treasury/plan/pot.ts";
import { backtestOf, MINUTE } from "./stage.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const HOUR = 60 * MINUTE;
const still = () => unwrap(prepareStrategy({ name: "still", decide: () => undefined }, {}));

const steward = (writer: string) =>
  createSteward({
    terms: {
      targets: [{ pot: "VCHF" as PotName, low: Quantity.of("250000"), target: undefined, high: undefined }],
      returnTo: "edge",
      elsewhere: new Map(),
      costs: { stepCost: Quantity.of("0.1"), capitalBpsPerYear: 500, riskBpsPerDay: 5 },
      orders: {
        slippageBps: 1,
        ordersMax: 5,
        feeBps: 0,
        valueMax: undefined,
        quantityMax: () => undefined,
        refillMs: 30_000,
      },
      // Without pairs the mint is the only door.
      symbols: new Set(),
      mints: [
        {
          asset: VCHF,
          fiat: CHF,
          chain: "ETH",
          minimum: Money.of("130000", CHF),
          marginBps: 0,
          quantityMax: undefined,
          feeBps: 0,
          feeFixed: Quantity.zero,
          hours: { opens: 0, cutOff: undefined, settlementMs: 4 * HOUR },
        },
      ],
      rails: [],
      reserveBps: 100,
      feeBpsMax: 20,
    },
    rules: {
      automatic: true,
      lookMs: MINUTE,
      orderValueMax: undefined,
      mintValueMax: Quantity.of("300000"),
      dayValueMax: Quantity.of("300000"),
      expiryMs: 10 * MINUTE,
      persons: 1,
      people: [],
    },
    mintFeeBpsMax: 10,
    saltDecimals: 2,
    quoteAgeMsMax: 60_000,
    writer,
    random: createRandom(1),
  });

test("shows its mint in the settlement timeline and in the capital-hours figure", { timeout: 120_000 }, () => {
  const funds = { CHF: "400000", VCHF: "100000" };
  const { record, desk, standing } = backtestOf(still(), 12 * HOUR, { funds, steward });
  expect([standing.state, record.settlements?.length]).toEqual(["ACTIVE", 1]);
  const [mint] = record.settlements ?? [];
  expect(mint).toMatchObject({ kind: "mint", asset: "VCHF", state: "settled" });
  const took = (mint?.to ?? 0) - (mint?.from ?? 0);
  expect(took).toBeGreaterThan(HOUR);
  expect(desk.engine.context.accounts.held(VCHF)?.toNumber()).toBeGreaterThanOrEqual(250_000);
  for (const { asset, amount } of record.books.closing)
    expect(amount).toBe(desk.engine.context.accounts.held(asset)?.toString());
  const figures = computeFigures(record);
  const hours = figures.capitalHours.kind === "known" ? figures.capitalHours.value : Number.NaN;
  // The coins at par for as long as they were on their way, to a sample at either end.
  const expected = (Number(mint?.amount) * took) / HOUR;
  expect(Math.abs(hours / expected - 1)).toBeLessThan(0.05);
  expect(renderTable(record, figures).join("\n")).toMatch(/capital in settlement +[0-9,]+ CHF h/);
  expect(renderReport(record, figures)).not.toContain("the run has no treasury");
});

test("without targets the figure stays unknown", () => {
  const { record } = backtestOf(still(), 5 * MINUTE);
  expect([record.settlements, computeFigures(record).capitalHours.kind]).toEqual([undefined, "n/a"]);
});
