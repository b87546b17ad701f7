// The books: the same entries make the same books, also over a way through JSON, in bounded memory; a day opens once.

import { describe, expect, test } from "vitest";
import { loadSaved, savedText } from "../../src/bot/saved-text.ts";
import type { Control } from "../../src/domain/event.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { type CounterEntry, Counters, type SavedCounters } from "../../src/risk/counters.ts";
import { aDesk, aFill, anIntent, approved, CHF, chf, filled, GBP, marked, NOON, reported } from "./stage.ts";

const DAY_MS = 86_400_000;
const MIDNIGHT = millis(NOON + DAY_MS / 2);

describe("a day", () => {
  test("opens at 00:00 UTC with the first mark, and its figures start at zero there", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "1000");
    filled(tradingCore, { size: "10", fee: chf("0.01"), realised: "-1" });
    tradingCore.now = millis(MIDNIGHT - 1);
    marked(tradingCore, "900");
    expect([
      String(tradingCore.counters.day.opening),
      tradingCore.counters.day.orders,
      String(tradingCore.counters.day.turnover),
    ]).toEqual(["1000", 1, "10"]);
    tradingCore.now = MIDNIGHT;
    expect(tradingCore.counters.needsMark(chf("900"), MIDNIGHT)).toBe(true);
    marked(tradingCore, "900");
    const { opening, orders, turnover, fees, realised } = tradingCore.counters.day;
    expect([opening, orders, turnover, fees, realised].map(String)).toEqual(["900", "0", "0", "0", "0"]);
    expect(tradingCore.counters.needsMark(chf("900"), MIDNIGHT)).toBe(false);
  });

  test("goes on counting until a mark opens the next", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "1000");
    approved(tradingCore);
    tradingCore.now = millis(MIDNIGHT + 5);
    approved(tradingCore);
    expect(tradingCore.counters.day.orders).toBe(2);
  });

  test("never opens twice, however the clock steps", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "1000");
    tradingCore.now = MIDNIGHT;
    marked(tradingCore, "900");
    for (const ms of [-1, -DAY_MS, 0, 1, DAY_MS - 1]) {
      tradingCore.now = millis(MIDNIGHT + ms);
      expect(tradingCore.counters.needsMark(chf("800"), tradingCore.now)).toBe(false);
      marked(tradingCore, "800");
      expect(String(tradingCore.counters.day.opening)).toBe("900");
    }
  });

  test("needs a mark at the first look, at a new peak, and after a person resumed a halt", () => {
    const tradingCore = aDesk();
    const needs = (equity: string) => tradingCore.counters.needsMark(chf(equity), tradingCore.now);
    expect(needs("1000")).toBe(true);
    marked(tradingCore, "1000");
    expect([needs("1000"), needs("1000.01")]).toEqual([false, true]);
    tradingCore.counters.apply({
      kind: "control",
      control: { kind: "halt", cause: "other", reason: "stop", wayOut: "resume" },
      at: NOON,
    });
    tradingCore.counters.apply({ kind: "control", control: { kind: "resume", reason: " ", by: "anna" }, at: NOON });
    expect(needs("1000")).toBe(false);
    tradingCore.counters.apply({ kind: "control", control: { kind: "resume", reason: "fine", by: "anna" }, at: NOON });
    expect(needs("900")).toBe(true);
  });

  test("keeps its figures when a person takes back a stop of their own: that buys no second day's loss", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "1000");
    approved(tradingCore);
    tradingCore.counters.apply({ kind: "control", control: { kind: "kill", reason: "lunch", by: "anna" }, at: NOON });
    tradingCore.counters.apply({ kind: "control", control: { kind: "resume", reason: "back", by: "anna" }, at: NOON });
    expect(tradingCore.counters.state).toBe("ACTIVE");
    expect([tradingCore.counters.day.orders, String(tradingCore.counters.day.opening)]).toEqual([1, "1000"]);
  });

  test("keeps its figures until the bot's own halt beneath a person's stop is resumed too", () => {
    const tradingCore = aDesk();
    const control = (change: Control): void =>
      tradingCore.counters.apply({ kind: "control", control: change, at: NOON });
    marked(tradingCore, "1000");
    approved(tradingCore);
    control({ kind: "kill", reason: "lunch", by: "anna" });
    control({ kind: "halt", cause: "loss", reason: "RC05: lost", wayOut: "resume" });
    expect(tradingCore.counters.tradingState).toMatchObject({
      state: "HALTED",
      also: [{ state: "HALTED", reason: "RC05: lost" }],
    });
    control({ kind: "resume", reason: "back", by: "anna" });
    expect(tradingCore.counters.tradingState).toMatchObject({ state: "HALTED", reason: "RC05: lost", also: [] });
    expect([tradingCore.counters.day.orders, String(tradingCore.counters.day.opening)]).toEqual([1, "1000"]);
    control({ kind: "resume", reason: "accepted", by: "anna" });
    expect([tradingCore.counters.state, tradingCore.counters.day.orders, tradingCore.counters.day.opening]).toEqual([
      "ACTIVE",
      0,
      undefined,
    ]);
  });

  test("shows the whole UTC day also after a person resumed a halt in it, with what the limits count since", () => {
    let { counters } = aDesk();
    const tradingCore = aDesk(counters);
    marked(tradingCore, "1000");
    filled(tradingCore);
    counters.apply({ kind: "refused", at: NOON });
    const before = counters.day;
    const turnover = String(before.turnover);
    expect([before.since, turnover, String(counters.shown.day.turnover)]).toEqual([undefined, turnover, turnover]);
    counters.apply({ kind: "adopted", value: chf("50"), at: NOON });
    counters.apply({
      kind: "control",
      control: { kind: "halt", cause: "other", reason: "stop", wayOut: "resume" },
      at: NOON,
    });
    counters.apply({ kind: "control", control: { kind: "resume", reason: "seen", by: "anna" }, at: NOON });
    counters = new Counters(CHF, loadSaved(savedText(counters.save())));
    expect([counters.day.orders, String(counters.day.turnover), counters.day.since]).toEqual([0, "0", NOON]);
    expect(counters.shown.day).toMatchObject({ orders: 1, fills: 1, refused: 1 });
    expect([counters.shown.day.turnover, counters.shown.day.opening].map(String)).toEqual([turnover, "1050"]);
    counters.apply({ kind: "mark", equity: chf("900"), at: millis(NOON + 1) });
    expect([counters.day.opening, counters.shown.day.opening].map(String)).toEqual(["900", "1050"]);
    counters.apply({ kind: "mark", equity: chf("800"), at: millis(NOON + DAY_MS) });
    expect(counters.shown.day).toMatchObject({ orders: 0, fills: 0, refused: 0 });
    expect([counters.shown.day.turnover, counters.shown.day.opening].map(String)).toEqual(["0", "800"]);
    expect([counters.day.since, counters.shown.totals.fills]).toEqual([undefined, 1]);
  });

  test("moves both its marks with what a person adopted, and knows neither where that has no value", () => {
    const tradingCore = aDesk();
    const adopt = (value: Money | undefined): unknown[] => {
      tradingCore.counters.apply({ kind: "adopted", value, at: NOON });
      return [tradingCore.counters.day.opening, tradingCore.counters.peak].map((mark) => mark && String(mark));
    };
    marked(tradingCore, "1000");
    marked(tradingCore, "1200");
    expect([adopt(chf("-100")), adopt(undefined)]).toEqual([
      ["900", "1100"],
      [undefined, undefined],
    ]);
  });

  test("forgets what nobody could value when a person resumes, or the same fill would halt for ever", () => {
    const tradingCore = aDesk();
    filled(tradingCore, { fee: Money.of("0.01", GBP) });
    expect(tradingCore.counters.unpricedFills).toBe(1);
    tradingCore.counters.apply({
      kind: "control",
      control: { kind: "halt", cause: "other", reason: "stop", wayOut: "resume" },
      at: NOON,
    });
    tradingCore.counters.apply({ kind: "control", control: { kind: "resume", reason: "seen", by: "anna" }, at: NOON });
    expect([tradingCore.counters.unpricedFills, tradingCore.counters.lastFee]).toEqual([0, undefined]);
  });

  test("keeps its figures when somebody resumes what was not stopped", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "1000");
    approved(tradingCore);
    tradingCore.counters.apply({
      kind: "control",
      control: { kind: "resume", reason: "more orders", by: "anna" },
      at: NOON,
    });
    expect([tradingCore.counters.day.orders, String(tradingCore.counters.day.opening)]).toEqual([1, "1000"]);
  });
});

