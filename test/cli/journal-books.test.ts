// `journal export --books`: what a bookkeeper gets of a journal, by hand to the last digit.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Totals } from "../../src/bot/bookkeeping/reconciled.ts";
import { exportJournal } from "../../src/cli/action/journal/export.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Event } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { MovementEvent, MovementReport } from "../../src/domain/movement.ts";
import type { ClientOrderId, Fill, Side } from "../../src/domain/order.ts";
import type { OrderIntent, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { csvRecords } from "../support/csv-rows.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { fillAtLimit, instrumentOf } from "../support/strategy-bench.ts";

const [VCHF_CHF, VGBP_GBP] = ["VCHF/CHF", "VGBP/GBP"] as [PairSymbol, PairSymbol];
const START = Date.UTC(2026, 0, 5, 12);

function money(text: string): Money {
  const [amount = "", asset = ""] = text.split(" ");
  return Money.of(amount, asset as Asset);
}

/** Records a second apart. */
class Story {
  readonly records: JournalRecord[] = [];

  get now(): Millis {
    return millis(START + this.records.length * 1_000);
  }

  step(event: Event, rest: Partial<Step> = {}): void {
    const { now: at } = this;
    const step = { sequence: this.records.length, at, event, decisions: [], commands: [], mark: undefined, ...rest };
    this.records.push({ kind: "step", at, step });
  }

  adopt(texts: readonly string[], by: string, reason: string, value: string): void {
    const { now: at } = this;
    const amounts = texts.map(money);
    this.records.push({ kind: "adoption", at, amounts, history: { until: undefined, ids: [] }, reason, by });
    this.step({ kind: "adoption", amounts, reason, receivedAt: at, value: money(value) });
  }

  order(id: string, side: Side, terms: string, symbol = VCHF_CHF, rate = "1"): OrderIntent {
    const { now: at } = this;
    const [quantity = "", limit = ""] = terms.split(" at ");
    const intent = {
      ...{ clientOrderId: id as ClientOrderId, symbol, side, reason: "test", decidedAt: at, expiresAt: at },
      ...{ quantity: Quantity.of(quantity), limit: Price.of(limit) },
    };
    const basis = { bid: undefined, ask: undefined, fair: undefined, ageMs: undefined, rate: Price.of(rate) };
    const decision = { proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } } as const;
    this.step({ kind: "timer", receivedAt: at }, { decisions: [decision], commands: [{ kind: "submit", intent }] });
    return intent;
  }

  filled(intent: OrderIntent, fill: Partial<Fill> = {}, confirmed = true): void {
    const report = { kind: "filled", fill: { ...fillAtLimit(intent), ...fill }, confirmed } as const;
    this.step({ kind: "report", clientOrderId: intent.clientOrderId, report, receivedAt: this.now });
  }

  move(id: string, report: MovementReport, values: Pick<MovementEvent, "value" | "feeValue"> = {}): void {
    this.step({ kind: "movement", id, report, receivedAt: this.now, ...values });
  }
}

/** Buys and sells, fees in either asset, mints, payments, an adoption, a fill after the end, and one that a person resolved. */
function story(): readonly JournalRecord[] {
  const told = new Story();
  told.step({ kind: "instruments", instruments: [VCHF_CHF, VGBP_GBP].map(instrumentOf), receivedAt: told.now });
  told.adopt(["1000 CHF", "500 VCHF", "100 GBP"], "bot", "the first start", "1610 CHF");
  told.step({ kind: "timer", receivedAt: told.now }, { mark: money("1610 CHF") });
  // 50 of what was there before: no cost.
  told.filled(told.order("S0", "sell", "50 at 1.002"));
  // 99.80 and a fee of 0.20: half of it buys the 50 back, the rest is the first long lot.
  const b1 = told.order("B1", "buy", "100 at 0.998");
  told.filled(b1, { tradeId: undefined, at: undefined, fee: money("0.2 CHF") }, false);
  told.filled(told.order("B2", "buy", "103 at 1"), { fee: money("3 VCHF") });
  told.filled(b1, { tradeId: "X-late", fee: money("0.2 CHF") });
  told.filled(told.order("S1", "sell", "60 at 1.06"), { fee: money("0.6 CHF") });
  told.filled(told.order("S2", "sell", "9.9 at 1"), { fee: money("0.1 VCHF") });
  const z = told.order("Z", "buy", "20 at 1");
  const dead = { kind: "dead", reason: "three negatives" } as const;
  told.step({ kind: "report", clientOrderId: z.clientOrderId, report: dead, receivedAt: told.now });
  told.filled(z);
  const r = told.order("R", "buy", "10 at 1", VGBP_GBP, "1.1");
  const receipt = { kind: "order", fill: { ...fillAtLimit(r), tradeId: undefined } } as const;
  const landed = { verdict: { kind: "landed", receipt }, reason: "seen in the portal", by: "anna" } as const;
  told.records.push({ kind: "resolution", at: told.now, id: "R", ...landed });
  told.filled(r, { tradeId: undefined });
  const mint = { requestId: "Q-1", transactionId: "0xab", fee: money("0.5 CHF"), spent: money("100.5 CHF") };
  const accepted = { kind: "accepted", receipt: { kind: "mint", mint } } as const;
  told.records.push({ kind: "outcome", at: told.now, id: "M-1", outcome: accepted });
  told.move("M-1", departed("mint", "100.5 CHF", "0.5 CHF", "100 VCHF"));
  told.move("M-1", { kind: "arrived", at: "account" });
  told.move("payment:P-1", departed("payment", "0 GBP", "0 GBP", "40 GBP"), { value: money("44 CHF") });
  told.move("payment:P-1", { kind: "arrived", at: "account", fee: money("1 GBP") }, { feeValue: money("1.1 CHF") });
  told.move("payment:P-2", departed("payment", "30 VCHF", "0.3 VCHF", "29.7 CHF"), { feeValue: money("0.3 CHF") });
  told.move("payment:P-2", { kind: "arrived", at: "outside" }, { value: money("29.7 CHF") });
  told.move("M-2", departed("mint", "10.1 CHF", "0.1 CHF", "10 VCHF"));
  told.move("M-2", { kind: "returned", reason: "papers were missing" });
  told.adopt(["-5 CHF"], "bea", "a wire by hand", "-5 CHF");
  return told.records;
}

