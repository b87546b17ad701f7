// Builds a run's record from the engine's steps. The caller passes in every step from the first, decides when to sample,
// and provides the rates.

import { Accounts } from "../../src/books/accounts/accounts.ts";
import { crossingOf } from "../../src/books/adoption.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { fiatOf } from "../../src/domain/coin.ts";
import { type OrderReport, type ReportEvent, UNFILLED } from "../../src/domain/event.ts";
import { Money, type Price } from "../../src/domain/money/money.ts";
import type { MovementEvent } from "../../src/domain/movement.ts";
import type { Fill } from "../../src/domain/order.ts";
import { isHeld } from "../../src/domain/settlement-status.ts";
import type { Basis, Decision, OrderIntent, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { Adopted, Holding, RunRecord, Settlement, UnfilledEnd } from "./run-record.ts";
import type { Decided, Ends, RunRecorder, Sampled, UnfilledOrder } from "./run-recorder.ts";

type StepReaderParts = {
  readonly recorder: RunRecorder;
  /** The recorder's assets. */
  readonly assets: readonly Asset[];
  readonly from: Millis;
  /** The current value of one unit in equity; undefined until a price has arrived. */
  readonly markOf: (asset: Asset) => Price | undefined;
  /** The same at par. */
  readonly parOf: (asset: Asset) => Price | undefined;
  /** The bot's equity, with open orders at the worse of filled and not filled. */
  readonly equity: () => Money | undefined;
  /** Why an order did not fill; the venue does not state it. */
  readonly whyUnfilled: (intent: OrderIntent) => "unfilled-price" | "unfilled-depth" | undefined;
};

/**
 * Books that open within this time after the start count from it: nothing can have happened before, and a run of thirty
 * days should count thirty. Otherwise they count from the run's first action.
 */
const OPENING_MS_MAX = 60_000;

type Order = { readonly intent: OrderIntent; readonly basis: Basis; isSent: boolean };

export class StepReader {
  readonly #parts: StepReaderParts;
  /** Built from the steps as in the bot; the fee budget only widens reservations, which are not used here. */
  readonly #accounts = new Accounts(0);
  #listed: ReadonlySet<PairSymbol> = new Set();
  /** Orders that may still fill; there are few, and a list finds them faster than a map by text. */
  readonly #open: Order[] = [];
  /** Orders that ended without a fill, as far as is known. */
  readonly #ended = new Map<string, Order>();
  readonly #unfilled = new Map<string, UnfilledOrder>();
  readonly #adopted: Adopted[] = [];
  readonly #settlements: SettlementList;
  #opening: readonly Holding[] | undefined;
  /**
   * The holdings before the run's first action plus later deposits, for a run that acted before its books could open.
   */
  #untouched: Map<Asset, Money> | undefined;
  /** When the run first acted. */
  #touchedAt: Millis | undefined;
  #lastAt: Millis;

  constructor(parts: StepReaderParts) {
    this.#parts = parts;
    this.#lastAt = parts.from;
    this.#settlements = new SettlementList(parts.markOf);
  }

  step(step: Step): void {
    this.#pass(step.at);
    this.#event(step);
    const { decisions } = step;
    for (let i = 0; i < decisions.length; i++) {
      const { proposal, basis, verdict } = decisions[i] as Decision;
      if (verdict.kind === "approved") {
        this.#touch();
        for (const cap of verdict.capped) this.#parts.recorder.capped(cap, verdict.intent.symbol, this.#lastAt);
        this.#approved(verdict.intent, basis);
      } else this.#parts.recorder.refused(verdict.refusal, proposal?.symbol, this.#lastAt);
    }
  }

  /** The run opens with the first sample at which everything held has a rate; before that its worth is unknown. */
  sample(at: Millis): void {
    this.#pass(at);
    if (this.#opening === undefined && !this.#opens()) return;
    const { recorder, equity } = this.#parts;
    recorder.sample(this.#lastAt, this.#sampled, equity()?.toNumber() ?? NaN);
  }

  readonly #sampled: Sampled = {
    held: (asset) => this.#accounts.held(asset)?.toNumber() ?? 0,
    inFlight: (asset) => this.#accounts.inFlight(asset).toNumber(),
    rate: (asset) => this.#parts.markOf(asset)?.toNumber() ?? NaN,
  };

  get settlements(): readonly Settlement[] {
    return this.#settlements.list();
  }

  finish(ends: Omit<Ends, "books">): RunRecord {
    const { to } = ends.settings;
    for (const order of this.#open)
      if (order.isSent) {
        const { intent } = order;
        this.#ended.set(intent.clientOrderId, order);
        this.#unfilled.set(intent.clientOrderId, unfilled(intent, to, "doubt", "open when the record ends"));
      }
    const ended = [...this.#unfilled.values()].sort((a, b) => a.at - b.at);
    for (const one of ended) this.#parts.recorder.unfilled(one, decidedOf(this.#ended.get(one.id) as Order));
    const equity = this.#parts.equity()?.toString();
    const books = { opening: this.#opening, closing: this.#holdings(), equity, adopted: this.#adopted };
    return this.#parts.recorder.finish({ ...ends, books });
  }

  /** A record never goes back in time. */
  #pass(at: Millis): void {
    this.#lastAt = millis(Math.max(this.#lastAt, at));
  }

  #event({ event, at }: Step): void {
    if (event.kind === "report") this.#report(event, at);
    else if (event.kind === "instruments") this.#listed = new Set(event.instruments.map(({ symbol }) => symbol));
    else if (event.kind === "movement") {
      if (event.report.kind === "reserved") this.#touch();
      this.#move(event, at);
    } else if (event.kind === "adoption") {
      this.#accounts.adopt(event.amounts, event.costs);
      this.#putIn(event.amounts, event.value);
    }
  }

  /** Deposits are neither profit nor loss. Before the books open they are part of the opening. */
  #putIn(amounts: readonly Money[], value: Money | undefined): void {
    if (this.#opening === undefined) {
      const untouched = this.#untouched;
      for (const amount of amounts)
        untouched?.set(amount.asset, (untouched.get(amount.asset) ?? Money.zero(amount.asset)).plus(amount));
      return;
    }
    const { recorder } = this.#parts;
    for (const amount of amounts) recorder.adopt(amount.asset, amount.toNumber());
    const kept = amounts.map((amount) => ({ asset: amount.asset, amount: amount.toString() }));
    this.#adopted.push({ at: this.#lastAt, sample: recorder.sampled, amounts: kept, value: value?.toString() });
  }

  #move(event: MovementEvent, at: Millis): void {
    const { id, report, value } = event;
    const crossing = crossingOf(report, this.#accounts.movements.flight(id));
    this.#accounts.move(id, report, at);
    this.#settlements.take(event, at);
    if (crossing === undefined) return;
    // Payments to or from a bank are neither profit nor loss, like adoptions.
    const { comes, way } = crossing;
    const signed = (amount: Money): Money => (way === "in" ? amount : amount.negated());
    this.#putIn([signed(comes)], value && signed(value));
  }

  #approved(intent: OrderIntent, basis: Basis): void {
    // An order for an unlisted pair cannot have an effect.
    if (!this.#listed.has(intent.symbol)) return;
    this.#accounts.reserve(intent);
    this.#open.push({ intent, basis, isSent: false });
  }

  #report({ clientOrderId, report }: ReportEvent, at: Millis): void {
    const place = this.#placeOf(clientOrderId);
    // For an ended order only a late fill matters; a repeated report frees nothing and ends nothing.
    if (place < 0 && report.kind !== "filled") return;
    const order = place < 0 ? this.#ended.get(clientOrderId) : this.#open[place];
    if (order === undefined) return;
    if (report.kind === "filled") {
      this.#fill(order, place, report.fill);
      return;
    }
    const end = this.#endOf(order.intent, report);
    if (end === undefined) {
      order.isSent = true;
      return;
    }
    this.#accounts.release(clientOrderId);
    this.#open.splice(place, 1);
    this.#ended.set(clientOrderId, order);
    this.#unfilled.set(clientOrderId, unfilled(order.intent, at, end, causeOf(report)));
  }

  /** Index among the open orders, searched from the youngest; negative when it is not among them. */
  #placeOf(id: string): number {
    let place = this.#open.length - 1;
    while (place >= 0 && this.#open[place]?.intent.clientOrderId !== id) place--;
    return place;
  }

  /** Undefined while the order may still fill. */
  #endOf(intent: OrderIntent, report: OrderReport): UnfilledEnd | undefined {
    switch (report.kind) {
      case "rejected":
        return report.code === UNFILLED ? (this.#parts.whyUnfilled(intent) ?? UNFILLED) : "rejected";
      case "not-sent":
        return "not-sent";
      case "dead":
        return "released";
      default:
        return undefined;
    }
  }

  #fill(order: Order, place: number, fill: Fill): void {
    const booked = this.#accounts.book(fill);
    if (booked.kind !== "booked") return;
    // Later reports of this order change nothing, and a long run has many orders.
    if (place >= 0) this.#open.splice(place, 1);
    else {
      // A late fill: the order had been released.
      this.#ended.delete(order.intent.clientOrderId);
      this.#unfilled.delete(order.intent.clientOrderId);
    }
    this.#parts.recorder.fill(this.#lastAt, gross(fill, order.intent), decidedOf(order), booked.realised);
  }

  /**
   * Opens the books if everything held has a rate. True when the holdings already differ from the opening because of
   * earlier trades, so that there is more to sample.
   */
  #opens(): boolean {
    const now = this.#holdings();
    const untouched = this.#untouched;
    const opening = now.map((one) => (untouched ? { ...one, amount: String(untouched.get(one.asset) ?? 0) } : one));
    const held = [...opening, ...now].filter(({ amount }) => amount !== "0");
    if (held.length === 0 || held.some(({ rate }) => rate === undefined)) return false;
    this.#opening = opening;
    const { recorder } = this.#parts;
    const amounts = new Map(opening.map(({ asset, amount }) => [asset, Number(amount)]));
    for (const [asset, amount] of amounts) recorder.adopt(asset, amount);
    // The opening may be dated earlier than its rates.
    recorder.sample(this.#openedAt(), { ...this.#sampled, held: (asset) => amounts.get(asset) ?? 0 });
    return now.some(({ amount }, place) => amount !== opening[place]?.amount);
  }

  /** Called before the run's first action: an approved order, or a reserved mint or payment. */
  #touch(): void {
    if (this.#opening !== undefined || this.#untouched !== undefined) return;
    const { assets } = this.#parts;
    this.#touchedAt = this.#lastAt;
    this.#untouched = new Map(assets.map((asset) => [asset, this.#accounts.held(asset) ?? Money.zero(asset)]));
  }

  #openedAt(): Millis {
    const { from } = this.#parts;
    // Profit from the first order on is measured over the time since that order.
    const at = this.#touchedAt ?? this.#lastAt;
    return at - from <= OPENING_MS_MAX ? from : at;
  }

  #holdings(): readonly Holding[] {
    return this.#parts.assets.map((asset) => ({
      asset,
      amount: this.#accounts.held(asset)?.toString() ?? "0",
      rate: this.#parts.markOf(asset)?.toString(),
      par: this.#parts.parOf(asset)?.toString(),
    }));
  }
}