describe("what is open", () => {
  test("is worth what the orders are that have not ended, in whatever order they end", () => {
    const tradingCore = aDesk();
    const [one, two, three] = ["1", "20", "300"].map((size, i) => approved(tradingCore, { id: `T-${i}`, size }));
    const left = [two, three, one].map((intent) => {
      if (intent !== undefined) reported(tradingCore, intent, { kind: "not-sent", reason: "test" });
      return String(tradingCore.counters.openValue);
    });
    expect(left).toEqual(["301", "1", "0"]);
  });
});

describe("a fill", () => {
  test("counts once: confirmed later, it changes nothing but the open order", () => {
    const tradingCore = aDesk();
    const intent = approved(tradingCore, { size: "10" });
    const entry = (first: boolean, confirmed: boolean): CounterEntry => ({
      kind: "report",
      intent,
      clientOrderId: intent.clientOrderId,
      report: { kind: "filled", fill: aFill(intent), confirmed },
      first,
      realised: undefined,
      at: NOON,
    });
    expect(String(tradingCore.counters.openValue)).toBe("10");
    tradingCore.counters.apply(entry(true, false));
    tradingCore.counters.apply(entry(false, true));
    const { openValue, day, filledOrders } = tradingCore.counters;
    expect([String(openValue), String(day.turnover), filledOrders]).toEqual(["0", "10", 1]);
  });

  test.each(["not-sent", "dead"] as const)("that never was (%s) frees what was open", (kind) => {
    const tradingCore = aDesk();
    const intent = approved(tradingCore);
    reported(tradingCore, intent, { kind: "sending" });
    reported(tradingCore, intent, { kind: "doubt", cause: "timeout" });
    expect([String(tradingCore.counters.openValue), tradingCore.counters.doubts.count]).toEqual(["100", 1]);
    reported(tradingCore, intent, { kind, reason: "test" });
    expect([
      String(tradingCore.counters.openValue),
      tradingCore.counters.doubts.count,
      tradingCore.counters.doubts.oldest,
    ]).toEqual(["0", 0, undefined]);
  });
});

describe("saved counters", () => {
  test("stay small, however long they are kept", () => {
    const counters = new Counters(CHF);
    for (let i = 0; i < 20_000; i++) {
      const intent = anIntent({ id: `T-${i}` });
      const at = millis(NOON + i * 1_000);
      counters.apply({ kind: "approved", intent, rate: undefined, at });
      const report = { kind: "filled", fill: aFill(intent), confirmed: true } as const;
      counters.apply({
        kind: "report",
        intent,
        clientOrderId: intent.clientOrderId,
        report,
        first: true,
        realised: undefined,
        at,
      });
    }
    const { recent, orderTimes, hour, open } = counters.save() as SavedCounters;
    expect([recent.length, orderTimes.length, hour.length, open.open.length]).toEqual([601, 64, 61, 0]);
  });

  test("in another currency are refused", () => {
    const data = new Counters(CHF).save();
    expect(() => new Counters(GBP, data)).toThrow("the journal counts in CHF, and the limits are in GBP");
  });
});
