// The permanent record of booked fills. A Fill-or-Kill order fills once, so its client order id names one fill: first
// perhaps provisional, from the answer to the order, then as history shows it, with the same amounts and a trade id.
// Anything else under a known id contradicts the booking.

import { invariant } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";

/** A line for each: order, trade or nothing, legs, profit or nothing. One text, because a JSON reviver would visit each of a million. */
export type SavedTrades = string;

/** `legs`: the amounts as text, which takes less memory: a bot that runs for months has many trades. */
export type Trade = {
  readonly id: ClientOrderId;
  tradeId: string | undefined;
  readonly legs: string;
  readonly realised: string | undefined;
};

const LEGS_TEXT = /^\S+ \S+ for \S+ \S+, fee \S+ \S+$/;

export class Trades {
  /** Oldest first. */
  readonly #byOrder = new Map<ClientOrderId, Trade>();
  readonly #byTrade = new Map<string, Trade>();

  constructor(saved: SavedTrades = "") {
    for (const line of saved === "" ? [] : saved.split("\n")) {
      const [id = "", tradeId = "", legs = "", realised = ""] = line.split("\t");
      invariant(LEGS_TEXT.test(legs), `saved fill must look like "1 A for 2 B, fee 3 C", was ${JSON.stringify(legs)}`);
      this.#add(id as ClientOrderId, tradeId === "" ? undefined : JSON.parse(tradeId), legs, realised || undefined);
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
    if (trade.legs !== legsOf(fill)) return `fill of ${id} must be ${trade.legs} as booked, was ${legsOf(fill)}`;
    if (tradeId !== undefined && trade.tradeId !== undefined && tradeId !== trade.tradeId)
      return `fill of ${id} must be trade ${trade.tradeId}, was ${tradeId}`;
    return undefined;
  }

  add(fill: Fill, realised?: Money): void {
    this.#add(fill.clientOrderId, fill.tradeId, legsOf(fill), realised && String(realised));
  }

  /** Indexes the trade by its trade id if it had none. */
  name(trade: Trade, tradeId: string | undefined): void {
    if (tradeId === undefined || trade.tradeId !== undefined) return;
    trade.tradeId = tradeId;
    this.#byTrade.set(tradeId, trade);
  }

  /** Oldest first. */
  save(): SavedTrades {
    const lines = Array.from(this.#byOrder.values(), ({ id, tradeId, legs, realised = "" }) => {
      return `${id}\t${tradeId === undefined ? "" : JSON.stringify(tradeId)}\t${legs}\t${realised}`;
    });
    return lines.join("\n");
  }

  #add(id: ClientOrderId, tradeId: string | undefined, legs: string, realised: string | undefined): void {
    const trade: Trade = { id, tradeId: undefined, legs, realised };
    this.#byOrder.set(id, trade);
    this.name(trade, tradeId);
  }
}

function legsOf({ bought, sold, fee }: Fill): string {
  return `${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
}
