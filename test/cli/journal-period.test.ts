// The books of a period: what it began with, what was booked in it, and what it ended with.

import { describe, expect, it } from "vitest";
import { exportJournal } from "../../src/cli/command/journal-export.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import { instrumentOf } from "../support/bench-options.ts";
import { bookingsOf, departed, money, Story, stage, VCHF_CHF } from "./books-stage.ts";

/** Three days, and one between them on which no bot ran. */
function daysTold(): readonly JournalRecord[] {
  const told = new Story();
  told.step({ kind: "instruments", instruments: [instrumentOf(VCHF_CHF)], receivedAt: told.now });
  told.adopt(["1000 CHF", "500 VCHF"], "bot", "the first start", "1499 CHF");
  told.mark("1500 CHF");
  const b1 = told.order("B1", "buy", "100 at 0.998");
  told.filled(b1, { tradeId: undefined, fee: money("0.2 CHF") }, false);
  told.at("2026-01-06T00:00:00.013Z");
  told.mark("1501 CHF");
  told.filled(b1, { tradeId: "X-late", fee: money("0.2 CHF") });
  told.move("payment:P-1", departed("payment", "0 GBP", "0 GBP", "40 GBP"), { value: money("44 CHF") });
  told.move("payment:P-1", { kind: "arrived", at: "account", fee: money("1 GBP") }, { feeValue: money("1.1 CHF") });
  told.filled(told.order("S1", "sell", "60 at 1.06"), { fee: money("0.6 CHF") });
  told.mark("1552 CHF");
  told.at("2026-01-08T09:00:00Z");
  told.adopt(["-5 CHF"], "bea", "a wire by hand", "-5 CHF");
  told.mark("1545 CHF");
  told.filled(told.order("S2", "sell", "10 at 1"));
  return told.records;
}

const JANUARY = (day: number): Millis => millis(Date.UTC(2026, 0, day));

describe("the books of a period", () => {
  it("begin with what was held, have what was booked in it alone, and end with what the next one begins with", async () => {
    const { shell, file, read, close } = await stage(daysTold());
    const month = (from: number, to: number) => {
      const [books, json] = [`b${from}.csv`, `t${from}.json`];
      const period = { from: JANUARY(from), to: JANUARY(to) };
      expect(exportJournal(shell, { books: file(books), json: file(json), ...period })).toBe(0);
      return { rows: bookingsOf(read(books)), totals: JSON.parse(read(json)) };
    };
    const [first, second, empty, third, late] = [month(1, 6), month(6, 7), month(7, 8), month(8, 9), month(20, 21)];
    // The venue named it on the next day.
    expect(first.rows.find(({ id }) => id === "B1")).toMatchObject({ trade_id: "X-late", in_after: "600" });
    const shown = second.rows.map(({ kind, at, in_asset, in: came, out, in_after }) =>
      [kind, at?.slice(0, 10), in_asset, came, out, in_after].join(" "),
    );
    expect(shown).toEqual([
      "opening 2026-01-06 CHF 900  900",
      "opening 2026-01-06 VCHF 600  600",
      "payment-in 2026-01-06 GBP 40  40",
      "payment-in-arrived 2026-01-06 GBP 39 39 39",
      "trade 2026-01-06 CHF 63.6 60 963",
    ]);
    expect(second.totals).toMatchObject({
      period: { from: "2026-01-06", to: "2026-01-07" },
      worth: {
        opening: { value: "1501", ratesAt: "2026-01-06T00:00:00.013Z" },
        ...{ brought: "44", profit: "5", closing: { value: "1550" } },
      },
      inCurrency: { turnover: "63.6", fees: "0.6", realised: "3", brought: "44", railFees: "1.1" },
      pairs: [{ pair: "VCHF/CHF", position: "40", averageCost: { cost: "40", realised: "3" } }],
      differences: [],
    });
    const held = ({ totals }: typeof first) =>
      totals.assets.map((row: { asset: string; held: string }) => [row.asset, row.held]);
    const opening = ({ totals }: typeof first) =>
      totals.assets.map((row: { asset: string; opening: string }) => [row.asset, row.opening]);
    expect(month(2, 5).totals).toMatchObject({ bookings: 0, assets: [] });
    expect(month(3, 5).totals.worth).toEqual({ brought: "0" });
    expect(shell.stderr()).toContain("there is nothing in it: the journal begins after this period");
    expect(held(second)).toEqual(opening(empty));
    expect(held(empty)).toEqual(opening(third));
    expect(empty.totals.worth).toMatchObject({ opening: { value: "1550" }, profit: "0", closing: { value: "1550" } });
    // 3 of the day before are none of its own: 10 for what cost 10.
    expect(third.totals.pairs[0].averageCost).toEqual({ cost: "30", realised: "0" });
    expect(third.totals.worth).not.toHaveProperty("closing");
    exportJournal(shell, { books: file("two.journal"), format: "hledger", from: JANUARY(6), to: JANUARY(8) });
    expect(read("two.journal")).toMatch(/^2026-01-07 \* \(closing\).*\n.*\n +assets:account:CHF +0 CHF = 963 CHF$/m);
    expect(shell.stderr()).toContain("has no equity from 2026-01-09 on; export again");
    expect(held(late)).toEqual(held(third));
    expect(late.totals).toMatchObject({ bookings: 3, worth: {}, differences: [] });
    expect(shell.stdout()).toMatch(
      /^all of it in CHF +opening +brought +profit +closing\nworth +1,501.00 +44.00 +5.00 +1,550.00$/m,
    );
    close();
  });

  it("have no worth where something was brought that nobody could value, and are no period backwards or of all records", async () => {
    const told = new Story();
    told.adopt(["100 CHF"], "bot", "the first start", "100 CHF");
    told.mark("100 CHF");
    told.step({ kind: "adoption", amounts: [money("1 ETH")], reason: "?", receivedAt: told.now, value: undefined });
    told.at("2026-01-06T00:00:00Z");
    told.mark("3000 CHF");
    const { shell, file, read, close } = await stage(told.records);
    exportJournal(shell, { books: file("b.csv"), json: file("t.json"), to: JANUARY(6) });
    const { worth, inCurrency } = JSON.parse(read("t.json"));
    expect(worth).toEqual({
      ...{ opening: { value: "100", ratesAt: "2026-01-05T12:00:02.000Z" } },
      ...{ closing: { value: "3000", ratesAt: "2026-01-06T00:00:00.000Z" } },
    });
    expect(inCurrency.withoutRate.brought).toBe(1);
    const backwards = { books: "-", from: JANUARY(6), to: JANUARY(6) };
    expect(() => exportJournal(shell, backwards)).toThrow("--from must be before --to, was 2026-01-06 and 2026-01-06");
    expect(() => exportJournal(shell, { json: file("a.json"), from: JANUARY(5) })).toThrow(
      /^--from and --to are for --books/,
    );
    close();
  });
});
