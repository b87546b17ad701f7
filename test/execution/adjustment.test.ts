// Venue against journal as a whole: what a start makes of it, and what is compared.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { compareWithVenue, comparisonAsks } from "../../src/execution/adjustment.ts";
import type { Answer } from "../../src/execution/effects.ts";
import { Keeping, opened, orderOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";
import { asked, compared, foreignTrade, mintOf, started } from "./sight.ts";

describe("a start", () => {
  test("reads all histories first, and the balances last", () => {
    const witnesses = comparisonAsks([VCHF]).map(({ witness, asset }) => [witness, asset]);
    expect(witnesses).toEqual([
      ["trades", undefined],
      ["orders", undefined],
      ["rails", undefined],
      ["supply-changes", VCHF],
      ["balances", undefined],
    ]);
    expect(new Set(comparisonAsks([VCHF], true).map((ask) => ask.class))).toEqual(new Set(["doubt"]));
    const withRails = comparisonAsks([], true).map(({ witness }) => witness);
    expect(withRails).toEqual(["trades", "orders", "rails", "payments", "balances"]);
  });

  test("on an untouched account opens the books with the venue's balances, and is ready from then on", () => {
    const bot = new Keeping();
    const start = started(bot, { balances: { CHF: "1000", VCHF: "0" } });
    expect(start).toMatchObject({
      kind: "first",
      note: "first start: the venue's balances are the opening entry: 1000 CHF, 0 VCHF",
      plan: {
        record: { history: { until: undefined, ids: [] }, by: "bot" },
        event: { kind: "adoption", amounts: [Money.of("1000", CHF), Money.zero(VCHF)] },
      },
    });
    expect(started(new Keeping(), { balances: {} })).toMatchObject({
      note: "first start: the venue's balances are the opening entry: none",
    });
    if (start.kind !== "first") return;
    bot.adopt(start.plan.record);
    expect(started(bot, { balances: { CHF: "1000", VCHF: "0" } })).toEqual({ kind: "ready" });
    expect(bot.controls).toEqual([]);
  });

  test.each([
    ["a trade", { trades: [foreignTrade("A-9")] }],
    ["an order", { orders: [orderOf("A-9", "Rejected")] }],
    ["a rail", { rails: [{ railId: "r1", status: "pending", reason: undefined }] }],
    ["a mint", { mints: [mintOf("m1")] }],
  ] as const)("with an empty journal beside %s refuses, and names adopt", (_what, sight) => {
    expect(started(new Keeping(), sight)).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/^the journal is empty, and the venue shows .*: the books must not begin at zero$/),
      wayOut: "pegbot adopt",
    });
  });

  test("opens the books by what is available where the venue states no pending part, and on no negative balance", () => {
    expect(started(new Keeping(), { balances: { CHF: "1000+?" } })).toMatchObject({
      kind: "first",
      plan: { record: { amounts: [Money.of("1000", CHF)] } },
    });
    expect(started(new Keeping(), { balances: { CHF: "-1" } })).toEqual({
      kind: "refused",
      reason: "balances must not be negative, was -1 CHF",
      wayOut: "pegbot adopt",
    });
  });

  test("after rows or with balances that the journal does not know is ready: their halts stop the bot", () => {
    const bot = opened();
    expect(started(bot, { trades: [foreignTrade("A-9")] })).toEqual({ kind: "ready" });
    expect(bot.trades([foreignTrade("A-9")]).controls).toMatchObject([{ cause: "foreign", subject: "order o-x" }]);
    const other = opened();
    const balances = { CHF: "1000", VCHF: "0", EUR: "5" };
    expect(started(other, { balances })).toEqual({ kind: "ready" });
    expect(other.balances(balances).executor.freeze(other.now)).toMatchObject({ kind: "assets", assets: ["EUR"] });
  });

  test("with an unknown outcome is ready where it explains the difference: its assets are frozen", () => {
    const bot = opened();
    bot.doubt();
    expect(started(bot, { balances: { CHF: "899.95", VCHF: "100" } })).toEqual({ kind: "ready" });
    expect(bot.executor.freeze(bot.now).kind).toBe("assets");
  });

  test("is not judged without every witness", () => {
    const bot = opened();
    expect(compareWithVenue(bot.executor, [], bot.accounts, bot.now)).toEqual({
      ok: false,
      error: "the venue's trades must be read, and were not",
    });
    const witnesses = ["trades", "orders", "rails", "balances"] as const;
    const answers = witnesses.map((witness, i) => ({ ...asked(bot), witness, rows: [], receivedAt: millis(7 - i) }));
    for (const missing of witnesses) {
      const others = answers.filter(({ witness }) => witness !== missing) as readonly Answer[];
      expect(compareWithVenue(bot.executor, others, bot.accounts, bot.now)).toMatchObject({
        error: `the venue's ${missing} must be read, and were not`,
      });
    }
    // As of the youngest of them.
    const all = compareWithVenue(bot.executor, answers as readonly Answer[], bot.accounts, bot.now);
    expect(all).toMatchObject({ value: { receivedAt: 7 } });
  });
});

describe("venue and books are compared", () => {
  test("asset by asset, with everything of ours that is open or young in each", () => {
    const bot = opened();
    const filled = bot.fill();
    const unknown = bot.at(7).doubt();
    const { differences, items } = compared(bot, { balances: { VCHF: "0", EUR: "1", CHF: "1" } });
    expect(differences).toMatchObject([
      { asset: "CHF", venue: Money.of("1", CHF), ledger: Money.of("899.95", CHF) },
      { asset: "EUR", ledger: undefined, ours: [] },
      { asset: "VCHF", venue: Money.zero(VCHF), ledger: Money.of("100", VCHF) },
    ]);
    const [chf, , vchf] = differences;
    expect([chf?.ours, vchf?.ours].map((ours) => ours?.map(({ id }) => id))).toEqual([
      [filled, unknown],
      [filled, unknown],
    ]);
    expect(chf?.ours.map(({ text }) => text)).toEqual([
      `${filled}, booked at 1970-01-01T00:00:00Z`,
      `${unknown}, outcome unknown`,
    ]);
    expect(items.map(({ id }) => id)).toEqual([unknown]);
  });
});
