import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import { Scheduler } from "../../../src/exchange/budget/scheduler.ts";
import { WANT_CLASSES, type WantClass } from "../../../src/exchange/port.ts";

function setUp(waitingMax = 1_000) {
  const dropped: string[] = [];
  const tell = (item: string, reason: string) => dropped.push(`${item}: ${reason}`);
  const scheduler = new Scheduler<string>(tell, waitingMax);
  return { scheduler, dropped };
}

const moment = (slot: number, { ms = 0, doubtsOnly = false } = {}) => ({ monotonic: mono(ms), slot, doubtsOnly });

function spend(scheduler: Scheduler<string>, slot: number, options?: { ms?: number; doubtsOnly?: boolean }) {
  const best = scheduler.serve(moment(slot, options));
  return best && [best.item, ...best.others.map((other) => other.item)];
}

describe("a slot goes to", () => {
  test("doubts, kill checks, orders, confirmations, balances, quotes, treasury polls, then the rest", () => {
    const { scheduler } = setUp();
    const classes = ["doubt", "kill-check", "order", "confirmation", "balance", "quote", "treasury", "other"] as const;
    for (const name of classes.toReversed()) scheduler.add({ class: name }, name, 0);
    expect(classes.map((_, slot) => spend(scheduler, slot)?.[0])).toEqual(classes);
  });

  test("what comes first when it opens, not when it was asked for", () => {
    const { scheduler } = setUp();
    scheduler.add({ class: "balance" }, "balance", 0);
    scheduler.add({ class: "order" }, "order", 0);
    expect(spend(scheduler, 0)).toEqual(["order"]);
  });

  test("the want that came first, among equals", () => {
    const { scheduler } = setUp();
    for (const name of ["a", "b", "c"]) scheduler.add({ class: "quote" }, name, 0);
    expect([0, 1, 2].map((slot) => spend(scheduler, slot)?.[0])).toEqual(["a", "b", "c"]);
  });

  test.each(["doubt", "kill-check"] as const)(
    "a %s after a pause of the venue, however long others have waited",
    (first) => {
      const { scheduler } = setUp();
      scheduler.add({ class: "other" }, "other", 0);
      scheduler.add({ class: first }, first, 500);
      expect(scheduler.serve({ ...moment(500), isProbe: true })?.item).toBe(first);
      scheduler.add({ class: first }, first, 501);
      expect(scheduler.serve(moment(501))?.item).toBe("other");
    },
  );

  test("only doubts and kill checks after a storm of rate limits", () => {
    const { scheduler } = setUp();
    scheduler.add({ class: "order" }, "order", 0);
    scheduler.add({ class: "kill-check" }, "kill-check", 0);
    expect(spend(scheduler, 500, { doubtsOnly: true })).toEqual(["kill-check"]);
    expect(spend(scheduler, 501, { doubtsOnly: true })).toBeUndefined();
    expect(spend(scheduler, 502)).toEqual(["order"]);
  });
});

describe("a deadline", () => {
  test("lets an order at its very deadline pass", () => {
    const { scheduler } = setUp();
    scheduler.add({ class: "order", deadline: mono(3_000) }, "order", 0);
    expect(spend(scheduler, 0, { ms: 3_000 })).toEqual(["order"]);
  });

  test("of one caller does not drop the others who ask the same", () => {
    const { scheduler, dropped } = setUp();
    scheduler.add({ class: "balance", key: "k", deadline: mono(10) }, "hurried", 0);
    scheduler.add({ class: "balance", key: "k" }, "patient", 0);
    expect(spend(scheduler, 0, { ms: 20 })).toEqual(["patient"]);
    expect(dropped.length).toBe(1);
  });
});

