// Our holdings as the engine knows them: the venue's last reported balances, the books (opening and adopted entries,
// trades, mints and payments, each applied exactly once), and the possible effect of open requests on them. Pure:
// folded from events alone.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import { standsFor } from "../../domain/coin.ts";
import type { CoinCost } from "../../domain/event.ts";
import { fillInconsistency } from "../../domain/fill-consistency.ts";
import { unreachable } from "../../domain/invariant.ts";
import { Money } from "../../domain/money/money.ts";
import { type Flight, isFromOutside, type MovementReport } from "../../domain/movement.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";
import { type Reserved, reservedBy } from "../../domain/reservation.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { type SavedVolumes, Volumes } from "../../domain/volumes.ts";
import { Ledger, type SavedLedger } from "./ledger.ts";
import { Movements, type SavedMovements } from "./movements.ts";
import { type Position, Profit } from "./profit.ts";
import { type SavedTrades, Trades } from "./trades.ts";

const ENDED_MAX = 1_000;

export type Booking =
  /** `late`: the order had been released, but it filled all the same. */
  | {
      readonly kind: "booked";
      readonly intent: OrderIntent;
      readonly realised: Money | undefined;
      readonly late: boolean;
      readonly isRoundTrip: boolean;
    }
  | { readonly kind: "known" }
  | { readonly kind: "contradiction"; readonly message: string };

export type SavedAccounts = {
  readonly ledger: SavedLedger;
  readonly profit: readonly (readonly [PairSymbol, Position])[];
  readonly trades: SavedTrades;
  readonly movements: SavedMovements;
  readonly volumes: SavedVolumes;
  readonly balances: readonly Balance[];
  readonly open: readonly OpenOrder[];
  readonly ended: readonly OrderIntent[];
};

export class Accounts {
  readonly ledger: Ledger;
  readonly profit: Profit;
  readonly open = new OpenOrders();
  readonly movements: Movements;
  readonly volumes: Volumes;
  readonly #trades: Trades;
  readonly #balances: Map<Asset, Balance>;
  /** Orders that ended without a fill, so that a late fill is recognised; the oldest are dropped. */
  readonly #ended = new Map<ClientOrderId, OrderIntent>();
  readonly #feeBpsMax: number;
  /** Counts the changes: what is derived from the accounts holds while it is equal. */
  version = 0;
  readonly #figures = new Map<Asset, Figure>();
  #assets: readonly Asset[] | undefined = undefined;

  constructor(feeBpsMax: number, saved?: SavedAccounts) {
    this.#feeBpsMax = feeBpsMax;
    this.ledger = new Ledger(saved?.ledger);
    this.profit = new Profit(saved?.profit);
    this.movements = new Movements(saved?.movements);
    this.volumes = new Volumes(saved?.volumes);
    this.#trades = new Trades(saved?.trades);
    this.#balances = new Map(saved?.balances.map((balance) => [balance.asset, balance]));
    for (const order of saved?.open ?? []) this.open.add(order);
    for (const intent of saved?.ended ?? []) this.#end(intent);
  }

  get assets(): readonly Asset[] {
    this.#assets ??= [...new Set([...this.#balances.keys(), ...this.ledger.assets()])].sort();
    return this.#assets;
  }

  balance(asset: Asset): Balance | undefined {
    return this.#balances.get(asset);
  }

  /** On account and in transit. */
  held(asset: Asset): Money | undefined {
    return this.figureOf(asset).held;
  }

  figureOf(asset: Asset): Figure {
    const known = this.#figures.get(asset);
    if (known !== undefined) return known;
    const figure = this.#figure(asset);
    this.#figures.set(asset, figure);
    return figure;
  }

