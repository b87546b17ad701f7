// The test of honesty can fail: against a venue that hands out profit, in one of the ways in which backtests are known to
// do it, it complains.

import { describe, expect, it, vi } from "vitest";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { Venue, VenueParts } from "../../src/simulator/core/venue.ts";
import type { Market, Top } from "../../src/simulator/market/market.ts";
import { complaints, honesty, ROW_MS } from "../support/honesty.ts";
import { MINUTE } from "./stage.ts";

type Cheat = {
  /** Prices of this much later are told, or dealt at. */
  readonly toldMs?: number;
  readonly dealtMs?: number;
  readonly deal?: (top: Top) => void;
};

const broken = vi.hoisted(() => ({ cheat: {} as Cheat }));

vi.mock("../../src/simulator/core/venue.ts", async (importActual) => {
  const actual = await importActual<typeof import("../../src/simulator/core/venue.ts")>();
  return { ...actual, createVenue: (parts: VenueParts) => cheating(parts, actual.createVenue, broken.cheat) };
});

/** The real venue over a market that is another one while it deals. */
function cheating(parts: VenueParts, create: (parts: VenueParts) => Venue, cheat: Cheat): Venue {
  let isDealing = false;
  const later = (at: Millis): Millis => millis(at + ((isDealing ? cheat.dealtMs : cheat.toldMs) ?? 0));
  const market: Market = {
    ...parts.market,
    read(symbol, at, into) {
      if (!parts.market.read(symbol, later(at), into)) return false;
      if (isDealing) cheat.deal?.(into);
      return true;
    },
  };
  const venue = create({ ...parts, market });
  const placeOrder: Venue["placeOrder"] = (...call) => {
    isDealing = true;
    const answer = venue.placeOrder(...call);
    isDealing = false;
    return answer;
  };
  return { ...venue, placeOrder };
}

function complaintsAbout(cheat: Cheat, strategies: readonly string[]): string[] {
  broken.cheat = cheat;
  return complaints(honesty({ seeds: 8, lengthMs: 8 * MINUTE, strategies }));
}

describe("the test of honesty complains about a venue that", () => {
  it.each<[string, Cheat]>([
    ["shows the next row of prices before its time", { toldMs: ROW_MS }],
    ["fills at the price of the row before", { dealtMs: -ROW_MS }],
  ])("%s: who follows the price earns", (_, cheat) => {
    expect(complaintsAbout(cheat, ["momentum"])).toContainEqual(expect.stringContaining("momentum earns"));
  });

  it("deals on the favourable side of the spread: whoever trades earns", () => {
    // Far enough that eight seeds show it above the noise of a walk.
    const swapped = (top: Top): void => {
      [top.bid, top.ask] = [top.ask * 1.0004, top.bid * 0.9996];
    };
    const found = complaintsAbout({ deal: swapped }, ["random"]);
    expect(found).toContainEqual(expect.stringContaining("random earns"));
  });

  it("fills in the middle: no spread was paid", () => {
    const middle = (top: Top): void => {
      top.bid = (top.bid + top.ask) / 2;
      top.ask = top.bid;
    };
    expect(complaintsAbout({ deal: middle }, ["random"])).toContainEqual(
      expect.stringContaining("not at the price of their moment"),
    );
  });
});
