// The venue of the net, with the truth kept exactly: every change of a balance with its time, and every list as it stood at
// any time. Requests that were lost on the way can still arrive until a later one is accepted.

import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { Balance } from "../../../src/domain/balance.ts";
import type { MintRequest } from "../../../src/domain/mint.ts";
import { Money, Price, type Quantity } from "../../../src/domain/money/money.ts";
import { type Fill, legs } from "../../../src/domain/order.ts";
import type { RailRequest } from "../../../src/domain/rail.ts";
import type { Random } from "../../../src/domain/random.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import type {
  MintReceipt,
  OrderRecord,
  OutgoingOrder,
  Payment,
  RailRecord,
  SupplyChange,
  TradeRecord,
} from "../../../src/exchange/port.ts";

export const CHF = "CHF" as Asset;
export const VCHF = "VCHF" as Asset;
export const PAIR = "VCHF/CHF" as PairSymbol;
const OPENING = [Money.of("1000000", CHF), Money.of("500000", VCHF)];

/** A row of a list, from a time on. */
type Dated<T> = { readonly at: Millis; readonly row: T };
type Change = { readonly at: Millis; readonly total: Money };
type InTransit = { readonly nonce: number; readonly arrive: () => void };

export class NetVenue {
  readonly #random: Random;
  readonly #now: () => Millis;
  readonly #totals = new Map<Asset, Change[]>();
  readonly #trades: Dated<TradeRecord>[] = [];
  readonly #orders: Dated<OrderRecord>[] = [];
  /** By id: each state of the row. */
  readonly #mints = new Map<string, Dated<SupplyChange>[]>();
  readonly #minted: Quantity[] = [];
  /** What each mint cost, as the portal shows it. */
  readonly receipts = new Map<string, MintReceipt>();
  readonly #payments = new Map<string, Dated<Payment>[]>();
  readonly #rails: Dated<RailRecord>[] = [];
  /** What is still to come of mints and payments. */
  readonly #open = new Map<string, () => void>();
  /** Called for each mint that was accepted. */
  onMint: ((id: string) => void) | undefined;
  /** How often a balance has changed. */
  changes = 0;
  #inTransit: InTransit[] = [];
  #count = 0;

  constructor(random: Random, now: () => Millis) {
    this.#random = random;
    this.#now = now;
    for (const amount of OPENING) this.#totals.set(amount.asset, [{ at: millis(0), total: amount }]);
  }

  total(asset: Asset, at: Millis = this.#now()): Money {
    const changes = this.#totals.get(asset) ?? [];
    for (let i = changes.length - 1; i >= 0; i--) {
      const { at: since, total } = changes[i] as Change;
      if (since <= at) return total;
    }
    return Money.zero(asset);
  }

  /** Also how a thief works: no list shows it. */
  move(change: Money): void {
    const total = this.total(change.asset).plus(change);
    this.#totals.get(change.asset)?.push({ at: this.#now(), total });
    this.changes += 1;
  }

  /** Fills at the limit or better, or kills. */
  order(order: OutgoingOrder): Fill | undefined {
    const { clientOrderId, symbol, side, quantity, limit } = order;
    const orderId = this.#id("o");
    const at = this.#now();
    // Better by up to a fifth of a basis point.
    const better = this.#random.integer(0, 20) / 1e6;
    const price = Price.of((Number(String(limit)) + (side === "buy" ? -better : better)).toFixed(6));
    const base = quantity.of(VCHF);
    const quote = price.times(quantity, CHF, side === "buy" ? "down" : "up").rounded(6, side === "buy" ? "down" : "up");
    const sold = side === "buy" ? quote : base;
    const isFilled = this.#random.next() < 0.8 && sold.atMost(this.total(sold.asset));
    const row = { clientOrderId, orderId, symbol, side, quantity, limit, at };
    this.#orders.push({ at, row: { ...row, status: isFilled ? "Filled" : "Rejected" } });
    if (!isFilled) return undefined;
    const bought = side === "buy" ? base : quote;
    const { sold: soldAsset } = legs(side, VCHF, CHF);
    const fill: Fill = {
      clientOrderId,
      orderId,
      tradeId: this.#id("t"),
      symbol,
      side,
      bought,
      sold,
      fee: Money.zero(soldAsset),
      at,
    };
    this.#trades.push({ at, row: { ...fill, status: undefined } });
    this.move(bought);
    this.move(sold.negated());
    return fill;
  }

