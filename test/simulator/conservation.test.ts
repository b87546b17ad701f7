import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { LedgerState } from "../../src/simulator/core/ledger.ts";
import type { OrderRow } from "../../src/simulator/core/record.ts";
import { toPlain, type VenueState } from "../../src/simulator/core/state.ts";
import type { Venue } from "../../src/simulator/core/venue.ts";
import { applyChange, changesBetween } from "../../src/simulator/state-file.ts";
import { createCaller, KEYS } from "./random-operation.ts";

/** PEGBOT_SIMULATIONS runs more of them. */
const SEEDS = Array.from({ length: Number(process.env.PEGBOT_SIMULATIONS ?? 2) }, (_, i) => i + 1);
const OPERATIONS = 5_000;

/** A whole number of 10^-18, by hand: the ledger's own arithmetic is not asked. */
function units(text: string): bigint {
  const [whole = "0", decimals = ""] = text.replace("-", "").split(".");
  const size = BigInt(whole + decimals.padEnd(18, "0"));
  return text.startsWith("-") ? -size : size;
}

function addTo(totals: Map<string, bigint>, name: string, amount: bigint): void {
  totals.set(name, (totals.get(name) ?? 0n) + amount);
}

/** All of it or nothing of it, at the limit or better. */
function wholeOrNothing({ side, quantity, limit, bought, sold, error, price }: OrderRow): string {
  const amounts = `${bought} ${sold}`;
  if (error !== undefined) return amounts === "0 0" && price === undefined ? "killed" : `killed with ${amounts}`;
  const base = side === "buy" ? bought : sold;
  const quote = side === "buy" ? sold : bought;
  if (base.toString() !== quantity.toString()) return `${base} of ${quantity}`;
  const atLimit = limit.times(quantity, quote.asset, "down");
  return (side === "buy" ? quote.atMost(atLimit) : quote.atLeast(atLimit)) ? "filled" : `${quote}, limit ${atLimit}`;
}

describe("money is conserved", () => {
  test.each(SEEDS)(`over ${OPERATIONS} random operations with faults on, seed %i`, (seed) => {
    const caller = createCaller(seed);
    const seen = new Map<string, number>();
    for (let i = 0; i < OPERATIONS; i++) {
      const receipt = caller.step();
      if (receipt === undefined) continue;
      const outcome = wholeOrNothing(receipt);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(["filled", "killed"]);
    expect(seen.get("filled")).toBeGreaterThan(100);

    const { pockets, postings } = saved(caller.venue).ledger as LedgerState;
    const posted = new Map<string, bigint>();
    for (const { from, to, asset, amount } of postings) {
      addTo(posted, `${from} ${asset}`, -units(amount));
      addTo(posted, `${to} ${asset}`, units(amount));
    }
    const perAsset = new Map<string, bigint>();
    for (const { name, asset, amount } of pockets) {
      expect(units(amount), `${name} ${asset}`).toBe(posted.get(`${name} ${asset}`) ?? 0n);
      if (KEYS.some((key) => name.startsWith(key))) expect(units(amount) >= 0n, `${name} ${asset}`).toBe(true);
      addTo(perAsset, asset, units(amount));
    }
    for (const [asset, sum] of perAsset) expect(sum, asset).toBe(0n);
    expect(perAsset.size).toBeGreaterThanOrEqual(6);
  });
});

/** As the file has it. */
function saved(venue: Venue): VenueState {
  return toPlain(venue.particulars()) as VenueState;
}

/** Short, so that a failure can be read. */
function digest(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}

describe("one seed, one history", () => {
  test.each([3])("two runs give byte-identical ledgers and states, seed %i", (seed) => {
    const [one, other] = [createCaller(seed), createCaller(seed)];
    for (let i = 0; i < 1_500; i++) one.step();
    for (let i = 0; i < 1_500; i++) other.step();
    expect(digest(other.venue.ledger())).toBe(digest(one.venue.ledger()));
    expect(digest(saved(other.venue))).toBe(digest(saved(one.venue)));
  });

  test.each([8])(
    "a venue loaded from the changes of every step goes on as if nothing had happened, seed %i",
    (seed) => {
      const whole = createCaller(seed);
      for (let i = 0; i < 1_500; i++) whole.step();
      let part = createCaller(seed);
      let before = part.venue.particulars();
      const kept = saved(part.venue);
      for (let i = 0; i < 1_500; i++) {
        part.step();
        const now = part.venue.particulars();
        for (const change of JSON.parse(JSON.stringify(changesBetween(before, now)))) applyChange(kept, change);
        before = now;
        if (i % 500 === 250) {
          expect(digest(saved(part.venue))).toBe(digest(kept));
          part = createCaller(seed, { venue: kept, steps: i + 1 });
          before = part.venue.particulars();
          expect(digest(saved(part.venue))).toBe(digest(kept));
        }
      }
      expect(digest(saved(part.venue))).toBe(digest(saved(whole.venue)));
    },
  );
});
