// What has moved through each door since the opening, summed for each asset: tiers of fees and charges on unused funds go by it.

import { isCurrency } from "./coin.ts";
import type { Money } from "./money/money.ts";
import { type Flight, isFromOutside } from "./movement.ts";

type Passage = Pick<Flight, "door" | "spent" | "comes">;

/**
 * `wire`: fiat that came onto the account; what was there at the opening counts. `purchase`: fiat that orders spent.
 * `trade`: the quote side of every fill.
 */
export type Volume = "wire" | "purchase" | "trade" | "mint" | "on-ramp" | "off-ramp";

export type SavedVolumes = readonly (readonly [Volume, readonly Money[]])[];

export class Volumes {
  readonly #sums = new Map<Volume, readonly Money[]>();

  constructor(saved: SavedVolumes = []) {
    for (const [volume, sums] of saved) this.#sums.set(volume, sums);
  }

  add(volume: Volume, amount: Money): void {
    const sums = this.of(volume);
    const same = sums.find(({ asset }) => asset === amount.asset);
    const others = sums.filter((sum) => sum !== same);
    this.#sums.set(volume, [...others, same === undefined ? amount : same.plus(amount)]);
  }

  adopted(amount: Money): void {
    if (amount.isPositive() && isCurrency(amount.asset)) this.add("wire", amount);
  }

  departed({ door, spent, comes }: Passage): void {
    if (door === "mint") this.add("mint", spent);
    else if (isFromOutside({ spent })) this.add("on-ramp", comes);
    else this.add("off-ramp", spent);
  }

  returned({ door, spent, comes }: Passage): void {
    this.departed({ door, spent: spent.negated(), comes: comes.negated() });
  }

  /** Fees included. */
  traded(sold: Money, quote: Money): void {
    this.add("trade", quote.size());
    if (isCurrency(sold.asset)) this.add("purchase", sold);
  }

  of(volume: Volume): readonly Money[] {
    return this.#sums.get(volume) ?? [];
  }

  save(): SavedVolumes {
    return [...this.#sums];
  }
}
