// Backtests read the venue's quotes as floats, without the exact amounts between: they are the floats of those amounts.

import { expect, it } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { DEFAULT_PAIRS } from "../../src/simulator/core/listing.ts";
import type { FloatQuote, Pair, VenueQuote } from "../../src/simulator/core/record.ts";
import { createVenue } from "../../src/simulator/core/venue.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { perform } from "../../src/simulator/operation.ts";
import { quote as quoteTold } from "../support/told-lists.ts";

const SEED = 20_261_115;
const START = Date.UTC(2026, 0, 5, 12);

it(`quotes of half an hour are the same both ways, also when a part of their size is taken (seed ${SEED})`, () => {
  const venue = createVenue({ market: syntheticMarket(SEED), settings: { seed: SEED } });
  const key = "a-key-of-tests";
  const momentOf = (at: Millis) => ({ venue: at, settlement: at });
  const funds = { CHF: "100000", VCHF: "100000" };
  expect(perform(venue, { operation: { kind: "set-up", key, funds }, moment: momentOf(millis(START)) }).ok).toBe(true);
  const symbol = "VCHF/CHF" as PairSymbol;
  let fills = 0;
  for (let i = 0; i < 300; i++) {
    const moment = momentOf(millis(START + i * 6_007));
    const exact = unwrapped(venue.quotes(moment));
    expect(unwrapped(venue.quotesAt(moment)).all()).toEqual(exact.map(inFloats));
    const { quantityMin: quantity } = DEFAULT_PAIRS.find((pair) => pair.symbol === symbol) as Pair;
    const limit = exact.find((quote) => quote.symbol === symbol)?.ask;
    if (limit === undefined || i % 2 === 0) continue;
    const order = { clientOrderId: `T-floatest-${i + 1}` as never, symbol, side: "buy", quantity, limit } as const;
    const placed = venue.placeOrder(key, order, moment);
    if (placed.ok && placed.value.kind === "done" && placed.value.order.status === "Filled") fills++;
    expect(unwrapped(venue.quotesAt(moment)).all()).toEqual(unwrapped(venue.quotes(moment)).map(inFloats));
  }
  expect(fills).toBeGreaterThan(100);
});

function unwrapped<T>(answer: { readonly ok: boolean; readonly value?: T }): T {
  expect(answer.ok).toBe(true);
  return answer.value as T;
}

function inFloats(quote: VenueQuote): FloatQuote {
  const { symbol, bid, ask, bidSize, askSize } = quoteTold(quote, millis(START));
  return { symbol, bid, ask, bidSize: bidSize as number, askSize: askSize as number };
}
