import { describe, expect, it } from "vitest";
import { PollSchedule, pollDefaults, type Read } from "../../../src/bot/effects/poll-schedule.ts";
import { mono } from "../../../src/domain/time.ts";

/** All but quotes were answered at 0. */
function begun(): PollSchedule {
  const polls = new PollSchedule();
  for (const read of polls.due(mono(0), false)) polls.ended(read, "answered", mono(0));
  return polls;
}

/** Quotes are left out: they are always due. */
function due(polls: PollSchedule, at: number): readonly Read[] {
  return polls.due(mono(at), false).filter((read) => read !== "quotes");
}

describe("the polls", () => {
  it("asks only for the pairs while the bot starts, and then for everything", () => {
    const polls = new PollSchedule();
    expect(polls.due(mono(0), true)).toEqual(["pairs"]);
    expect(polls.due(mono(0), true)).toEqual([]);
    polls.seen("trades", mono(0));
    expect(polls.due(mono(0), false)).toEqual(["orders", "balances", "quotes"]);
  });

  it("keeps exactly one question for quotes under way", () => {
    const polls = begun();
    expect(polls.due(mono(1), false)).toEqual(["quotes"]);
    expect(polls.due(mono(9), false)).toEqual([]);
    polls.ended("quotes", "answered", mono(10));
    expect(polls.due(mono(10), false)).toEqual(["quotes"]);
  });

  it("asks for balances every 10 s, for histories every 60 s, for pairs every 10 min", () => {
    const polls = begun();
    const counts = new Map<Read, number>();
    for (let at = 1_000; at <= 600_000; at += 1_000)
      for (const read of due(polls, at)) {
        counts.set(read, (counts.get(read) ?? 0) + 1);
        polls.ended(read, "answered", mono(at));
      }
    expect(Object.fromEntries(counts)).toEqual({ balances: 60, trades: 10, orders: 10, pairs: 1 });
  });

  it("asks for balances at once after a fill, and again when the fill came while they were asked for", () => {
    const polls = begun();
    polls.moved();
    expect(due(polls, 1)).toEqual(["balances"]);
    polls.moved();
    expect(due(polls, 2)).toEqual([]);
    polls.ended("balances", "answered", mono(3));
    expect(due(polls, 3)).toEqual(["balances"]);
    polls.ended("balances", "answered", mono(4));
    expect(due(polls, 5)).toEqual([]);
  });

  it("needs no second look at balances for a fill that came before the request for them left", () => {
    const polls = begun();
    polls.moved();
    expect(due(polls, 1)).toEqual(["balances"]);
    polls.moved();
    polls.began("balances");
    polls.ended("balances", "answered", mono(3));
    expect(due(polls, 4)).toEqual([]);
  });

  it("takes what somebody else asked for as asked", () => {
    const polls = begun();
    polls.seen("balances", mono(9_000));
    expect(due(polls, 10_000)).toEqual([]);
    expect(due(polls, 19_000)).toEqual(["balances"]);
  });

  it("gives a failed read a second, and one that the venue does not have ten minutes", () => {
    const polls = begun();
    expect(polls.due(mono(0), false)).toEqual(["quotes"]);
    polls.ended("quotes", "failed", mono(0));
    expect(polls.due(mono(pollDefaults.failedMs - 1), false)).toEqual([]);
    expect(polls.due(mono(pollDefaults.failedMs), false)).toEqual(["quotes"]);
    polls.ended("quotes", "not-available", mono(2_000));
    for (const read of polls.due(mono(601_999), false)) polls.ended(read, "answered", mono(601_999));
    expect(polls.due(mono(601_999), false)).toEqual([]);
    expect(polls.due(mono(602_000), false)).toEqual(["quotes"]);
  });

  it("asks again after 10 s for pairs of which none could be used", () => {
    const polls = new PollSchedule();
    expect(polls.due(mono(0), true)).toEqual(["pairs"]);
    polls.ended("pairs", "unusable", mono(1));
    expect(polls.due(mono(10_000), true)).toEqual([]);
    expect(polls.due(mono(10_001), true)).toEqual(["pairs"]);
  });

  it("asks for pairs at once when they may be others, and not twice within 10 s", () => {
    const polls = begun();
    polls.outdated();
    expect(due(polls, 9_999)).toEqual([]);
    expect(due(polls, 10_000)).toContain("pairs");
    polls.ended("pairs", "answered", mono(10_000));
    expect(due(polls, 60_000)).not.toContain("pairs");
    polls.outdated();
    expect(due(polls, 60_000)).toEqual(["pairs"]);
  });

  it.each([
    ["unusable", 10_000],
    ["failed", pollDefaults.failedMs],
  ] as const)(
    "asks for pairs no earlier than it would after a read that was %s, however many rejections come",
    (end, pauseMs) => {
      const polls = begun();
      polls.outdated();
      expect(due(polls, 60_000)).toContain("pairs");
      polls.ended("pairs", end, mono(60_000));
      polls.outdated();
      expect(due(polls, 60_000 + pauseMs - 1)).not.toContain("pairs");
      expect(due(polls, 60_000 + pauseMs)).toContain("pairs");
    },
  );

  it("asks again for a list of pairs that is questioned, after 10 s, then ever later up to 80 s, and after 10 s again once one was not", () => {
    const polls = begun();
    const reads: number[] = [];
    for (let at = 1_000; at <= 1_200_000; at += 1_000) {
      if (at <= 400_000 || at > 1_150_000) polls.questioned();
      if (!due(polls, at).includes("pairs")) continue;
      reads.push(at / 1_000);
      polls.ended("pairs", "answered", mono(at));
    }
    // Questioned until 400, so that 470 is the last early one; 1,070 is 470 + 600, as usual.
    expect(reads).toEqual([10, 30, 70, 150, 230, 310, 390, 470, 1_070, 1_151, 1_171]);
  });
});