  /** The money leaves at once; the coins come when it settles. */
  mint({ asset, blockchain, quantity }: MintRequest, feeBps: number): MintReceipt {
    const requestId = this.#id("m");
    const fee = quantity.of(CHF).share(feeBps, "down").rounded(2, "down");
    const spent = quantity.of(CHF).plus(fee);
    const row: SupplyChange = {
      requestId,
      transactionId: undefined,
      asset,
      blockchain,
      quantity,
      status: "pending",
      reason: undefined,
      at: this.#now(),
    };
    const rows = [{ at: this.#now(), row }];
    this.#minted.push(quantity);
    this.#mints.set(requestId, rows);
    this.move(spent.negated());
    this.#open.set(requestId, () => {
      rows.push({ at: this.#now(), row: { ...row, status: "settled" } });
      this.move(quantity.of(asset));
    });
    this.onMint?.(requestId);
    const receipt = { requestId, transactionId: undefined, fee, spent };
    this.receipts.set(requestId, receipt);
    return receipt;
  }

  rail(request: RailRequest): RailRecord {
    const rail: RailRecord = { railId: this.#id("rail"), status: "pending", reason: undefined };
    this.#rails.push({ at: this.#now(), row: { ...rail, request } });
    return rail;
  }

  /** `fee` is taken off the payment, and stated in its row where `isStated`. A rejected one moves nothing in the end. */
  pay(railId: string, way: "in" | "out", amount: Money, fee: Money, isStated: boolean): string {
    const paymentId = this.#id("p");
    const isRejected = this.#random.next() < 0.1;
    const row: Payment = {
      railId,
      paymentId,
      status: "pending",
      amount,
      ...(isStated ? { fee } : {}),
      at: this.#now(),
    };
    const rows = [{ at: this.#now(), row }];
    this.#payments.set(paymentId, rows);
    if (way === "out") this.move(amount.negated());
    this.#open.set(paymentId, () => {
      rows.push({ at: this.#now(), row: { ...row, status: isRejected ? "rejected" : "settled" } });
      if (way === "out" && isRejected) this.move(amount);
      if (way === "in" && !isRejected) this.move(amount.minus(fee));
    });
    return paymentId;
  }

  /** Whether the venue has executed the order of this id, or a mint of this quantity, or still may. */
  has(id: string, quantity: Quantity): boolean {
    if (this.#inTransit.length > 0) return true;
    const isFilled = this.#trades.some(({ row }) => row.clientOrderId === id);
    return isFilled || this.#minted.some((one) => one.equals(quantity));
  }

  /** A mint or payment comes to its end. */
  end(id: string): void {
    const end = this.#open.get(id);
    this.#open.delete(id);
    end?.();
  }

  get openIds(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** The request is on its way, and may arrive until a later one is accepted. */
  lose(nonce: number, arrive: () => void): void {
    this.#inTransit.push({ nonce, arrive });
  }

  /** A signed request arrives: of what was sent before it some arrive just now, the rest never. */
  accept(nonce: number): void {
    const before = this.#inTransit.filter((one) => one.nonce < nonce);
    if (before.length === 0) return;
    this.#inTransit = this.#inTransit.filter((one) => one.nonce >= nonce);
    for (const { arrive } of before) if (this.#random.next() < 0.3) arrive();
  }

  balances(at: Millis): readonly Balance[] {
    return [CHF, VCHF].map((asset) => ({ asset, available: this.total(asset, at), pending: Money.zero(asset) }));
  }

  trades(at: Millis): readonly TradeRecord[] {
    return rowsAt(this.#trades, at);
  }

  orders(at: Millis): readonly OrderRecord[] {
    return rowsAt(this.#orders, at);
  }

  rails(at: Millis): readonly RailRecord[] {
    return rowsAt(this.#rails, at);
  }

  supplyChanges(at: Millis): readonly SupplyChange[] {
    return [...this.#mints.values()].flatMap((rows) => rowsAt(rows, at).slice(-1));
  }

  payments(at: Millis): readonly Payment[] {
    return [...this.#payments.values()].flatMap((rows) => rowsAt(rows, at).slice(-1));
  }

  #id(prefix: string): string {
    return `${prefix}${++this.#count}`;
  }
}

function rowsAt<T>(rows: readonly Dated<T>[], at: Millis): readonly T[] {
  return rows.flatMap((one) => (one.at <= at ? [one.row] : []));
}
