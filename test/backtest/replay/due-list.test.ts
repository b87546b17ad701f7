import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { Due, DueList } from "../../../backtest/replay/virtual-time.ts";

property.prop([fc.array(fc.record({ which: fc.nat(5), at: fc.nat(9), isRemoved: fc.boolean() }))])(
  "what is due comes by its time, and at the same time in the order in which it was put in",
  (changes) => {
    const list = new DueList();
    const dues = Array.from({ length: 6 }, () => new Due(() => undefined));
    let waiting: { readonly due: Due; readonly at: number }[] = [];
    for (const { which, at, isRemoved } of changes) {
      const due = dues[which] as Due;
      list.remove(due);
      waiting = waiting.filter((one) => one.due !== due);
      if (isRemoved) continue;
      list.add(due, at);
      waiting.push({ due, at });
    }
    for (const { due, at } of waiting.toSorted((a, b) => a.at - b.at)) {
      expect([list.nextAt, due.at]).toEqual([at, at]);
      expect(list.take()).toBe(due);
      expect(due.at).toBe(Number.POSITIVE_INFINITY);
    }
    expect([list.nextAt, list.take()]).toEqual([Number.POSITIVE_INFINITY, undefined]);
  },
);

test("what is due again is put in again by itself, while it happens", () => {
  const list = new DueList();
  const at: number[] = [];
  const tick = new Due(() => {
    at.push(list.nextAt);
    list.add(tick, at.length * 10);
  });
  list.add(tick, 5);
  for (let i = 0; i < 3; i++) list.take()?.run();
  expect(at).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  expect(list.nextAt).toBe(30);
});