function departed(door: "mint" | "payment", spent: string, fee: string, comes: string): MovementReport {
  return { kind: "departed", door, spent: money(spent), fee: money(fee), comes: money(comes) };
}

async function stage(records: readonly JournalRecord[]) {
  const configFile = join(temporaryFolder(), "pegbot.yaml");
  writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
  const folder = dirname(configFile);
  // A writer has it open all the while.
  const journal = journalAt(join(folder, "data", "pegbot.db"));
  await journal.append(records);
  const file = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(file(name), "utf8");
  return { shell: recordedShell({ configFile }), file, read, close: () => journal.close() };
}

describe("the books of a journal", () => {
  it("have each movement of money once, with fee, cost, profit and what is held after it", async () => {
    const { shell, file, read, close } = await stage(story());
    expect(exportJournal(shell, { books: file("b.csv"), lots: file("l.csv"), json: file("t.json") })).toBe(0);
    expect(statSync(file("b.csv")).mode & 0o777).toBe(0o600);
    const all = csvRecords(read("b.csv"));
    const [rows, totals] = [all.slice(0, -4), all.slice(-4)];
    expect(totals.map(({ kind }) => kind)).toEqual(["total", "total", "total", "total"]);
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
    expect(totals.map((row) => [row.in_asset, row.in, row.out, row.fee, row.in_after, row.realised])).toEqual([
      // 1000 + 50.1 + 63.6 + 9.9 + 29.7 + 10 in, 99.8 + 103 + 20 + 100 + 29.7 + 10 + 5 out, fees of 0.2 + 0.6 + 0.5.
      ["CHF", "1163.3", "367.5", "1.3", "794.5", "1.6"],
      ["GBP", "179", "49", "1", "129", "0"],
      ["VCHF", "933", "259.6", "3.4", "670", "0"],
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
    const of = (id: string) => rows.find((row) => row.id === id);
    expect(of("B1")).toMatchObject({ venue_id: "O-B1", trade_id: "X-late", price: "0.998", fee_value: "0.2" });
    expect(of("Z")).toMatchObject({ note: "filled after it had been given up", value: "20" });
    expect(of("R")).toMatchObject({ by: "anna", note: "seen in the portal", value: "11", value_currency: "CHF" });
    expect(of("R")).not.toHaveProperty("trade_id");
    expect(of("M-1")).toMatchObject({ venue_id: "Q-1", trade_id: "0xab", fee_value: "0.5" });
    expect(of("payment:P-1")).toMatchObject({ venue_id: "P-1", value: "44", cost: "unknown", unknown_cost_of: "40" });
    expect(rows.find(({ kind }) => kind === "payment-out-arrived")).toMatchObject({ value: "-29.7" });
    expect(rows[0]).toMatchObject({ at: "2026-01-05T12:00:02.000Z", cost: "unknown", value: "1610", by: "bot" });
    expect(rows.find(({ kind }) => kind === "adoption")).toMatchObject({
      by: "bea",
      note: "a wire by hand",
      value: "-5",
    });
    close();
  });

  it("have lots, first in first out, that come to the same money as average cost", async () => {
    const { shell, file, read, close } = await stage(story());
    expect(exportJournal(shell, { lots: file("l.csv"), json: file("t.json") })).toBe(0);
    expect(
      csvRecords(read("l.csv")).map((row) => [
        row.lot,
        row.side,
        row.opened_by,
        row.amount,
        row.cost,
        row.closed_by,
        row.proceeds,
        row.realised,
      ]),
    ).toEqual([
      ["1", "short", "S0", "50", "50", "B1", "50.1", "0.1"],
      // 63 for 60: 52.5 for 50 and 10.5 for 10.
      ["2", "long", "B1", "50", "50", "S1", "52.5", "2.5"],
      ["3", "long", "B2", "10", "10.3", "S1", "10.5", "0.2"],
      ["3", "long", "B2", "10", "10.3", "S2", "9.9", "-0.4"],
      ["3", "long", "B2", "80", "82.4", undefined, undefined, undefined],
      ["4", "long", "Z", "20", "20", undefined, undefined, undefined],
      ["5", "long", "R", "10", "10", undefined, undefined, undefined],
    ]);
    const totals = JSON.parse(read("t.json"));
    expect(totals).toMatchObject({ bookings: 19, currency: "CHF", differences: [] });
    expect(totals).not.toHaveProperty("damage");
    // 1.6 - 101.6 = 2.4 - 102.4.
    expect(totals.pairs[0]).toEqual({
      ...{ pair: "VCHF/CHF", position: "100", averageCost: { cost: "101.6", realised: "1.6" } },
      fifo: { openLots: 2, cost: "102.4", realised: "2.4" },
    });
    expect(totals.assets[0]).toEqual({
      ...{ asset: "CHF", opening: "1000", in: "163.3", out: "367.5", fees: "1.3", held: "794.5" },
      ...{ onAccount: "794.5", inFlight: "0", realised: "1.6" },
    });
    close();
  });

  it("mark in the table of all records the one of a fill that moved the books", async () => {
    const { shell, close } = await stage(story());
    expect(exportJournal(shell, { csv: "-" })).toBe(0);
    const rows = csvRecords(shell.stdout());
    expect(rows.filter(({ what = "" }) => what.startsWith("B1 filled")).map(({ booking }) => booking)).toEqual([
      "trade",
      undefined,
    ]);
    expect(rows.filter(({ booking }) => booking === "opening")).toHaveLength(1);
    expect(rows.filter(({ booking }) => booking !== undefined)).toHaveLength(17);
    close();
  });

  it("are told of a copy without its anchor, and that they may not be all", async () => {
    const { shell, file, read, close } = await stage(story());
    close();
    rmSync(file("data/pegbot.db.anchor"));
    expect(exportJournal(shell, { books: file("b.csv"), json: file("t.json") })).toBe(0);
    expect(shell.stderr()).toMatch(/^it may not be all: journal \S+: anchor-missing: /m);
    expect(JSON.parse(read("t.json"))).toMatchObject({ bookings: 19, damage: "anchor-missing" });
  });

  it("go to new files, each to one of its own, and are shown as totals", async () => {
    const { shell, file, close } = await stage(story());
    const refusal = expect.objectContaining({ code: 2 });
    expect(() => exportJournal(shell, { books: "-", lots: "-" })).toThrow(refusal);
    expect(() => exportJournal(shell, { books: file("b.csv"), csv: file("c.csv") })).toThrow(refusal);
    writeFileSync(file("l.csv"), "kept");
    expect(() => exportJournal(shell, { books: file("b.csv"), lots: file("l.csv") })).toThrow("exists already");
    expect(existsSync(file("b.csv"))).toBe(false);
    expect(exportJournal(shell, { books: file("b.csv") })).toBe(0);
    expect(shell.stderr()).toContain(`19 bookings written to ${file("b.csv")}`);
    expect(shell.stdout()).toMatch(/^CHF +1000 +163\.3 +367\.5 +1\.3 +794\.5 +0 +1\.6$/m);
    close();
  });

  it("leave nothing behind where one of the files cannot be made", async () => {
    const { shell, file, close } = await stage(story());
    const options = { books: file("b.csv"), lots: file("nowhere/l.csv") };
    expect(() => exportJournal(shell, options)).toThrow(`${options.lots} cannot be made: ENOENT`);
    const twice = { books: file("b.csv"), lots: `${dirname(file("b.csv"))}/./b.csv` };
    expect(() => exportJournal(shell, twice)).toThrow(/^--books, --lots and --json must each/);
    expect(existsSync(options.books)).toBe(false);
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
    expect(() => exportJournal(shell, { books: file("b.csv") })).toThrow(expect.objectContaining({ code: 1, message }));
    close();
  });
});
