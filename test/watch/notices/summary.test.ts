// The summary of a day: when it comes, and which sums it may say.

import { describe, expect, test } from "vitest";
import { type Millis, millis } from "../../../src/domain/time.ts";
import { AT, quietStatus, submission } from "../look.ts";
import { staged } from "./notice-bench.ts";

describe("people are told", () => {
  test("once a day how things stand, at the minute that was set, and not at a start after it", async () => {
    const { notices, texts, pass } = staged({ summaryMinute: 6 * 60 });
    const at = (day: number, time: string) => millis(Date.parse(`2026-11-${day}T${time}:00Z`));
    const startedAt = at(15, "07:00");
    const equity = {
      currency: "CHF",
      now: "1197848.4919734653475",
      today: "5",
      realised: "2",
      turnover: "50",
      orders: 1,
    };
    for (const moment of [
      at(15, "07:01"),
      at(15, "23:59"),
      at(16, "05:59"),
      at(16, "06:00"),
      at(16, "06:01"),
      at(17, "06:30"),
    ])
      notices.look(quietStatus({ at: moment, startedAt, equity }));
    await pass(0);
    const summary =
      "ACTIVE, reading. Equity 1,197,848.49 CHF (at mid -, at par -), today 5.00 CHF. Since unknown: unknown (realised unknown; fees of trades unknown, mints unknown, rails unknown), traded unknown, fills unknown, refused unknown. Since the journal began unknown. Doubts 0, mints and rails under way 0";
    expect(texts()).toEqual([summary, summary]);
  });

  test("in a summary of all that was since the last one, whichever process told that", async () => {
    const kept: string[] = [];
    const summaryMemory = { load: () => kept.at(-1), save: (text: string) => void kept.push(text) };
    let startedAt = millis(Date.parse("2026-11-15T07:00:00Z"));
    const status = (time: string, now: string | undefined, fills: number, brought = "0") =>
      quietStatus({
        at: millis(Date.parse(`2026-11-${time}:00Z`)),
        startedAt,
        equity: { currency: "CHF", now, today: "1", realised: "7", turnover: "7", orders: 1 },
        totals: {
          currency: "CHF",
          approved: 90,
          refused: 2 * fills,
          fills,
          turnover: String(1_000 * fills),
          fees: String(fills),
          mintFees: String(5 * fills),
          railFees: "1",
          unvaluedFees: 0,
          realised: String(3 * fills),
          brought,
          unvalued: 0,
        },
      });
    const first = staged({ summaryMinute: 6 * 60, summaryMemory });
    // Equity is known only once there are prices.
    first.notices.look(status("15T06:59", undefined, 10));
    first.notices.look(status("15T07:00", "1000", 10));
    first.notices.look(status("15T07:01", "1040", 15));
    first.notices.look(status("16T06:00", "1100", 30));
    await first.pass(0);
    // Fills 30 - 10, realised 3 * 20, fees 20 and 5 * 20, refused 2 * 20, change 1100 - 1000.
    const since = (from: string, sums: string) =>
      expect.stringContaining(`Since 2026-11-${from} UTC: ${sums}. Since the journal began realised +`);
    expect(first.texts()).toEqual([
      since(
        "15 07:00",
        "100.00 CHF (realised 60.00 CHF; fees of trades 20.00 CHF, mints 100.00 CHF, rails 0.00 CHF), traded 20,000.00 CHF, fills 20, refused 40",
      ),
    ]);
    const next = staged({ summaryMinute: 6 * 60, summaryMemory });
    startedAt = millis(Date.parse("2026-11-17T05:45:00Z"));
    next.notices.look(status("17T05:50", "1205", 34, "100"));
    next.notices.look(status("17T06:00", "1205", 35, "100"));
    await next.pass(0);
    // 1205 - 1100, less the 100 that somebody brought.
    expect(next.texts()).toEqual([
      since(
        "16 06:00",
        "5.00 CHF (realised 15.00 CHF; fees of trades 5.00 CHF, mints 25.00 CHF, rails 0.00 CHF), traded 5,000.00 CHF, fills 5, refused 10",
      ),
    ]);
    // Of another journal, which has less than what is kept: it begins with what is seen first.
    const anew = staged({ summaryMinute: 6 * 60, summaryMemory });
    startedAt = millis(Date.parse("2026-11-18T05:45:00Z"));
    anew.notices.look(status("18T05:50", "1205", 1));
    anew.notices.look(status("18T06:00", "1205", 2));
    await anew.pass(0);
    expect(anew.texts()).toEqual([
      since(
        "18 05:50",
        "0.00 CHF (realised 3.00 CHF; fees of trades 1.00 CHF, mints 5.00 CHF, rails 0.00 CHF), traded 1,000.00 CHF, fills 1, refused 2",
      ),
    ]);
    // What no version wrote is of no use either: it begins with what is seen first.
    for (const equity of ["1.2.3", ".", "1".repeat(23)]) {
      const broken = { ...JSON.parse(kept.at(-1) ?? ""), equity };
      const beside = staged({
        summaryMinute: 6 * 60,
        summaryMemory: { load: () => JSON.stringify(broken), save: () => {} },
      });
      startedAt = millis(Date.parse("2026-11-19T05:45:00Z"));
      beside.notices.look(status("19T05:50", "1205", 2));
      beside.notices.look(status("19T06:00", "1205", 3));
      await beside.pass(0);
      expect(beside.texts()).toEqual([expect.stringContaining("Since 2026-11-19 05:50 UTC: 0.00 CHF")]);
    }
  });
});

