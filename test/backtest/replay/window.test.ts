// One answer serves all who asked for it before its request left: the last of them decides how fresh it is, and whoever asks
// while it is on its way waits for the next.

import { expect, test } from "vitest";
import { Due, DueList, VirtualTime } from "../../../backtest/replay/virtual-time.ts";
import { Window, type WindowParts } from "../../../backtest/replay/window.ts";
import type { Input } from "../../../src/bot/input.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Heard, Question } from "../../../src/execution/dispatch.ts";
import type { Approval } from "../../../src/risk/treasury-gate.ts";

const FROM = millis(1_767_225_600_000);
const TOOK_MS = 100;
const PACE_MS = 1_000;
const TRADES: Question = { witness: "trades", asset: undefined, class: "confirmation" };

type Row = { readonly heard: Heard; readonly standing: boolean };

type Orders = {
  readonly decisionMs?: number;
  /** Of the checks on the way out, those that find a reason. */
  readonly checks?: object;
  /** What the venue says of an order. */
  readonly said?: object;
};

/** Quotes, which need no signature, have just left: what is asked now waits for the slot after them. */
function busyWindow(answer: object = {}, { decisionMs = 0, checks, said }: Orders = {}) {
  const time = new VirtualTime(FROM);
  const due = new DueList();
  const asked: string[] = [];
  const left: [what: string, at: number][] = [];
  const heard: Row[] = [];
  const dates: (number | undefined)[] = [];
  const outcomes: unknown[] = [];
  const sent: { readonly nonce: number }[] = [];
  const spent: unknown[] = [];
  const given: unknown[] = [];
  const arrivals: number[] = [];
  let taken = 0;
  let lasts = 0;
  const put = (input: Input): void => {
    if (input.kind === "answer" || input.kind === "unanswered") taken++;
    if (input.kind === "outcome") outcomes.push({ id: input.id, ...input.outcome });
    if (typeof input === "string") given.push(input);
    arrivals.push(time.elapsed);
  };
  const hear = time.heard.bind(time);
  time.heard = (at) => {
    dates.push(at);
    hear(at);
  };
  const served = (what: string, own: object): object => {
    left.push([what, time.elapsed]);
    const plain = { verdict: { kind: "read", value: [] }, isAnswered: true, date: millis(time.wall), tookMs: TOOK_MS };
    return { ...plain, ...own };
  };
  const list = (witness: string): object => {
    asked.push(witness);
    return served(witness, witness === "quotes" ? {} : answer);
  };
  const parts = {
    line: {
      list,
      order: () => served("order", { verdict: said }),
      mint: (_key: string, form: object) => served(JSON.stringify(form), { verdict: said }),
      rail: (_key: string, body: object) => served(JSON.stringify(body), { verdict: said }),
      read(question: (venue: object) => unknown) {
        const supplyChanges = (_key: string, { asset }: { asset: string }) => asked.push(asset);
        question({ supplyChanges, pairs: () => [] });
        return served("changes", {});
      },
    },
    key: "key",
    time,
    due,
    departures: {
      closed: undefined as string | undefined,
      close(reason: string): void {
        this.closed = reason;
      },
      expect: () => 600_000,
      recheck: () => undefined,
      sending: (_approval: Approval, record: { readonly nonce: number }) => sent.push(record),
      lastCheck: () => undefined,
      ended: () => undefined,
      ...checks,
    },
    post: {
      outcome: (id: string, outcome: unknown) => ({ kind: "outcome", id, outcome }),
      pairs: () => ["a pair", "another"],
      witness: (one: Heard, standing: boolean) => {
        heard.push({ heard: one, standing });
        return one as Input;
      },
    },
    polls: { began: () => undefined },
    bot: {
      put,
      putLast(input: Input): void {
        lasts++;
        put(input);
      },
      quotes: () => void given.push("a price"),
      spent: (granted: string) => void spent.push(granted),
    },
    settings: { pacing: { spacingMs: PACE_MS } },
    decisionMs,
  };
  const window = new Window(parts as unknown as WindowParts);
  window.read("quotes");
  const later = (ms: number, work: () => void): void => due.add(new Due(work), ms);
  const run = (): void => {
    for (let moments = 0; moments < 100 && due.nextAt < Number.POSITIVE_INFINITY; moments++) {
      time.move(due.nextAt);
      due.take()?.run();
    }
  };
  return {
    window,
    later,
    run,
    asked,
    left,
    heard,
    dates,
    sent,
    spent,
    given,
    arrivals,
    outcomes,
    taken: () => taken,
    lasts: () => lasts,
  };
}

