// What a strategy is shown of its own orders: how each proposal ended, which report woke it, why there is no fair value.

import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/bot/engine.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { OrderReport } from "../../../src/domain/event.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { isRecorded, type OrderIntent, type Step } from "../../../src/domain/step.ts";
import { createRules } from "../../../src/risk/create-rules.ts";
import { createGate } from "../../../src/risk/gate.ts";
import type { Limits } from "../../../src/risk/limits.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { prepareStrategy } from "../../../src/strategy/prepare.ts";
import type { OutcomeView, ReportView, View, Wake } from "../../../src/strategy/view.ts";
import {
  type BenchOptions,
  bareEngine,
  benchPricing,
  fillAtLimit,
  strategyBench,
} from "../../support/strategy-bench.ts";
import { testBooks } from "../../support/test-books.ts";

const SYMBOL = "VCHF/CHF";
const CHF = "CHF" as Asset;
const FUNDED: BenchOptions = { symbols: [SYMBOL], balances: { CHF: "10000", VCHF: "10000" } };

type Seen = { wake: Wake; report: ReportView | undefined; outcomes: readonly OutcomeView[] };

/** Proposes at its first quote, or at each, and keeps what it is shown. */
function watching(seen: Seen[], isEager: (view: View) => boolean = ({ state }) => (state as { n: number }).n++ === 0) {
  return {
    name: "watching",
    wakes: ["quote", "report"],
    state: () => ({ n: 0 }),
    decide(view: View) {
      const { wake, report, outcomes, buy } = view;
      seen.push({ wake, report, outcomes });
      if (!isEager(view)) return undefined;
      return buy(SYMBOL, { limit: 0.999, size: 500, reason: "cheap" });
    },
  };
}

const ORDER = {
  id: "T-bench000-1",
  symbol: SYMBOL,
  side: "buy",
  quantity: 500,
  limit: 0.999,
  reason: "cheap",
  decidedAt: Date.parse("2026-01-05T12:00:01Z"),
};
const AT = ORDER.decidedAt + 1_000;

function openIntent({ books }: Engine): OrderIntent {
  const [order] = books.accounts.open.values();
  if (order === undefined) throw new Error("no order is open");
  return order.intent;
}

/** What the strategy is shown when the venue says this of its order. */
function shownOf(...reports: ((intent: OrderIntent) => OrderReport)[]): Seen[] {
  const seen: Seen[] = [];
  const bench = strategyBench(watching(seen), FUNDED);
  bench.quote(SYMBOL, 0.997, 0.999);
  const intent = openIntent(bench.engine);
  for (const made of reports) {
    const receivedAt = bench.pass(1_000).at;
    bench.send({ kind: "report", clientOrderId: intent.clientOrderId, report: made(intent), receivedAt });
  }
  return seen.slice(1);
}

describe("a report shows which order it is of, and what became of it", () => {
  it("with price, quantity and fee of a fill, which the outcomes have from then on", () => {
    const seen: Seen[] = [];
    const bench = strategyBench(watching(seen), { ...FUNDED, feeBps: 2 });
    bench.quote(SYMBOL, 0.997, 0.999);
    bench.fill(0.998);
    bench.quote(SYMBOL, 0.997, 0.999);
    // 500 * 0.998 * 2 / 10000
    const of = { id: ORDER.id, symbol: SYMBOL, side: "buy", quantity: 500, price: 0.998, reason: "cheap" };
    const { decidedAt } = ORDER;
    const fill = { ...of, fee: 0.0998, feeAsset: "CHF", decidedAt, at: AT };
    const filled = { kind: "filled", order: ORDER, fill, at: AT };
    expect(seen.map(({ wake, report }) => [wake, report])).toEqual([
      ["quote", undefined],
      ["report", filled],
      ["quote", undefined],
    ]);
    expect(seen.map(({ outcomes }) => outcomes)).toEqual([[], [filled], [filled]]);
  });

  it.each<[string, OrderReport, object]>([
    [
      "unfilled",
      { kind: "rejected", code: "unfilled", message: "no counterpart" },
      { kind: "rejected", code: "unfilled", why: "no counterpart" },
    ],
    [
      "rejected, with the venue's reason",
      { kind: "rejected", code: "below-minimum", message: "too small" },
      { kind: "rejected", code: "below-minimum", why: "too small" },
    ],
    ["not sent, with the reason", { kind: "not-sent", reason: "too old" }, { kind: "not-sent", why: "too old" }],
  ])("when it was %s", (_, report, shown) => {
    const view = { ...shown, order: ORDER, at: AT };
    expect(shownOf(() => report)).toEqual([{ wake: "report", report: view, outcomes: [view] }]);
  });

  it("when it is in doubt, which is no end: it ends once, and what confirms that is no news", () => {
    const seen = shownOf(
      () => ({ kind: "doubt", cause: "no answer" }),
      (intent) => ({ kind: "filled", fill: fillAtLimit(intent), confirmed: false }),
      (intent) => ({ kind: "filled", fill: fillAtLimit(intent), confirmed: true }),
    );
    expect(seen[0]).toEqual({
      wake: "report",
      report: { kind: "doubt", order: ORDER, why: "no answer", at: AT },
      outcomes: [],
    });
    expect(seen.map(({ report }) => report?.kind)).toEqual(["doubt", "filled", undefined]);
    expect(seen.map(({ outcomes }) => outcomes.map(({ kind }) => kind))).toEqual([[], ["filled"], ["filled"]]);
  });
});