function decidedOf({ intent, basis }: Order): Decided {
  const { bid, ask, fair, rate } = basis;
  const { decidedAt, reason, limit } = intent;
  return { decidedAt, reason, limit: limit.toNumber(), touch: intent.side === "buy" ? ask : bid, fair, rate };
}

function unfilled(intent: OrderIntent, at: Millis, end: UnfilledEnd, cause: string): UnfilledOrder {
  const { clientOrderId, symbol, side, quantity } = intent;
  return { at, id: clientOrderId, symbol, side, quantity: quantity.toNumber(), end, cause };
}

/** The fill with its bought amount before a fee that was already deducted from it. */
function gross(fill: Fill, { quantity }: OrderIntent): Fill {
  const { bought, fee, side } = fill;
  const isNet = side === "buy" && fee.asset === bought.asset && !bought.equals(quantity.of(bought.asset));
  return isNet ? { ...fill, bought: bought.plus(fee) } : fill;
}

function causeOf(report: OrderReport): string {
  if (report.kind === "rejected") return report.code;
  return "reason" in report ? report.reason : report.kind;
}

// Mints and payments of a run, from their movement steps: when each left, its amount and cost, and its state.

class SettlementList {
  readonly #known = new Map<string, Settlement>();
  readonly #markOf: StepReaderParts["markOf"];

