// What is wrong with the prices of a feed is said once, and the weekend too.

import { describe, expect, it } from "vitest";
import { feedWatch } from "../../../src/app/bot/watches.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Complaint } from "../../../src/market/complaint.ts";
import type { StatusBoard } from "../../../src/watch/status/status-board.ts";

const about = (source: string, kind: string, text: string): Complaint => ({
  ...{ source, symbol: "GBP/CHF" as PairSymbol, kind, text },
});

function reported(said: string[]) {
  const warn = (text: string): void => void said.push(`warn ${text}`);
  return { warn, note: (text: string): void => void said.push(`info ${text}`) };
}

function stage() {
  const said: string[] = [];
  let found: readonly Complaint[] = [];
  const failing = new Set<string>();
  const closed = new Set<string>();
  const books = {
    doubtOf: (name: string, symbol: string) => (closed.has(`${name} ${symbol}`) ? "closed" : undefined),
    pricing: { fair: () => ({ kind: "fair", value: 1 }) },
  };
  const tradingCore = { books };
  const board = { complaints: () => found, isFailing: (name: string) => failing.has(name), tradingCore };
  const look = feedWatch(board as unknown as StatusBoard, reported(said));
  const looks = (count: number, complaints: readonly Complaint[]): readonly string[] => {
    found = complaints;
    said.length = 0;
    for (let i = 0; i < count; i++) look();
    return [...said];
  };
  return { looks, failing, closed };
}

describe("what is wrong with the prices of a feed", () => {
  it("is said once when two looks in a row find it, and once when it is over", () => {
    const { looks } = stage();
    const crossed = about("kraken", "crossed", "USD/CHF is crossed");
    expect(looks(1, [crossed])).toEqual([]);
    expect(looks(5, [crossed])).toEqual(["warn reference kraken: USD/CHF is crossed"]);
    expect(looks(5, [])).toEqual(["info reference kraken: its prices are believed again"]);
    // For a moment.
    expect([...looks(1, [crossed]), ...looks(1, []), ...looks(1, [crossed]), ...looks(1, [])]).toEqual([]);
  });
});

it.each([
  [{ kind: "none", reason: "closed" }, undefined, 0],
  [{ kind: "fair", value: 1 }, "closed", 0],
  [{ kind: "none", reason: "stale" }, undefined, 1],
  [{ kind: "fair", value: 1 }, undefined, 1],
])("a feed whose pair has %o, and is doubted as %s, is good again in so many lines: %i", (fair, doubt, lines) => {
  const said: string[] = [];
  let found = [about("kraken", "frozen", "GBP/CHF stands still")];
  const books = { doubtOf: () => doubt, pricing: { fair: () => fair } };
  const board = { complaints: () => found, isFailing: () => false, tradingCore: { books } };
  const look = feedWatch(board as unknown as StatusBoard, reported(said));
  look();
  look();
  found = [];
  look();
  expect(said).toHaveLength(1 + lines);
});
