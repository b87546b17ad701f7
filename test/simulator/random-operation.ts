// A caller without sense: random operations on a venue, good and bad ones, with all faults of the core switched on.
// Everything is drawn from the seed.

import type { Asset } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Side } from "../../src/domain/order.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import type { Moment, OrderRow, Pair } from "../../src/simulator/core/record.ts";
import type { VenueFaults, VenueSettings } from "../../src/simulator/core/settings.ts";
import type { VenueState } from "../../src/simulator/core/state.ts";
import { createVenue, type Venue } from "../../src/simulator/core/venue.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";

const START = Date.UTC(2026, 2, 3);
export const KEYS = ["key-of-caller-a", "key-of-caller-b", "key-of-caller-c"] as const;
const WALLET = "0x00000000000000000000000000000000000000aa";

const FAULTS: VenueFaults = {
  publicationDelay: { chance: 0.3, minMs: 1, maxMs: 60_000 },
  balanceLagMs: 2_000,
  mintHoldChance: 0.2,
  railHoldChance: 0.2,
};

export type Caller = {
  readonly venue: Venue;
  /** One operation; the receipt when it was an order that was read. */
  step(): OrderRow | undefined;
  moment(): Moment;
};

export function createCaller(seed: number, state?: { readonly venue: VenueState; readonly steps: number }): Caller {
  const settings: Partial<VenueSettings> = {
    seed,
    faults: FAULTS,
    mintFeeBps: seed % 3 === 0 ? 7 : 0,
    duplicateClientOrderId: seed % 2 === 0 ? "refuse" : "allow",
    postingsRetainedMax: 1_000_000,
    historyRetainedMax: 500,
  };
  const venue = createVenue({ market: syntheticMarket(seed), settings, ...(state && { state: state.venue }) });
  let steps = state?.steps ?? 0;
  // Its own draws depend on the step alone, so that a caller can go on after a restart.
  const root = createRandom(seed).fork("caller");
  const moment = (): Moment => ({ venue: millis(START + steps * 400), settlement: millis(START + steps * 60_000) });
  if (state === undefined) open(venue, moment(), seed);
  return {
    venue,
    moment,
    step() {
      const random = root.fork(`${++steps}`);
      return act(venue, random, moment(), steps);
    },
  };
}

function open(venue: Venue, moment: Moment, seed: number): void {
  for (const key of KEYS) {
    venue.registerKey(key);
    venue.clearKyb(key, true);
    venue.signAgreement(key, "conversion", true);
    venue.signAgreement(key, "issuance", true);
    for (const [asset, amount] of [
      ["CHF", "400000"],
      ["GBP", "300000"],
      ["USDC", "50000.123456"],
      ["BTC", "3"],
    ] as const)
      venue.credit(key, asset as Asset, Quantity.of(amount), moment);
    for (const asset of ["VCHF", "VGBP"] as Asset[])
      venue.whitelist(key, {
        asset,
        blockchain: "ETH",
        address: WALLET,
        label: "cold",
        status: key === KEYS[2] ? "Unconfirmed" : "Confirmed",
        travelRule: { originator: "A", beneficiary: "A" },
      });
  }
  for (const { symbol } of venue.pairs()) if (seed % 2 === 0) venue.setPair(symbol, { feeBps: 2.5 });
}

function act(venue: Venue, random: Random, moment: Moment, step: number): OrderRow | undefined {
  const key = KEYS[random.integer(0, 2)] as string;
  const draw = random.next();
  if (draw < 0.72) return order(venue, key, random, moment, step);
  if (draw < 0.76) venue.mintTokens(key, mintForm(random), moment);
  else if (draw < 0.8) venue.addPaymentRail(key, railBody(random), moment);
  else if (draw < 0.85) pay(venue, key, random, moment);
  else if (draw < 0.9) hold(venue, key, random, moment);
  else if (draw < 0.92) venue.credit(key, pick(random, ["CHF", "GBP", "ETH"]) as Asset, someQuantity(random), moment);
  else if (draw < 0.96) venue.balances(key, moment);
  else if (draw < 0.98) venue.trades(key, moment);
  else venue.orders(key, moment);
  return undefined;
}

function order(venue: Venue, key: string, random: Random, moment: Moment, step: number): OrderRow | undefined {
  const pair = pick(random, venue.pairs() as Pair[]);
  const side: Side = random.next() < 0.5 ? "buy" : "sell";
  const steps = random.integer(1, random.next() < 0.9 ? 2_000_000 : 2_000_000_000);
  const fair = {
    "VCHF/CHF": 1,
    "VCHF/USDC": 1.25,
    "VGBP/GBP": 1,
    "VGBP/USDC": 1.325,
    "VGBP/VCHF": 1.06,
    "USDC/CHF": 0.8,
  }[pair.symbol as string];
  const around = (fair ?? 0.00003) * (1 + 0.02 * (random.next() - 0.5));
  const limit = Price.ofSteps(Math.max(1, Math.round(around * 10 ** pair.priceDecimals)), pair.priceDecimals);
  const answer = venue.placeOrder(
    key,
    {
      clientOrderId: `c${random.next() < 0.05 ? 1 : step}` as ClientOrderId,
      symbol: pair.symbol,
      side,
      quantity: Quantity.ofSteps(steps, 5),
      limit,
    },
    moment,
  );
  return answer.ok ? answer.value : undefined;
}

function mintForm(random: Random): Record<string, string> {
  const form = {
    asset: pick(random, ["VCHF", "VGBP", "USDC"]),
    blockchain: pick(random, ["ETH", "BASE", "POLYGON"]),
    quantity: `${random.integer(90_000, 160_000)}.${random.integer(1, 999_999)}`,
  };
  return random.next() < 0.3 ? { ...form, destination: WALLET } : form;
}

function railBody(random: Random): unknown {
  const asset = pick(random, ["VCHF", "VGBP"]);
  return {
    railtype: pick(random, ["FiatToStablecoin", "StablecoinToFiat", "Nothing"]),
    sender: {
      partyname: { name: "A AG" },
      address: { country: pick(random, ["CH", "GB", "XX"]) },
      partytype: "company",
    },
    wallet: { destination: WALLET },
    bankaccount: { destination: "CH9300762011623852957" },
    instructions: { asset, currency: asset.slice(1), blockchain: "ETH" },
  };
}

function pay(venue: Venue, key: string, random: Random, moment: Moment): void {
  const rails = venue.rails(key, moment);
  if (rails.ok && rails.value.length > 0) venue.pay(pick(random, rails.value).railId, someQuantity(random), moment);
}

function hold(venue: Venue, key: string, random: Random, moment: Moment): void {
  const mints = venue.supplyChanges(key, {}, moment);
  const rails = venue.rails(key, moment);
  const ids = [
    ...(mints.ok ? mints.value.map(({ requestId }) => requestId) : []),
    ...(rails.ok ? rails.value.map(({ railId }) => railId) : []),
  ];
  if (ids.length > 0) venue.hold(pick(random, ids), random.next() < 0.4, moment);
}

function someQuantity(random: Random): Quantity {
  return Quantity.ofSteps(random.integer(1, 500_000_000), 5);
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.integer(0, values.length - 1)] as T;
}
