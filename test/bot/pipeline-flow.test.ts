// The loop of the pipeline in marbles: one character is a millisecond, and every timed thing runs on the test's scheduler.

import { delay, EMPTY, interval, map, merge, mergeMap, NEVER, type Observable, of, take, tap } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import type { Input } from "../../src/bot/input.ts";
import type { Done } from "../../src/bot/operation-line.ts";
import { flow as flowOf, type Stages } from "../../src/bot/pipeline.ts";
import type { Turn } from "../../src/bot/turn.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import { millis } from "../../src/domain/time.ts";

const QUIET: Turn = { records: [], steps: [], sends: [], asks: [], notes: [], warnings: [] };

function quote(symbol: string, bid: number): Input {
  const price = { bid, ask: bid, bidSize: undefined, askSize: undefined };
  const named = { symbol: symbol as PairSymbol, source: "venue", at: undefined, receivedAt: millis(0) };
  return { kind: "event", event: { kind: "quote", ...price, ...named } };
}

function outcome(id: string): Input {
  return { kind: "outcome", id: id as ClientOrderId, outcome: { kind: "not-sent", code: "test", reason: "test" } };
}

const kill: Input = {
  kind: "event",
  event: { kind: "control", control: { kind: "kill", reason: "test", by: "test" }, receivedAt: millis(0) },
};

/** What went through, as a short word. */
function word(input: Input): string {
  if (input.kind === "outcome") return input.id;
  if (input.kind !== "event") return input.kind;
  return input.event.kind === "quote" ? `${input.event.symbol} ${input.event.bid}` : input.event.kind;
}

type Act = (done: Done) => readonly Observable<Input>[];

/** The pipeline with one feed, whose turns are made by `commit` and lead to what `act` says. */
function flow(feed$: Observable<Input>, commit: (input: Input) => Observable<Turn>, act: Act): Observable<Done> {
  let answers: readonly Observable<Input>[] = [];
  const stages: Stages = {
    poll: () => NEVER,
    ...{ references$: NEVER, operations$: NEVER, strategies$: NEVER, controls$: NEVER, stop$: NEVER },
    timers$: feed$,
    decide: (input) => commit(input).pipe(map((turn) => ({ input, turn }))),
    follow(done) {
      answers = act(done);
      return { orders: [], movements: [], questions: [], reads: [], next: [] };
    },
    execute: () => merge(...answers),
    ...{ confirm: () => EMPTY, transfer: () => EMPTY, goOn: () => EMPTY },
  };
  return flowOf(stages);
}

type Helpers = Parameters<Parameters<TestScheduler["run"]>[0]>[0];

function marbles(run: (helpers: Helpers, scheduler: TestScheduler) => void): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run((helpers) => run(helpers, scheduler));
}

/** Turns that take so long, and lead to nothing. */
function seenOf(feeds$: Observable<Input>, turnMs: number, scheduler: TestScheduler): string[] {
  const seen: string[] = [];
  const commit = () => of(QUIET).pipe(delay(turnMs, scheduler));
  flow(feeds$, commit, () => []).subscribe(({ input }) => seen.push(word(input)));
  return seen;
}

describe("the flow", () => {
  it("takes a fill that is raised in a step after that step, also when it is there at once", () => {
    const log: string[] = [];
    const commit = (input: Input) =>
      of(QUIET).pipe(tap({ subscribe: () => log.push(`turn ${word(input)}`), complete: () => log.push("on disk") }));
    const act = ({ input }: Done) => (input.kind === "event" ? [of(outcome("fill"))] : []);
    marbles(({ cold }) => {
      flow(cold("(ab)", { a: quote("A/B", 1), b: quote("C/D", 2) }), commit, act).subscribe();
    });
    const each = (first: string) => [`turn ${first}`, "on disk", "turn fill", "on disk"];
    expect(log).toEqual([...each("A/B 1"), ...each("C/D 2")]);
  });

  it("drops no report, however many come while a turn is being written", () => {
    const reports = Array.from({ length: 500 }, (_, index) => outcome(`o-${index}`));
    const seen: string[] = [];
    marbles(({ cold }, scheduler) => {
      const act = ({ input }: Done) => (input.kind === "event" ? reports.map((report) => of(report)) : []);
      const commit = () => of(QUIET).pipe(delay(5, scheduler));
      flow(cold("a", { a: quote("A/B", 1) }), commit, act).subscribe(({ input }) => seen.push(word(input)));
    });
    expect(seen).toEqual(["A/B 1", ...reports.map(word)]);
  });

  it("takes reports first, then what people ordered, then prices", () => {
    let seen: string[] = [];
    marbles(({ cold }, scheduler) => {
      const feeds$ = cold("a(bcd)", { a: quote("A/B", 1), b: quote("C/D", 2), c: kill, d: outcome("o-1") });
      seen = seenOf(feeds$, 10, scheduler);
    });
    expect(seen).toEqual(["A/B 1", "o-1", "control", "C/D 2"]);
  });

  it("conflates ten thousand quotes a second per symbol before the queue, and the latest of each is taken", () => {
    let seen: string[] = [];
    marbles((_, scheduler) => {
      const symbols = ["A/B", "C/D", "E/F", "G/H"];
      const ten = (ms: number) =>
        Array.from({ length: 10 }, (_value, index) => quote(symbols[index % 4] as string, 10 * ms + index));
      // Ten a millisecond for a second, against turns of 20 ms.
      seen = seenOf(interval(1, scheduler).pipe(take(1_000), mergeMap(ten)), 20, scheduler);
    });
    // The first at 1 ms, one every 20 ms until 1,000 ms, and then what was left: one of each symbol at most.
    expect(seen.length).toBeLessThanOrEqual(50 + 4);
    expect(seen.length).toBeGreaterThanOrEqual(50);
    expect(seen.slice(-4).sort()).toEqual(["A/B 9998", "C/D 9999", "E/F 9996", "G/H 9997"].sort());
  });

  it("ends feeds, timers and the request in flight when it is unsubscribed from", () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const feed$ = hot("a---------", { a: quote("A/B", 1) });
      const request$ = cold("---------x", { x: outcome("o-1") });
      const done$ = flow(
        feed$,
        () => of(QUIET),
        () => [request$],
      ).pipe(map(({ input }) => word(input)));
      expectObservable(done$, "^----!").toBe("a", { a: "A/B 1" });
      expectSubscriptions(feed$.subscriptions).toBe("^----!");
      expectSubscriptions(request$.subscriptions).toBe("^----!");
    });
  });
});
