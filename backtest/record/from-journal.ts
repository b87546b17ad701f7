// What a bot really did, as the record of a run, from its journal: the books are folded by the bot's own accounts, so that
// they agree to the last digit. A journal has no bare quotes and no reads: prices are those that decisions rested on, equity
// is sampled at decisions and reports, and requests are not counted.

import { Accounts } from "../../src/bot/accounts/accounts.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { OrderReport, ReportEvent } from "../../src/domain/event.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import type { Money } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import type { Basis, OrderIntent, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { namesIn, symbolOf } from "./journal-names.ts";
import { JournalPrices } from "./journal-prices.ts";
import type { Adopted, Holding, RunRecord, RunSettings, UnfilledEnd } from "./run-record.ts";
import { type Decided, RunRecorder, type UnfilledOrder } from "./run-recorder.ts";

export type JournalSettings = Omit<RunSettings, "source" | "traceHash" | "seed"> & {
  /** What a unit is issued and redeemed at, for each coin against its own fiat. */
  readonly pars: ReadonlyMap<PairSymbol, number>;
};

/**
 * `steps` gives the steps of the journal from its beginning, oldest first, and is called twice; only what lies in the
 * settings' time is recorded. The run opens when everything held has a rate: before that nobody can say what it is worth.
 */
export function fromJournal(steps: () => Iterable<Step>, { pars, ...settings }: JournalSettings): RunRecord {
  const { assets, symbols } = namesIn(steps(), settings.currency);
  const pairs = symbols.map((symbol) => ({ symbol, ...parOf(pars.get(symbol)) }));
  const reading = new Reading(new RunRecorder(assets, pairs), assets, settings);
  for (const step of steps()) {
    if (step.at >= settings.to) break;
    reading.step(step);
  }
  return reading.finish({ ...settings, source: "journal", traceHash: undefined, seed: undefined });
}

type Order = { readonly intent: OrderIntent; readonly decided: Decided; state: "intended" | "sent" | "ended" };

class Reading {
  readonly #recorder: RunRecorder;
  readonly #assets: readonly Asset[];
  readonly #from: Millis;
  // The budget for fees only widens reservations, and none is asked for here.
  readonly #accounts = new Accounts(0);
  readonly #prices: JournalPrices;
  readonly #orders = new Map<string, Order>();
  readonly #unfilled = new Map<string, UnfilledOrder>();
  readonly #adopted: Adopted[] = [];
  #instruments: ReadonlyMap<PairSymbol, Instrument> = new Map();
  #opening: readonly Holding[] | undefined;
  #lastAt: Millis;

  constructor(recorder: RunRecorder, assets: readonly Asset[], { currency, from }: { currency: Asset; from: Millis }) {
    this.#recorder = recorder;
    this.#assets = assets;
    this.#from = from;
    this.#lastAt = from;
    this.#prices = new JournalPrices(currency);
  }

  step(step: Step): void {
    const isRecorded = step.at >= this.#from;
    // Several processes write one journal, each by its own clock.
    if (isRecorded) this.#lastAt = millis(Math.max(this.#lastAt, step.at));
    this.#event(step, isRecorded);
    for (const decision of step.decisions) {
      const { basis, verdict } = decision;
      const symbol = symbolOf(decision);
      if (symbol !== undefined) this.#price(symbol, basis, isRecorded);
      if (verdict.kind === "approved") this.#approved(verdict.intent, basis);
      else if (isRecorded) this.#recorder.refused(verdict.refusal.rule);
    }
    if (isRecorded) this.#sample();
  }

  finish(settings: RunSettings): RunRecord {
    for (const [id, { intent, state }] of this.#orders)
      if (state === "sent") this.#unfilled.set(id, unfilled(intent, settings.to, "doubt", "open when the record ends"));
    const ended = [...this.#unfilled.values()].sort((a, b) => a.at - b.at);
    for (const one of ended) this.#recorder.unfilled(one, (this.#orders.get(one.id) as Order).decided);
    const closing = this.#holdings();
    const books = { opening: this.#opening ?? closing, closing, adopted: this.#adopted };
    return this.#recorder.finish({ settings, books, slots: undefined, settlements: undefined });
  }

  #event({ event, at }: Step, isRecorded: boolean): void {
    if (event.kind === "instruments")
      this.#instruments = new Map(event.instruments.map((instrument) => [instrument.symbol, instrument]));
    else if (event.kind === "balances") this.#accounts.tell(event.balances);
    else if (event.kind === "report") this.#report(event, at, isRecorded);
    else if (event.kind === "adoption") {
      this.#accounts.adopt(event.amounts);
      if (this.#opening === undefined) return;
      for (const amount of event.amounts) this.#recorder.adopt(amount.asset, amount.toNumber());
      const amounts = event.amounts.map((amount) => ({ asset: amount.asset, amount: amount.toString() }));
      this.#adopted.push({ at: this.#lastAt, amounts, value: event.value?.toString() });
    }
  }

  #approved(intent: OrderIntent, { bid, ask, fair, rate }: Basis): void {
    const instrument = this.#instruments.get(intent.symbol);
    if (instrument === undefined) return;
    this.#accounts.reserve(intent, instrument);
    const decided = {
      decidedAt: intent.decidedAt,
      reason: intent.reason,
      limit: intent.limit.toNumber(),
      touch: intent.side === "buy" ? ask : bid,
      fair,
      rate: rate?.toString(),
    };
    this.#orders.set(intent.clientOrderId, { intent, decided, state: "intended" });
  }

  #report({ clientOrderId, report }: ReportEvent, at: Millis, isRecorded: boolean): void {
    const order = this.#orders.get(clientOrderId);
    if (order === undefined) return;
    if (report.kind === "filled") {
      this.#fill(order, report.fill, isRecorded);
      return;
    }
    const end = endOf(report);
    if (end === undefined) {
      if (order.state === "intended") order.state = "sent";
      return;
    }
    // Told twice, or after a fill: nothing is freed, and nothing ends.
    if (this.#accounts.release(clientOrderId) === undefined) return;
    order.state = "ended";
    if (isRecorded) this.#unfilled.set(clientOrderId, unfilled(order.intent, at, end, causeOf(report)));
  }

  #fill(order: Order, fill: Fill, isRecorded: boolean): void {
    const booking = this.#accounts.book(fill);
    if (booking.kind !== "booked") return;
    order.state = "ended";
    // It may have been given up, and have happened all the same.
    this.#unfilled.delete(order.intent.clientOrderId);
    if (!isRecorded) return;
    this.#recorder.fill(this.#lastAt, gross(fill, order.intent), order.decided, booking.realised?.toString());
  }

  #price(symbol: PairSymbol, basis: Basis, isRecorded: boolean): void {
    this.#prices.learn(symbol, basis);
    const { bid, ask, fair } = basis;
    if (!isRecorded || bid === undefined || ask === undefined) return;
    this.#recorder.price(symbol, this.#lastAt, bid, ask, fair);
  }

  #sample(): void {
    if (this.#opening === undefined) {
      const holdings = this.#holdings();
      const isKnown = holdings.length > 0 && holdings.every(({ amount, rate }) => amount === "0" || rate !== undefined);
      if (!isKnown || holdings.every(({ amount }) => amount === "0")) return;
      this.#opening = holdings;
      for (const { asset, amount } of holdings) this.#recorder.adopt(asset, Number(amount));
    }
    this.#recorder.sample(this.#lastAt, (asset) => ({
      held: this.#accounts.held(asset)?.toNumber() ?? 0,
      inFlight: this.#accounts.balance(asset)?.pending?.toNumber() ?? 0,
      rate: Number(this.#prices.rateOf(asset) ?? NaN),
    }));
  }

  #holdings(): readonly Holding[] {
    return this.#assets.map((asset) => ({
      asset,
      amount: this.#accounts.held(asset)?.toString() ?? "0",
      rate: this.#prices.rateOf(asset),
    }));
  }
}

function unfilled(intent: OrderIntent, at: Millis, end: UnfilledEnd, cause: string): UnfilledOrder {
  const { clientOrderId, symbol, side, quantity } = intent;
  return { at, id: clientOrderId, symbol, side, quantity: quantity.toNumber(), end, cause };
}

/** Legs before a fee that was already taken off what was bought. */
function gross(fill: Fill, { quantity }: OrderIntent): Fill {
  const { bought, fee, side } = fill;
  const traded: Money = quantity.of(bought.asset);
  const isNet = side === "buy" && fee.asset === bought.asset && !bought.equals(traded);
  return isNet ? { ...fill, bought: bought.plus(fee) } : fill;
}

/** Undefined while it may still fill. */
function endOf(report: OrderReport): UnfilledEnd | undefined {
  switch (report.kind) {
    case "rejected":
      return report.code === "not-fillable" ? "killed" : "rejected";
    case "not-sent":
      return "not-sent";
    case "dead":
      return "presumed-dead";
    default:
      return undefined;
  }
}

function causeOf(report: OrderReport): string {
  if (report.kind === "rejected") return report.code;
  return "reason" in report ? report.reason : report.kind;
}

function parOf(par: number | undefined): { par?: number } {
  return par === undefined ? {} : { par };
}
