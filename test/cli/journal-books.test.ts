// `journal export --books`: what a bookkeeper gets of a journal, by hand to the last digit.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Totals } from "../../src/bot/bookkeeping/reconciled.ts";
import { exportJournal } from "../../src/cli/command/journal-export.ts";
import { month } from "../../src/cli/option/values.ts";
import { needs } from "../support/needs.ts";
import { bookingsOf, departed, money, Story, stage, story } from "./books-stage.ts";

describe("the books of a journal", () => {
  it("have each movement of money once, with fee, cost, profit and what is held after it", async () => {
    const { shell, file, read, close } = await stage(story());
    expect(exportJournal(shell, { books: file("b.csv"), json: file("t.json") })).toBe(0);
    expect(statSync(file("b.csv")).mode & 0o777).toBe(0o600);
    const rows = bookingsOf(read("b.csv"));
    const totals: Record<string, string>[] = JSON.parse(read("t.json")).assets;
    const shown = rows.map((row) => {
      const leg = (name: string, to: string) =>
        row[name] === undefined
          ? ""
          : ` ${name} ${row[name]} ${row[`${name}_asset`]} ${row[to]} (${row[`${name}_after`]})`;
      return `${row.kind} ${row.id ?? ""}${leg("in", "in_to")}${leg("out", "out_of")}${leg("fee", "fee_from")}`;
    });
    expect(shown).toEqual([
      "opening  in 1000 CHF account (1000)",
      "opening  in 500 VCHF account (500)",
      "opening  in 100 GBP account (100)",
      "trade S0 in 50.1 CHF account (1050.1) out 50 VCHF account (450)",
      "trade B1 in 100 VCHF account (550) out 99.8 CHF account (950.1) fee 0.2 CHF account (950.1)",
      "trade B2 in 103 VCHF account (650) out 103 CHF account (847.1) fee 3 VCHF account (650)",
      "trade S1 in 63.6 CHF account (910.1) out 60 VCHF account (590) fee 0.6 CHF account (910.1)",
      "trade S2 in 9.9 CHF account (920) out 9.9 VCHF account (580) fee 0.1 VCHF account (580)",
      "trade Z in 20 VCHF account (600) out 20 CHF account (900)",
      "trade R in 10 VGBP account (10) out 10 GBP account (90)",
      "mint M-1 in 100 VCHF in flight (100) out 100 CHF account (799.5) fee 0.5 CHF account (799.5)",
      "mint-arrived M-1 in 100 VCHF account (700) out 100 VCHF in flight (0)",
      "payment-in payment:P-1 in 40 GBP in flight (40)",
      "payment-in-arrived payment:P-1 in 39 GBP account (129) out 39 GBP in flight (0) fee 1 GBP in flight (0)",
      "payment-out payment:P-2 in 29.7 CHF in flight (29.7) out 29.7 VCHF account (670) fee 0.3 VCHF account (670)",
      "payment-out-arrived payment:P-2 out 29.7 CHF in flight (0)",
      "mint M-2 in 10 VCHF in flight (10) out 10 CHF account (789.4) fee 0.1 CHF account (789.4)",
      "mint-returned M-2 in 10 CHF account (799.5) out 10 VCHF in flight (0) fee -0.1 CHF account (799.5)",
      "adoption  out 5 CHF account (794.5)",
    ]);
    expect(totals.map((row) => [row.asset, row.in, row.out, row.fees, row.held, row.realised])).toEqual([
      // Without the opening 1000: 50.1 + 63.6 + 9.9 + 29.7 + 10 in, 99.8 + 103 + 20 + 100 + 29.7 + 10 + 5 out, fees of 0.2 + 0.6 + 0.5.
      ["CHF", "163.3", "367.5", "1.3", "794.5", "1.6"],
      // 40 once, not when it departs and 39 of it again when it arrives.
      ["GBP", "40", "10", "1", "129", "0"],
      // 500 + 333 - 159.6 - 3.4 = 670; of the 333 the 100 minted once, and 10 that came back as CHF.
      ["VCHF", "333", "159.6", "3.4", "670", "0"],
      ["VGBP", "10", "0", "0", "10", "0"],
    ]);
    const profit = rows
      .filter(({ kind }) => kind === "trade")
      .map((row) => [
        row.id,
        row.closed,
        row.cost,
        row.proceeds,
        row.realised,
        row.unknown_cost_of,
        row.position,
        row.position_cost,
      ]);
    expect(profit).toEqual([
      ["S0", undefined, "unknown", undefined, undefined, "50", "-50", "-50.1"],
      // Bought back for 50 of the 100 paid, sold for 50.1.
      ["B1", "50", "50", "50.1", "0.1", undefined, "50", "50"],
      ["B2", undefined, undefined, undefined, undefined, undefined, "150", "153"],
      // 153 / 150 x 60 = 61.2.
      ["S1", "60", "61.2", "63", "1.8", undefined, "90", "91.8"],
      ["S2", "10", "10.2", "9.9", "-0.3", undefined, "80", "81.6"],
      ["Z", undefined, undefined, undefined, undefined, undefined, "100", "101.6"],
      ["R", undefined, undefined, undefined, undefined, undefined, "10", "10"],
    ]);
    const rest = rows.map((row) => {
      const of = (...names: string[]) => names.map((name) => row[name] ?? "-").join(" ");
      const second = (name: string) => row[name]?.slice(17, 19) ?? "-";
      const who = row.by === undefined && row.note === undefined ? "" : ` by ${of("by")}: ${row.note}`;
      const ids = `${Number.parseInt(row.transaction ?? "", 10)} ${second("at")} ${second("venue_at")} ${of("venue_id", "trade_id", "side", "price")}`;
      return `${ids} worth ${of("value", "fee_value", "realised_value", "value_currency")}${who}`;
    });
    expect(rest).toEqual([
      "4 02 - - - - - worth 1610 - - CHF by bot: the first start",
      "4 02 - - - - - worth - - - - by bot: the first start",
      "4 02 - - - - - worth - - - - by bot: the first start",
      "7 05 04 O-S0 X-S0 sell 1.002 worth 50.1 0 - CHF",
      "9 07 06 O-B1 X-late buy 0.998 worth 99.8 0.2 0.1 CHF",
      "11 09 08 O-B2 X-B2 buy 1 worth 103 3 - CHF",
      "14 12 11 O-S1 X-S1 sell 1.06 worth 63.6 0.6 1.8 CHF",
      "16 14 13 O-S2 X-S2 sell 1 worth 9.9 0.1 -0.3 CHF",
      "23 21 15 O-Z X-Z buy 1 worth 20 0 - CHF by -: filled after it had been given up",
      "26 24 22 O-R - buy 1 worth 11 0 - CHF by anna: seen in the portal",
      "28 26 - Q-1 0xab - - worth - 0.5 - CHF by dora: support says so",
      "29 27 - Q-1 0xab - - worth - - - -",
      "30 28 - P-1 - - - worth 44 - - CHF",
      "31 29 - P-1 - - - worth - 1.1 - CHF",
      "32 30 - P-2 - - - worth - 0.3 - CHF",
      "33 31 - P-2 - - - worth -29.7 - - CHF",
      "36 34 - Q-2 - - - worth - 0.1 - CHF",
      "39 37 - Q-2 0xcd - - worth - -0.1 - CHF by emil: papers were missing",
      "41 39 - - - - - worth -5 - - CHF by bea: a wire by hand",
    ]);
    const NONE = "undefined undefined";
    expect(rows[0]).toMatchObject({ at: "2026-01-05T12:00:02.000Z", cost: "unknown" });
    expect(rows.filter(({ kind }) => kind !== "trade").map((row) => `${row.cost} ${row.unknown_cost_of}`)).toEqual([
      ...["unknown 1000", "unknown 500", "unknown 100", NONE, NONE, "unknown 40"],
      ...Array(6).fill(NONE),
    ]);
    close();
  });

  it("are read by hledger without an error, come to what is held there, and are the same when written again", async () => {
    const { shell, file, read, close } = await stage(story());
    onTestFinished(close);
    const books = (name: string, more: object = {}) =>
      exportJournal(shell, { books: file(name), format: "hledger", ...more });
    expect([books("b.journal"), books("again.journal"), books("m.journal", { month: month("2026-01") })]).toEqual([
      0, 0, 0,
    ]);
    expect(read("again.journal")).toBe(read("b.journal"));
    // January is not over.
    expect(read("m.journal")).toMatch(/^2026-01-05 \* \(closing\)/m);
    const hledger = (...args: string[]) => spawnSync("hledger", ["-f", ...args], { encoding: "utf8" });
    needs("hledger");
    for (const name of ["b.journal", "m.journal"])
      expect(hledger(file(name), "check")).toMatchObject({ status: 0, stderr: "" });
    const held = hledger(file("b.journal"), "balance", "assets", "--depth", "1", "-N", "--flat").stdout;
    const sums = held.match(/\S+ [A-Z]+/g)?.map((text) => String(money(text)));
    expect(sums).toEqual(["794.5", "129", "670", "10"]);
    // Of the story's last trades: what is not sold is at its average cost, and the rest is profit.
    const rest = hledger(file("b.journal"), "balance", "income", "-N", "--flat").stdout;
    expect(rest.match(/\S+ [A-Z]+/g)).toEqual(["-1.6 CHF"]);
  });

  it("have totals by asset, by pair at average cost, and in the currency of the limits", async () => {
    const { shell, file, read, close } = await stage(story());
    expect(exportJournal(shell, { books: file("b.csv"), json: file("t.json") })).toBe(0);
    expect(shell.stdout()).toMatch(/^asset +opening +in +out +fees +held +in flight of it +realised$/m);
    const totals = JSON.parse(read("t.json"));
    expect(totals).toMatchObject({ bookings: 19, currency: "CHF", differences: [] });
    expect(totals.last).toEqual({ sequence: 41, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(totals).not.toHaveProperty("damage");
    // 50.1 + 99.8 + 103 + 63.6 + 9.9 + 20 + 10 GBP at 1.1; 0.2 + 3 + 0.6 + 0.1; 1.1 + 0.3; 44 - 29.7 - 5.
    expect(totals.inCurrency).toEqual({
      ...{ turnover: "357.4", fees: "3.9", realised: "1.6", mintFees: "0.5", railFees: "1.4", brought: "9.3" },
      withoutRate: { fills: 0, brought: 0, fees: 0 },
    });
    expect(totals.pairs[0]).toEqual({
      ...{ pair: "VCHF/CHF", position: "100" },
      averageCost: { cost: "101.6", realised: "1.6" },
    });
    close();
  });

  it("count in the currency of the journal's first mark, and what is on its way as held; on stdout they are alone", async () => {
    const told = new Story();
    told.adopt(["100 GBP"], "bot", "the first start", "100 GBP");
    told.step({ kind: "timer", receivedAt: told.now }, { mark: money("100 GBP") });
    told.move("payment:P-1", departed("payment", "0 GBP", "0 GBP", "5 GBP"), { value: money("5 GBP") });
    const { shell, file, close } = await stage(told.records);
    expect(exportJournal(shell, { books: "-", json: file("t.json") })).toBe(0);
    const [, payment, ...more] = bookingsOf(shell.stdout());
    expect(payment).toMatchObject({ kind: "payment-in", value: "5", value_currency: "GBP" });
    expect(more).toEqual([]);
    expect(JSON.parse(readFileSync(file("t.json"), "utf8"))).toMatchObject({
      currency: "GBP",
      assets: [{ asset: "GBP", held: "105", onAccount: "100", inFlight: "5" }],
    });
    exportJournal(shell, { books: file("m.csv") });
    expect(shell.stdout()).toMatch(/^GBP +100 +5 +0 +0 +105 +5 +0$/m);
    close();
  });

  it("are refused with the asset and the difference where they do not come to what the bot holds", async () => {
    const { shell, file, close } = await stage(story());
    // The first of the opening, 1000 CHF, is left out.
    vi.spyOn(Totals.prototype, "take").mockImplementationOnce(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const message = expect.stringMatching(
      /: CHF on account: the bookings come to -205\.5 CHF, the books say 794\.5 CHF, a difference of 1000$/,
    );
    const next = "no file is made: pegbot journal verify says whether the journal is intact";
    expect(() => exportJournal(shell, { books: file("b.csv"), json: file("t.json") })).toThrow(
      expect.objectContaining({ code: 1, message, next }),
    );
    expect([existsSync(file("b.csv")), existsSync(file("t.json"))]).toEqual([false, false]);
    close();
  });
});
