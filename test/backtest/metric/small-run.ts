// Runs small enough to work out by hand: say what matters, the rest is plain.

import type {
  Books,
  RunRecord,
  RunSettings,
  Settlement,
  Slots,
  UnfilledEnd,
} from "../../../backtest/record/run-record.ts";
import { RunRecorder } from "../../../backtest/record/run-recorder.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { type ClientOrderId, legs, type Side } from "../../../src/domain/order.ts";
import { millis } from "../../../src/domain/time.ts";
import { withPrices } from "../../support/with-prices.ts";

export const CHF = "CHF" as Asset;
export const T0 = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export type SmallFill = {
  readonly at?: number;
  readonly symbol?: string;
  readonly side?: Side;
  readonly base: string;
  readonly quote: string;
  readonly fee?: readonly [amount: string, asset: string];
  readonly touch?: number;
  readonly fair?: number;
  readonly rate?: string | undefined;
  readonly realised?: string;
};

export type SmallRun = {
  readonly days?: number;
  readonly equity?: readonly (readonly [at: number, equity: number, benchmark?: number])[];
  readonly books?: Partial<Books>;
  readonly fills?: readonly SmallFill[];
  readonly unfilled?: readonly { end: UnfilledEnd; side?: Side; quantity?: number; touch?: number; fair?: number }[];
  readonly pairs?: readonly { symbol: PairSymbol; par?: number }[];
  readonly prices?: readonly (readonly [at: number, symbol: string, mid: number])[];
  readonly slots?: Slots;
  readonly settlements?: readonly Settlement[];
  readonly settings?: Partial<RunSettings>;
};

export function smallRun(run: SmallRun): RunRecord {
  const pairs = run.pairs ?? [{ symbol: "VCHF/CHF" as PairSymbol, par: 1 }];
  const recorder = new RunRecorder([]);
  (run.fills ?? []).forEach((fill, row) => {
    addFill(recorder, fill, row);
  });
  (run.unfilled ?? []).forEach(({ end, side = "buy", quantity = 100, touch, fair }, row) => {
    const decided = { decidedAt: millis(T0), reason: "", limit: 1, touch, fair, rate: "1" };
    const symbol = "VCHF/CHF" as PairSymbol;
    recorder.unfilled({ at: millis(T0), id: `U-${row}`, symbol, side, quantity, end, cause: end }, decided);
  });
  const settings: RunSettings = {
    title: "a small run",
    strategy: "by hand",
    params: {},
    data: "by hand",
    seed: undefined,
    traceHash: undefined,
    codeVersion: "test",
    from: millis(T0),
    to: millis(T0 + (run.days ?? 1) * DAY),
    currency: CHF,
    riskFreeRate: 0,
    assumptions: [],
    ...run.settings,
  };
  const books = { opening: [], closing: [], adopted: [], ...run.books };
  const bare = recorder.finish({ settings, books, slots: run.slots, settlements: run.settlements });
  const prices = (run.prices ?? []).map(([at, symbol, mid]) => [at, symbol, mid, mid, mid] as const);
  const record = withPrices(bare, pairs, prices);
  return run.equity === undefined ? record : { ...record, samples: samplesOf(run.equity) };
}

function addFill(recorder: RunRecorder, fill: SmallFill, row: number): void {
  const { at = T0, side = "buy", base, quote, touch, fair } = fill;
  const symbol = (fill.symbol ?? "VCHF/CHF") as PairSymbol;
  const assets = assetsOf(symbol);
  const [fee, feeAsset] = fill.fee ?? ["0", assets.quote];
  const { bought, sold } = legs(side, assets.base, assets.quote);
  const [gets, gives] = side === "buy" ? [base, quote] : [quote, base];
  recorder.fill(
    millis(at),
    {
      clientOrderId: `F-${row}` as ClientOrderId,
      orderId: `${row}`,
      tradeId: `${row}`,
      symbol,
      side,
      bought: Money.of(gets, bought),
      sold: Money.of(gives, sold),
      fee: Money.of(fee, feeAsset as Asset),
      at: millis(at),
    },
    { decidedAt: millis(at), reason: "", limit: 1, touch, fair, rate: "rate" in fill ? fill.rate : "1" },
    fill.realised,
  );
}

function samplesOf(rows: NonNullable<SmallRun["equity"]>): RunRecord["samples"] {
  return {
    length: rows.length,
    time: Float64Array.from(rows, ([at]) => at),
    equity: Float64Array.from(rows, ([, equity]) => equity),
    benchmark: Float64Array.from(rows, ([, equity, benchmark]) => benchmark ?? equity),
    assets: [],
  };
}
