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
});
