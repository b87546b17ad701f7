// What stops the bot while it is stopped already: nothing of it may be forgotten, in the running engine or in its journal.

import { describe, expect, it } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import type { Control } from "../../../src/domain/event.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { isRecorded, type Step } from "../../../src/domain/step.ts";
import { stopsOf } from "../../../src/risk/trading-state.ts";
import { defineStrategy } from "../../../src/strategy/strategy.ts";
import { fillAtLimit, type StrategyBench, strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";
const KILL: Control = { kind: "kill", reason: "lunch", by: "anna" };
const RESUME: Control = { kind: "resume", reason: "back", by: "anna" };

const buyer = defineStrategy({
  name: "buyer",
  decide: ({ quote, buy }) =>
    quote.ask < 1 ? buy(quote.symbol, { limit: 0.999, size: 100, reason: "low" }) : undefined,
});

/** Owns 10,000 CHF and as many pounds, which are worth as much until told otherwise; may lose 200 bp a day. */
function newBench(): StrategyBench {
  return strategyBench(buyer, {
    symbols: [SYMBOL],
    balances: { CHF: "10000", GBP: "10000", VCHF: "0" },
    limits: { duplicateWindowMs: "off: by hand" },
    fair: { "GBP/CHF": 1 },
  });
}

function control(bench: StrategyBench, change: Control): Step {
  return bench.send({ kind: "control", control: change, receivedAt: bench.now });
}

function stops({ engine }: StrategyBench): string[] {
  return stopsOf(engine.books.counters.tradingState).map(({ state, reason }) => `${state} ${reason.split(", ")[0]}`);
}

/** The order of the last quote, then a fill of it that no order of ours can have had. */
function contradict(bench: StrategyBench): Step {
  const { decisions } = bench.quote(SYMBOL, 0.9985, 0.999);
  const verdict = decisions[0]?.verdict;
  if (verdict?.kind !== "approved") throw new Error(`the bench must approve, ${bench.lines()}`);
  const { intent } = verdict;
  control(bench, KILL);
  const fill = { ...fillAtLimit(intent), sold: Money.of("500", "CHF" as Asset) };
  const report = { kind: "filled", fill, confirmed: true } as const;
  return bench.send({ kind: "report", clientOrderId: intent.clientOrderId, report, receivedAt: bench.now });
}

describe("a bot that a person has stopped", () => {
  it("halts beneath it when a report contradicts its counters, and resuming the one does not end the other", () => {
    const bench = newBench();
    const step = contradict(bench);
    expect(step.commands).toMatchObject([{ kind: "state", state: "HALTED" }]);
    expect(isRecorded(step)).toBe(true);
    expect(stops(bench)).toEqual(["HALTED lunch", expect.stringMatching(/^HALTED fill of /)]);
    control(bench, RESUME);
    expect(bench.engine.books.counters.tradingState).toMatchObject({
      state: "HALTED",
      wayOut: 'pegbot adopt, then pegbot resume --reason "..."',
    });
    expect(bench.quote(SYMBOL, 0.9985, 0.999).decisions).toEqual([]);
    control(bench, RESUME);
    expect(bench.quote(SYMBOL, 0.9985, 0.999).decisions).toHaveLength(1);
  });

  it("halts beneath it by a limit that it broke meanwhile, though the loss is gone when it is resumed", () => {
    const bench = newBench();
    bench.pass(1_000);
    control(bench, KILL);
    // 10,000 pounds at 0.95 are 500 less than at 1; 200 bp of 20,000 are 400.
    bench.fair("GBP/CHF", 0.95);
    expect(bench.pass(1_000).commands).toMatchObject([
      { state: "HALTED", reason: expect.stringMatching(/^RC05: loss of the day is 500 CHF/) },
    ]);
    expect(bench.pass(1_000).commands).toEqual([]);
    bench.fair("GBP/CHF", 1);
    bench.pass(1_000);
    control(bench, RESUME);
    expect(stops(bench)).toEqual(["HALTED RC05: loss of the day is 500 CHF"]);
  });
});

describe("a bot that has stopped itself", () => {
  it("keeps every further reason, and a person who resumes has seen all of them", () => {
    const bench = newBench();
    bench.pass(1_000);
    control(bench, { kind: "reduce", cause: "other", reason: "new version", wayOut: "wait" });
    control(bench, { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
    bench.fair("GBP/CHF", 0.89);
    bench.pass(1_000);
    expect(stops(bench)).toEqual([
      "HALTED balances differ",
      "HALTED RC05: loss of the day is 1,100 CHF",
      "HALTED RC06: loss from the peak is 1,100 CHF",
      "REDUCED new version",
    ]);
    control(bench, RESUME);
    expect(stops(bench)).toEqual([]);
  });
});
