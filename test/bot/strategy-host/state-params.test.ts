import { describe, expect, it } from "vitest";
import { KeptStates } from "../../../src/bot/strategy-host/strategy-state.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { StateRecord } from "../../../src/journal/record.ts";
import { prepareBuiltIn } from "../../../src/strategy/built-in.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { ema, z } from "../../../src/strategy/strategy.ts";

const TICKET = { size: 3_000, minutes: 1, slices: 6, costBpsMax: 40 };

function twap(params: object): Strategy {
  return unwrap(prepareBuiltIn("twap", params));
}

/** A journal in which this ticket has bought its whole size. */
function bought(params: object, kept = new KeptStates()): KeptStates {
  const strategy = twap(params);
  Object.assign(strategy.state, { done: 3_000, startAt: 1, said: "done: 3000" });
  const record = kept.record(strategy, millis(2));
  kept.keep(JSON.parse(JSON.stringify(unwrap(record as NonNullable<typeof record>))) as StateRecord);
  return kept;
}

const params = z.object({
  window: z.number().default(10),
  name: z.string().optional(),
  list: z.array(z.number()).default([1]),
});

function averaging(given: object, length?: number, more: object = {}): Strategy {
  const state = ({ window }: z.output<typeof params>): object => ({ average: ema(length ?? window) });
  return unwrap(prepareStrategy({ name: "averaging", params, state, decide: () => undefined, ...more }, given));
}

function keptOf(strategy: Strategy): KeptStates {
  const kept = new KeptStates();
  kept.record(strategy, millis(1));
  return kept;
}

describe("the ticket of a TWAP", () => {
  it.each([
    [{ costBpsMax: 45 }, "costBpsMax was 40, is 45"],
    [{ minutes: 5, slices: 10 }, "minutes was 1, is 5; slices was 6, is 10"],
    [{ size: 5_000 }, "size was 3000, is 5000"],
  ])("is not bought again when %j is changed", (changed, text) => {
    const { strategy, continuation } = bought(TICKET).continued(twap({ ...TICKET, ...changed }));
    expect(strategy.state).toMatchObject({ done: 3_000 });
    expect(continuation).toEqual({
      text: `strategy twap continues from its last safe point; ${text}`,
      isWarning: false,
    });
  });

  it.each([
    [{ ticket: "2" }, 'ticket was "1", is "2"'],
    [{ side: "sell" }, 'side was "buy", is "sell"'],
    [{ symbol: "VEUR/EUR" }, 'symbol was "VCHF/CHF", is "VEUR/EUR"'],
  ])("is another one with %j, which is said", (changed, text) => {
    const { strategy, continuation } = bought(TICKET).continued(twap({ ...TICKET, ...changed }));
    expect(strategy.state).toMatchObject({ done: 0 });
    expect(continuation).toEqual({
      text: `strategy twap starts fresh and knows nothing of what it did before, because its last state belongs to other parameters: ${text}`,
      isWarning: true,
    });
  });

  it("counts as it was last, also with parameters that an earlier state of it had", () => {
    const kept = new KeptStates();
    for (const [done, costBpsMax] of [
      [1_000, 40],
      [2_000, 45],
    ]) {
      const strategy = twap({ ...TICKET, costBpsMax });
      Object.assign(strategy.state, { done });
      kept.record(strategy, millis(2));
    }
    for (const costBpsMax of [40, 45, 50])
      expect(kept.continued(twap({ ...TICKET, costBpsMax })).strategy.state).toMatchObject({ done: 2_000 });
  });

  it("is found again behind another one, and tickets that differ late in a long text are two", () => {
    const long = "x".repeat(60);
    const kept = bought({ ...TICKET, ticket: `${long}2` }, bought({ ...TICKET, ticket: `${long}1` }));
    expect(kept.continued(twap({ ...TICKET, ticket: `${long}1`, catchUp: 2 })).strategy.state).toMatchObject({
      done: 3_000,
    });
    expect(kept.continued(twap({ ...TICKET, ticket: `${long}3` })).strategy.state).toMatchObject({ done: 0 });
  });
});

const WALK = { value: 1.1, at: 1, moves: 12, variance: 3 };
const LEG = { symbol: "VCHF/CHF", side: "buy", quantity: 100 };

