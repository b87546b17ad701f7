// What things are worth in a backtest: a coin at the middle of the venue's price against a currency, a currency at the
// market's rate, whether or not the bot knew it at that moment. While there is no price the last one stands.

import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import type { Millis } from "../src/domain/time.ts";
import type { AssetListing, Pair } from "../src/simulator/core/record.ts";
import { emptyTop, type Market } from "../src/simulator/market/market.ts";

const DECIMALS = 9;
const STEPS = 10 ** DECIMALS;

type Route = { readonly asset: Asset; readonly pair: PairSymbol | undefined; readonly money: Asset };

export class Valuation {
  readonly #market: Market;
  readonly #currency: Asset;
  readonly #routes: ReadonlyMap<Asset, Route>;
  readonly #last = new Map<Asset, number>();
  readonly #top = emptyTop();

  constructor(market: Market, currency: Asset, assets: readonly AssetListing[], pairs: readonly Pair[]) {
    this.#market = market;
    this.#currency = currency;
    const isMoney = (asset: Asset): boolean =>
      asset === currency || assets.some((listing) => listing.asset === asset && listing.kind === "fiat");
    this.#routes = new Map(assets.map(({ asset }) => [asset, routeOf(asset, currency, pairs, isMoney)]));
  }

  /** Exact text: one unit in the currency. */
  rateOf(asset: Asset, at: Millis): string | undefined {
    return asset === this.#currency ? "1" : this.floatOf(asset, at)?.toFixed(DECIMALS);
  }

  /** What the text says. */
  floatOf(asset: Asset, at: Millis): number | undefined {
    if (asset === this.#currency) return 1;
    const rate = this.#now(asset, at);
    if (rate !== undefined && rate > 0) this.#last.set(asset, Math.round(rate * STEPS) / STEPS);
    return this.#last.get(asset);
  }

  #now(asset: Asset, at: Millis): number | undefined {
    const route = this.#routes.get(asset);
    if (route === undefined) return undefined;
    const { pair, money } = route;
    const rate = money === this.#currency ? 1 : this.#market.rate(money, this.#currency, at);
    if (pair === undefined || rate === undefined) return rate;
    const top = this.#top;
    return this.#market.read(pair, at, top) ? ((top.bid + top.ask) / 2) * rate : undefined;
  }
}

/** Through the pair with the currency itself, else through one with another currency, else by the market's rate. */
function routeOf(asset: Asset, currency: Asset, pairs: readonly Pair[], isMoney: (asset: Asset) => boolean): Route {
  const own = pairs.filter((pair) => pair.base === asset && isMoney(pair.quote));
  const found = own.find((pair) => pair.quote === currency) ?? own[0];
  return found === undefined
    ? { asset, pair: undefined, money: asset }
    : { asset, pair: found.symbol, money: found.quote };
}
