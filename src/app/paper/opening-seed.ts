// The seed of a new paper market. The market is the calibrated one, in which a coin may stay near par for an hour; so
// that a first look has something to see, the seed is drawn again until a coin stands apart from par in the minutes to
// come. Later hours are whatever the seed brings.

import type { PairSymbol } from "../../domain/asset.ts";
import { createRandom } from "../../domain/random.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { emptyTop, type Market } from "../../simulator/market/market.ts";
import { syntheticMarket } from "../../simulator/market/synthetic.ts";

const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const APART_BPS = 13;
/** Within the peg band, with room: no episode of stress. */
const CALM_BPS = 35;
const MINUTE = 60_000;
const LOOKS = [0, MINUTE / 2, MINUTE, 2 * MINUTE];
const TRIES_MAX = 200;

/** `chance` is any whole number; the same gives the same seed at the same time. */
export function openingSeed(chance: number, now: Millis): number {
  const random = createRandom(chance);
  let seed = 0;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    seed = random.integer(0, 2 ** 31 - 1);
    if (hasSomethingToSee(syntheticMarket(seed), now)) return seed;
  }
  return seed;
}

function hasSomethingToSee(market: Market, now: Millis): boolean {
  const deviations = SYMBOLS.map((symbol) => LOOKS.map((ms) => deviationBps(market, symbol, millis(now + ms))));
  const isCalm = deviations.every((looks) => looks.every((bps) => bps <= CALM_BPS));
  return isCalm && deviations.some((looks) => looks.every((bps) => bps >= APART_BPS));
}

function deviationBps(market: Market, symbol: PairSymbol, at: Millis): number {
  const top = emptyTop();
  if (!market.read(symbol, at, top)) return Number.NaN;
  return Math.abs((top.bid + top.ask) / 2 - 1) * 1e4;
}