describe("what a built-in strategy has under way", () => {
  it.each([
    ["peg-arbitrage", { lastAt: { "VCHF/CHF": 5 } }, { symbols: ["VCHF/CHF"], edgeBps: 9, capitalBpsPerYear: 1 }],
    ["reference-taker", { lastAt: {}, walks: { "VGBP/VCHF": WALK } }, { looks: 10, sigmas: 3, noiseBps: 2 }],
    ["cross-rate", { done: [LEG], next: [LEG], attempts: 1 }, { symbols: ["VCHF/CHF"], size: 9, legMsMax: 1_000 }],
    ["rebalancer", { lastAt: 5 }, { targets: { CHF: 0.5, VCHF: 0.5 }, bandBps: 100, size: 9 }],
    ["virtual-grid", { centre: 1, cells: [0, 0, 0, 0, 2_000, 2_000, 0, 2_000] }, { size: 500, pauseMs: 1 }],
  ] as const)("of %s goes on when parameters that it does not rest on are changed", (name, state, changed) => {
    const before = unwrap(prepareBuiltIn(name, {}));
    Object.assign(before.state, state);
    const { strategy, continuation } = keptOf(before).continued(unwrap(prepareBuiltIn(name, changed)));
    expect(continuation).toMatchObject({ text: expect.stringContaining("continues"), isWarning: false });
    expect(strategy.state).toMatchObject(state);
  });

  it.each(["peg-arbitrage", "reference-taker", "cross-rate", "blind-taker", "rebalancer", "virtual-grid"] as const)(
    "of %s is over when a person gives it another ticket, and goes on under that one",
    (name) => {
      const fresh = unwrap(prepareBuiltIn(name, {})).state;
      const before = unwrap(prepareBuiltIn(name, {}));
      Object.assign(before.state, { lastAt: name === "rebalancer" || name === "virtual-grid" ? 5 : {} });
      if (name === "cross-rate") Object.assign(before.state, { done: [LEG], isGoingBack: true });
      const kept = keptOf(before);
      const anew = kept.continued(unwrap(prepareBuiltIn(name, { ticket: "2" })));
      expect(anew.continuation).toMatchObject({
        text: expect.stringContaining('ticket was none, is "2"'),
        isWarning: true,
      });
      expect(anew.strategy.state).toEqual(fresh);
      kept.record(anew.strategy, millis(2));
      const next = kept.continued(
        unwrap(prepareBuiltIn(name, { ticket: "2", ...(name === "cross-rate" ? { size: 9 } : {}) })),
      );
      expect(next.continuation.isWarning).toBe(false);
      expect(next.strategy.state).toEqual(fresh);
    },
  );

  it.each([{ symbol: "VGBP/GBP" }, { centre: 1.01 }, { stepBps: 11 }, { cells: 10 }])(
    "of a grid is none of one with %j",
    (changed) => {
      const before = unwrap(prepareBuiltIn("virtual-grid", {}));
      Object.assign(before.state, { centre: 1, lastAt: 5 });
      const { strategy, continuation } = keptOf(before).continued(unwrap(prepareBuiltIn("virtual-grid", changed)));
      expect(continuation).toMatchObject({
        text: expect.stringContaining("belongs to other parameters"),
        isWarning: true,
      });
      expect(strategy.state).toMatchObject({ lastAt: undefined });
    },
  );
});

describe("a strategy that does not say what its state belongs to", () => {
  it("starts without a word where nothing was kept of it", () => {
    const { continuation } = bought(TICKET).continued(averaging({}));
    expect(continuation).toEqual({ text: "strategy averaging starts", isWarning: false });
  });

  it("starts fresh with any other parameter, and is told which", () => {
    const { continuation } = keptOf(averaging({})).continued(averaging({ name: "a", list: [1, 2] }));
    expect(continuation.text).toMatch(/other parameters: list was \[1\], is \[1,2\]; name was none, is "a"$/);
    expect(continuation.isWarning).toBe(true);
  });

  it("starts fresh with the reason when its state does not fit", () => {
    const { continuation } = keptOf(averaging({})).continued(averaging({}, 20));
    expect(continuation.text).toMatch(
      /because its last state does not fit: state\.average was ema\(10\), is ema\(20\)$/,
    );
    expect(continuation.isWarning).toBe(true);
  });
});

describe("stateParams", () => {
  it("may be none: then the state survives every change that it fits", () => {
    const free = { stateParams: [] };
    const kept = keptOf(averaging({}, undefined, free));
    expect(kept.continued(averaging({ name: "a" }, undefined, free)).continuation.text).toContain("continues");
    expect(kept.continued(averaging({ window: 20 }, undefined, free)).continuation.text).toContain("does not fit");
  });

  it.each([
    [["windw"], "stateParams has windw: there are window, name, list"],
    ["window", 'stateParams must be a list of parameters, was "window"'],
  ])("%j is refused", (stateParams, error) => {
    const made = prepareStrategy({ name: "a", params, stateParams, decide: () => undefined }, {});
    expect(made).toEqual({ ok: false, error });
  });
});
