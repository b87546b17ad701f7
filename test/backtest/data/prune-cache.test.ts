import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pruneCache } from "../../../backtest/data/file/cache.ts";
import { millis } from "../../../src/domain/time.ts";
import { newFolder } from "./stage.ts";

const DAY = 86_400_000;
const NOW = millis(Date.UTC(2026, 5, 20));

/** Files of a hundred bytes, last used so many days ago. */
function cacheOf(ages: Readonly<Record<string, number>>): string {
  const folder = newFolder();
  for (const [name, days] of Object.entries(ages)) {
    writeFileSync(join(folder, name), "x".repeat(100));
    const usedAt = (NOW - days * DAY) / 1_000;
    utimesSync(join(folder, name), usedAt, usedAt);
  }
  return folder;
}

it("what was used longest ago makes room first, and no more than is needed", () => {
  const folder = cacheOf({ a: 5, b: 30, c: 10, d: 2 });
  pruneCache(folder, [], { bytesMax: 250, now: NOW });
  expect(readdirSync(folder).sort()).toEqual(["a", "d"]);
});

it("using an entry makes it the youngest", () => {
  const folder = cacheOf({ a: 5, b: 30, c: 10 });
  pruneCache(folder, [join(folder, "b")], { bytesMax: 100, now: NOW });
  expect(readdirSync(folder)).toEqual(["b"]);
});

it("nothing goes while there is room, and what was used within a day stays in any case", () => {
  const folder = cacheOf({ a: 5, b: 0.5, c: 0.1 });
  pruneCache(folder, [], { bytesMax: 300, now: NOW });
  expect(readdirSync(folder)).toHaveLength(3);
  pruneCache(folder, [], { bytesMax: 50, now: NOW });
  expect(readdirSync(folder).sort()).toEqual(["b", "c"]);
});
