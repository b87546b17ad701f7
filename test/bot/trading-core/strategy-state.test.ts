// The strategy's state at the trading core: when it is recorded, and who goes on from it.

import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/bot/engine.ts";
import { type Input, TIME } from "../../../src/bot/input.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import type { Turn } from "../../../src/bot/turn.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { defineStrategy } from "../../../src/strategy/strategy.ts";
import { announced, filled, kinds, moment, newDesk, newEager, openDesk, quote } from "../trading-core-bench.ts";

function reduced(ms: number): Input {
  const control = { kind: "reduce", cause: "heartbeat", reason: "nobody looks", wayOut: "look" } as const;
  return { kind: "event", event: { kind: "control", control, receivedAt: moment(ms).at } };
}

describe("a safe point", () => {
  it("comes with each order, so that none is sent that the strategy may forget, and not with a bare quote", () => {
    const tradingCore = newDesk("saving00");
    openDesk(tradingCore);
    const turn = tradingCore.process(quote(0.999, 9_000), moment(9_000));
    expect(kinds(turn)).toEqual(["step quote", "intent", "state"]);
    expect(turn.records.at(-1)).toMatchObject({ state: { state: { count: 2 } } });
    expect(kinds(tradingCore.process(quote(1.001, 11_000), moment(11_000)))).toEqual([]);
    expect(kinds(tradingCore.process(quote(0.999, 12_000), moment(12_000)))).toEqual(["step quote", "intent", "state"]);
  });

  it("comes with what the strategy made of a report that it woke for, and else with the first record after ten seconds", () => {
    const counting = (wakes: readonly ("quote" | "report")[]): Strategy =>
      unwrap(
        prepareStrategy(
          defineStrategy({
            name: "counting",
            wakes,
            state: () => ({ filled: 0 }),
            decide({ report, quote, state, buy }) {
              if (report?.kind === "filled") state.filled += report.fill.quantity;
              if (report !== undefined || quote === undefined) return undefined;
              return buy(quote.symbol, { limit: quote.ask, size: 100, reason: "below par" });
            },
          }),
          {},
        ),
      );
    const heard = (
      wakes: readonly ("quote" | "report")[],
      at: number,
    ): { tradingCore: Engine; records: Turn["records"] } => {
      const tradingCore = newDesk("hearing0", {}, counting(wakes));
      openDesk(tradingCore);
      const turn = tradingCore.process(quote(0.999, 2_000), moment(2_000));
      announced(tradingCore, turn, 1, 2_001);
      return { tradingCore, records: tradingCore.process(filled(turn), moment(at)).records };
    };
    const told = (...given: Parameters<typeof heard>): readonly JournalRecord[] => heard(...given).records;
    expect(told(["quote", "report"], 2_500).at(-1)).toMatchObject({ kind: "state", state: { state: { filled: 100 } } });
    expect(told(["quote"], 2_500).map(({ kind }) => kind)).not.toContain("state");
    expect(told(["quote"], 12_500).at(-1)).toMatchObject({ kind: "state", state: { state: { filled: 0 } } });
    // And not with the next one, so soon after it.
    expect(kinds(heard(["quote"], 12_500).tradingCore.process(reduced(13_000), moment(13_000)))).toEqual([
      "step control",
    ]);
  });

  it("halts again after a resume where nobody sat down at the start", () => {
    const before = newDesk("keeping2");
    const turns = [...openDesk(before), before.process(quote(0.999, 1_000), moment(1_000))];
    const records = turns.flatMap((turn) => turn.records);
    const tradingCore = newDesk("keeping2", {}, IDLE);
    records.forEach((record, i) => {
      tradingCore.fold({ sequence: i + 1, hash: "", writer: "keeping2", record });
    });
    tradingCore.process({ kind: "strategy", strategy: newEager({ size: 5 }) }, moment(3_000));
    const stop = { state: "HALTED", reason: expect.stringContaining("belongs to other parameters") };
    // Also where something else lets it only reduce.
    for (const [ms, isReduced] of [
      [4_000, false],
      [6_000, true],
    ] as const) {
      const control = { kind: "resume", reason: "seen", by: "anna" } as const;
      tradingCore.process(
        { kind: "event", event: { kind: "control", control, receivedAt: moment(ms).at } },
        moment(ms),
      );
      if (isReduced) tradingCore.process(reduced(ms), moment(ms));
      expect(tradingCore.books.counters.state).toBe(isReduced ? "REDUCED" : "ACTIVE");
      tradingCore.process(TIME, moment(ms + 1_000));
      expect(tradingCore.books.counters.tradingState).toMatchObject(stop);
    }
  });

  it("halts a bot whose strategy holds what cannot be saved", () => {
    const tradingCore = newDesk("unsaved0");
    openDesk(tradingCore);
    (tradingCore.strategy.state as Record<string, unknown>).later = new Map();
    const turn = tradingCore.process({ kind: "save" }, moment(1_000));
    expect(kinds(turn)).toEqual(["step control"]);
    expect(tradingCore.books.counters.tradingState.reason).toContain("state.later");
  });
});
