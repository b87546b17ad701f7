// A venue without quotes, traded in three ways by the same orders: where `blind-taker` expects most, where its expectation is
// replaced by the price that the venue does not show, and one pair and side after the other at a fixed interval.

import { computeFigures } from "../../backtest/metric/figures.ts";
import { backtestTerms } from "../../backtest/options.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Side } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { emptyTop } from "../../src/simulator/market/market.ts";
import { SCENARIOS } from "../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { builtInDefinition } from "../../src/strategy/built-in.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import type { HiddenSideView, HiddenView, Proposal, View } from "../../src/strategy/strategy.ts";
import { backtestOf } from "../backtest/stage.ts";

/** How the next order is chosen: by what outcomes taught, by the price itself, or in turn at an interval in milliseconds. */
export type Choice = "taught" | "shown" | number;
export type BlindTrial = {
  readonly market: "demo" | "calibrated";
  readonly seed: number;
  readonly days: number;
  readonly choice: Choice;
  readonly params?: Readonly<Record<string, unknown>>;
};
/** How often the interval held the executable price at even times. */
type Cover = { readonly looks: number; readonly held: number };
export type BlindOutcome = {
  /** What fills were better than fair value, in CHF: without the marks of coins, which follow what outcomes taught. */
  readonly earned: number;
  /** Over holding the opening inventory, in basis points of equity a day. */
  readonly bpsPerDay: number;
  readonly orders: number;
  readonly fills: number;
  readonly covers: Readonly<Record<Side, Cover>>;
  readonly state: string;
};

type Seen = View<Params, Memory>;
type Params = { readonly symbols: readonly string[]; readonly pauseMs: number };
type Memory = { turn?: { readonly place: number; readonly at: number } | undefined };
type Blind = (view: Seen) => Proposal | undefined;

