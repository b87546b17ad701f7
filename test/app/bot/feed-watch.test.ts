// What is wrong with the prices of a feed is logged once, and its end.

import { expect, it } from "vitest";
import { feedWatch } from "../../../src/app/bot/watches.ts";
import type { StatusBoard } from "../../../src/watch/status/status-board.ts";

it("the prices of a feed that two looks in a row find wrong are logged once, and once when that is over; a failing feed is not", () => {
  const said: string[] = [];
  let trouble: string | undefined;
  let isFailing = false;
  const board = { snapshot: () => ({ feeds: [{ name: "kraken", trouble }] }), isFailing: () => isFailing };
  const look = feedWatch(board as unknown as StatusBoard, (level, text) => void said.push(`${level} ${text}`));
  const looks = (count: number, found: string | undefined): readonly string[] => {
    trouble = found;
    for (let i = 0; i < count; i++) look();
    return said.splice(0);
  };
  expect(looks(1, "USD/CHF is crossed")).toEqual([]);
  expect(looks(5, "USD/CHF is crossed")).toEqual(["warn reference kraken: USD/CHF is crossed"]);
  isFailing = true;
  expect(looks(5, "does not answer")).toEqual([]);
  isFailing = false;
  expect(looks(5, undefined)).toEqual(["info reference kraken: its prices are as they should be again"]);
  // For a moment.
  expect([...looks(1, "crossed"), ...looks(1, undefined), ...looks(1, "crossed")]).toEqual([]);
});
