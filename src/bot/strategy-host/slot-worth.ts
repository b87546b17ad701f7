// The current worth of a slot to the strategy, in the currency of the limits: calls its `worth` for each pair at the
// time of the slot, which may be later than the last event. It changes neither the engine's clock nor the books; the
// state is compared to verify that it does not change either.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { Moment } from "../../market/moment.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import type { Rates } from "../../market/rate.ts";
import { textOf } from "../../strategy/error-text.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { saveState } from "../../strategy/state.ts";
import type { View } from "../../strategy/view.ts";
import { isPromised } from "./answer.ts";
import { FreshView, type LiveView, ReusedView, ViewControl, type ViewSource } from "./view.ts";

/** The number of slots at which the state is compared; with fresh views, at all of them. */
const COMPARED = 16;

export class SlotWorth {
  readonly #strategy: Strategy;
  readonly #sight: ViewSource;
  readonly #rates: Rates;
  readonly #isFresh: boolean;
  /** The slot's time, separate from the engine's. */
  readonly #moment = new Moment();
  readonly #places = new Map<PairPrices, Place>();
  /** Why the strategy's estimate for the last slot was invalid. */
  problem: string | undefined = undefined;
  /** The number of comparisons left. */
  #compared: number;
  /** `worth` changed the state, so decisions would depend on which slots were contested: it is not called again. */
  #hasChangedState = false;

  constructor(strategy: Strategy, sight: ViewSource, rates: Rates, isFresh: boolean) {
    this.#strategy = strategy;
    this.#sight = sight;
    this.#rates = rates;
    this.#isFresh = isFresh;
    this.#compared = isFresh ? Number.POSITIVE_INFINITY : COMPARED;
  }

  /** The worth of fresh quotes of all pairs; undefined if the strategy has no estimate for any. */
  quotes(now: number): number | undefined {
    if (this.#hasChangedState) return undefined;
    if (this.#compared <= 0) return this.#sum(now);
    this.#compared--;
    const before = this.#stateText();
    const sum = this.#sum(now);
    this.#hasChangedState = before !== undefined && this.#stateText() !== before;
    if (!this.#hasChangedState) return sum;
    this.problem = `worth of ${this.#strategy.name} must not change the state, did; it is not asked again`;
    return undefined;
  }

  /** Undefined if the state cannot be saved, which halts the bot at the next safe point. */
  #stateText(): string | undefined {
    const saved = saveState(this.#strategy.state);
    return saved.ok ? JSON.stringify(saved.value) : undefined;
  }

  #sum(now: number): number | undefined {
    const { pricing } = this.#sight;
    this.#moment.now = Math.max(pricing.moment.now, now);
    this.problem = undefined;
    let sum: number | undefined;
    for (const prices of pricing.pairs.values()) {
      if (prices.venue.seen !== "good") continue;
      const place = this.#placeOf(prices);
      const gain = this.#asked(place);
      const rate = gain === undefined ? undefined : this.#rateOf(place.currency);
      if (gain !== undefined && rate !== undefined) sum = (sum ?? 0) + gain * rate;
    }
    return sum;
  }

  /** The gain of the order at its limit against the current fair value. */
  order({ symbol, side, quantity, limit }: OrderIntent): number | undefined {
    const fair = this.#sight.pricing.pairs.get(symbol)?.value();
    const rate = this.#rateOf(assetsOf(symbol).quote);
    if (fair === undefined || rate === undefined) return undefined;
    const edge = side === "buy" ? fair - limit.toNumber() : limit.toNumber() - fair;
    return edge * quantity.toNumber() * rate;
  }

  #asked(place: Place): number | undefined {
    const { name, definition } = this.#strategy;
    const { cursor, view } = this.#isFresh ? this.#placed(place.prices) : place;
    cursor.open(view);
    try {
      const said = definition.worth?.(view);
      cursor.close(view);
      if (said === undefined || (typeof said === "number" && said >= 0 && said < Number.POSITIVE_INFINITY)) return said;
      // A later rejection of the promise must not end the process.
      if (isPromised(said)) said.then(undefined, () => {});
      this.problem = `worth of ${name} must be a number from 0, or undefined, was ${typeof said === "number" ? said : typeof said}`;
    } catch (error) {
      cursor.close(view);
      this.problem = `worth of ${name} threw: ${textOf(error)}`;
    }
    return undefined;
  }

  #rateOf(asset: Asset): number | undefined {
    return asset === this.#rates.currency ? 1 : this.#rates.float(asset);
  }

  #placeOf(prices: PairPrices): Place {
    const known = this.#places.get(prices);
    if (known !== undefined) return known;
    const place = this.#placed(prices);
    this.#places.set(prices, place);
    return place;
  }

  #placed(prices: PairPrices): Place {
    const cursor = new ViewControl(this.#sight, this.#strategy, this.#isFresh, this.#moment);
    cursor.aim(prices);
    const view = this.#isFresh ? new FreshView() : new ReusedView(cursor);
    return { prices, currency: assetsOf(prices.symbol).quote, cursor, view };
  }
}

/** The strategy's view of one pair. */
type Place = {
  readonly prices: PairPrices;
  readonly currency: Asset;
  readonly cursor: ViewControl;
  readonly view: LiveView & View;
};
