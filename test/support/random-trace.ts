// Random events for the engine, drawn from a seed, with every kind of report in an order that a venue could produce and a
// few that none should. What comes out is folded into one hash, and the recorded steps rebuild the books elsewhere.

import { createHash } from "node:crypto";
import type { Accounts } from "../../src/books/accounts/accounts.ts";
import type { Engine } from "../../src/bot/engine.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Control, Event, OrderReport } from "../../src/domain/event.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import type { OrderIntent, Step } from "../../src/domain/step.ts";
import { isRecorded } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import type { TradingState } from "../../src/risk/trading-state.ts";
import { defineStrategy, ema, z } from "../../src/strategy/strategy.ts";
import { fillAtLimit, strategyBench } from "./strategy-bench.ts";

const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const START = Date.UTC(2026, 0, 5, 13);

/** Trades both ways around an average, with sizes that limits cap now and then. */
const busy = defineStrategy({
  name: "busy",
  params: z.object({ edgeBps: z.number().default(1) }),
  state: () => ({ average: ema(50), count: 0 }),
  decide({ quote, fair, state, params, buy, sell }) {
    const average = state.average.next(quote.mid);
    if (fair === undefined) return undefined;
    const edge = params.edgeBps / 1e4;
    const size = 100 + (state.count++ % 7) * 3_000;
    const { symbol } = quote;
    if (quote.ask < Math.min(fair, average) * (1 - edge)) return buy(symbol, { limit: quote.ask, size, reason: "low" });
    if (quote.bid > Math.max(fair, average) * (1 + edge))
      return sell(symbol, { limit: quote.bid, size, reason: "high" });
    return undefined;
  },
});

export type Trace = {
  readonly hash: string;
  readonly engine: Engine;
  readonly recorded: readonly Step[];
  /** How the bot stood after each of them. */
  readonly standings: readonly TradingState[];
  readonly counts: Map<string, number>;
};

export function newBusyEngine(): Engine {
  return strategyBench(busy, {
    symbols: SYMBOLS,
    balances: {},
    limits: {
      ordersPerMinuteMax: 60,
      ordersPerDayMax: 86_400,
      duplicateWindowMs: 1_000,
      offsetWindowMs: 1_000,
      dailyLossBpsMax: 4,
    },
  }).engine;
}

