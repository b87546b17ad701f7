// Which fills are in the books. A Fill-or-Kill order fills once, so its client order id names one fill: first perhaps
// provisionally, from the answer to the order, then as history has it, with the same amounts and a trade id. Anything
// else under a known id contradicts what was booked.

import type { Money } from "../../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";

export type FillStanding =
  | { readonly kind: "new" }
  | { readonly kind: "known" }
  | { readonly kind: "contradiction"; readonly message: string };

export type SavedTrades = readonly (readonly [id: ClientOrderId, tradeId: string | null, legs: string])[];

type Legs = Pick<Fill, "bought" | "sold" | "fee">;
/** Text where it was read back, amounts where it was booked here: text is made when it is asked for. */
type Booked = { tradeId: string | undefined; readonly legs: string | Legs };

export class Trades {
  readonly #booked = new Map<ClientOrderId, Booked>();
  readonly #orderOf = new Map<string, ClientOrderId>();

  constructor(saved: SavedTrades = []) {
    for (const [id, tradeId, legs] of saved) {
      this.#booked.set(id, { tradeId: tradeId ?? undefined, legs });
      if (tradeId !== null) this.#orderOf.set(tradeId, id);
    }
  }

  standing(fill: Fill): FillStanding {
    const { clientOrderId: id, tradeId } = fill;
    const owner = tradeId === undefined ? undefined : this.#orderOf.get(tradeId);
    if (owner !== undefined && owner !== id)
      return { kind: "contradiction", message: `trade ${tradeId} must belong to ${owner}, was reported for ${id}` };
    const booked = this.#booked.get(id);
    if (booked === undefined) return { kind: "new" };
    if (!isSame(booked.legs, fill))
      return {
        kind: "contradiction",
        message: `fill of ${id} must be ${textOf(booked.legs)} as booked, was ${textOf(fill)}`,
      };
    if (tradeId !== undefined && booked.tradeId !== undefined && tradeId !== booked.tradeId)
      return { kind: "contradiction", message: `fill of ${id} must be trade ${booked.tradeId}, was ${tradeId}` };
    return { kind: "known" };
  }

  /** The fill is in the books from now on, or is now known by its trade id. */
  remember(fill: Fill): void {
    const { clientOrderId: id, tradeId } = fill;
    const booked = this.#booked.get(id);
    if (booked === undefined)
      this.#booked.set(id, { tradeId, legs: { bought: fill.bought, sold: fill.sold, fee: fill.fee } });
    else booked.tradeId ??= tradeId;
    if (tradeId !== undefined) this.#orderOf.set(tradeId, id);
  }

  has(id: ClientOrderId): boolean {
    return this.#booked.has(id);
  }

  save(): SavedTrades {
    return [...this.#booked].map(([id, { tradeId, legs }]) => [id, tradeId ?? null, textOf(legs)]);
  }
}

function isSame(booked: string | Legs, fill: Fill): boolean {
  if (typeof booked === "string") return booked === textOf(fill);
  return isEqual(booked.bought, fill.bought) && isEqual(booked.sold, fill.sold) && isEqual(booked.fee, fill.fee);
}

function isEqual(one: Money, other: Money): boolean {
  return one === other || (one.asset === other.asset && one.equals(other));
}

function textOf(legs: string | Legs): string {
  if (typeof legs === "string") return legs;
  const { bought, sold, fee } = legs;
  return `${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
}
