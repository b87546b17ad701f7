// One answer serves all who asked for it before its request left: the last of them decides how fresh it is, and whoever asks
// while it is on its way waits for the next.

import { expect, test } from "vitest";
import { Due, DueList } from "../../../backtest/replay/due-list.ts";
import { VirtualTime } from "../../../backtest/replay/virtual-time.ts";
import { Window, type WindowParts } from "../../../backtest/replay/window.ts";
import type { Input } from "../../../src/bot/desk.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Heard, Question } from "../../../src/execution/heard.ts";
import type { Approval } from "../../../src/risk/movement-gate.ts";

const FROM = millis(1_767_225_600_000);
const TOOK_MS = 100;
const PACE_MS = 1_000;
const TRADES: Question = { witness: "trades", asset: undefined, class: "confirmation" };

type Row = { readonly heard: Heard; readonly standing: boolean };

/** Quotes, which need no signature, have just left: what is asked now waits for the slot after them. */
function busyWindow(verdict: object = { kind: "read", value: [] }, decisionMs = 0) {
  const time = new VirtualTime(FROM);
  const due = new DueList();
  const asked: string[] = [];
  const heard: Row[] = [];
  const dates: (number | undefined)[] = [];
  const outcomes: unknown[] = [];
  let taken = 0;
  const put = (input: Input): void => {
    if (input.kind === "answer" || input.kind === "unanswered") taken++;
    if (input.kind === "outcome") outcomes.push(input);
  };
  const hear = time.heard.bind(time);
  time.heard = (at) => {
    dates.push(at);
    hear(at);
  };
  const list = (witness: string): object => {
    asked.push(witness);
    const isQuotes = witness === "quotes";
    return {
      verdict: isQuotes ? { kind: "read", value: [] } : verdict,
      isAnswered: true,
      date: millis(time.wall),
      tookMs: TOOK_MS,
    };
  };
  const parts = {
    line: { list },
    key: "key",
    time,
    due,
    departures: {
      isValued: false,
      closed: undefined as string | undefined,
      close(reason: string): void {
        this.closed = reason;
      },
      expect: () => 600_000,
      ended: () => undefined,
    },
    post: {
      outcome: (id: string, outcome: unknown) => ({ kind: "outcome", id, outcome }),
      prices: () => [],
      witness: (one: Heard, standing: boolean) => {
        heard.push({ heard: one, standing });
        return one as Input;
      },
    },
    wants: { of: (read: string) => ({ class: read === "quotes" ? "quote" : "confirmation" }) },
    bot: { put, putLast: put, arrive: () => undefined, spent: () => undefined },
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
  return { window, later, run, asked, heard, dates, outcomes, taken: () => taken };
}

test("several ask, one request answers, in one turn and as fresh as for who asked last", () => {
  const { window, later, run, asked, heard, dates, taken } = busyWindow();
  later(10, () => window.ask(TRADES));
  later(20, () => window.read("trades"));
  later(30, () => window.ask(TRADES));
  run();
  expect(asked).toEqual(["quotes", "trades"]);
  expect(taken()).toBe(1);
  expect(heard).toMatchObject([{ heard: { kind: "answer", answer: { askedAt: 30, rows: [] } }, standing: true }]);
  // As each of them hears it of the bot's own client.
  expect(dates).toHaveLength(3);
});

test("of several without the agenda among them none ends a read of the agenda", () => {
  const { window, later, run, heard } = busyWindow();
  later(10, () => window.ask(TRADES));
  later(20, () => window.ask(TRADES));
  run();
  expect(heard).toMatchObject([{ standing: false }]);
});

test("an answer under way serves nobody who asks meanwhile, and another list is another request", () => {
  const { window, later, run, asked, heard } = busyWindow();
  const leaves = TOOK_MS + PACE_MS;
  later(10, () => window.ask(TRADES));
  later(20, () => window.ask({ ...TRADES, witness: "orders" }));
  later(leaves + TOOK_MS / 2, () => window.ask(TRADES));
  run();
  expect(asked).toEqual(["quotes", "trades", "orders", "trades"]);
  const answers = heard.map(
    (one) => one.heard.kind === "answer" && [one.heard.answer.witness, one.heard.answer.askedAt],
  );
  expect(answers).toEqual([
    ["trades", 10],
    ["orders", 20],
    ["trades", leaves + TOOK_MS / 2],
  ]);
});

test("a failure is told once to all who asked", () => {
  const failure = { code: "unavailable", message: "the venue is busy", status: 503 };
  const { window, later, run, heard } = busyWindow({ kind: "failed", failure });
  later(10, () => window.ask(TRADES));
  later(20, () => window.read("trades"));
  run();
  expect(heard).toMatchObject([
    {
      heard: { kind: "unanswered", witness: "trades", askedAt: 20, code: "unavailable", isShared: false },
      standing: true,
    },
  ]);
});

test("an order whose slot has not come when the window closes is told as stopped, once, and so is one still being decided", () => {
  for (const decisionMs of [0, 40]) {
    const { window, later, run, asked, outcomes } = busyWindow(undefined, decisionMs);
    later(10, () => window.send({ clientOrderId: "T-1" } as Approval));
    later(30, () => {
      window.ask(TRADES);
      window.close("the end");
    });
    run();
    const outcome = { kind: "not-sent", code: "stopped", reason: "the end" };
    expect(outcomes, `${decisionMs} ms`).toEqual([{ kind: "outcome", id: "T-1", outcome }]);
    expect([window.sending, asked]).toEqual([0, ["quotes"]]);
  }
});
