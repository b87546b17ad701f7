// A refusal that comes again and again, and the weekend in which everybody knows why.

import { expect, it } from "vitest";
import { createClosedWeek } from "../../../src/app/bot/observers.ts";
import { RefusalEcho } from "../../../src/app/bot/refusal-echo.ts";
import { mono } from "../../../src/domain/time.ts";
import type { LogLine } from "../../../src/watch/log.ts";

function heard({ isQuiet = (_symbol: string): boolean => false } = {}) {
  const said: LogLine[] = [];
  let seconds = 0;
  const log = (line: LogLine): void => void said.push(line);
  const echo = new RefusalEcho({ now: () => mono(seconds * 1_000), log, isQuiet });
  return {
    /** So many seconds with a look every ten and, every second, what is proposed then. */
    passes(count: number, propose: () => void = () => {}) {
      for (let i = 0; i < count; i++) {
        propose();
        seconds++;
        if (seconds % 10 === 0) echo.look();
      }
    },
    ends: () => echo.end(),
    refused(symbol: string | undefined, what = "RC09 sources disagree", rule = "RC09", side = "sell") {
      const fields = { rule, side, symbol };
      const line = { level: "info", event: "decision.refused", text: `refused ${symbol}: ${what}`, fields } as const;
      if (echo.isNew(line)) log(line);
    },
    tells(line: LogLine) {
      if (echo.isNew(line)) log(line);
    },
    texts: () =>
      said.splice(0).map(({ text, fields }) => (fields?.more === undefined ? text : `${text} [${fields.more}]`)),
  };
}

it("is said at once, and then once a minute with its last words and how many there were", () => {
  const log = heard();
  let bps = 30;
  log.passes(121, () => log.refused("VCHF/CHF", `RC09 apart by ${++bps}`));
  expect(log.texts()).toEqual([
    "refused VCHF/CHF: RC09 apart by 31",
    "refused VCHF/CHF: RC09 apart by 90 (the last of 59 more in 0:01:00) [59]",
    "refused VCHF/CHF: RC09 apart by 150 (the last of 60 more in 0:01:00) [60]",
  ]);
});

it("is another one of another rule, side or pair, and new again after a minute without any", () => {
  const log = heard();
  log.refused("VCHF/CHF");
  log.refused("VGBP/GBP");
  log.refused("VCHF/CHF", "RC19 pair", "RC19");
  log.refused("VCHF/CHF", "other side", "RC09", "buy");
  log.refused("VCHF/CHF", "said already");
  expect(log.texts()).toHaveLength(4);
  log.passes(60);
  expect(log.texts()).toEqual(["refused VCHF/CHF: said already (the last of 1 more in 0:01:00) [1]"]);
  log.passes(60);
  log.refused("VCHF/CHF", "new");
  expect(log.texts()).toEqual(["refused VCHF/CHF: new"]);
});

it("is said with its count at the end of a run too, once, also where nothing more was to be said of the pair", () => {
  const log = heard({ isQuiet: () => true });
  log.passes(100, () => log.refused("VGBP/GBP"));
  log.refused("VCHF/CHF");
  log.texts();
  log.ends();
  log.ends();
  expect(log.texts()).toEqual(["refused VGBP/GBP: RC09 sources disagree (the last of 99 more in 0:01:40) [99]"]);
});

it("of an answer that is no proposal has no pair that a weekend could be asked of", () => {
  const log = heard({ isQuiet: (symbol) => symbol.endsWith("/GBP") });
  log.passes(60, () => log.refused(undefined, "PR01 a list", "PR01"));
  expect(log.texts()).toHaveLength(2);
});

it("of ever other pairs is told apart up to a thousand of them, and then by its rule", () => {
  const log = heard({ isQuiet: () => true });
  for (let i = 0; i < 3_000; i++) log.refused(`P${i}/CHF`, "PR02 not listed", "PR02");
  expect(log.texts()).toHaveLength(1_001);
  log.refused("VCHF/CHF");
  log.refused("VCHF/CHF");
  log.ends();
  expect(log.texts()).toEqual([
    "refused VCHF/CHF: RC09 sources disagree",
    "refused P2999/CHF: PR02 not listed (the last of 1999 more in 0:00:00) [1999]",
    "refused VCHF/CHF: RC09 sources disagree (the last of 1 more in 0:00:00) [1]",
  ]);
});

it("alone is counted: what else is told is told each time", () => {
  const log = heard();
  for (let i = 0; i < 3; i++) log.tells({ level: "info", event: "decision.approved", text: "sell" });
  expect(log.texts()).toEqual(["sell", "sell", "sell"]);
});

it("a weekend is said once with its end, and a refusal of what rests on it once while it lasts", () => {
  const said: string[] = [];
  let until: number | undefined;
  const week = createClosedWeek(
    () => until,
    (text) => void said.push(text),
  );
  const log = heard({ isQuiet: (symbol) => week.isClosed && symbol !== "VCHF/CHF" });
  const looks = () => {
    for (let i = 0; i < 3; i++) week.look();
  };
  looks();
  expect([week.isClosed, ...said]).toEqual([false]);
  until = Date.UTC(2026, 10, 15, 22);
  looks();
  expect(said).toEqual([
    "the currency markets are closed until 2026-11-15 22:00 UTC (market.weekend); the same refusal of what rests on them is said once until then",
  ]);
  log.passes(3_600, () => log.refused("VGBP/GBP"));
  expect(log.texts()).toEqual(["refused VGBP/GBP: RC09 sources disagree"]);
  // A pair that trades on.
  log.passes(60, () => log.refused("VCHF/CHF"));
  expect(log.texts()).toHaveLength(2);
  until = undefined;
  looks();
  log.passes(10);
  expect(said.slice(1)).toEqual(["the currency markets are open again"]);
  expect(log.texts()).toEqual(["refused VGBP/GBP: RC09 sources disagree (the last of 3599 more in 1:01:10) [3599]"]);
});
