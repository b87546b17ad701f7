import { expect, test } from "vitest";
import { type RunSettings, SLOT_CLASSES } from "../../../backtest/record/run-record.ts";
import { markoutMids, RunRecorder, type Sampled, SlotCounter } from "../../../backtest/record/run-recorder.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import { millis } from "../../../src/domain/time.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const symbol = "VCHF/CHF" as PairSymbol;
const T0 = 1_767_225_600_000;
const at = (seconds: number) => millis(T0 + seconds * 1_000);

const settings: RunSettings = {
  title: "a small run",
  strategy: "none",
  params: {},
  data: "by hand",
  seed: undefined,
  traceHash: undefined,
  codeVersion: "test",
  from: at(0),
  to: at(120),
  currency: CHF,
  riskFreeRate: 0,
  assumptions: [],
};
const ends = { settings, books: { opening: [], closing: [], adopted: [] }, slots: undefined, settlements: undefined };

const fill: Fill = {
  clientOrderId: "T-1" as ClientOrderId,
  orderId: "O-1",
  tradeId: "1",
  symbol,
  side: "buy",
  bought: Money.of("100", VCHF),
  sold: Money.of("99.9", CHF),
  fee: Money.of("0.01", CHF),
  at: at(10),
};
const decided = { decidedAt: at(9), reason: "cheap", limit: 0.9995, touch: 0.999, fair: undefined, rate: "1" };

function sampled(held: Readonly<Record<string, number>>, coinRate: number): Sampled {
  return {
    held: (asset) => held[asset] ?? 0,
    inFlight: () => 0,
    rate: (asset) => (asset === CHF ? 1 : coinRate),
  };
}

test("a sample is worth what is held at its rates, beside what was there at the opening", () => {
  const recorder = new RunRecorder([CHF, VCHF]);
  recorder.adopt(CHF, 1_000);
  recorder.sample(at(0), sampled({ CHF: 1_000, VCHF: 0 }, 0.99));
  recorder.adopt(VCHF, 50);
  recorder.sample(at(60), sampled({ CHF: 900, VCHF: 150 }, 0.98));
  const { samples } = recorder.finish(ends);
  // 900 + 150 * 0.98 = 1047; held all along: 1000 + 50 * 0.98 = 1049
  expect([...samples.equity]).toEqual([1_000, 1_047]);
  expect([...samples.benchmark]).toEqual([1_000, 1_049]);
});

test("an asset that is held without a rate makes equity unknown, one that is not held does not", () => {
  const recorder = new RunRecorder([CHF, VCHF]);
  recorder.sample(at(0), sampled({ CHF: 5, VCHF: 0 }, NaN));
  recorder.sample(at(1), sampled({ CHF: 5, VCHF: 5 }, NaN));
  expect([...recorder.finish(ends).samples.equity]).toEqual([5, NaN]);
});

test("the mid after a fill is the last one in time that is newer than the fill, or unknown", () => {
  const rows = [
    [10, 0.9985, 0.999],
    [15, 0.999, 1],
    [65, 1, 1.001],
  ] as const;
  const [time, bid, ask] = ([0, 1, 2] as const).map((place) =>
    Float64Array.from(rows, (row) => (place === 0 ? at(row[0]) : row[place])),
  ) as [Float64Array, Float64Array, Float64Array];
  const prices = { symbol, par: 1, length: 3, time, bid, ask, fair: bid };
  const mids = markoutMids(Float64Array.of(at(10)), [symbol], [prices]);
  // after 1 s only the price of the fill's own second is known; after 10 s that of 15 s; after 60 s that of 65 s
  expect(mids.slice(0, 3).map((column) => column[0])).toEqual([NaN, 0.9995, 1.0005]);
});

test("amounts of a fill stay exact text", () => {
  const recorder = new RunRecorder([CHF, VCHF]);
  recorder.fill(at(10), { ...fill, sold: Money.of("99.900000000000000001", CHF) }, decided, "0.1");
  const { fills } = recorder.finish(ends);
  expect(fills).toMatchObject({ sold: ["99.900000000000000001"], fee: ["0.01"], feeAsset: [CHF], realised: ["0.1"] });
  expect([...fills.fair]).toEqual([NaN]);
});

test("requests are counted by class in the span they fell into, over a month of seconds", () => {
  const counter = new SlotCounter(at(0), { paceMs: 1_000 });
  counter.add(at(59.9), "quote");
  counter.add(at(60), "order");
  counter.add(at(30 * 86_400 - 1), "quote", 3);
  const slots = counter.finish();
  expect(slots.buckets).toBe(43_200);
  const of = (bucket: number) =>
    Object.fromEntries(SLOT_CLASSES.map((name, index) => [name, slots.counts[bucket * SLOT_CLASSES.length + index]]));
  expect(of(0)).toMatchObject({ quote: 1, order: 0 });
  expect(of(1)).toMatchObject({ quote: 0, order: 1 });
  expect(of(43_199)).toMatchObject({ quote: 3 });
});
