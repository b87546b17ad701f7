// Prices pushed in from outside through a port: the last one pushed counts until the next. Pairs and rates that nobody
// pushed come from the fallback.

import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Market, Top } from "../../src/simulator/market/market.ts";

export interface PushedMarket extends Market {
  push(symbol: PairSymbol, top: Readonly<Top>): void;
  /** A fair rate, for example GBP/CHF. */
  pushRate(symbol: PairSymbol, mid: number): void;
  /** The pair has no price until the next push. */
  withdraw(symbol: PairSymbol): void;
}

export function pushedMarket(fallback: Market): PushedMarket {
  const tops = new Map<string, Readonly<Top> | undefined>();
  const rates = new Map<string, number>();
  return {
    push(symbol, top) {
      tops.set(symbol, { ...top });
    },
    pushRate(symbol, mid) {
      rates.set(symbol, mid);
    },
    withdraw(symbol) {
      tops.set(symbol, undefined);
    },
    read(symbol, at, into) {
      if (!tops.has(symbol)) return fallback.read(symbol, at, into);
      const top = tops.get(symbol);
      if (top === undefined) return false;
      Object.assign(into, top);
      return true;
    },
    rate(base, quote, at) {
      const direct = rates.get(`${base}/${quote}`);
      if (direct !== undefined) return direct;
      const inverse = rates.get(`${quote}/${base}`);
      return inverse === undefined ? fallback.rate(base, quote, at) : 1 / inverse;
    },
    closure: (asset, at) => fallback.closure(asset, at),
    stale: (symbol, at) => (tops.has(symbol) ? 0 : fallback.stale(symbol, at)),
    depthEpoch: (at) => fallback.depthEpoch(at),
  };
}
