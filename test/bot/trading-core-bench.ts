// A trading core of real parts over hand-made inputs: engine, gate with the limits of paper trading, executor.

import { createCore } from "../../src/bot/core.ts";
import { Engine } from "../../src/bot/engine.ts";
import type { Input } from "../../src/bot/input.ts";
import type { Turn } from "../../src/bot/turn.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Nonce, Outcome } from "../../src/exchange/port.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import type { Moment } from "../../src/execution/request.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { Limits } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { isOrder } from "../../src/risk/treasury-gate.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, ema, z } from "../../src/strategy/strategy.ts";
import { failure } from "../execution/life.ts";
import { instrumentOf } from "../support/bench-options.ts";
import { fillAtLimit } from "../support/strategy-bench.ts";

const PAIR = "VCHF/CHF" as PairSymbol;
const START = millis(Date.UTC(2026, 0, 5, 12));

/** An order at every quote below par, and an average that shows whether state goes on. */
const eager = defineStrategy({
  name: "eager",
  params: z.object({ size: z.number().default(100) }),
  state: () => ({ average: ema(10), count: 0 }),
  decide({ quote, state, params, buy }) {
    state.average.next(quote.mid);
    state.count += 1;
    return quote.ask < 1 ? buy(quote.symbol, { limit: quote.ask, size: params.size, reason: "below par" }) : undefined;
  },
});

/** A bot whose limits do not get in the way of hand-made inputs, except those that a test sets. */
const LIMITS: Limits = {
  ...paperLimits,
  depegLossBpsMax: "off: a test of few assets",
  issuerLossBpsMax: "off: a test of few assets",
  issuerEndBps: 6_000,
  symbols: [PAIR],
  ordersPerMinuteMax: "off: inputs by hand",
  duplicateWindowMs: "off: inputs by hand",
  offsetWindowMs: "off: inputs by hand",
};

export function newDesk(
  writer: string,
  limits: Partial<Limits> = {},
  strategy: Strategy = newEager(),
  settings: Settings = DEFAULT_SETTINGS,
): Engine {
  const core = createCore(strategy, {
    limits: { ...LIMITS, ...limits },
    par: new Map([[PAIR, { bandBps: 50 }]]),
    ids: createIds("T", writer),
    writer,
    settings,
  });
  return new Engine(core, { safePointMs: 10_000 });
}

export function newEager(params: unknown = {}): Strategy {
  return unwrap(prepareStrategy(eager, params));
}

export function moment(ms: number): Moment {
  return { at: millis(START + ms), mono: mono(ms) };
}

export function quote(ask: number, ms: number): Extract<Input, { kind: "event" }> & { event: QuoteEvent } {
  const price = { bid: ask - 0.0002, ask, bidSize: undefined, askSize: undefined };
  const event = { kind: "quote", symbol: PAIR, ...price, source: "venue", at: undefined } as const;
  return { kind: "event", event: { ...event, receivedAt: moment(ms).at } };
}

/** What a bot is told before it trades. */
export function openingInputs(ms: number): readonly Input[] {
  const { at } = moment(ms);
  const amounts = ["CHF", "VCHF"].map((asset) => Money.of("100000", asset as Asset));
  const history = { until: undefined, ids: [] };
  const rows = amounts.map((available) => ({
    asset: available.asset,
    available,
    pending: Money.zero(available.asset),
  }));
  return [
    { kind: "event", event: { kind: "instruments", instruments: [instrumentOf(PAIR)], receivedAt: at } },
    { kind: "adoption", adoption: { kind: "adoption", at, amounts, history, reason: "the bench opens", by: "bot" } },
    { kind: "answer", answer: { witness: "balances", rows, askedAt: mono(ms), receivedAt: at, nonce: undefined } },
    quote(1.001, ms),
  ];
}

export function openDesk(tradingCore: Engine, ms = 0): readonly Turn[] {
  return openingInputs(ms).map((input) => tradingCore.process(input, moment(ms)));
}

/** The one order of a turn was filled as it was sent. */
export function filled(turn: Turn, nonce = 1): Extract<Input, { kind: "outcome" }> {
  const [order] = turn.sends;
  if (order === undefined || !isOrder(order)) throw new Error("the turn must have sent an order");
  const outcome: Outcome<Fill> = {
    kind: "accepted",
    value: fillAtLimit(order),
    nonce: nonce as Nonce,
    receivedAt: START,
  };
  return { kind: "outcome", id: order.clientOrderId, outcome };
}

export function kinds({ records }: Pick<Turn, "records">): string[] {
  return records.map((record) => (record.kind === "step" ? `step ${record.step.event.kind}` : record.kind));
}

/** To our own deposit address. */
export function standingRail(tradingCore: Engine, ms: number, kind: "accepted" | "doubt" = "accepted"): string {
  const now = moment(ms);
  const rail = {
    type: "FiatToStablecoin",
    sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
    destination: "0x1",
    memo: undefined,
    asset: "VCHF" as Asset,
    currency: "CHF" as Asset,
    blockchain: "ETH",
    toAccount: true,
    known: [],
  } as const;
  const terms = { isAnother: false, decidedAt: now.at, expiresAt: millis(now.at + 600_000), reason: "test" };
  const [sent] = tradingCore.process({ kind: "movement", wish: { kind: "rail", rail, ...terms } }, now).sends;
  if (sent === undefined || isOrder(sent)) throw new Error("a rail must be approved");
  const { id } = sent;
  const nonce = 7 as Nonce;
  tradingCore.executor.sending(id, { nonce, digest: "d", host: "h" }, now);
  const value = { railId: "a", status: "pending", reason: undefined };
  const outcome =
    kind === "accepted"
      ? ({ kind, value, nonce, receivedAt: now.at } as const)
      : ({ kind, failure: failure("timeout"), nonce, halt: false } as const);
  tradingCore.process({ kind: "outcome", id, outcome }, now);
  return value.railId;
}

/** What a sender would have announced before the byte. */
export function announced(tradingCore: Engine, turn: Turn, nonce: number, ms: number): readonly JournalRecord[] {
  const [order] = turn.sends;
  if (order === undefined || !isOrder(order)) throw new Error("the turn must have sent an order");
  const record = { nonce: nonce as Nonce, digest: "00", host: "test" };
  return tradingCore.executor.sending(order.clientOrderId, record, moment(ms));
}