  #figure(asset: Asset): Figure {
    const { open, movements } = this;
    const { holdings: settled, inFlight, adopted } = this.ledger.row(asset) ?? NO_ROW;
    const leaving = open.leaving(asset).plus(movements.leaving(asset));
    const coming = open.coming(asset).plus(movements.coming(asset));
    const held = inFlight === undefined || settled === undefined ? (settled ?? inFlight) : settled.plus(inFlight);
    const spendable = settled && this.#balances.get(asset)?.available.min(settled).minus(leaving);
    const placed = adopted?.negated() ?? Money.zero(asset);
    return { held, atMost: held?.plus(coming), leaving, placed, spendable };
  }

  /** On account only, as in the venue's balances apart from its pending amounts. */
  settled(asset: Asset): Money | undefined {
    return this.ledger.row(asset)?.holdings;
  }

  inFlight(asset: Asset): Money {
    return this.ledger.row(asset)?.inFlight ?? Money.zero(asset);
  }

  flights(): Iterable<Flight> {
    return this.movements.flights();
  }

  /** The most that approved requests of unknown outcome may still take. */
  leaving(asset: Asset): Money {
    return this.figureOf(asset).leaving;
  }

  placed(asset: Asset): Money {
    return this.figureOf(asset).placed;
  }

  heldAtLeast(asset: Asset): Money | undefined {
    const { held, leaving } = this.figureOf(asset);
    return held?.minus(leaving);
  }

  heldAtMost(asset: Asset): Money | undefined {
    return this.figureOf(asset).atMost;
  }

  spendable(asset: Asset): Money | undefined {
    return this.figureOf(asset).spendable;
  }

  /** The list is complete: the balance of an asset missing from it becomes unknown. */
  tell(balances: readonly Balance[]): void {
    this.#balances.clear();
    for (const balance of balances) this.#balances.set(balance.asset, balance);
    this.#changed();
  }

  /** `costs`: purchase prices of adopted coins, which become a position of their pair from the start. */
  adopt(amounts: readonly Money[], costs: readonly CoinCost[] = []): void {
    for (const { asset, price } of costs) {
      const amount = amounts.find((one) => one.asset === asset);
      const fiat = standsFor(asset) as Asset | undefined;
      if (amount === undefined || fiat === undefined || !amount.isPositive()) continue;
      this.profit.open(`${asset}/${fiat}` as PairSymbol, amount, amount.valued(price, fiat, "up").negated());
    }
    for (const amount of amounts) {
      this.ledger.move("adopted", "holdings", amount);
      this.volumes.adopted(amount);
    }
    this.#changed();
  }

  /**
   * Applies the progress of a mint or payment; returns a reason if it contradicts the books. `feeValue`: the value of
   * its fee.
   */
  move(id: string, report: MovementReport, at: Millis, feeValue?: Money): string | undefined {
    const problem = this.#moved(id, report, { since: at, feeValue });
    this.#changed();
    return problem;
  }

  reserve(intent: OrderIntent): void {
    this.open.add(openOrder(intent, this.#feeBpsMax));
    this.#changed();
  }

  #changed(): void {
    this.version++;
    this.#figures.clear();
    this.#assets = undefined;
  }

  /** Returns the intent of the released order; undefined if no such order is open. */
  release(id: ClientOrderId): OrderIntent | undefined {
    const order = this.open.remove(id);
    if (order === undefined) return undefined;
    this.#end(order.intent);
    this.#changed();
    return order.intent;
  }

  #end(intent: OrderIntent): void {
    this.#ended.set(intent.clientOrderId, intent);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** How an order ended that is no longer open. */
  endOf(id: ClientOrderId): "filled" | "not filled" | undefined {
    return this.#trades.find(id) !== undefined
      ? "filled"
      : this.#ended.get(id) !== undefined
        ? "not filled"
        : undefined;
  }

  /** Of a fill, in the quote asset; undefined if it closed nothing. */
  realisedBy(id: ClientOrderId): string | undefined {
    return this.#trades.find(id)?.realised;
  }

  book(fill: Fill): Booking {
    const id = fill.clientOrderId;
    const open = this.open.get(id);
    // Booking closes an order, so an open order has not filled.
    const trade = open === undefined ? this.#trades.find(id) : undefined;
    const contradicted = this.#trades.contradiction(fill, trade);
    if (contradicted !== undefined) return contradiction(contradicted);
    if (trade !== undefined) {
      this.#trades.name(trade, fill.tradeId);
      return KNOWN;
    }
    const intent = open?.intent ?? this.#ended.get(id);
    if (intent === undefined) return contradiction(`fill of ${id} must belong to an order of ours, was of none`);
    const problem =
      fill.symbol !== intent.symbol || fill.side !== intent.side
        ? `must be a ${intent.side} of ${intent.symbol}, was a ${fill.side} of ${fill.symbol}`
        : fillInconsistency(intent, fill);
    if (problem !== undefined) return contradiction(`fill of ${id} contradicts its order: ${problem}`);
    return this.#booked(fill, intent);
  }

  save(): SavedAccounts {
    return {
      ledger: this.ledger.save(),
      profit: this.profit.save(),
      trades: this.#trades.save(),
      movements: this.movements.save(),
      volumes: this.volumes.save(),
      balances: [...this.#balances.values()],
      open: [...this.open.values()],
      ended: [...this.#ended.values()],
    };
  }

  #moved(id: string, report: MovementReport, now: Pick<Flight, "since" | "feeValue">): string | undefined {
    const { movements, ledger } = this;
    switch (report.kind) {
      case "reserved":
        movements.tie(id, report);
        return undefined;
      case "released":
        movements.untie(id);
        return undefined;
      case "departed": {
        if (movements.flight(id) !== undefined) return `${id} is in flight already, and departed again`;
        movements.untie(id);
        const { spent, fee, comes } = report;
        ledger.move("holdings", "mints", withoutFee(spent, fee));
        ledger.move("holdings", "fees", fee);
        ledger.move(isFromOutside(report) ? "outside" : "mints", "inFlight", comes);
        movements.depart(id, report, now);
        this.volumes.departed(report);
        return undefined;
      }
      case "told":
        movements.tell(id, report.status, report.reason);
        return undefined;
      case "doubt":
      case "escalated":
        return undefined;
      case "returned": {
        const flight = movements.arrive(id);
        if (flight === undefined) return `${id} was given back, but the books do not know it in flight`;
        ledger.move("inFlight", isFromOutside(flight) ? "outside" : "mints", flight.comes);
        ledger.move("fees", "holdings", flight.fee);
        ledger.move("mints", "holdings", withoutFee(flight.spent, flight.fee));
        this.volumes.returned(flight);
        return undefined;
      }
      case "arrived": {
        const flight = movements.arrive(id);
        if (flight === undefined) return `${id} arrived, but the books do not know it in flight`;
        const { fee = Money.zero(flight.comes.asset) } = report;
        ledger.move("inFlight", "fees", fee);
        ledger.move("inFlight", report.at === "account" ? "holdings" : "outside", flight.comes.minus(fee));
        return undefined;
      }
      default:
        return unreachable(report);
    }
  }

  #booked(fill: Fill, intent: OrderIntent): Booking {
    const { clientOrderId: id, bought, sold, fee } = fill;
    const isBuy = intent.side === "buy";
    // The reported amount may already be net of the fee: then the gross amount was traded and the fee taken out of it.
    const isNet = isBuy && fee.asset === bought.asset && !intent.quantity.isSizeOf(bought);
    this.ledger.trade(isNet ? bought.plus(fee) : bought, sold, fee);
    const late = this.open.remove(id) === undefined;
    if (late) this.#ended.delete(id);
    const gained = fee.asset === bought.asset && !isNet ? bought.minus(fee) : bought;
    const spent = fee.asset === sold.asset ? sold.negated().minus(fee) : sold.negated();
    const [base, quote] = isBuy ? [gained, spent] : [spent, gained];
    const isRoundTrip = this.profit.isRoundTrip(intent.symbol, base);
    const realised = this.profit.trade(intent.symbol, base, quote);
    this.#trades.add(fill, realised);
    this.volumes.traded(spent.negated(), quote);
    this.#changed();
    return { kind: "booked", intent, realised, late, isRoundTrip };
  }
}