describe("a refused proposal", () => {
  it("is in the next view with rule and reason, and wakes nobody by itself", () => {
    const seen: Seen[] = [];
    const bench = strategyBench(
      watching(seen, () => true),
      FUNDED,
    );
    bench.quote(SYMBOL, 0.997, 0.999);
    bench.quote(SYMBOL, 0.997, 0.999);
    bench.quote(SYMBOL, 0.997, 0.999);
    const proposal = { symbol: SYMBOL, side: "buy", limit: 0.999, size: 500, reason: "cheap", lifetimeMs: undefined };
    const why = expect.stringContaining("the same order");
    expect(seen.map(({ outcomes }) => outcomes)).toEqual([
      [],
      [],
      [{ kind: "refused", proposal, rule: "RC14", why, at: AT }],
    ]);
  });
});

describe("the same from the journal", () => {
  it("has a bot that is started again, refused proposals included", () => {
    const steps: Step[] = [];
    const taken = (step: Step): void => {
      if (isRecorded(step)) steps.push(step);
    };
    const seen: Seen[] = [];
    const bench = strategyBench(
      watching(seen, ({ wake }) => wake === "quote"),
      FUNDED,
    );
    taken(bench.quote(SYMBOL, 0.997, 0.999));
    taken(bench.kill());
    taken(bench.quote(SYMBOL, 0.997, 0.999));
    bench.quote(SYMBOL, 0.997, 0.999);
    const last = seen.at(-1)?.outcomes ?? [];
    const again: Seen[] = [];
    const second = emptyEngine(watching(again, () => false));
    second.step({
      kind: "instruments",
      instruments: [...bench.engine.books.instruments.values()],
      receivedAt: bench.now,
    });
    for (const step of steps) second.books.replay(step);
    const quote = { kind: "quote", symbol: SYMBOL as PairSymbol, source: "venue", at: undefined } as const;
    const sizes = { bidSize: undefined, askSize: undefined };
    second.step({ ...quote, ...sizes, bid: 0.997, ask: 0.999, receivedAt: bench.now });
    expect(last.map(({ kind }) => kind)).toEqual(["rejected", "refused"]);
    expect(again[0]?.outcomes).toEqual(last);
  });
});

function emptyEngine(definition: unknown): Engine {
  const limits: Limits = {
    ...paperLimits,
    depegLossBpsMax: "off: a test of few assets",
    issuerLossBpsMax: "off: a test of few assets",
    issuerEndBps: 6_000,
    symbols: [SYMBOL],
    orderQuantityMax: { [SYMBOL]: Quantity.of("50000") },
  };
  return bareEngine({
    strategy: unwrap(prepareStrategy(definition, {})),
    gate: createGate(createRules(limits), CHF, createIds("T", "another0")),
    books: testBooks({ prices: benchPricing([SYMBOL as PairSymbol]) }),
    review: { lifetimeMsMax: 3_000 },
  });
}
