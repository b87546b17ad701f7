// docs/guides/limits.md against the code: each rule has its row, and each limit of the configuration stands in one.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRules } from "../../src/risk/create-rules.ts";
import { riskSchema } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { withPreset } from "../../src/risk/preset.ts";
import { RULES } from "../../src/watch/metrics/meters.ts";

const TEXT = readFileSync("docs/guides/limits.md", "utf8");
const ROWS = [...TEXT.matchAll(/^\| (RC\d\d\w?) \| (.*) \|$/gm)].map(([, code = "", cells = ""]) => {
  const [limits = "", key = "", beyond = "", example = ""] = cells.split("|").map((cell) => cell.trim());
  return { code, limits, key, beyond, example };
});

test("every rule has one row: what it limits, what is beyond it, and an example", () => {
  const everything = { ...paperLimits, heartbeatMsMax: 60_000, rampOrders: 10 };
  const rules = createRules(everything).flatMap(({ code }) => code.split(" "));
  // The states and what is frozen come before and after the rules; RC07H is said by RC07.
  const codes = new Set([...rules, "RC07H", "RC23", "RC24", "RC33"]);
  expect(ROWS.map(({ code }) => code).toSorted()).toEqual([...codes].toSorted());
  for (const { code, limits, beyond, example } of ROWS) {
    expect([code, limits.length > 0, example.length > 0]).toEqual([code, true, true]);
    expect(beyond, code).toMatch(/\b(cut|refuse|freeze|halt)\b/);
  }
});

test("refusals are counted under the code of every rule", () => {
  expect(ROWS.map(({ code }) => code).filter((code) => !RULES.includes(code))).toEqual([]);
});

test("every limit of the configuration stands in a row or is explained below", () => {
  const named = new Set(ROWS.flatMap(({ key }) => [...key.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)));
  const { exit, ...plain } = riskSchema.shape;
  const keys = Object.keys(plain);
  const below = keys.filter((key) => !named.has(key) && TEXT.includes(`\`${key}\``));
  expect(keys.filter((key) => !named.has(key))).toEqual(below);
  expect(below).toEqual(["currency", "markAgeMsMax", "markHaircutBps"]);
  for (const key of Object.keys(exit.unwrap().shape)) expect([key, named.has(key)]).toEqual([key, true]);
});

test("the table of the preset is what the preset sets, of an equity of 100,000", () => {
  const limits = withPreset({ preset: "cautious", equity: "100000", symbols: ["VCHF/CHF"] }).risk as object;
  const shown = (key: string, value: unknown): string => {
    if (typeof value === "object" && value !== null)
      return Object.entries(value)
        .map(([name, one]) => shown(name, one))
        .join(", ");
    if (typeof value === "string") return `${Number(value) / 1_000} %`;
    if (/Bps/.test(key)) return `${value} bp`;
    if (!/Ms/.test(key)) return String(value);
    return Number(value) > 60_000 ? `${Number(value) / 60_000} min` : `${Number(value) / 1_000} s`;
  };
  const rows = [...TEXT.matchAll(/^\| `(\w+)` \| ([^|]*) \| [^|]+ \|$/gm)].map(([, key, value]) => [key, value]);
  const of = Object.entries(limits).filter(([key]) => key !== "symbols");
  expect(rows.filter(([key]) => key && key in limits)).toEqual(of.map(([key, value]) => [key, shown(key, value)]));
});