describe("identical reads that wait", () => {
  test("are as urgent as the most urgent of them", () => {
    const { scheduler } = setUp();
    scheduler.add({ class: "order" }, "order", 0);
    scheduler.add({ class: "other", key: "queryTrades" }, "curious", 0);
    scheduler.add({ class: "doubt", key: "queryTrades" }, "doubtful", 0);
    expect(spend(scheduler, 0)).toEqual(["curious", "doubtful"]);
  });

  test("do not join one that has its slot already", () => {
    const { scheduler } = setUp();
    scheduler.add({ class: "balance", key: "k" }, "first", 0);
    spend(scheduler, 0);
    scheduler.add({ class: "balance", key: "k" }, "second", 1);
    expect(spend(scheduler, 1)).toEqual(["second"]);
  });
});

describe("no one starves", () => {
  test("a want that has waited 59 slots takes the next one, also against doubts", () => {
    const { scheduler } = setUp();
    scheduler.add({ class: "other" }, "patient", 0);
    const taken: (string | undefined)[] = [];
    for (let slot = 0; slot < 61; slot++) {
      scheduler.add({ class: "doubt" }, "doubt", slot);
      taken.push(spend(scheduler, slot)?.[0]);
    }
    expect(taken.indexOf("patient")).toBe(59);
  });

  test("with every class saturated for 600 slots each has its slot within 75", () => {
    const { scheduler } = setUp();
    const servedAt = new Map<string, number>(WANT_CLASSES.map((name) => [name, -1]));
    let longest = 0;
    for (const name of WANT_CLASSES) scheduler.add({ class: name }, name, 0);
    for (let slot = 0; slot < 600; slot++) {
      const name = spend(scheduler, slot)?.[0] ?? "nobody";
      longest = Math.max(longest, slot - (servedAt.get(name) ?? -1));
      servedAt.set(name, slot);
      scheduler.add({ class: name as WantClass }, name, slot + 1);
    }
    for (const at of servedAt.values()) longest = Math.max(longest, 599 - at);
    // 59, and every second slot for each of the seven others.
    expect(longest).toBeLessThanOrEqual(59 + 2 * 7 + 2);
  });

  test("age does not become the only order: a doubt is served at least every second slot of a crowded queue", () => {
    const { scheduler } = setUp();
    for (let i = 0; i < 500; i++) scheduler.add({ class: "other" }, "other", 0);
    let doubts = 0;
    for (let slot = 100; slot < 200; slot++) {
      scheduler.add({ class: "doubt" }, "doubt", slot);
      if (spend(scheduler, slot)?.[0] === "doubt") doubts += 1;
    }
    expect(doubts).toBeGreaterThanOrEqual(45);
  });
});

test("the queue is bounded, and says so", () => {
  const { scheduler } = setUp(2);
  scheduler.add({ class: "quote" }, "a", 0);
  scheduler.add({ class: "quote" }, "b", 0);
  expect(scheduler.add({ class: "doubt" }, "c", 0)).toEqual({
    ok: false,
    error: "queue-full: 2 wants are waiting, limit is 2",
  });
});

const action = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    class: fc.constantFrom(...WANT_CLASSES),
    key: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
    livesMs: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("spend" as const), doubtsOnly: fc.boolean() }),
);

property.prop([fc.array(action, { maxLength: 200 })])(
  "every want is granted once or dropped once, and none is lost",
  (actions) => {
    const { scheduler, dropped } = setUp();
    let ms = 0;
    let slot = 0;
    let added = 0;
    const granted: string[] = [];
    for (const one of actions) {
      ms += 700;
      if (one.kind === "add") {
        const { key, livesMs } = one;
        const extra = { ...(key && { key }), ...(livesMs !== undefined && { deadline: mono(ms + livesMs) }) };
        scheduler.add({ class: one.class, ...extra }, `want ${++added}`, slot);
      } else granted.push(...(spend(scheduler, slot++, { ms, doubtsOnly: one.doubtsOnly }) ?? []));
    }
    const waiting = scheduler.clear();
    const seen = [...granted, ...dropped.map((line) => line.split(":")[0]), ...waiting];
    expect(seen.length).toBe(added);
    expect(new Set(seen).size).toBe(added);
  },
);