const SYMBOLS: readonly string[] = ["VCHF/CHF", "VGBP/GBP"];
const DAY = 86_400_000;
/** A Monday. */
const FROM = millis(Date.UTC(2026, 0, 5));
const FUNDS = { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000" };
const ORDERS_PER_DAY = 15_000;
/** What else is read is read this often. */
const READ_MS = 12_000;
const LOOK_MS = 600_000;
const SIDES: readonly Side[] = ["buy", "sell"];

export function blindTrial({ market: name, seed, days, choice, params = {} }: BlindTrial): BlindOutcome {
  const parameters = SCENARIOS[name];
  const market = { ...parameters, venue: { ...parameters.venue, quotesShown: false } };
  const prices = syntheticMarket(seed, market);
  const top = emptyTop();
  /** What the next order of this side would pay or get. */
  const executable = (symbol: string, side: Side, at: number): number => {
    prices.read(symbol as PairSymbol, millis(at), top);
    return side === "buy" ? top.ask : top.bid;
  };
  const definition = builtInDefinition("blind-taker") as Strategy["definition"];
  const asks = definition.blind as unknown as Blind;
  const covers = { buy: { looks: 0, held: 0 }, sell: { looks: 0, held: 0 } };
  let nextLook = FROM + LOOK_MS;
  const look = ({ wake, now, params: { symbols }, hidden }: Seen): void => {
    if (wake !== "timer" || now < nextLook) return;
    nextLook += LOOK_MS;
    for (const symbol of symbols)
      for (const side of SIDES) {
        const seen = hidden(symbol)?.[side === "buy" ? "ask" : "bid"];
        if (seen === undefined) continue;
        const price = executable(symbol, side, now);
        covers[side].looks++;
        if (price >= seen.low && price <= seen.high) covers[side].held++;
      }
  };
  const blind: Blind = (view) => {
    look(view);
    if (choice === "taught") return asks(view);
    const hidden = (symbol: string): HiddenView | undefined => shown(view, symbol, executable);
    // The chooser sees the price itself; at an interval it sees one side, whose order is always worth it.
    if (choice === "shown") return asks(withHidden(view, hidden));
    return inTurn(view, choice, asks);
  };
  const strategy = unwrap(
    prepareStrategy({ ...definition, blind: blind as never }, { ordersPerDay: ORDERS_PER_DAY, ...params }),
  );
  const { record, standing } = backtestOf(strategy, days * DAY, {
    seed,
    from: FROM,
    to: millis(FROM + days * DAY),
    market,
    references: DEFAULT_REFERENCES,
    limits: paperLimits,
    par: new Map(SYMBOLS.map((symbol) => [symbol as PairSymbol, { bandBps: 50, isAlone: true }])),
    funds: FUNDS,
    terms: { ...backtestTerms, latencyMs: market.venue.latencyMs, quotesMs: READ_MS },
  });
  const { profitOverHolding, premiumCaptured } = computeFigures(record);
  if (profitOverHolding.kind !== "known") throw new Error(`seed ${seed}: ${profitOverHolding.reason}`);
  const fills = record.fills.length;
  const equity = 2 * (1 + 1.06) * 100_000;
  return {
    earned: premiumCaptured.kind === "known" ? premiumCaptured.value.toNumber() : 0,
    bpsPerDay: (profitOverHolding.value.toNumber() / equity / days) * 1e4,
    orders: fills + record.unfilled.length,
    fills,
    covers,
    state: standing.state,
  };
}

function withHidden(view: Seen, hidden: Seen["hidden"]): Seen {
  return new Proxy({} as Seen, { get: (_, key) => (key === "hidden" ? hidden : Reflect.get(view, key, view)) });
}

/** The price itself instead of what outcomes taught. */
function shown(
  { now, fairOf }: Seen,
  symbol: string,
  executable: (symbol: string, side: Side, at: number) => number,
): HiddenView | undefined {
  const fair = fairOf(symbol);
  if (fair === undefined) return undefined;
  const side = (which: Side): HiddenSideView => {
    const price = executable(symbol, which, now);
    const fills = (limit: number): boolean => (which === "buy" ? price <= limit : price >= limit);
    return {
      ...{ price, low: price, high: price, sizeMax: undefined, ageMs: 0 },
      chance: (limit) => (fills(limit) ? 1 : 0),
      gain: (limit) => (fills(limit) ? Math.abs(fair - price) : 0),
    };
  };
  return { ask: side("buy"), bid: side("sell") };
}

/** One pair and side after the other; one that filled is asked again after its pause. */
function inTurn(view: Seen, intervalMs: number, asks: Blind): Proposal | undefined {
  const { state, now, params, fills, openOrders } = view;
  const { turn: asked } = state;
  // Both sides of a pair right after each other would be refused (RC15).
  const places = SIDES.flatMap((side) => params.symbols.map((symbol) => ({ symbol, side })));
  const last = asked && places[asked.place];
  if (openOrders.length > 0) return undefined;
  const isFilled = fills.some(({ symbol, decidedAt }) => symbol === last?.symbol && decidedAt === asked?.at);
  if (asked !== undefined && now - asked.at < (isFilled ? params.pauseMs : intervalMs)) return undefined;
  const first = asked === undefined ? 0 : isFilled ? asked.place : asked.place + 1;
  // The same order again is refused for a moment (RC14): worth waiting for where it filled.
  const isStaying = isFilled && asked !== undefined && now - asked.at < 2 * params.pauseMs;
  for (let step = 0; step < (isStaying ? 1 : places.length); step++) {
    const place = (first + step) % places.length;
    const { symbol, side } = places[place] as (typeof places)[number];
    const only = (name: string): HiddenView | undefined => (name === symbol ? onlySide(side) : undefined);
    const order = asks(withHidden(view, only));
    if (order === undefined) continue;
    state.turn = { place, at: now };
    return order;
  }
  return undefined;
}

function onlySide(only: Side): HiddenView {
  const side = (which: Side): HiddenSideView => {
    const gain = (): number => (which === only ? 1 : 0);
    return { price: 1, low: 1, high: 1, sizeMax: undefined, ageMs: 0, chance: gain, gain };
  };
  return { ask: side("buy"), bid: side("sell") };
}
