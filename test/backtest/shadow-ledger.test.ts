// Many short runs with random strategies, pairs, sizes, limits, fees and funds: what the bot's ledger and the venue's
// ledger say at the end is, to the last digit, what a second arithmetic makes of the orders' prices and quantities.

import { Decimal as Shared } from "decimal.js";
import { expect, it } from "vitest";
import { backtestTerms } from "../../backtest/options.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { OrderRow } from "../../src/simulator/core/record.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { START } from "../support/lockstep.ts";
import { backtestOf } from "./stage.ts";

const Decimal = Shared.clone({ precision: 100 });
type Decimal = InstanceType<typeof Decimal>;

/** PEGBOT_SIMULATIONS makes more of them. */
const RUNS = Number(process.env.PEGBOT_SIMULATIONS ?? 100);
const HOUR = 3_600_000;
const SEED = 20_261_115;
/** Those that have a fair value: the gate lets nothing else out. */
const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];

function randomStrategy(random: Random): Strategy {
  const wanted = new Set(random.next() < 0.7 ? SYMBOLS : [SYMBOLS[random.integer(0, 1)]]);
  const definition = defineStrategy({
    name: "random",
    decide({ quote, buy, sell, openOrders }) {
      if (!wanted.has(quote.symbol as PairSymbol) || openOrders.length > 0 || random.next() < 0.3) return undefined;
      const size = 40 + random.next() * 3_000;
      const slack = 1 + (random.next() * 30 - 5) / 1e4;
      return random.next() < 0.5
        ? buy(quote.symbol, { limit: quote.ask * slack, size, reason: "a coin was tossed" })
        : sell(quote.symbol, { limit: quote.bid / slack, size, reason: "a coin was tossed" });
    },
  });
  return unwrap(prepareStrategy(definition, {}));
}

/** From prices and quantities alone; the fee is that of the quote leg, rounded up at 8 decimals. */
function shadowOf(
  funds: Readonly<Record<string, string>>,
  rows: readonly OrderRow[],
  feeBps: number,
): Map<string, Decimal> {
  const held = new Map(Object.entries(funds).map(([asset, amount]) => [asset, new Decimal(amount)]));
  const add = (asset: string, amount: Decimal): void =>
    void held.set(asset, (held.get(asset) ?? new Decimal(0)).plus(amount));
  for (const { symbol, side, quantity, price } of rows) {
    if (price === undefined) continue;
    const { base, quote } = assetsOf(symbol);
    const worth = new Decimal(price.toString()).times(quantity.toString());
    const fee = worth.times(feeBps).div(10_000).toDecimalPlaces(8, Decimal.ROUND_UP);
    const sign = side === "buy" ? 1 : -1;
    add(base, new Decimal(quantity.toString()).times(sign));
    add(quote, worth.times(-sign).minus(fee));
  }
  return held;
}

it(`agrees with a decimal.js ledger to the last digit on ${RUNS} random runs (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  let fills = 0;
  for (let run = 0; run < RUNS; run++) {
    const seed = random.integer(0, 2 ** 31 - 1);
    const own = createRandom(seed);
    const amount = (): string => (own.next() * 50_000 + 5_000).toFixed(own.integer(0, 8));
    const funds = { CHF: amount(), VCHF: amount(), GBP: amount(), VGBP: amount() };
    const feeBps = own.integer(0, 1_900) / 100;
    const { tradingCore, venue, key, record } = backtestOf(randomStrategy(own), own.integer(20, 45) * 1_000, {
      seed,
      funds,
      terms: { ...backtestTerms, feeBps },
    });
    const later = { venue: millis(START + HOUR), settlement: millis(START + HOUR) };
    const shadow = shadowOf(funds, unwrap(venue.orders(key, later)), feeBps);
    const told = new Map(unwrap(venue.balances(key, later)).map((row) => [row.asset as string, row.available]));
    fills += record.fills.length;
    for (const [asset, held] of shadow) {
      const where = `seed ${seed}, ${asset}`;
      expect(tradingCore.books.accounts.held(asset as Asset)?.toString(), where).toBe(held.toFixed());
      expect(told.get(asset)?.toString(), where).toBe(held.toFixed());
      expect(record.books.closing.find((one) => one.asset === asset)?.amount, where).toBe(held.toFixed());
    }
  }
  expect(fills).toBeGreaterThan(2 * RUNS);
});
