// An executor with books and a journal around it, on a clock that only tests move: what it records is kept as entries,
// and what it reports is booked, as the trading core does it.

import { Accounts } from "../../src/books/accounts/accounts.ts";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import type { Control, OrderReport } from "../../src/domain/event.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import { type Mono, millis, mono } from "../../src/domain/time.ts";
import type { Nonce, OrderRecord, TradeRecord } from "../../src/exchange/port.ts";
import type { Answer, Ask, Effects, RailFee } from "../../src/execution/effects.ts";
import { createExecutor, type Executor } from "../../src/execution/executor.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import { isEscalated, type Moment } from "../../src/execution/request.ts";
import type { Adoption, Entry, JournalRecord } from "../../src/journal/record.ts";
import { entryText, readEntry } from "../../src/journal/text/entry-text.ts";
import type { Approved } from "../../src/risk/gate.ts";
import { type Gathered, gathered } from "./gathered.ts";
import { CHF, failure, ORDER, VCHF } from "./life.ts";

export type KeepingOptions = {
  readonly writer?: string;
  readonly settings?: Partial<Settings>;
  readonly entries?: readonly Entry[];
  readonly endedMax?: number;
  /** The limit on the value of one order. */
  readonly orderMax?: Money;
  /** Whether prices say what an asset is worth. */
  readonly isValued?: () => boolean;
  /** What the configuration states for payments on a rail. */
  readonly railFee?: RailFee;
};

export class Keeping {
  readonly executor: Executor;
  readonly accounts = new Accounts(0);
  readonly writer: string;
  readonly entries: Entry[] = [];
  readonly reports: { readonly id: string; readonly report: OrderReport }[] = [];
  /** Of all that happened so far. */
  readonly controls: Control[] = [];
  /** By the last call. */
  said: Gathered["reports"] = [];
  asks: readonly Ask[] = [];
  notes: readonly string[] = [];
  seconds = 0;
  nonce = 1_000;
  count = 0;

  constructor({
    writer = "bot00001",
    settings = {},
    entries = [],
    isValued = () => true,
    railFee = () => undefined,
    endedMax,
    orderMax,
  }: KeepingOptions = {}) {
    this.writer = writer;
    this.executor = createExecutor({
      writer,
      settings: { ...DEFAULT_SETTINGS, acknowledgedMin: 0, ...settings },
      held: (asset) => this.accounts.settled(asset),
      equity: () => Money.of("20000", CHF),
      isValued,
      railFee,
      feeBpsMax: 0,
      ...(endedMax === undefined ? {} : { endedMax }),
      orderMax,
    });
    for (const entry of entries) this.hear(entry);
  }

  get now(): Moment {
    return { at: millis(this.seconds * 1_000), mono: mono(this.seconds * 1_000) };
  }

  /** Opens the books of an untouched account. */
  opened(...amounts: readonly Money[]): this {
    const history = { until: undefined, ids: [] };
    return this.adopt({ kind: "adoption", at: this.now.at, amounts, history, reason: "opening", by: "bot" });
  }

  adopt(adoption: Adoption): this {
    this.accounts.adopt(adoption.amounts);
    return this.take((out) => this.executor.adopt(adoption, this.now, out));
  }

  /** An entry that another process wrote, or this one before it ended. */
  hear(entry: Entry): void {
    this.entries.push(entry);
    const { record } = entry;
    this.executor.fold(entry);
    if (record.kind === "intent" && record.request.kind === "order") this.accounts.reserve(record.request.order);
    if (record.kind === "adoption") this.accounts.adopt(record.amounts);
    if (record.kind === "step" && record.step.event.kind === "report") {
      const { clientOrderId, report } = record.step.event;
      this.book(clientOrderId, report);
    }
  }

  take(call: (out: Effects) => void): this {
    const effects = gathered(call);
    for (const record of effects.records) this.write(record);
    for (const given of effects.reports) {
      if (given.kind !== "report") continue;
      const { clientOrderId, report } = given;
      this.reports.push({ id: clientOrderId, report });
      this.book(clientOrderId, report);
      const event = { kind: "report", clientOrderId, report, receivedAt: this.now.at } as const;
      const step = { sequence: 1, at: this.now.at, event, decisions: [], commands: [], mark: undefined };
      this.write({ kind: "step", at: this.now.at, step });
    }
    this.controls.push(...effects.controls);
    this.said = effects.reports;
    this.asks = effects.asks;
    this.notes = effects.notes;
    return this;
  }

  /** As the journal has it: through its text and back. */
  write(record: JournalRecord): void {
    const sequence = this.entries.length + 1;
    const read = readEntry(sequence, entryText(sequence, this.writer, record), "hash");
    if (!read.ok) throw new Error(read.error);
    this.entries.push(read.value);
  }

  intend(id?: string, change: Partial<OrderIntent> = {}): string {
    const clientOrderId = (id ?? `T-${this.writer}-${++this.count}`) as ClientOrderId;
    const order = { ...ORDER, ...change, clientOrderId } as Approved;
    this.accounts.reserve(order);
    this.take((out) => this.executor.intend(order, Money.of("100.10", CHF), this.now, out));
    return clientOrderId;
  }