export type Figure = {
  /** On account and in transit. */
  readonly held: Money | undefined;
  /** The holding if all pending amounts arrived. */
  readonly atMost: Money | undefined;
  /** The most that may still leave. */
  readonly leaving: Money;
  /** Deposits and other adopted amounts. */
  readonly placed: Money;
  readonly spendable: Money | undefined;
};

const NO_ROW: Partial<NonNullable<ReturnType<Ledger["row"]>>> = {};

/** Booked before; the order is neither open nor released any more. */
const KNOWN: Booking = { kind: "known" };

/** The fee is part of the spent amount, or separate in another asset. */
function withoutFee(spent: Money, fee: Money): Money {
  return fee.asset === spent.asset ? spent.minus(fee) : spent;
}

function contradiction(message: string): Booking {
  return { kind: "contradiction", message };
}

export type OpenOrder = Reserved & { readonly intent: OrderIntent };

class OpenOrders {
  /** Oldest first. A list, because there are few and a map would rehash every few orders. */
  readonly #orders: OpenOrder[] = [];

  get size(): number {
    return this.#orders.length;
  }

  values(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  get(id: ClientOrderId): OpenOrder | undefined {
    return this.#orders.find(({ intent }) => intent.clientOrderId === id);
  }

  add(order: OpenOrder): void {
    this.#orders.push(order);
  }

  remove(id: ClientOrderId): OpenOrder | undefined {
    const place = this.#orders.findIndex(({ intent }) => intent.clientOrderId === id);
    return place === -1 ? undefined : this.#orders.splice(place, 1)[0];
  }

  leaving(asset: Asset): Money {
    return this.#sum(asset, ({ leaves }) => leaves);
  }

  coming(asset: Asset): Money {
    return this.#sum(asset, ({ comes }) => comes);
  }

  #sum(asset: Asset, amountOf: (order: OpenOrder) => Money): Money {
    let sum = Money.zero(asset);
    for (const order of this.#orders) {
      const amount = amountOf(order);
      if (amount.asset === asset) sum = sum.plus(amount);
    }
    return sum;
  }
}

function openOrder(intent: OrderIntent, feeBpsMax: number): OpenOrder {
  const { leaves, comes } = reservedBy(intent, feeBpsMax);
  return { intent, leaves, comes };
}
