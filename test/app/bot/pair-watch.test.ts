import { expect, test } from "vitest";
import { createPairWatch } from "../../../src/app/bot/watches.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Event } from "../../../src/domain/event.ts";
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