  send(id = this.intend()): string {
    const record = { nonce: ++this.nonce as Nonce, digest: "d1", host: "venue" };
    for (const one of this.executor.sending(id, record, this.now)) this.write(one);
    return id;
  }

  fill(id = this.send(), change: Partial<Fill> = {}): string {
    const value = { ...fillOf(id), ...change, tradeId: undefined };
    const outcome = { kind: "accepted", value, nonce: this.nonce as Nonce, receivedAt: this.now.at } as const;
    this.take((out) => this.executor.outcome(id, outcome, this.now, out));
    return id;
  }

  doubt(id = this.send(), code = "timeout", nonce = this.nonce): string {
    const outcome = { kind: "doubt", failure: failure(code), nonce: nonce as Nonce, halt: false } as const;
    this.take((out) => this.executor.outcome(id, outcome, this.now, out));
    return id;
  }

  reject(id = this.send(), status = 200): string {
    const nonce = this.nonce as Nonce;
    const outcome = {
      kind: "rejected",
      failure: failure("unfilled", status),
      nonce,
      receivedAt: this.now.at,
    } as const;
    this.take((out) => this.executor.outcome(id, outcome, this.now, out));
    return id;
  }

  trades(rows: readonly TradeRecord[], askedAt: Mono = this.now.mono): this {
    return this.answer({ witness: "trades", rows, ...this.#asked(askedAt) });
  }

  orders(rows: readonly OrderRecord[], askedAt: Mono = this.now.mono): this {
    return this.answer({ witness: "orders", rows, ...this.#asked(askedAt) });
  }

  balances(amounts: Readonly<Record<string, string>>, askedAt: Mono = this.now.mono): this {
    const rows = Object.entries(amounts).map(([asset, text]) => balanceOf(asset as Asset, text));
    return this.answer({ witness: "balances", rows, ...this.#asked(askedAt) });
  }

  answer(answer: Answer): this {
    return this.take((out) => this.executor.answered(answer, this.now, out));
  }

  at(seconds: number): this {
    this.seconds = seconds;
    return this.take((out) => this.executor.time(this.now, out));
  }

  balanceOf(asset: string, text: string): Balance {
    return balanceOf(asset as Asset, text);
  }

  state(id: string): string | undefined {
    return this.executor.get(id)?.state.kind;
  }

  /** The state, with what has become of an unknown outcome. */
  phase(id: string): string | undefined {
    const state = this.executor.get(id)?.state;
    if (state?.kind !== "unknown") return state?.kind;
    if (isEscalated(state)) return "escalated";
    return state.fence === undefined ? "unknown" : "fenced";
  }

  #asked(askedAt: Mono): { askedAt: Mono; receivedAt: Answer["receivedAt"]; nonce: Nonce } {
    return { askedAt, receivedAt: this.now.at, nonce: ++this.nonce as Nonce };
  }

  book(clientOrderId: ClientOrderId, report: OrderReport): void {
    if (report.kind === "filled") {
      const booking = this.accounts.book(report.fill);
      if (booking.kind === "contradiction") throw new Error(booking.message);
    } else if (report.kind === "not-sent" || report.kind === "rejected" || report.kind === "dead")
      this.accounts.release(clientOrderId);
  }
}

/** An account of 1,000 CHF. */
export function opened(options: KeepingOptions = {}): Keeping {
  return new Keeping(options).opened(Money.of("1000", CHF), Money.of("0", VCHF));
}

/** Buys 100 VCHF for 100.05 CHF. */
export function fillOf(id: string): Fill {
  return {
    clientOrderId: id as ClientOrderId,
    orderId: `o-${id}`,
    tradeId: `t-${id}`,
    symbol: ORDER.symbol,
    side: "buy",
    bought: Money.of("100", VCHF),
    sold: Money.of("100.05", CHF),
    fee: Money.zero(CHF),
    at: undefined,
  };
}

export function tradeOf(id: string, change: Partial<TradeRecord> = {}): TradeRecord {
  return { ...fillOf(id), status: undefined, ...change };
}

export function orderOf(
  id: string | undefined,
  status: string | undefined,
  change: Partial<OrderRecord> = {},
): OrderRecord {
  return {
    clientOrderId: id,
    orderId: id === undefined ? undefined : `o-${id}`,
    status,
    symbol: ORDER.symbol,
    side: "buy",
    quantity: ORDER.quantity,
    limit: ORDER.limit,
    at: undefined,
    ...change,
  };
}

function amountOf(text: string, asset: Asset): Money {
  return text.startsWith("-") ? Money.of(text.slice(1), asset).negated() : Money.of(text, asset);
}

/** Available, and after a plus what is pending: `1000+5`, or `1000+?` when the venue does not say. */
function balanceOf(asset: Asset, text: string): Balance {
  const [available = "", pending] = text.split("+");
  return {
    asset,
    available: amountOf(available, asset),
    pending: pending === "?" ? undefined : Money.of(pending ?? "0", asset),
  };
}