export function runTrace(seed: number, events: number, keep: boolean): Trace {
  const random = createRandom(seed);
  const engine = newBusyEngine();
  const hash = createHash("sha256");
  const recorded: Step[] = [];
  const standings: TradingState[] = [];
  const counts = new Map<string, number>();
  const source = createSource(random, engine);
  for (let i = 0; i < events; i++) {
    const step = engine.step(source.next());
    for (const { verdict } of step.decisions) count(counts, verdict.kind);
    for (const command of step.commands) count(counts, command.kind === "state" ? command.state : "submit");
    if (!isRecorded(step)) continue;
    hash.update(JSON.stringify(step));
    if (!keep) continue;
    recorded.push(step);
    standings.push(engine.books.counters.tradingState);
  }
  hash.update(JSON.stringify((engine.books.accounts as Accounts).save()));
  return { hash: hash.digest("hex"), engine, recorded, standings, counts };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function createSource(random: Random, engine: Engine): { next(): Event } {
  const accounts = engine.books.accounts as Accounts;
  const mids = SYMBOLS.map(() => 1);
  let now = START;
  const opening = ["CHF", "VCHF", "GBP", "VGBP"].map((asset) => Money.of("200000", asset as Asset));
  const queue: Event[] = [{ kind: "adoption", amounts: opening, reason: "opening", receivedAt: millis(now) }];

  const balances = (): Event => ({
    kind: "balances",
    balances: accounts.assets.map((asset) => {
      const held = accounts.held(asset) ?? Money.zero(asset);
      const pending = random.next() < 0.5 ? undefined : Money.zero(asset);
      return { asset, available: held.isNegative() ? Money.zero(asset) : held, pending };
    }),
    receivedAt: millis(now),
  });

  const quote = (): Event => {
    const which = random.integer(0, SYMBOLS.length - 1);
    const mid = mids[which] as number;
    mids[which] = mid + (1 - mid) * 0.02 + (random.next() - 0.5) * 0.0006;
    const spread = random.next() < 0.001 ? -0.001 : 0.0001;
    const bid = (mids[which] as number) - spread;
    const ask = (mids[which] as number) + spread;
    const at = random.next() < 0.5 ? undefined : millis(now - random.integer(0, 300));
    const sizes = { bidSize: 10_000, askSize: undefined };
    return {
      kind: "quote",
      symbol: SYMBOLS[which] as PairSymbol,
      bid,
      ask,
      ...sizes,
      source: "venue",
      at,
      receivedAt: millis(now),
    };
  };

  const fx = (): Event[] =>
    ["a", "b"].map((source) => {
      const price = 1.12 + (random.next() - 0.5) * 0.0001;
      const symbol = "GBP/CHF" as PairSymbol;
      const sizes = { bidSize: undefined, askSize: undefined };
      return {
        kind: "quote",
        symbol,
        bid: price,
        ask: price,
        ...sizes,
        source,
        at: undefined,
        receivedAt: millis(now),
      };
    });

  return {
    next() {
      const waiting = queue.shift();
      if (waiting !== undefined) return waiting;
      now += random.integer(0, 400);
      const draw = random.next();
      const order = draw < 0.25 ? pick(accounts, random) : undefined;
      if (order !== undefined) return reportOf(order, random, now);
      if (draw > 0.9995) {
        const amounts = [Money.of(String(random.integer(-500, 500)), (random.next() < 0.5 ? "CHF" : "VGBP") as Asset)];
        return { kind: "adoption", amounts, reason: "wire", receivedAt: millis(now) };
      }
      if (draw < 0.3) queue.push(...fx());
      if (draw > 0.98) return { kind: "timer", receivedAt: millis(now) };
      if (draw > 0.96) return balances();
      const isStopped = engine.books.counters.state !== "ACTIVE";
      if (draw > 0.959 || (isStopped && random.next() < 0.1))
        return { kind: "control", control: drawStop(random), receivedAt: millis(now) };
      if (draw > 0.9589 || (isStopped && random.next() < 0.2))
        return {
          kind: "control",
          control: { kind: "resume", reason: "the test goes on", by: "test" },
          receivedAt: millis(now),
        };
      return quote();
    },
  };
}

/** By a person or by the bot, for reasons that are the same now and then. */
function drawStop(random: Random): Control {
  const reason =
    random.next() < 0.5 ? "the same again" : `order T-${random.integer(0, 9)} is ${random.integer(0, 9)} late`;
  const draw = random.next();
  if (draw < 0.4) return { kind: "kill", reason, by: "test" };
  return { kind: draw < 0.8 ? "halt" : "reduce", cause: "other", reason, wayOut: "pegbot resume" };
}

function pick(accounts: Accounts, random: Random): OrderIntent | undefined {
  const open = [...accounts.open.values()];
  return open.length === 0 ? undefined : open[random.integer(0, open.length - 1)]?.intent;
}

function reportOf(intent: OrderIntent, random: Random, now: number): Event {
  const { clientOrderId } = intent;
  return { kind: "report", clientOrderId, report: drawReport(intent, random), receivedAt: millis(now) };
}

function drawReport(intent: OrderIntent, random: Random): OrderReport {
  const draw = random.next();
  if (draw < 0.6) return { kind: "filled", fill: drawFill(intent, random), confirmed: draw < 0.4 };
  if (draw < 0.7) return { kind: "rejected", code: "unfilled", message: "no counterpart" };
  if (draw < 0.8) return { kind: "not-sent", reason: "too old" };
  if (draw < 0.85) return { kind: "doubt", cause: "timeout" };
  if (draw < 0.95) return { kind: "dead", reason: "witnesses agree" };
  return { kind: "sending" };
}

/** With a fee in the quote asset, and with the trade id missing now and then. */
function drawFill(intent: OrderIntent, random: Random) {
  const fill = fillAtLimit(intent);
  const quote = intent.side === "buy" ? fill.sold : fill.bought;
  const fee = quote.share(random.integer(0, 10), "down").rounded(6, "down");
  return { ...fill, fee, tradeId: random.next() < 0.2 ? undefined : fill.tradeId };
}
