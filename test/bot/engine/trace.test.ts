// The same events give the same steps, and the recorded ones rebuild the books. `npm run campaign trace` does it with a million.

import { describe, expect, it } from "vitest";
import type { Accounts } from "../../../src/books/accounts/accounts.ts";
import { newBusyEngine, runTrace } from "../../support/random-trace.ts";

const SEED = 20_261_115;
const EVENTS = 30_000;

describe(`random events (seed ${SEED})`, () => {
  const first = runTrace(SEED, EVENTS, true);
  const saved = (engine: typeof first.engine): string =>
    JSON.stringify([(engine.books.accounts as Accounts).save(), engine.books.counters.save()]);

  it("give the same steps to the last byte in a second run", () => {
    const second = runTrace(SEED, EVENTS, false);
    expect(second.hash).toBe(first.hash);
  });

  it("are worth the name: orders, refusals and stops of many kinds happened", () => {
    expect(first.counts.get("approved")).toBeGreaterThan(150);
    expect(first.counts.get("refused")).toBeGreaterThan(150);
    expect(first.counts.get("HALTED")).toBeGreaterThan(0);
    const beneath = first.standings.filter(({ state, also }) => state === "HALTED" && also.length > 0);
    expect(beneath.length).toBeGreaterThan(10);
  });

  it("leave accounts and counters that a fold over the recorded steps rebuilds exactly", () => {
    const rebuilt = newBusyEngine();
    for (const [i, step] of first.recorded.entries()) {
      rebuilt.books.replay(step);
      // Replay comes to the same state for the same reasons at every step, not only at the end.
      if (JSON.stringify(rebuilt.books.counters.tradingState) !== JSON.stringify(first.standings[i]))
        expect(rebuilt.books.counters.tradingState, `after step ${i}`).toEqual(first.standings[i]);
    }
    expect(saved(rebuilt)).toBe(saved(first.engine));
  });
});
