// What others recorded, as the bot takes it in at the slot of what moves money: nothing of it is lost, told twice or passed over.

import { Subscription } from "rxjs";
import { expect, test } from "vitest";
import { createJournaledCore } from "../../../src/bot/journaled-core/journaled-core.ts";
import { catchUp } from "../../../src/bot/journaled-core/restore.ts";
import type { TradingCore } from "../../../src/bot/trading-core/trading-core.ts";
import { err, ok, unwrap } from "../../../src/domain/result.ts";
import type { Step } from "../../../src/domain/step.ts";
import { type Millis, millis, mono } from "../../../src/domain/time.ts";
import type { Journal, JournalError } from "../../../src/journal/journal.ts";
import type { ControlRecord, Entry } from "../../../src/journal/record.ts";
import { FRESH } from "../../../src/risk/trading-state.ts";

const NOW = { at: millis(1_794_731_400_000), mono: mono(0) };
const LOCKED: JournalError = { code: "journal-locked", message: "another process keeps it locked" };
const isGone = (writer: string): boolean => writer === "dead0001";

function entry(sequence: number, record: object): Entry {
  return { sequence, hash: "", writer: "other001", record: { at: NOW.at, ...record } } as unknown as Entry;
}

const halt = (sequence: number): Entry =>
  entry(sequence, {
    kind: "control",
    control: { kind: "halt", cause: "other", reason: `stop ${sequence}`, wayOut: "" },
  });

const RAIL = { kind: "rail", request: { type: "FiatToStablecoin", asset: "VCHF", blockchain: "ETH" } };
const MINT = { kind: "mint", request: { quantity: "120000", asset: "VCHF", blockchain: "ETH" } };
const ORDER = { kind: "order", request: { side: "buy", quantity: "100", symbol: "VCHF/CHF", limit: "0.999" } };
const SENT = new Map(
  Object.entries({ "T-1": RAIL, "T-2": RAIL, "T-4": MINT, "T-5": ORDER, "T-6": ORDER }).map(([id, one]) => [
    id,
    { id, ...one },
  ]),
);

function tradingCoreOf(lost: readonly string[] = []) {
  const folded: number[] = [];
  const asked: [boolean, Millis][] = [];
  const tradingCore = {
    engine: { books: { counters: { tradingState: FRESH, state: "ACTIVE" } } },
    executor: {
      get: (id: string) => SENT.get(id),
      lost: (isLost: typeof isGone, at: Millis) => {
        asked.push([isLost("dead0001"), at]);
        return lost.map((id) => ({ id }));
      },
    },
    fold: ({ sequence }: Entry) => void folded.push(sequence),
  } as unknown as TradingCore;
  return { tradingCore, folded, asked };
}

test("all that others recorded is in the books, in order, before anybody is looked for who died", () => {
  const { tradingCore, folded, asked } = tradingCoreOf();
  const heard: number[] = [];
  const hear = (news: readonly Entry[]): void => void heard.push(...news.map(({ sequence }) => sequence), ...folded);
  const journal = { news: () => ok([halt(7), halt(8)]) };
  expect(catchUp({ journal, core: tradingCore, isGone, now: () => NOW, hear })).toBeUndefined();
  expect([folded, heard, asked]).toEqual([[7, 8], [7, 8, 7, 8], [[true, NOW.at]]]);
});

test("what was lost, and a journal that cannot be read, drop what was to leave", () => {
  const { tradingCore } = tradingCoreOf(["T-dead0001-1"]);
  const parts = { core: tradingCore, isGone, now: () => NOW };
  expect(catchUp({ ...parts, journal: { news: () => ok([]) } })).toMatch(/the outcome of T-dead0001-1 is unknown/);
  expect(catchUp({ ...parts, journal: { news: () => err(LOCKED) } })).toBe(LOCKED.message);
});

function journaledOf(news: readonly Entry[][]) {
  const waiting = [...news];
  const { tradingCore, folded } = tradingCoreOf();
  const told: ControlRecord["control"][] = [];
  const moved: string[] = [];
  const others: string[] = [];
  const noted: string[] = [];
  const journal = {
    news: () => ok(waiting.shift() ?? []),
    transact: () => Promise.resolve(err(LOCKED)),
  } as unknown as Journal;
  const made = createJournaledCore({
    journal,
    restored: () => ok(tradingCore),
    followState: () => undefined,
    now: () => NOW,
    // Nothing is tried again.
    scheduler: { now: () => 0, schedule: () => new Subscription() },
    onTrouble: () => undefined,
    watch: {
      control: ({ control }) => void told.push(control),
      moved: ({ event }: Step, isTold: boolean) =>
        void moved.push(event.kind === "movement" ? `${event.id}${isTold ? " is told" : ""}` : event.kind),
      others: ({ event }: Step) => void others.push(event.kind),
      note: (text) => void noted.push(text),
    },
    retryMs: 1_000,
  });
  return { journaled: unwrap(made), folded, told, moved, others, noted };
}