test("a summary says no sum of what could not be valued, nor of another currency", async () => {
  const totals = { currency: "CHF", approved: 1, refused: 1, fills: 1, turnover: "1", fees: "1", realised: "1" };
  const more = { mintFees: "1", railFees: "1", unvaluedFees: 0, brought: "0", unvalued: 0 };
  const at = millis(AT - 3_600_000);
  const summaryAfter = async (kept: { totals?: object; [name: string]: unknown }, now: object, equity?: string) => {
    const load = (): string =>
      JSON.stringify({ at, equity: "1000", ...kept, totals: { ...totals, ...more, ...kept.totals } });
    const { notices, texts, pass } = staged({ summaryMinute: 7 * 60 + 30, summaryMemory: { load, save: () => {} } });
    notices.look(
      quietStatus({
        startedAt: at,
        equity: { currency: "CHF", now: equity, today: "1", realised: "1", turnover: "1", orders: 1 },
        totals: { ...totals, ...more, ...now },
        open: ["mint", "rail", "order"].map((kind) => submission(kind, "confirmed", 1)),
      }),
    );
    await pass(0);
    const [text = ""] = texts();
    expect(text).toContain("mints and rails under way 2");
    return /Since (.*?): (.*?) \(.*mints (.*?), rails/.exec(text)?.slice(1);
  };
  const before = "2026-11-15 07:00 UTC";
  expect(await summaryAfter({}, { mintFees: "3" }, "1010")).toEqual([before, "10.00 CHF", "2.00 CHF"]);
  expect(await summaryAfter({}, { unvalued: 1 }, "1010")).toEqual([before, "unknown", "0.00 CHF"]);
  expect(await summaryAfter({}, { unvaluedFees: 1 }, "1010")).toEqual([before, "10.00 CHF", "unknown"]);
  expect(await summaryAfter({}, {})).toEqual([before, "unknown", "0.00 CHF"]);
  expect(await summaryAfter({ equity: undefined }, {}, "1010")).toEqual([before, "unknown", "0.00 CHF"]);
  // What does not fit begins with what is seen first: now.
  const now = "2026-11-15 08:00 UTC";
  expect(await summaryAfter({ totals: { currency: "EUR" } }, {}, "1010")).toEqual([now, "0.00 CHF", "0.00 CHF"]);
  expect(await summaryAfter({ at: AT + 1 }, {}, "1010")).toEqual([now, "0.00 CHF", "0.00 CHF"]);
});

test("a summary begins where the one before it ended, also where equity was not known then", async () => {
  const { notices, texts, pass } = staged({ summaryMinute: 6 * 60 });
  const zeros = { turnover: "0", fees: "0", mintFees: "0", railFees: "0", realised: "0", brought: "0" };
  const totals = { currency: "CHF", approved: 0, refused: 0, fills: 0, unvaluedFees: 0, unvalued: 0, ...zeros };
  for (const [time, now] of [
    ["15T07:00", "1000"],
    ["16T06:00", undefined],
    ["16T12:00", "1100"],
    ["17T06:00", "1200"],
    ["18T06:00", "1350"],
  ] as const) {
    const [at, startedAt] = [time, "15T07:00"].map((text) => millis(Date.parse(`2026-11-${text}:00Z`)));
    const equity = { currency: "CHF", now, today: "0", realised: "0", turnover: "0", orders: 0 };
    notices.look(quietStatus({ at: at as Millis, startedAt: startedAt as Millis, equity, totals }));
  }
  await pass(0);
  expect(texts().map((text) => /Since (.*?) \(/.exec(text)?.[1])).toEqual([
    "2026-11-15 07:00 UTC: unknown",
    "2026-11-16 06:00 UTC: unknown",
    "2026-11-17 06:00 UTC: 150.00 CHF",
  ]);
});
