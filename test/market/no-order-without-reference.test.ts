// No order leaves without a fresh, uncrossed, agreeing reference where one is required: the whole core under feeds that fail
// at random in every way, against a second opinion that knows only the raw prices.

import { expect, it } from "vitest";
import { createCore } from "../../src/bot/core.ts";
import { Engine } from "../../src/bot/engine.ts";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import type { Limits, Off } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, z } from "../../src/strategy/strategy.ts";
import { anInstrument } from "../support/instrument.ts";

const TRADED = "VGBP/CHF" as PairSymbol;
const FX = "GBP/CHF" as PairSymbol;
const COIN = "VGBP/GBP" as PairSymbol;
const AGE_MS_MAX = 5_000;
const APART_BPS_MAX = 30;
const BAND = { low: 0.8, high: 2 };
const off: Off = "off: a restless strategy is what is wanted";
const START = Date.UTC(2026, 10, 11, 12);

const LIMITS: Limits = {
  ...paperLimits,
  depegLossBpsMax: "off: a test of few assets",
  issuerLossBpsMax: "off: a test of few assets",
  issuerEndBps: 6_000,
  symbols: [TRADED],
  orderQuantityMax: { [TRADED]: Quantity.of("50000") },
  referenceAgeMsMax: AGE_MS_MAX,
  referenceSourcesMin: 2,
  referenceSpreadBpsMax: APART_BPS_MAX,
  ordersPerMinuteMax: off,
  ordersPerDayMax: off,
  turnoverPerHourMax: off,
  turnoverPerDayMax: off,
  duplicateWindowMs: off,
  offsetWindowMs: off,
  dailyLossBpsMax: off,
  drawdownBpsMax: off,
};

/** Takes every quote of the venue, whatever anything is worth. */
const restless = defineStrategy({
  name: "restless",
  params: z.object({}),
  state: () => ({}),
  decide: ({ quote, buy }) =>
    quote.symbol === TRADED ? buy(TRADED, { limit: quote.ask, size: "10", reason: "always" }) : undefined,
});

/** What is known of a source by its raw prices alone. */
type Raw = { bid: number; ask: number; told: number };

class SecondOpinion {
  readonly #sources = new Map<string, Raw>();

  take({ source, bid, ask, at, receivedAt }: QuoteEvent): void {
    this.#sources.set(source, { bid, ask, told: Math.min(at ?? receivedAt, receivedAt) });
  }