test("a stop, a reduction, how a mint went on and what became of an order are told as what they are, and once though they are handed out again", () => {
  const reduced = { kind: "state", state: "REDUCED", cause: "heartbeat", reason: "no heartbeat", wayOut: "" };
  const step = (event: object, commands: readonly object[] = []): object => ({
    kind: "step",
    step: { event, commands },
  });
  const news = [
    halt(1),
    entry(2, step({ kind: "timer" }, [reduced])),
    entry(3, step({ kind: "movement", id: "M-other001-1" })),
    entry(4, step({ kind: "report" })),
  ];
  const { journaled, told, moved, others, folded } = journaledOf([news.slice(0, 2), news]);
  expect([journaled.catchUp(isGone), journaled.catchUp(isGone)]).toEqual([undefined, undefined]);
  expect(told).toEqual([
    { kind: "halt", cause: "other", reason: "stop 1", wayOut: "" },
    { kind: "reduce", cause: "heartbeat", reason: "no heartbeat", wayOut: "" },
  ]);
  expect(moved).toEqual(["M-other001-1"]);
  expect(others).toEqual(["timer", "report"]);
  expect(folded).toEqual([1, 2, 1, 2, 3, 4]);
});

test("rails that were registered, refused, frozen and acknowledged beside the bot, what a person closed and proposed, and answers to plans, are told, each once", () => {
  const outcome = (id: string, how: object): object => ({ kind: "outcome", id, outcome: how });
  const wanted = { name: "mint VCHF on ETH", via: { kind: "mint" }, takes: "120000 CHF", brings: "120000 VCHF" };
  const rail = { railId: "80ce9915", status: "pending", reason: undefined };
  const closed = (id: string, verdict: object, by: string): object => ({
    ...{ kind: "resolution", id, verdict, reason: "support says so", by },
  });
  const moved = (id: string, kind: string): object => ({
    kind: "step",
    step: { event: { kind: "movement", id, report: { kind } }, commands: [] },
  });
  const rejected = { kind: "rejected", code: "bad_request", message: "no such wallet" };
  const news = [
    entry(1, outcome("T-1", { kind: "accepted", receipt: { kind: "rail", rail } })),
    entry(2, outcome("T-2", rejected)),
    // An order.
    entry(3, outcome("T-3", rejected)),
    entry(4, { kind: "rails", state: "seen", reason: "first seen", by: "bot" }),
    entry(5, { kind: "rails", state: "frozen", reason: "another whitelist", by: "bot" }),
    entry(6, { kind: "rails", state: "released", reason: "looked", by: "anna" }),
    entry(7, { kind: "approval", id: "R-1", by: "anna" }),
    entry(8, { kind: "plan-progress", id: "R-1", state: "declined", text: "too dear", by: "ben" }),
    entry(9, { kind: "plan-progress", id: "R-2", state: "begun", text: "1 step" }),
    entry(10, closed("T-2", { kind: "released" }, "anna")),
    entry(11, closed("T-1", { kind: "landed", receipt: { kind: "rail", rail } }, "anna")),
    entry(12, closed("T-4", { kind: "landed", receipt: { kind: "mint", mint: { requestId: "c4f9" } } }, "anna")),
    // What evidence decided is told by who found it.
    entry(13, closed("T-4", { kind: "escalated" }, "bot")),
    entry(14, closed("T-1", { kind: "released" }, "bot")),
    entry(15, closed("T-5", { kind: "released" }, "anna")),
    entry(16, closed("T-6", { kind: "landed", receipt: { kind: "order", fill: { orderId: "1000112" } } }, "anna")),
    // Of what a person closed the step says no more, but what it cost.
    entry(17, moved("T-2", "released")),
    entry(18, moved("T-4", "departed")),
    entry(19, moved("T-9", "released")),
    // What a person wants is told when it is proposed; a plan for targets by what becomes of it.
    entry(20, { kind: "plan", id: "R-3", by: "anna", content: JSON.stringify({ steps: [wanted], isWish: true }) }),
    entry(21, { kind: "plan", id: "R-4", by: "anna", content: JSON.stringify({ steps: [wanted] }) }),
  ];
  const { journaled, noted, moved: told } = journaledOf([news.slice(0, 2), news]);
  expect([journaled.catchUp(isGone), journaled.catchUp(isGone)]).toEqual([undefined, undefined]);
  expect(noted).toEqual([
    "T-1, rail FiatToStablecoin of VCHF on ETH, is registered as 80ce9915",
    "T-2, rail FiatToStablecoin of VCHF on ETH, was refused by the venue: bad_request: no such wallet",
    'rails are frozen: another whitelist; pegbot rails --acknowledge --reason "..."',
    "rails may be used again, by anna: looked",
    "plan R-1 approved by anna",
    "plan R-1 declined by ben: too dear",
    "T-2, rail FiatToStablecoin of VCHF on ETH, was closed as not landed, by anna: support says so",
    "T-1, rail FiatToStablecoin of VCHF on ETH, was closed as landed, rail 80ce9915, by anna: support says so",
    "T-4, mint of 120000 VCHF on ETH, was closed as landed, request c4f9, by anna: support says so",
    "T-5, buy 100 VCHF/CHF at 0.999, was closed as not filled, by anna: support says so",
    "T-6, buy 100 VCHF/CHF at 0.999, was closed as filled, order 1000112, by anna: support says so",
    "plan R-3 proposed by anna: mint VCHF on ETH, 120,000 CHF for 120,000 VCHF",
  ]);
  expect(told).toEqual(["T-2 is told", "T-4", "T-9"]);
});

test("while the journal cannot be written nothing is taken in and nothing leaves", async () => {
  const { journaled, folded } = journaledOf([[halt(1)]]);
  journaled.commit({ kind: "news" }).subscribe();
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(journaled.catchUp(isGone)).toBe(`the journal cannot be written: ${LOCKED.message}`);
  expect(folded).toEqual([]);
});
