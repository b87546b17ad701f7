// Which of the venue's lists cannot be read, and since when.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { mono } from "../../../src/domain/time.ts";
import { listName, Unread } from "../../../src/execution/history/unread.ts";

const changes = (asset: string) => ({ witness: "supply-changes", asset: asset as Asset }) as const;

test("the supply changes of one coin are another list than those of another", () => {
  const unread = new Unread();
  unread.failed(changes("VCHF"), "unreadable", mono(1_000));
  unread.failed(changes("VGBP"), "unreadable", mono(2_000));
  unread.answered(changes("VGBP"));
  expect([unread.has(changes("VCHF")), unread.has(changes("VGBP"))]).toEqual([true, false]);
  expect([unread.isFor(changes("VCHF"), 500, mono(1_499)), unread.isFor(changes("VCHF"), 500, mono(1_500))]).toEqual([
    false,
    true,
  ]);
  expect(listName(changes("VCHF"))).toBe("supply changes of VCHF");
  // No order waits for them.
  expect(unread.reason(500, mono(9_000))).toBeUndefined();
});

test("counts how often a list failed in the same way in a row, since it was last read", () => {
  const unread = new Unread();
  const fail = (code: string, at: number) => unread.failed({ witness: "trades" }, code, mono(at));
  expect([fail("forbidden", 1), fail("forbidden", 2), fail("timeout", 3), fail("forbidden", 4)]).toEqual([1, 2, 1, 1]);
  expect(unread.reason(100, mono(101))).toMatch(/^the venue's trades cannot be read for /);
  unread.answered({ witness: "trades" });
  expect([unread.reason(100, mono(101)), fail("forbidden", 105)]).toEqual([undefined, 1]);
});
