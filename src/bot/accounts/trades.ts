// The permanent record of booked fills. A Fill-or-Kill order fills once, so its client order id names one fill: first
// perhaps provisional, from the answer to the order, then as history shows it, with the same amounts and a trade id.
// Anything else under a known id contradicts the booking.

import { invariant } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";

/** A line for each: order, trade or nothing, legs. One text, because a JSON reviver would visit each of a million. */
export type SavedTrades = string;

/**
 * `legs`: the amounts of a fill reported once; after a second report their text, which takes less memory, because a bot
 * that runs for months has many trades.
 */
export type Trade = { readonly id: ClientOrderId; tradeId: string | undefined; legs: Legs | string };

type Legs = Pick<Fill, "bought" | "sold" | "fee">;

const LEGS_TEXT = /^\S+ \S+ for \S+ \S+, fee \S+ \S+$/;

export class Trades {
  /** Oldest first. */
  readonly #byOrder = new Map<ClientOrderId, Trade>();
  readonly #byTrade = new Map<string, Trade>();

  constructor(saved: SavedTrades = "") {
    for (const line of saved === "" ? [] : saved.split("\n")) {
      const [id = "", tradeId = "", legs = ""] = line.split("\t");
      invariant(LEGS_TEXT.test(legs), `saved fill must look like "1 A for 2 B, fee 3 C", was ${JSON.stringify(legs)}`);
      this.#add(id as ClientOrderId, tradeId === "" ? undefined : tradeId, legs);
    }
  }

  /** The trade that filled the order; undefined if it has not filled. */
  find(id: ClientOrderId): Trade | undefined {
    return this.#byOrder.get(id);
  }

  /** The reason why this fill contradicts `trade`, the order's booked trade. */
  contradiction(fill: Fill, trade: Trade | undefined): string | undefined {
    const { clientOrderId: id, tradeId } = fill;
    const owner = tradeId === undefined ? undefined : this.#byTrade.get(tradeId);
    if (owner !== undefined && owner !== trade)
      return `trade ${tradeId} must belong to ${owner.id}, was reported for ${id}`;
    if (trade === undefined) return undefined;
    if (!isLike(trade.legs, fill)) return `fill of ${id} must be ${textOf(trade.legs)} as booked, was ${textOf(fill)}`;
    if (tradeId !== undefined && trade.tradeId !== undefined && tradeId !== trade.tradeId)
      return `fill of ${id} must be trade ${trade.tradeId}, was ${tradeId}`;
    return undefined;
  }

  add(fill: Fill): void {
    this.#add(fill.clientOrderId, fill.tradeId, fill);
  }

  /** For a fill that is reported again. */
  repeat(trade: Trade, tradeId: string | undefined): void {
    trade.legs = textOf(trade.legs);
    this.#name(trade, tradeId);
  }

  /** Indexes the trade by its trade id if it had none. */
  #name(trade: Trade, tradeId: string | undefined): void {
    if (tradeId === undefined || trade.tradeId !== undefined) return;
    trade.tradeId = tradeId;
    this.#byTrade.set(tradeId, trade);
  }

  /** Oldest first. */
  save(): SavedTrades {
    return Array.from(
      this.#byOrder.values(),
      ({ id, tradeId = "", legs }) => `${id}\t${tradeId}\t${textOf(legs)}`,
    ).join("\n");
  }

  #add(id: ClientOrderId, tradeId: string | undefined, legs: Legs | string): void {
    const trade: Trade = { id, tradeId: undefined, legs };
    this.#byOrder.set(id, trade);
    this.#name(trade, tradeId);
  }
}

function isLike(legs: Legs | string, fill: Fill): boolean {
  if (typeof legs === "string") return legs === textOf(fill);
  return isSame(legs.bought, fill.bought) && isSame(legs.sold, fill.sold) && isSame(legs.fee, fill.fee);
}

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}

function textOf(legs: Legs | string): string {
  if (typeof legs === "string") return legs;
  const { bought, sold, fee } = legs;
  return `${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
}
