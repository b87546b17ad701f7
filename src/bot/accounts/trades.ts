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

/** So many are kept as they were booked: history shows a fill soon, and its amounts are compared then. */
const FRESH_MAX = 1_024;

export class Trades {
  readonly #fresh = new Map<ClientOrderId, Booked>();
  /** The older ones, each as one text of legs and trade id: a bot that runs for months has many. */
  readonly #packed = new Map<ClientOrderId, string>();
  readonly #orderOf = new Map<string, ClientOrderId>();
  /** The fresh ones, in a ring. */
  readonly #ring: ClientOrderId[] = [];
  #next = 0;

  constructor(saved: SavedTrades = []) {
    for (const [id, tradeId, legs] of saved) {
      this.#packed.set(id, packed({ tradeId: tradeId ?? undefined, legs }));
      if (tradeId !== null) this.#orderOf.set(tradeId, id);
    }
  }

  standing(fill: Fill): FillStanding {
    const { clientOrderId: id, tradeId } = fill;
    const owner = tradeId === undefined ? undefined : this.#orderOf.get(tradeId);
    if (owner !== undefined && owner !== id)
      return { kind: "contradiction", message: `trade ${tradeId} must belong to ${owner}, was reported for ${id}` };
    const booked = this.#find(id);
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
    if (tradeId !== undefined) this.#orderOf.set(tradeId, id);
    const booked = this.#fresh.get(id);
    if (booked !== undefined) {
      booked.tradeId ??= tradeId;
      return;
    }
    const old = this.#packed.get(id);
    if (old === undefined) this.#add(id, { tradeId, legs: { bought: fill.bought, sold: fill.sold, fee: fill.fee } });
    else {
      const { legs, tradeId: known } = unpacked(old);
      this.#packed.set(id, packed({ tradeId: known ?? tradeId, legs }));
    }
  }

  has(id: ClientOrderId): boolean {
    return this.#fresh.has(id) || this.#packed.has(id);
  }

  /** Oldest first. */
  save(): SavedTrades {
    const fresh = [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
    return [...this.#packed.keys(), ...fresh].map((id) => {
      const { tradeId, legs } = this.#find(id) as Booked;
      return [id, tradeId ?? null, textOf(legs)];
    });
  }

  #find(id: ClientOrderId): Booked | undefined {
    const fresh = this.#fresh.get(id);
    if (fresh !== undefined) return fresh;
    const old = this.#packed.get(id);
    return old === undefined ? undefined : unpacked(old);
  }

  #add(id: ClientOrderId, booked: Booked): void {
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) {
      this.#packed.set(oldest, packed(this.#fresh.get(oldest) as Booked));
      this.#fresh.delete(oldest);
    }
    this.#ring[this.#next] = id;
    this.#next = (this.#next + 1) % FRESH_MAX;
    this.#fresh.set(id, booked);
  }
}

/** Joined, since a text put together by operators keeps its parts. Legs have no line break; a trade id may be any text. */
function packed({ tradeId, legs }: Booked): string {
  return (tradeId === undefined ? [textOf(legs)] : [textOf(legs), tradeId]).join("\n");
}

function unpacked(text: string): Booked {
  const end = text.indexOf("\n");
  return end < 0 ? { tradeId: undefined, legs: text } : { tradeId: text.slice(end + 1), legs: text.slice(0, end) };
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
