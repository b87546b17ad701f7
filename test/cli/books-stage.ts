// Journals whose books are told: what happened in them, record by record, and the folder of a bot that has one.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Event } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { MovementEvent, MovementReport } from "../../src/domain/movement.ts";
import type { ClientOrderId, Fill, Side } from "../../src/domain/order.ts";
import type { OrderIntent, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { JournalRecord, ResolutionVerdict } from "../../src/journal/record.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { instrumentOf } from "../support/bench-options.ts";
import { csvRecords } from "../support/csv-rows.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { fillAtLimit } from "../support/strategy-bench.ts";

export const VCHF_CHF = "VCHF/CHF" as PairSymbol;
const VGBP_GBP = "VGBP/GBP" as PairSymbol;
const START = Date.UTC(2026, 0, 5, 12);

export function money(text: string): Money {
  const [amount = "", asset = ""] = text.split(" ");
  return Money.of(amount, asset as Asset);
}

/** Records a second apart. */
export class Story {
  readonly records: JournalRecord[] = [];
  #since = START;
  #from = 0;

  get now(): Millis {
    return millis(this.#since + (this.records.length - this.#from) * 1_000);
  }

  /** The next record is of then. */
  at(day: string): void {
    this.#since = Date.parse(day);
    this.#from = this.records.length;
  }

  mark(equity: string): void {
    this.step({ kind: "timer", receivedAt: this.now }, { mark: money(equity) });
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
    const basis = {
      bid: undefined,
      ask: undefined,
      fair: undefined,
      ageMs: undefined,
      rate: rate === "" ? undefined : Price.of(rate),
    };
    const decision = { proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } } as const;
    this.step({ kind: "timer", receivedAt: at }, { decisions: [decision], commands: [{ kind: "submit", intent }] });
    return intent;
  }

  filled(intent: OrderIntent, fill: Partial<Fill> = {}, confirmed = true): void {
    const report = { kind: "filled", fill: { ...fillAtLimit(intent), ...fill }, confirmed } as const;
    this.step({ kind: "report", clientOrderId: intent.clientOrderId, report, receivedAt: this.now });
  }

  resolved(id: string, verdict: ResolutionVerdict, by: string, reason: string): void {
    this.records.push({ kind: "resolution", at: this.now, id, verdict, reason, by });
  }

  move(id: string, report: MovementReport, values: Pick<MovementEvent, "value" | "feeValue"> = {}): void {
    this.step({ kind: "movement", id, report, receivedAt: this.now, ...values });
  }
}

/** Buys and sells, fees in either asset, mints, payments, an adoption, a fill after the end, and one that a person resolved. */
export function story(): readonly JournalRecord[] {
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
  const refused = { code: "venue-error", status: 503, venueCode: undefined, message: "later" } as const;
  told.records.push({ kind: "outcome", at: told.now, id: "Z", outcome: { kind: "rejected", ...refused } });
  told.records.push({ kind: "evidence", at: told.now, id: "Z", round: 1, finding: { kind: "absent" } });
  told.resolved("Z", { kind: "escalated" }, "bot", "nobody knows");
  // Of an order that moves nothing: who gave it up did not fill it.
  told.resolved("Z", { kind: "released" }, "carl", "not in the portal");
  told.step({ kind: "report", clientOrderId: z.clientOrderId, report: dead, receivedAt: told.now });
  told.filled(z);
  const r = told.order("R", "buy", "10 at 1", VGBP_GBP, "1.1");
  const receipt = { kind: "order", fill: { ...fillAtLimit(r), tradeId: undefined } } as const;
  told.resolved("R", { kind: "landed", receipt }, "anna", "seen in the portal");
  told.filled(r, { tradeId: undefined });
  const mint = { requestId: "Q-1", transactionId: "0xab", fee: money("0.5 CHF"), spent: money("100.5 CHF") };
  told.resolved("M-1", { kind: "landed", receipt: { kind: "mint", mint } }, "dora", "support says so");
  told.move("M-1", departed("mint", "100.5 CHF", "0.5 CHF", "100 VCHF"));
  told.move("M-1", { kind: "arrived", at: "account" });
  told.move("payment:P-1", departed("payment", "0 GBP", "0 GBP", "40 GBP"), { value: money("44 CHF") });
  told.move("payment:P-1", { kind: "arrived", at: "account", fee: money("1 GBP") }, { feeValue: money("1.1 CHF") });
  told.move("payment:P-2", departed("payment", "30 VCHF", "0.3 VCHF", "29.7 CHF"), { feeValue: money("0.3 CHF") });
  told.move("payment:P-2", { kind: "arrived", at: "outside" }, { value: money("29.7 CHF") });
  // Answered, and with its transaction when it is found in the list.
  const answered = { requestId: "Q-2", transactionId: undefined, fee: undefined, spent: undefined };
  const accepted = { kind: "accepted", receipt: { kind: "mint", mint: answered } } as const;
  told.records.push({ kind: "outcome", at: told.now, id: "M-2", outcome: accepted });
  told.resolved("M-2", { kind: "escalated" }, "bot", "nobody knows");
  told.move("M-2", departed("mint", "10.1 CHF", "0.1 CHF", "10 VCHF"));
  const found = { kind: "landed", receipt: { kind: "mint", mint: { ...answered, transactionId: "0xcd" } } } as const;
  told.records.push({ kind: "evidence", at: told.now, id: "M-2", round: 1, finding: found });
  told.resolved("M-2", { kind: "released" }, "emil", "it came back");
  told.move("M-2", { kind: "returned", reason: "papers were missing" });
  told.adopt(["-5 CHF"], "bea", "a wire by hand", "-5 CHF");
  return told.records;
}

export function departed(door: "mint" | "payment", spent: string, fee: string, comes: string): MovementReport {
  return { kind: "departed", door, spent: money(spent), fee: money(fee), comes: money(comes) };
}

export async function stage(records: readonly JournalRecord[]) {
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

type Row = Readonly<Record<string, string | undefined>>;

/** The transactions of double entry, each with its sums at zero, as what came, went and was a fee. */
export function bookingsOf(csv: string): readonly Row[] {
  const transactions = Map.groupBy(csvRecords(csv), ({ transaction }) => transaction);
  transactions.delete("closing");
  return [...transactions.values()].map((rows) => {
    const sums = new Map<string, Money>();
    for (const { currency = "", debit = "0", credit = "0" } of rows) {
      const sum = sums.get(currency) ?? money(`0 ${currency}`);
      sums.set(currency, sum.plus(money(`${debit} ${currency}`)).minus(money(`${credit} ${currency}`)));
    }
    expect([...sums.values()].filter((sum) => !sum.isZero())).toEqual([]);
    const { debit, credit, currency, account, balance, ...details } = rows[0] ?? {};
    const legs = rows.filter((row) => row.account?.startsWith("assets:"));
    const fee = details.fee === undefined ? undefined : legs.pop();
    const of = (row: Row | undefined, name: string, to: string): Row =>
      row === undefined
        ? {}
        : {
            ...{ [name]: row.debit ?? row.credit, [`${name}_asset`]: row.currency, [`${name}_after`]: row.balance },
            [to]: row.account?.split(":")[1],
          };
    return {
      ...of(
        legs.find((row) => row.debit !== undefined),
        "in",
        "in_to",
      ),
      ...of(
        legs.find((row) => row.credit !== undefined),
        "out",
        "out_of",
      ),
      ...of(fee, "fee", "fee_from"),
      ...details,
    };
  });
}