  constructor(markOf: StepReaderParts["markOf"]) {
    this.#markOf = markOf;
  }

  take({ id, report }: MovementEvent, at: Millis): void {
    if (report.kind === "departed") {
      const { spent, fee, comes } = report;
      this.#known.set(id, {
        kind: report.door === "mint" ? "mint" : rampOf(spent),
        id,
        asset: comes.asset,
        amount: comes.toString(),
        fees: this.#fees(fee, at),
        from: at,
        to: undefined,
        state: "in flight",
      });
      return;
    }
    const known = this.#known.get(id);
    if (known === undefined) return;
    // The whole amount is returned, including the fee.
    if (report.kind === "returned") this.#known.set(id, { ...known, fees: [], to: at, state: "rejected" });
    else if (report.kind === "arrived") {
      const fees = [...known.fees, ...this.#fees(report.fee, at)];
      this.#known.set(id, { ...known, fees, to: at, state: "settled" });
    } else if (report.kind === "told") this.#known.set(id, { ...known, state: stateOf(report.status) });
  }

  list(): readonly Settlement[] {
    return [...this.#known.values()];
  }

  #fees(fee: Money | undefined, at: Millis): Settlement["fees"] {
    if (fee === undefined || fee.isZero()) return [];
    return [{ at, amount: fee.toString(), asset: fee.asset, rate: this.#markOf(fee.asset)?.toString() }];
  }
}

/** Coins that leave are turned into fiat. */
function rampOf({ asset }: Money): Settlement["kind"] {
  return fiatOf(asset) === undefined ? "on-ramp" : "off-ramp";
}

function stateOf(status: string): Settlement["state"] {
  return isHeld(status) ? "held" : "in flight";
}
