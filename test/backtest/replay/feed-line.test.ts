import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { type Feed, FeedLine } from "../../../backtest/replay/feed.ts";

class Times implements Feed {
  private readonly times: number[];

  constructor(times: readonly number[]) {
    this.times = times.toSorted((a, b) => a - b);
  }

  get nextAt(): number {
    return this.times[0] ?? Number.POSITIVE_INFINITY;
  }

  take(): readonly never[] {
    this.times.shift();
    return [];
  }
}

property.prop([fc.array(fc.array(fc.nat(9)), { maxLength: 4 })])(
  "prices come by their time, at the same time of the first feed in the list",
  (lists) => {
    const feeds = lists.map((times) => new Times(times));
    const line = new FeedLine(feeds);
    const wanted = lists.flatMap((times, feed) => times.map((at) => ({ at, feed })));
    for (const { at, feed } of wanted.toSorted((a, b) => a.at - b.at || a.feed - b.feed)) {
      expect(line.next).toBe(feeds[feed]);
      expect(line.nextAt).toBe(at);
      line.next?.take();
      line.look();
    }
    expect(line.nextAt).toBe(Number.POSITIVE_INFINITY);
  },
);

test("no prices come of a line that was ended", () => {
  const line = new FeedLine([new Times([1]), new Times([2])]);
  line.end();
  expect([line.next, line.nextAt]).toEqual([undefined, Number.POSITIVE_INFINITY]);
});
