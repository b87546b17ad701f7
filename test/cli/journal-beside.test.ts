// What a journal is worth beside a backtest.

import { expect, it } from "vitest";
import type { RunRecord } from "../../backtest/record/run-record.ts";
import { extentOfJournal, journalBeside } from "../../src/cli/research/compare.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Event } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { smallRun, T0 } from "../backtest/metric/small-run.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";

const [CHF, VCHF, USDC] = ["CHF", "VCHF", "USDC"] as Asset[] as [Asset, Asset, Asset];
const symbol = "VCHF/USDC" as PairSymbol;
const at = (seconds: number) => millis(T0 + seconds * 1_000);

function step(seconds: number, event: Event, decisions: readonly Decision[] = []): Step {
  return { sequence: 0, at: at(seconds), event, decisions, commands: [], mark: undefined };
}

/** 1,000 CHF and 100 coins; at 10 s a coin costs 1.25 USDC, at 0.8 CHF each; all coins are sold for 125 USDC. */
function steps(): readonly Step[] {
  const clientOrderId = "A" as ClientOrderId;
  const intent: OrderIntent = {
    ...{ clientOrderId, symbol, side: "sell", quantity: Quantity.of("100"), limit: Price.of("1.24"), reason: "" },
    ...{ decidedAt: at(10), expiresAt: at(13) },
  };
  const basis = { bid: 1.25, ask: 1.25, fair: 1.25, ageMs: 0, rate: Price.of("0.8") };
  const fill: Fill = {
    ...{ clientOrderId, orderId: "A", tradeId: "A", symbol, side: "sell" },
    ...{ bought: Money.of("125", USDC), sold: Money.of("100", VCHF), fee: Money.of("0", USDC), at: at(20) },
  };
  const instrument = {
    ...{ symbol, base: VCHF, quote: USDC, status: "online", quantityDecimals: 2, priceDecimals: 4 },
    quantityMin: Quantity.of("10"),
  } as const;
  const amounts = [Money.of("1000", CHF), Money.of("100", VCHF)];
  const report = { kind: "filled", fill, confirmed: false } as const;
  return [
    step(0, { kind: "instruments", instruments: [instrument], receivedAt: at(0) }),
    step(0, { kind: "adoption", amounts, reason: "", receivedAt: at(0) }),
    step(10, { kind: "timer", receivedAt: at(10) }, [
      { proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } },
    ]),
    step(20, { kind: "report", clientOrderId, report, receivedAt: at(20) }),
    step(100, { kind: "timer", receivedAt: at(100) }),
  ];
}

/** A backtest on the same market, with what each asset was worth in it at 0, 50 and 100 seconds, or whenever its last sample is. */
function backtestOf(rates: Readonly<Record<string, readonly number[]>>, ends = 100): RunRecord {
  const equity = [0, 50, ends].map((seconds): [number, number] => [at(seconds), 1_000]);
  const record = smallRun({ equity, days: 101 / 86_400 });
  const assets = Object.entries(rates).map(([asset, rate]) => {
    const held = Float64Array.from(rate, (value) => (Number.isNaN(value) ? 0 : 1));
    return { asset: asset as Asset, held, inFlight: new Float64Array(3), rate: Float64Array.from(rate) };
  });
  return { ...record, samples: { ...record.samples, assets } };
}

async function beside(rates: Readonly<Record<string, readonly number[]>>, ends?: number) {
  const path = temporaryPath();
  const journal = journalAt(path);
  await journal.append(steps().map((one) => ({ kind: "step", at: one.at, step: one })));
  journal.close();
  const backtest = backtestOf(rates, ends);
  const extent = extentOfJournal(path);
  return journalBeside(path, { backtest, pars: new Map(), market: "same", extent });
}

it("what the backtest never held is worth what the decisions of the journal say", async () => {
  const { record, figures } = await beside({ CHF: [1, 1, 1], VCHF: [0.99, 0.99, 0.99] });
  // 1,000 and 100 coins at 0.99; then 1,000 and 125 USDC at 0.8.
  expect([...record.samples.equity]).toEqual([1_099, 1_099, 1_100, 1_100, 1_100]);
  expect(figures.netProfit).toEqual({ kind: "known", value: Money.of("1", CHF) });
  expect(figures.totalReturn).toEqual({ kind: "known", value: expect.closeTo(1 / 1_099, 12) });
  // Half of 100 coins at 0.99 and 125 USDC at 0.8 that stand elsewhere; from 20 s on, 81 of the 101 s of the run.
  expect(figures.exposure).toEqual({
    kind: "known",
    value: { mean: expect.closeTo(((81 / 101) * (99 + 100)) / 2 / 1_100, 12), timeShare: expect.closeTo(81 / 101, 12) },
  });
});

it("what the backtest held for a part of the time alone is worth what the journal says, and not the one after the other", async () => {
  const { record } = await beside({ CHF: [1, 1, 1], VCHF: [0.99, 0.99, 0.99], USDC: [Number.NaN, 0.9, 0.9] });
  expect([...record.samples.equity]).toEqual([1_099, 1_099, 1_100, 1_100, 1_100]);
});

it("what the backtest has a rate of all the time is worth that, on the same market", async () => {
  const { record } = await beside({ CHF: [1, 1, 1], VCHF: [0.99, 0.99, 0.99], USDC: [0.82, 0.82, 0.84] });
  // 1,000 + 125 * 0.82, then 125 * 0.84.
  expect([...record.samples.equity]).toEqual([1_099, 1_099, 1_102.5, 1_105, 1_105]);
});

it("closes at the moment and the rates that the backtest closes at, though its own last record is of before", async () => {
  const { record } = await beside({ CHF: [1, 1, 1], VCHF: [0.99, 0.99, 0.99], USDC: [0.82, 0.82, 0.84] }, 101);
  expect(record.samples.time.at(-1)).toBe(at(101));
  expect(record.books.closing).toContainEqual({ asset: USDC, amount: "125", rate: "0.84" });
  // At 100 s those of 50 s, at 101 s, where both end, those of then.
  expect([...record.samples.equity]).toEqual([1_099, 1_099, 1_102.5, 1_102.5, 1_105]);
});
