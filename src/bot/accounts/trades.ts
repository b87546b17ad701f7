// Which fills are in the books, for good. A Fill-or-Kill order fills once, so its client order id names one fill: first
// perhaps provisionally, from the answer to the order, then as history has it, with the same amounts and a trade id.
// Anything else under a known id contradicts what was booked.

import type { Asset } from "../../domain/asset.ts";
import { emptyList } from "../../domain/empty-list.ts";
import { invariant } from "../../domain/invariant.ts";
import { Money, MoneyColumn } from "../../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";
import { CountedIds } from "./counted-ids.ts";

export type SavedTrades = readonly (readonly [id: ClientOrderId, tradeId: string | null, legs: string])[];

type Legs = Pick<Fill, "bought" | "sold" | "fee">;

/** Bought, sold and fee, in this order. */
const LEGS = 3;
const LEGS_TEXT = /^(\S+) (\S+) for (\S+) (\S+), fee (\S+) (\S+)$/;

export class Trades {
  /** By the number of the trade, oldest first: a bot that runs for months has many, and objects take more room. */
  readonly #ids = emptyList<ClientOrderId>();
  readonly #tradeIds = emptyList<string | undefined>();
  readonly #amounts = new MoneyColumn();
  readonly #byOrder = new CountedIds();
  /** How many of them are in there. */
  #listed = 0;
  /** The first without a trade id: history names them in their order, and so it is mostly the one that is asked for. */
  #unnamed = 0;
  readonly #byTrade = new CountedIds();

  constructor(saved: SavedTrades = []) {
    for (const [id, tradeId, text] of saved) this.#add(id, tradeId ?? undefined, legsOf(text));
  }

  /** The number of the trade that filled the order; undefined when none did. */
  find(id: ClientOrderId): number | undefined {
    const count = this.#ids.length;
    const next = this.#unnamed;
    if (next < count && this.#ids[next] === id) return next;
    // Others are listed when one of them is asked for.
    for (; this.#listed < count; this.#listed++)
      this.#byOrder.set(this.#ids[this.#listed] as ClientOrderId, this.#listed);
    return this.#byOrder.get(id);
  }

  /** Why it cannot be that the order filled like this, when `trade` is what it filled with so far. */
  contradiction(fill: Fill, trade: number | undefined): string | undefined {
    const { clientOrderId: id, tradeId } = fill;
    const known = trade === undefined ? undefined : this.#tradeIds[trade];
    const owner = tradeId === undefined || tradeId === known ? undefined : this.#byTrade.get(tradeId);
    if (owner !== undefined && owner !== trade)
      return `trade ${tradeId} must belong to ${this.#ids[owner]}, was reported for ${id}`;
    if (trade === undefined) return undefined;
    if (!this.#isSame(trade, fill))
      return `fill of ${id} must be ${textOf(this.#legs(trade))} as booked, was ${textOf(fill)}`;
    if (tradeId !== undefined && known !== undefined && tradeId !== known)
      return `fill of ${id} must be trade ${known}, was ${tradeId}`;
    return undefined;
  }

  /** In the books from now on. */
  add(fill: Fill): void {
    this.#add(fill.clientOrderId, fill.tradeId, fill);
  }

  /** Known by its trade id from now on, where it was not. */
  name(trade: number, tradeId: string | undefined): void {
    if (tradeId === undefined || this.#tradeIds[trade] !== undefined) return;
    this.#tradeIds[trade] = tradeId;
    this.#byTrade.set(tradeId, trade);
    while (this.#unnamed < this.#ids.length && this.#tradeIds[this.#unnamed] !== undefined) this.#unnamed++;
  }

  /** Oldest first. */
  save(): SavedTrades {
    return this.#ids.map((id, trade) => [id, this.#tradeIds[trade] ?? null, textOf(this.#legs(trade))]);
  }

  #add(id: ClientOrderId, tradeId: string | undefined, { bought, sold, fee }: Legs): void {
    const trade = this.#ids.length;
    this.#ids.push(id);
    this.#tradeIds.push(undefined);
    this.#amounts.push(bought);
    this.#amounts.push(sold);
    this.#amounts.push(fee);
    this.name(trade, tradeId);
  }

  #isSame(trade: number, { bought, sold, fee }: Legs): boolean {
    const at = trade * LEGS;
    return this.#amounts.isAt(at, bought) && this.#amounts.isAt(at + 1, sold) && this.#amounts.isAt(at + 2, fee);
  }

  #legs(trade: number): Legs {
    const at = trade * LEGS;
    return { bought: this.#amounts.at(at), sold: this.#amounts.at(at + 1), fee: this.#amounts.at(at + 2) };
  }
}

function textOf({ bought, sold, fee }: Legs): string {
  return `${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
}

function legsOf(text: string): Legs {
  const match = LEGS_TEXT.exec(text);
  invariant(match !== null, `saved fill must look like "1 A for 2 B, fee 3 C", was ${JSON.stringify(text)}`);
  const money = (at: number): Money => Money.of(match[at] as string, match[at + 1] as Asset);
  return { bought: money(1), sold: money(3), fee: money(5) };
}