const ORDER = { clientOrderId: "T-1" } as Approval;

test("an order whose slot has not come when the window closes is told as stopped, once, and so is one still being decided", () => {
  for (const decisionMs of [0, 40]) {
    const { window, later, run, asked, outcomes } = busyWindow({}, { decisionMs });
    later(10, () => window.send(ORDER));
    later(30, () => {
      window.ask(TRADES);
      window.close("the end");
    });
    run();
    expect(outcomes, `${decisionMs} ms`).toEqual([{ id: "T-1", kind: "not-sent", code: "stopped", reason: "the end" }]);
    expect([window.sending, asked]).toEqual([0, ["quotes"]]);
  }
});

test("an order that a check on its way out stops is not sent, is told once, and leaves its slot to the next", () => {
  for (const [check, code, recorded] of [
    ["recheck", "outdated", 0],
    ["lastCheck", "refused", 1],
  ] as const) {
    const { window, later, run, left, sent, outcomes } = busyWindow({}, { checks: { [check]: () => "no more" } });
    later(10, () => window.send(ORDER));
    later(20, () => window.ask(TRADES));
    run();
    expect(outcomes, check).toEqual([{ id: "T-1", kind: "not-sent", code, reason: "no more" }]);
    expect(left.map(([what]) => what)).toEqual(["quotes", "trades"]);
    // Nothing of the order left: the slot is as open as it was.
    expect(left[1]?.[1]).toBeLessThanOrEqual(TOOK_MS + PACE_MS);
    expect([sent.length, window.sending]).toEqual([recorded, 0]);
  }
});

test("an answer after an order has the higher nonce, which fences it", () => {
  const { window, later, run, sent, heard } = busyWindow({}, { said: { kind: "accepted", value: "fill" } });
  later(10, () => window.send(ORDER));
  later(20, () => window.ask(TRADES));
  run();
  const [first] = heard;
  const nonce = first?.heard.kind === "answer" ? first.heard.answer.nonce : undefined;
  expect(nonce).toBeGreaterThan(sent[0]?.nonce ?? Number.NaN);
});

test("an order past its lifetime is dropped while it waits", () => {
  const { window, later, run, left, outcomes } = busyWindow({}, { checks: { expect: () => 50 } });
  later(10, () => window.send(ORDER));
  later(20, () => window.ask(TRADES));
  run();
  expect(outcomes).toMatchObject([{ id: "T-1", kind: "not-sent", code: "dropped" }]);
  expect([left.map(([what]) => what), window.sending]).toEqual([["quotes", "trades"], 0]);
});

test("after a rate limit, and after no answer at all, the next request waits longer than after an answer", () => {
  const gapAfter = (answer: object): number => {
    const { window, later, run, left } = busyWindow(answer);
    later(10, () => window.ask(TRADES));
    later(20, () => window.ask({ ...TRADES, witness: "orders" }));
    run();
    return (left[2]?.[1] ?? 0) - (left[1]?.[1] ?? 0);
  };
  const failed = (code: string): object => ({ verdict: { kind: "failed", failure: { code, message: "" } } });
  const usual = gapAfter({});
  expect(usual).toBeLessThanOrEqual(PACE_MS + TOOK_MS);
  expect(gapAfter(failed("venue-down"))).toBe(usual);
  expect(gapAfter(failed("rate-limited"))).toBeGreaterThan(usual);
  expect(gapAfter({ ...failed("timeout"), isAnswered: false })).toBeGreaterThan(usual);
});

test("the clock of a backtest never goes back, whatever it is told", () => {
  const time = new VirtualTime(FROM);
  time.move(10_000.7);
  time.move(5_000);
  // The wall clock has whole milliseconds, as the venue's.
  expect([time.elapsed, time.wall]).toEqual([10_000.7, FROM + 10_000]);
  time.told(FROM + 20_000);
  time.told(FROM + 15_000);
  expect(time.now().at).toBe(FROM + 20_000);
});
