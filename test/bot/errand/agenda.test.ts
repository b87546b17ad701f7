import { describe, expect, it } from "vitest";
import { type Agenda, agendaDefaults, createAgenda, type Read } from "../../../src/bot/errand/agenda.ts";
import { mono } from "../../../src/domain/time.ts";

/** All but quotes were answered at 0. */
function begun(): Agenda {
  const agenda = createAgenda();
  for (const read of agenda.due(mono(0), false)) agenda.ended(read, "answered", mono(0));
  return agenda;
}

/** Quotes are left out: they are always due. */
function due(agenda: Agenda, at: number): readonly Read[] {
  return agenda.due(mono(at), false).filter((read) => read !== "quotes");
}

describe("the agenda", () => {
  it("asks only for the pairs while the bot starts, and then for everything", () => {
    const agenda = createAgenda();
    expect(agenda.due(mono(0), true)).toEqual(["pairs"]);
    expect(agenda.due(mono(0), true)).toEqual([]);
    agenda.seen("trades", mono(0));
    expect(agenda.due(mono(0), false)).toEqual(["orders", "balances", "quotes"]);
  });

  it("keeps exactly one question for quotes under way", () => {
    const agenda = begun();
    expect(agenda.due(mono(1), false)).toEqual(["quotes"]);
    expect(agenda.due(mono(9), false)).toEqual([]);
    agenda.ended("quotes", "answered", mono(10));
    expect(agenda.due(mono(10), false)).toEqual(["quotes"]);
  });

  it("asks for balances every 10 s, for histories every 60 s, for pairs every 10 min", () => {
    const agenda = begun();
    const counts = new Map<Read, number>();
    for (let at = 1_000; at <= 600_000; at += 1_000)
      for (const read of due(agenda, at)) {
        counts.set(read, (counts.get(read) ?? 0) + 1);
        agenda.ended(read, "answered", mono(at));
      }
    expect(Object.fromEntries(counts)).toEqual({ balances: 60, trades: 10, orders: 10, pairs: 1 });
  });

  it("asks for balances at once after a fill, and again when the fill came while they were asked for", () => {
    const agenda = begun();
    agenda.moved();
    expect(due(agenda, 1)).toEqual(["balances"]);
    agenda.moved();
    expect(due(agenda, 2)).toEqual([]);
    agenda.ended("balances", "answered", mono(3));
    expect(due(agenda, 3)).toEqual(["balances"]);
    agenda.ended("balances", "answered", mono(4));
    expect(due(agenda, 5)).toEqual([]);
  });

  it("needs no second look at balances for a fill that came before the request for them left", () => {
    const agenda = begun();
    agenda.moved();
    expect(due(agenda, 1)).toEqual(["balances"]);
    agenda.moved();
    agenda.began("balances");
    agenda.ended("balances", "answered", mono(3));
    expect(due(agenda, 4)).toEqual([]);
  });

  it("takes what somebody else asked for as asked", () => {
    const agenda = begun();
    agenda.seen("balances", mono(9_000));
    expect(due(agenda, 10_000)).toEqual([]);
    expect(due(agenda, 19_000)).toEqual(["balances"]);
  });

  it("gives a failed read a second, and one that the venue does not have ten minutes", () => {
    const agenda = begun();
    expect(agenda.due(mono(0), false)).toEqual(["quotes"]);
    agenda.ended("quotes", "failed", mono(0));
    expect(agenda.due(mono(agendaDefaults.failedMs - 1), false)).toEqual([]);
    expect(agenda.due(mono(agendaDefaults.failedMs), false)).toEqual(["quotes"]);
    agenda.ended("quotes", "not-available", mono(2_000));
    for (const read of agenda.due(mono(601_999), false)) agenda.ended(read, "answered", mono(601_999));
    expect(agenda.due(mono(601_999), false)).toEqual([]);
    expect(agenda.due(mono(602_000), false)).toEqual(["quotes"]);
  });

  it("asks again after 10 s for pairs of which none could be used", () => {
    const agenda = createAgenda();
    expect(agenda.due(mono(0), true)).toEqual(["pairs"]);
    agenda.ended("pairs", "unusable", mono(1));
    expect(agenda.due(mono(10_000), true)).toEqual([]);
    expect(agenda.due(mono(10_001), true)).toEqual(["pairs"]);
  });

  it("asks for pairs at once when they may be others, and not twice within 10 s", () => {
    const agenda = begun();
    agenda.outdated();
    expect(due(agenda, 9_999)).toEqual([]);
    expect(due(agenda, 10_000)).toContain("pairs");
    agenda.ended("pairs", "answered", mono(10_000));
    expect(due(agenda, 60_000)).not.toContain("pairs");
    agenda.outdated();
    expect(due(agenda, 60_000)).toEqual(["pairs"]);
  });

  it.each([
    ["unusable", 10_000],
    ["failed", agendaDefaults.failedMs],
  ] as const)(
    "asks for pairs no earlier than it would after a read that was %s, however many rejections come",
    (end, pauseMs) => {
      const agenda = begun();
      agenda.outdated();
      expect(due(agenda, 60_000)).toContain("pairs");
      agenda.ended("pairs", end, mono(60_000));
      agenda.outdated();
      expect(due(agenda, 60_000 + pauseMs - 1)).not.toContain("pairs");
      expect(due(agenda, 60_000 + pauseMs)).toContain("pairs");
    },
  );

  it("asks again for a list of pairs that is questioned, after 10 s, then ever later up to 80 s, and after 10 s again once one was not", () => {
    const agenda = begun();
    const reads: number[] = [];
    for (let at = 1_000; at <= 1_200_000; at += 1_000) {
      if (at <= 400_000 || at > 1_150_000) agenda.questioned();
      if (!due(agenda, at).includes("pairs")) continue;
      reads.push(at / 1_000);
      agenda.ended("pairs", "answered", mono(at));
    }
    // Questioned until 400, so that 470 is the last early one; 1,070 is 470 + 600, as usual.
    expect(reads).toEqual([10, 30, 70, 150, 230, 310, 390, 470, 1_070, 1_151, 1_171]);
  });
});
