import { expect, test } from "vitest";
import { createPairWatch } from "../../../src/app/bot/watches.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Event } from "../../../src/domain/event.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";

const T0 = Date.UTC(2026, 10, 15, 8);
const TRADED = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];

/** The venue's list, by its words; as it was read so many seconds later. */
function listed(words: Readonly<Record<string, string>>, seconds = 0): Event {
  const instruments = Object.entries(words).map(([symbol, status]) => ({ symbol, status }));
  return { kind: "instruments", instruments, receivedAt: millis(T0 + seconds * 1_000) } as unknown as Event;
}

function staged(areNamed = true) {
  const told: string[] = [];
  const watch = createPairWatch({ symbols: TRADED, areNamed }, (level, text) => void told.push(`${level} ${text}`));
  return { watch, told };
}

test("pairs that may be traded and are not online are told once, and once when they are again; no others are", () => {
  const { watch, told } = staged();
  const both = { "VCHF/CHF": "online", "VGBP/GBP": "online", "VCHF/ETH": "offline" };
  watch.take(listed(both));
  expect([told, watch.offline]).toEqual([[], []]);
  for (const seconds of [60, 70, 80]) watch.take(listed({ ...both, "VCHF/CHF": "offline" }, seconds));
  const asked =
    "it is not traded, and assets that it prices have no price meanwhile (an account that holds one has no equity, and orders nothing: RC05); ask the venue (pegbot pairs shows its list)";
  expect(told).toEqual([`warn VCHF/CHF is offline at the venue, by its list of 2026-11-15T08:01:00Z: ${asked}`]);
  expect(watch.offline).toEqual([{ symbol: "VCHF/CHF", word: "offline", since: T0 + 60_000 }]);
  watch.take(listed(both, 180));
  watch.take(listed(both, 780));
  expect(told.slice(1)).toEqual(["info VCHF/CHF is online at the venue again, after 0:02:00"]);
  expect(watch.offline).toEqual([]);
});

test("another minimum or grid of a pair that may be traded is told once", () => {
  const { watch, told } = staged();
  const grid = { status: "online", quantityMin: Quantity.of("0.1"), quantityDecimals: 5, priceDecimals: 6 };
  const list = (change: object) => {
    const instruments = [...TRADED, "VCHF/ETH"].map((symbol) => ({ symbol, ...grid, ...change }));
    watch.take({ kind: "instruments", instruments, receivedAt: millis(T0) } as unknown as Event);
  };
  for (const change of [{}, { quantityMin: Quantity.of("0.10") }]) list(change);
  expect(told).toEqual([]);
  for (let i = 0; i < 2; i++) list({ quantityMin: Quantity.of("150"), quantityDecimals: 4 });
  const [was, is] = ["0.1, 5", "150, 4"].map((grid) => `minimum ${grid} decimals of quantities and 6 of prices`);
  const asked = `from ${was} to ${is}: do the sizes of the strategy still fit?`;
  expect(told).toEqual(TRADED.map((pair) => `warn the venue has changed ${pair} ${asked}`));
  list({ priceDecimals: 5, quantityMin: Quantity.of("150"), quantityDecimals: 4 });
  expect(told[2]).toMatch(/^warn the venue has changed VCHF\/CHF from .* and 6 of prices to .* and 5 of prices: /);
});
