// What things are worth in a backtest: a coin at the middle of the venue's price against a currency, or against another coin
// where only that was recorded; a currency at the market's rate; whether or not the bot knew it at that moment. While there is
// no price the last one stands, each by itself: over a weekend a coin still moves with its price in a currency that does not.

import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import type { Millis } from "../src/domain/time.ts";
import type { AssetListing, Pair } from "../src/simulator/core/record.ts";
import { emptyTop, type Market } from "../src/simulator/market/market.ts";

const DECIMALS = 9;
const STEPS = 10 ** DECIMALS;

/** One pair on the way from an asset to money: `inverse` where the asset is what it is quoted in. */
type Leg = { readonly pair: PairSymbol; readonly inverse: boolean };
type Route = { readonly legs: readonly Leg[]; readonly money: Asset };

/** What is listed, and of its pairs those whose prices at the venue were recorded. */
export type Listed = {
  readonly assets: readonly AssetListing[];
  readonly pairs: readonly Pair[];
  readonly recorded: readonly PairSymbol[];
};

export class Valuation {
  readonly #market: Market;
  readonly #currency: Asset;
  readonly #routes: ReadonlyMap<Asset, Route>;
  /** Middles of pairs and rates of currencies, by their names. */
  readonly #last = new Map<PairSymbol | Asset, number>();
  readonly #top = emptyTop();

  constructor(market: Market, currency: Asset, listed: Listed) {
    this.#market = market;
    this.#currency = currency;
    this.#routes = routesOf(currency, listed);
  }

  /** One unit in the currency. */
  rateOf(asset: Asset, at: Millis): number | undefined {
    if (asset === this.#currency) return 1;
    const route = this.#routes.get(asset);
    if (route === undefined) return undefined;
    const { legs, money } = route;
    let rate: number | undefined = 1;
    if (money !== this.#currency) rate = this.#standing(money, this.#market.rate(money, this.#currency, at));
    for (let leg = 0; rate !== undefined && leg < legs.length; leg++) {
      const { pair, inverse } = legs[leg] as Leg;
      const middle = this.#standing(pair, this.#middle(pair, at));
      rate = middle && (inverse ? rate / middle : middle * rate);
    }
    return rate === undefined ? undefined : Math.round(rate * STEPS) / STEPS;
  }

  /** The same as exact text. */
  rateText(asset: Asset, at: Millis): string | undefined {
    return asset === this.#currency ? "1" : this.rateOf(asset, at)?.toFixed(DECIMALS);
  }

  #middle(pair: PairSymbol, at: Millis): number | undefined {
    const top = this.#top;
    return this.#market.read(pair, at, top) ? (top.bid + top.ask) / 2 : undefined;
  }

  /** What it is now, else what it was last. */
  #standing(name: PairSymbol | Asset, now: number | undefined): number | undefined {
    if (now === undefined || !(now > 0)) return this.#last.get(name);
    this.#last.set(name, now);
    return now;
  }
}

/**
 * Through the pair with the currency itself, else through one with another currency, else by the market's rate. Where the
 * price of two coins was recorded and one with money was not, they are worth to each other what was recorded: two synthetic
 * prices that stray from it would be profit or loss of every trade between them.
 */
function routesOf(currency: Asset, { assets, pairs, recorded }: Listed): ReadonlyMap<Asset, Route> {
  const isMoney = (asset: Asset): boolean =>
    asset === currency || assets.some((listing) => listing.asset === asset && listing.kind === "fiat");
  const known = pairs.filter(({ symbol }) => recorded.includes(symbol));
  const coinPairs = known.filter(({ base, quote }) => !isMoney(base) && !isMoney(quote));
  const own = new Map(assets.map(({ asset }) => [asset, moneyPairOf(asset, currency, pairs, isMoney)] as const));
  /** The less, the better its own price says what others are worth over it. */
  const order = (asset: Asset): number => {
    const pair = own.get(asset);
    if (pair !== undefined && known.includes(pair)) return 0;
    return pair?.quote === currency ? 1 : pair !== undefined ? 2 : 3;
  };
  return new Map(
    assets.map(({ asset }) => {
      const ways = [...waysFrom(asset, coinPairs)];
      const least = Math.min(...ways.map(([end]) => order(end)));
      // The nearest that a price with money was recorded of; else one for all that are joined, the first of the list.
      const ends = ways.filter(([end]) => order(end) === least);
      const listed = assets.find((one) => ends.some(([end]) => end === one.asset))?.asset;
      const [end, way] = (least === 0 ? ends[0] : ends.find(([one]) => one === listed)) ?? [asset, []];
      const pair = own.get(end);
      const legs = pair === undefined ? way : [...way, { pair: pair.symbol, inverse: false }];
      return [asset, { legs, money: pair?.quote ?? end }] as const;
    }),
  );
}

function moneyPairOf(asset: Asset, currency: Asset, pairs: readonly Pair[], isMoney: (asset: Asset) => boolean) {
  const own = pairs.filter((pair) => pair.base === asset && isMoney(pair.quote));
  return own.find((pair) => pair.quote === currency) ?? own[0];
}

/** Whatever these pairs lead to, nearest first, the asset itself before all, with the way there. */
function waysFrom(asset: Asset, pairs: readonly Pair[]): ReadonlyMap<Asset, readonly Leg[]> {
  const found = new Map<Asset, readonly Leg[]>([[asset, []]]);
  // What is found is looked at in its turn: a map goes on to what is added meanwhile.
  for (const [from, way] of found)
    for (const { symbol, base, quote } of pairs) {
      const to = base === from ? quote : quote === from ? base : undefined;
      if (to !== undefined && !found.has(to)) found.set(to, [...way, { pair: symbol, inverse: quote === from }]);
    }
  return found;
}
