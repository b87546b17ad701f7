import { expect, test } from "vitest";
import { type RunSettings, SLOT_CLASSES } from "../../../backtest/record/run-record.ts";
import { FloatColumn, RunRecorder, type Sampled, SlotCounter } from "../../../backtest/record/run-recorder.ts";
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
  source: "backtest",
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
  const recorder = new RunRecorder([CHF, VCHF], []);
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
  const recorder = new RunRecorder([CHF, VCHF], []);
  recorder.sample(at(0), sampled({ CHF: 5, VCHF: 0 }, NaN));
  recorder.sample(at(1), sampled({ CHF: 5, VCHF: 5 }, NaN));
  expect([...recorder.finish(ends).samples.equity]).toEqual([5, NaN]);
});

test("the rate of an asset is asked for while it is held, and while holding it is what a run is compared with", () => {
  const recorder = new RunRecorder([CHF, VCHF], []);
  recorder.sample(at(0), sampled({ CHF: 5, VCHF: 0 }, 0.99));
  recorder.sample(at(1), sampled({ CHF: 5, VCHF: 1 }, 0.98));
  recorder.adopt(VCHF, 1);
  recorder.sample(at(2), sampled({ CHF: 5, VCHF: 0 }, 0.97));
  const [, coin] = recorder.finish(ends).samples.assets;
  expect([coin?.held, coin?.inFlight, coin?.rate].map((column) => [...(column ?? [])])).toEqual([
    [0, 1, 0],
    [0, 0, 0],
    [NaN, 0.98, 0.97],
  ]);
});

test("a column keeps what is put into it, the same at first and different later", () => {
  const column = new FloatColumn();
  expect([column.last(), ...column.toArray()]).toEqual([NaN]);
  const values = [...new Array(300).fill(-0), ...new Array(3).fill(NaN), ...new Array(700).fill(2)];
  const seen = values.map((value) => {
    column.push(value);
    return column.last();
  });
  expect(seen).toEqual(values);
  expect([...column.toArray()]).toEqual(values);
  expect(column.length).toBe(1_003);
});

test("the mid after a fill is the last one in time that is newer than the fill, or unknown", () => {
  const recorder = new RunRecorder([CHF, VCHF], [{ symbol, par: 1 }]);
  recorder.price(symbol, at(10), 0.9985, 0.999, undefined);
  recorder.price(symbol, at(15), 0.999, 1, 1);
  recorder.price(symbol, at(65), 1, 1.001, 1);
  recorder.fill(at(10), fill, decided, undefined);
  const { fills } = recorder.finish(ends);
  // after 1 s only the price of the fill's own second is known; after 10 s that of 15 s; after 60 s that of 65 s
  expect(fills.mids.slice(0, 3).map((column) => column[0])).toEqual([NaN, 0.9995, 1.0005]);
});

test("amounts of a fill stay exact text", () => {
  const recorder = new RunRecorder([CHF, VCHF], [{ symbol }]);
  recorder.fill(at(10), { ...fill, sold: Money.of("99.900000000000000001", CHF) }, decided, "0.1");
  const { fills } = recorder.finish(ends);
  expect(fills).toMatchObject({ sold: ["99.900000000000000001"], fee: ["0.01"], feeAsset: [CHF], realised: ["0.1"] });
  expect([...fills.fair]).toEqual([NaN]);
});

test("an order that did not fill keeps how it ended and what was known", () => {
  const recorder = new RunRecorder([CHF, VCHF], [{ symbol }]);
  recorder.unfilled(
    { at: at(3), id: "T-2", symbol, side: "sell", quantity: 5, end: "unfilled-depth", cause: "fok_not_fillable" },
    decided,
  );
  recorder.refused({ rule: "RC07", message: "the first" }, symbol, at(1));
  recorder.refused({ rule: "RC07", message: "the second" }, undefined, at(2));
  recorder.refused({ rule: "RC19", message: "another" }, symbol, at(3));
  const { unfilled, refusals, refusedPairs, firstRefusals } = recorder.finish(ends);
  expect(unfilled).toMatchObject({ length: 1, id: ["T-2"], cause: ["fok_not_fillable"] });
  expect([...unfilled.side, ...unfilled.end, ...unfilled.rate]).toEqual([1, 1, 1]);
  expect(refusals).toEqual({ RC07: 2, RC19: 1 });
  expect(refusedPairs).toEqual({ [symbol]: 1 });
  expect(firstRefusals).toEqual({
    RC07: { at: at(1), symbol, message: "the first" },
    RC19: { at: at(3), symbol, message: "another" },
  });
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

test("of a fill every text is kept as it was, whatever a strategy writes into its reason", () => {
  const recorder = new RunRecorder([CHF, VCHF], []);
  const reason = "two lines\nand \u4e00";
  recorder.fill(at(10), fill, { ...decided, reason, rate: undefined }, "-0.5");
  recorder.fill(at(11), fill, decided, undefined);
  const { fills } = recorder.finish(ends);
  expect(fills.reason).toEqual([reason, "cheap"]);
  expect([fills.id, fills.bought, fills.sold, fills.fee].map(([first]) => first)).toEqual([
    fill.clientOrderId,
    "100",
    "99.9",
    "0.01",
  ]);
  expect([fills.rate, fills.realised]).toEqual([
    [undefined, "1"],
    ["-0.5", undefined],
  ]);
});

test("samples that go back in time and slots before the run are bugs", () => {
  const recorder = new RunRecorder([], []);
  const none = sampled({}, 1);
  recorder.sample(at(5), none);
  expect(() => recorder.sample(at(4), none)).toThrow("samples must not go back in time");
  expect(() => new SlotCounter(at(5), { paceMs: 1_000 }).add(at(4), "quote")).toThrow("must not lie before the run");
});