  /** Two sources, each fresh, uncrossed and inside the band, that agree with each other and with the limit. */
  supports(now: number, limit: number): boolean {
    const mids = [...this.#sources.values()]
      .filter(({ bid, ask, told }) => now - told <= AGE_MS_MAX && isGood(bid, ask))
      .map(({ bid, ask }) => (bid + ask) / 2);
    const near = (one: number, other: number, bps: number): boolean => Math.abs(one / other - 1) * 1e4 <= bps;
    return mids.some((one, i) =>
      mids.some((other, k) => k !== i && near(one, other, APART_BPS_MAX + 0.1) && near(limit, one, 50 + APART_BPS_MAX)),
    );
  }
}

function isGood(bid: number, ask: number): boolean {
  const mid = (bid + ask) / 2;
  return bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY && mid >= BAND.low && mid <= BAND.high;
}

type Fault = (
  truth: number,
  random: Random,
) => { readonly bid: number; readonly ask: number; readonly lateMs?: number };

const around = (mid: number): { bid: number; ask: number } => ({ bid: mid * 0.9999, ask: mid * 1.0001 });

const FAULTS: readonly Fault[] = [
  (truth) => ({ bid: truth * 1.001, ask: truth }),
  (truth) => ({ bid: truth, ask: truth }),
  () => ({ bid: 0, ask: 0 }),
  (truth) => ({ bid: -truth, ask: truth }),
  () => ({ bid: Number.NaN, ask: Number.NaN }),
  (truth) => ({ bid: truth, ask: Number.POSITIVE_INFINITY }),
  (truth) => around(1 / truth),
  (truth) => around(truth * 100),
  (truth) => around(truth / 100),
  (truth, random) => around(truth * (1 + (random.next() - 0.5) * 0.06)),
  (truth) => around(truth * 1.004),
  (truth, random) => ({ ...around(truth), lateMs: random.integer(1, 60_000) }),
  () => around(1.05),
];

function stage(isCross: boolean) {
  const strategy = unwrap(prepareStrategy(restless, {}));
  const core = createCore(strategy, {
    limits: LIMITS,
    par: new Map(isCross ? [[COIN, { bandBps: 50 }]] : []),
    prices: { bands: new Map([[isCross ? FX : TRADED, BAND]]) },
    ids: createIds("T", "feedsfail"),
    writer: "feedsfail",
    settings: DEFAULT_SETTINGS,
  });
  const engine = new Engine(core, pipelineDefaults);
  const receivedAt = millis(START);
  const { base, quote } = assetsOf(TRADED);
  engine.step({ kind: "instruments", instruments: [anInstrument({ symbol: TRADED, base, quote })], receivedAt });
  const amounts = [Money.of("500000", "CHF" as Asset), Money.of("1000", "VGBP" as Asset)];
  engine.step({ kind: "adoption", amounts, reason: "opening", receivedAt });
  const balances = amounts.map((available) => ({ asset: available.asset, available, pending: undefined }));
  engine.step({ kind: "balances", balances, receivedAt });
  return engine;
}

it.each([
  ["of the pair itself", false],
  ["of a pair on the way", true],
])("no order leaves without two fresh, uncrossed, agreeing references %s", (_, isCross) => {
  let approvedInAll = 0;
  let leftInAll = 0;
  let refusedInAll = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const random = createRandom(seed);
    const engine = stage(isCross);
    const { gate } = engine;
    const opinion = new SecondOpinion();
    let now = START;
    let truth = 1.05;
    const say = (source: string, symbol: PairSymbol, bid: number, ask: number, at?: number) => {
      const times = { at: at === undefined ? undefined : millis(at), receivedAt: millis(now) };
      const event: QuoteEvent = {
        kind: "quote",
        symbol,
        bid,
        ask,
        bidSize: undefined,
        askSize: undefined,
        source,
        ...times,
      };
      if (source !== "venue") opinion.take(event);
      return engine.step(event);
    };
    let waiting: OrderIntent | undefined;
    for (let step = 0; step < 400; step++) {
      now += random.next() < 0.03 ? random.integer(1_000, 30_000) : random.integer(50, 900);
      truth *= 1 + random.normal() * 3e-5;
      const source = `feed-${random.integer(1, 3)}`;
      const isFault = random.next() < 0.25;
      const fault = isFault ? FAULTS[random.integer(0, FAULTS.length - 1)] : undefined;
      const { bid, ask, lateMs = 0 } = fault?.(truth, random) ?? { ...around(truth * (1 + random.normal() * 1e-5)) };
      say(source, isCross ? FX : TRADED, bid, ask, now - lateMs);
      const instrument = engine.books.instruments.get(TRADED);
      // The slot of the order before opens now.
      if (waiting !== undefined && instrument !== undefined) {
        const refusal = gate.recheck(waiting, instrument, engine.books);
        if (refusal === undefined) {
          leftInAll++;
          if (!opinion.supports(now, waiting.limit.toNumber())) throw new Error(`seed ${seed}, step ${step}: left`);
        }
        const report = { kind: "not-sent", reason: "a test" } as const;
        engine.step({ kind: "report", clientOrderId: waiting.clientOrderId, report, receivedAt: millis(now) });
        waiting = undefined;
      }
      if (isCross) say("venue", COIN, 0.9998, 1.0002);
      const { decisions } = say("venue", TRADED, truth * 0.9995, truth * 1.0005);
      for (const { verdict } of decisions) {
        if (verdict.kind === "refused") refusedInAll++;
        else {
          approvedInAll++;
          waiting = verdict.intent;
          const limit = verdict.intent.limit.toNumber();
          if (!opinion.supports(now, limit)) throw new Error(`seed ${seed}, step ${step}: approved`);
        }
      }
    }
  }
  // It does trade while feeds are well, and does not while they are not.
  expect(approvedInAll).toBeGreaterThan(500);
  expect(leftInAll).toBeGreaterThan(300);
  expect(refusedInAll).toBeGreaterThan(500);
});
