// A venue on a stage: pushed prices, one cleared and funded account, and a clock that the test moves.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Side } from "../../src/domain/order.ts";
import { millis } from "../../src/domain/time.ts";
import type { Moment, OrderRow } from "../../src/simulator/core/record.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { createVenue, type Venue } from "../../src/simulator/core/venue.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { type PushedMarket, pushedMarket } from "./pushed-market.ts";

export const KEY = "key-of-the-stage";
export const VCHF_CHF = "VCHF/CHF" as PairSymbol;
export const CHF = "CHF" as Asset;
export const VCHF = "VCHF" as Asset;
export const GBP = "GBP" as Asset;
export const BTC = "BTC" as Asset;
const START = Date.UTC(2026, 5, 3, 12);

export type Stage = { readonly venue: Venue; readonly market: PushedMarket };

/** VCHF/CHF stands at 0.9990 x 1,000 / 1.0010 x 2,000; CHF 1,000,000 and VCHF 10,000 are in the account. */
export function createStage(settings: Partial<VenueSettings> = {}): Stage {
  const market = pushedMarket(syntheticMarket(1));
  market.push(VCHF_CHF, { bid: 0.999, ask: 1.001, bidSize: 1_000, askSize: 2_000 });
  market.pushRate("CHF/GBP" as PairSymbol, 0.9);
  const venue = createVenue({ market, settings });
  admit(venue, KEY);
  venue.credit(KEY, CHF, Quantity.of("1000000"), at(0));
  venue.credit(KEY, VCHF, Quantity.of("10000"), at(0));
  return { venue, market };
}

export function admit(venue: Venue, key: string): void {
  venue.registerKey(key);
  venue.clearKyb(key, true);
  venue.signAgreement(key, "conversion", true);
  venue.signAgreement(key, "issuance", true);
}

/** So many milliseconds after the start, on both clocks or on each. */
export function at(venueMs: number, settlementMs: number = venueMs): Moment {
  return { venue: millis(START + venueMs), settlement: millis(START + settlementMs) };
}

let count = 0;

export function order(side: Side, quantity: string, limit: string, clientOrderId = `id-${++count}`) {
  return {
    clientOrderId: clientOrderId as ClientOrderId,
    symbol: VCHF_CHF,
    side,
    quantity: Quantity.of(quantity),
    limit: Price.of(limit),
  };
}

/** The row of an order that was read and done at once. */
export function place(stage: Stage, request: ReturnType<typeof order>, ms = 0): OrderRow {
  const answer = stage.venue.placeOrder(KEY, request, at(ms));
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value;
}

/** "available pending" of an asset. */
export function balance(stage: Stage, asset: Asset, moment: Moment = at(0), key: string = KEY): string {
  const answer = stage.venue.balances(key, moment);
  const row = answer.ok ? answer.value.find((one) => one.asset === asset) : undefined;
  return row === undefined ? "none" : `${row.available} ${row.pending}`;
}

export function value<T>(answer: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!answer.ok) throw new Error(`must be answered, was ${JSON.stringify(answer.error)}`);
  return answer.value;
}

/** "status code" of a refusal, or "ok". */
export function refusalOf(answer: { ok: true } | { ok: false; error: { status: number; code: string } }): string {
  return answer.ok ? "ok" : `${answer.error.status} ${answer.error.code}`;
}
