// The parameters of the synthetic market, its dealer and its venue, with their units. docs/guides/market.md names the source of
// each value of `calibrated`, or marks it as assumed; change them there too.

import type { Asset } from "../../domain/asset.ts";
import type { ScenarioName } from "../../domain/scenario.ts";
import { type Millis, millis } from "../../domain/time.ts";

export type MarketParameters = {
  /** The scenario. */
  readonly name: string;
  /** The shortest time between two price changes. */
  readonly gridMs: number;
  /** The time at which the random walks are at their level. */
  readonly anchor: Millis;
  /** The value of each reference in CHF at the anchor, and its volatility per year (0.09 is 9 %). */
  readonly references: Readonly<Record<string, ReferenceParameters>>;
  /** Coins, the reference that each represents, and their deviation from it. */
  readonly pegs: Readonly<Record<string, PegParameters>>;
  readonly stress: StressParameters;
  readonly pairs: Readonly<Record<string, PairParameters>>;
  /** Sizes are log-normal around the pair's depth with this sigma, redrawn every epoch. */
  readonly depthSigma: number;
  readonly depthEpochMs: number;
  /** Half spreads are log-normal around the pair's own with this sigma, redrawn every epoch. */
  readonly spreadSigma: number;
  /** From Friday to Sunday, 17:00 in New York: currencies do not move. */
  readonly weekendCloses: boolean;
  /** The factor of the half spread of pairs of two currencies while these are closed; 0: such pairs have no price. */
  readonly weekendSpreadFactor: number;
  readonly fx: FxParameters;
  readonly dealing: DealerParameters;
  readonly venue: VenueParameters;
  readonly staged?: Staged;
};

export const EVENT_KINDS = ["lesser", "flash", "bank-weekend", "end", "fx-jump", "fx-crash", "outage"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A run around one event: nothing else of these issuers, and no jump of a currency, happens. */
export type Staged = {
  readonly issuers: readonly string[];
  /** `of`: an issuer, a currency, or `all` currencies. */
  readonly event?: { readonly kind: EventKind; readonly of: string; readonly at: Millis };
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How currencies move beyond their volatility. Zero switches a part off, here and below. */
const PLAIN_FX = {
  /** Of the moves of any two currencies in CHF. */
  correlation: 0,
  /** The logarithm of the volatility reverts to its mean with this standard deviation and half-life. */
  clusterSigma: 0,
  clusterHalfLifeMs: 2 * DAY,
  /** A second, slower part of it. */
  slowSigma: 0,
  slowHalfLifeMs: 40 * DAY,
  /** Volatility follows the hour of the day. */
  hourProfile: false,
  /** Student's t of this many degrees of freedom for moves over 15 minutes; more than 2. */
  tailDegrees: 0,
  /** Standard deviation of the gap over a weekend. */
  gapBps: 0,
  /** Half of the jumps hit one currency, half all of them. */
  jumpsPerYear: 0,
  jumpMinBps: 80,
  jumpMaxBps: 150,
  crashesPerYear: 0,
  crashMinBps: 500,
};

/** How the dealer shows and makes prices, and reacts to our trades. */
const PLAIN_DEALER = {
  /** Pairs of two currencies are priced at a rate of this age, drawn every epoch. */
  lagMinMs: 0,
  lagMaxMs: 0,
  /** Their half spread grows with this power of the volatility of the moment. */
  volatilityPower: 0,
  /** Such pairs have no quote while the world is further than this from that rate; 0: always one. */
  withdrawBps: 0,
  /** Shown prices are this much better than executable ones, and this uncertain (standard deviation). */
  shownBetterBps: 0,
  shownNoiseBps: 0,
  /** An order is refused if the world's price after the hold is worse for the dealer by more than the tolerance. */
  holdMs: 0,
  toleranceBps: 0.5,
  /** The share of orders refused for no reason. */
  refusedShare: 0,
  /**
   * What we gain on the dealer in the five minutes after a fill of 10,000, summed with this half-life: spreads and
   * refusals grow by one part, and sizes shrink, for each such sum. 0: it does not mind.
   */
  waryBps: 0,
  waryHalfLifeMs: 3 * DAY,
  /**
   * A trade of 10,000 moves the coin's price by this much, in every pair, and pays half of its own; the kept share
   * never reverts.
   */
  impactBps: 0,
  impactHalfLifeMs: 30 * MINUTE,
  impactKept: 0.15,
  /** The most that the dealer buys or sells of a coin on balance in a day (UTC), and its skew at that point. */
  inventoryMax: 0,
  skewBps: 6,
  /** The share of hours in which a pair has no bid or no ask. */
  oneSidedShare: 0,
};

const GOOD_VENUE = {
  /** One way, median. */
  latencyMs: 25,
  /** The share of requests that take long, and how long. */
  slowShare: 0,
  slowMinMs: 1_000,
  slowMaxMs: 10_000,
  outagesPerWeek: 0,
  outageMinMs: 2 * MINUTE,
  outageMaxMs: 10 * MINUTE,
  /** When one more outage begins, in milliseconds since 1970. */
  outageAt: 0,
  /** The share of requests that fail with a 5xx status. */
  errorShare: 0,
  /** Settlements pass only on working days from 07:00 to 17:00 UTC. */
  bankHours: false,
  /** The share of settlements that are held, and for how long. */
  heldShare: 0,
  heldMinMs: DAY,
  heldMaxMs: 3 * DAY,
  quotesShown: true,
};

const NO_DEPEG = {
  /** Of each issuer: log-normal lengths, a noisy return, and a share that dips twice. */
  lesserPerYear: 0,
  lesserMinBps: 30,
  lesserMaxBps: 150,
  lesserMinMs: HOUR,
  lesserMaxMs: 2 * DAY,
  twiceShare: 1 / 3,
  /** As deep as a collapse and over within hours; redemption stays open in this share. */
  flashesPerYear: 0,
  flashMinMs: HOUR,
  flashMaxMs: 12 * HOUR,
  flashOpenShare: 0.5,
  /** Bank weekends, half of which begin on a Friday evening. */
  collapsesPerYear: 0,
  collapseMinBps: 300,
  collapseMaxBps: 1_300,
  collapseMinMs: DAY,
  collapseMaxMs: 3 * DAY,
  /** Ends of the issuer: Beta(2, 2) of the value from this loss to all of it, half within the first hour. */
  endsPerYear: 0,
  endMinBps: 1_000,
  /** Of an event, the issuer's part; the rest is each coin's own. */
  sharedWeight: 0.8,
  /** The deviation of an event around its course, as a share of it. */
  noise: 0.2,
};

/** Events in which coins lose their peg, spreads widen and sizes shrink. */
const DEMO_STRESS = {
  /** Of the market for demonstrations: of each coin, inside a day (UTC), four in five downward. */
  chancePerDay: 0.05,
  minBps: 40,
  maxBps: 150,
  minMs: HOUR,
  maxMs: 8 * HOUR,
  ...NO_DEPEG,
  /** Factors at the peak of an episode. */
  spreadFactor: 4,
  depthFactor: 0.25,
};

export type FxParameters = Readonly<typeof PLAIN_FX>;
export type DealerParameters = Readonly<typeof PLAIN_DEALER>;
export type VenueParameters = Readonly<typeof GOOD_VENUE>;
export type StressParameters = Readonly<typeof DEMO_STRESS>;

export type ReferenceParameters = {
  readonly levelChf: number;
  readonly volatilityPerYear: number;
  readonly kind: "fiat" | "crypto";
};

export type PegParameters = {
  readonly reference: Asset;
  /** Standard deviation from par. */
  readonly deviationBps: number;
  readonly halfLifeMs: number;
  /** Has episodes of its own (`stress.chancePerDay`). */
  readonly stressed: boolean;
  /** Coins of one issuer lose their peg together. */
  readonly issuer: string;
  /**
   * Against its own currency, and outside stress, the dealer does not sell the coin further below par than this and
   * does not buy it further above.
   */
  readonly floorBps: number;
};

export type PairParameters = {
  readonly halfSpreadBps: number;
  /** Median size of each side, in base units. */
  readonly depth: number;
  /** The pair's deviation from the cross rate of its two assets. */
  readonly noiseBps: number;
  readonly noiseHalfLifeMs: number;
};

/** A market that moves a lot and reacts to nothing, to show and test how the bot behaves. No results follow from it. */
export const DEMO_MARKET: MarketParameters = {
  name: "demo",
  gridMs: 250,
  anchor: millis(Date.UTC(2026, 0, 1)),
  references: {
    CHF: { levelChf: 1, volatilityPerYear: 0, kind: "fiat" },
    GBP: { levelChf: 1.06, volatilityPerYear: 0.08, kind: "fiat" },
    USD: { levelChf: 0.8, volatilityPerYear: 0.09, kind: "fiat" },
    BTC: { levelChf: 75_000, volatilityPerYear: 0.5, kind: "crypto" },
    ETH: { levelChf: 2_500, volatilityPerYear: 0.65, kind: "crypto" },
  },
  pegs: {
    VCHF: { ...peg("CHF", 12, 40 * MINUTE), stressed: true, issuer: "venue" },
    VGBP: { ...peg("GBP", 14, 40 * MINUTE), stressed: true, issuer: "venue" },
    USDC: { ...peg("USD", 2, 2 * HOUR), stressed: false, issuer: "USDC" },
  },
  stress: DEMO_STRESS,
  pairs: {
    "VCHF/CHF": { halfSpreadBps: 3, depth: 40_000, noiseBps: 1, noiseHalfLifeMs: 5 * MINUTE },
    "VCHF/USDC": { halfSpreadBps: 6, depth: 30_000, noiseBps: 2, noiseHalfLifeMs: 5 * MINUTE },
    "VCHF/ETH": { halfSpreadBps: 15, depth: 10_000, noiseBps: 4, noiseHalfLifeMs: 5 * MINUTE },
    "VCHF/BTC": { halfSpreadBps: 12, depth: 15_000, noiseBps: 4, noiseHalfLifeMs: 5 * MINUTE },
    "VGBP/GBP": { halfSpreadBps: 3, depth: 35_000, noiseBps: 1, noiseHalfLifeMs: 5 * MINUTE },
    "VGBP/USDC": { halfSpreadBps: 6, depth: 25_000, noiseBps: 2, noiseHalfLifeMs: 5 * MINUTE },
    "VGBP/VCHF": { halfSpreadBps: 7, depth: 20_000, noiseBps: 2, noiseHalfLifeMs: 5 * MINUTE },
    "USDC/CHF": { halfSpreadBps: 4, depth: 50_000, noiseBps: 1, noiseHalfLifeMs: 5 * MINUTE },
  },
  depthSigma: 0.5,
  depthEpochMs: 5_000,
  spreadSigma: 0,
  weekendCloses: false,
  weekendSpreadFactor: 0,
  fx: PLAIN_FX,
  dealing: PLAIN_DEALER,
  venue: GOOD_VENUE,
};

function peg(reference: string, deviationBps: number, halfLifeMs: number): Omit<PegParameters, "stressed" | "issuer"> {
  return { reference: reference as Asset, deviationBps, halfLifeMs, floorBps: 10_000 };
}

const pair = (halfSpreadBps: number): PairParameters => ({
  ...{ halfSpreadBps, depth: 10_000, noiseBps: 0, noiseHalfLifeMs: 5 * MINUTE },
});

const CALIBRATED: MarketParameters = {
  ...DEMO_MARKET,
  name: "calibrated",
  references: {
    ...DEMO_MARKET.references,
    USD: { levelChf: 0.8, volatilityPerYear: 0.08, kind: "fiat" },
  },
  pegs: {
    VCHF: { ...peg("CHF", 2.5, 12 * HOUR), floorBps: 0.5, stressed: true, issuer: "venue" },
    VGBP: { ...peg("GBP", 2.5, 12 * HOUR), floorBps: 0.5, stressed: true, issuer: "venue" },
    USDC: { ...peg("USD", 2, 2 * HOUR), stressed: false, issuer: "USDC" },
  },
  stress: {
    ...DEMO_STRESS,
    chancePerDay: 0,
    lesserPerYear: 1.5,
    flashesPerYear: 0.15,
    collapsesPerYear: 0.1,
    endsPerYear: 0.02,
    spreadFactor: 5,
    depthFactor: 0.1,
  },
  pairs: {
    "VCHF/CHF": pair(6),
    "VCHF/USDC": pair(15),
    "VCHF/ETH": pair(15),
    "VCHF/BTC": pair(15),
    "VGBP/GBP": pair(6),
    "VGBP/USDC": pair(15),
    "VGBP/VCHF": pair(15),
    "USDC/CHF": pair(8),
  },
  depthEpochMs: MINUTE,
  spreadSigma: 0.3,
  weekendCloses: true,
  weekendSpreadFactor: 3,
  fx: {
    ...PLAIN_FX,
    correlation: 0.5,
    clusterSigma: 0.17,
    slowSigma: 0.24,
    hourProfile: true,
    tailDegrees: 3.5,
    gapBps: 18,
    jumpsPerYear: 6,
    crashesPerYear: 0.1,
  },
  dealing: {
    ...PLAIN_DEALER,
    lagMinMs: 200,
    lagMaxMs: 3_000,
    volatilityPower: 0.5,
    withdrawBps: 0.4,
    shownBetterBps: 0.3,
    shownNoiseBps: 0.7,
    holdMs: 100,
    refusedShare: 0.02,
    waryBps: 20,
    impactBps: 0.8,
    inventoryMax: 500_000,
  },
  venue: {
    ...GOOD_VENUE,
    latencyMs: 90,
    slowShare: 0.003,
    outagesPerWeek: 1,
    errorShare: 0.001,
    bankHours: true,
    heldShare: 0.03,
  },
};

/** By name. What must hold in each stands in docs/guides/market.md. */
export const SCENARIOS: Readonly<Record<ScenarioName, MarketParameters>> = {
  calm: {
    ...CALIBRATED,
    name: "calm",
    references: moved(CALIBRATED, 0.5),
    stress: { ...CALIBRATED.stress, ...NO_DEPEG },
    fx: { ...CALIBRATED.fx, jumpsPerYear: 0, crashesPerYear: 0 },
    venue: { ...CALIBRATED.venue, slowShare: 0, outagesPerWeek: 0, errorShare: 0, heldShare: 0 },
  },
  calibrated: CALIBRATED,
  volatile: {
    ...CALIBRATED,
    name: "volatile",
    references: moved(CALIBRATED, 3),
    pegs: wide(CALIBRATED),
    fx: { ...CALIBRATED.fx, clusterSigma: 0.5, gapBps: 60, jumpsPerYear: 100, crashesPerYear: 6 },
  },
  depeg: {
    ...CALIBRATED,
    name: "depeg",
    stress: { ...CALIBRATED.stress, lesserPerYear: 110, flashesPerYear: 10, collapsesPerYear: 120, endsPerYear: 4 },
  },
  outage: {
    ...CALIBRATED,
    name: "outage",
    pegs: wide(CALIBRATED),
    venue: { ...CALIBRATED.venue, slowShare: 0.03, outagesPerWeek: 84, errorShare: 0.02, heldShare: 0.3 },
  },
  "one-sided": {
    ...CALIBRATED,
    name: "one-sided",
    pegs: wide(CALIBRATED),
    dealing: { ...CALIBRATED.dealing, inventoryMax: 50_000, oneSidedShare: 0.7 },
  },
  toxic: {
    ...CALIBRATED,
    name: "toxic",
    pegs: wide(CALIBRATED),
    // The price turns against us after each trade, and stays there.
    dealing: { ...CALIBRATED.dealing, impactBps: -20, impactKept: 1 },
  },
  blind: { ...CALIBRATED, name: "blind", venue: { ...CALIBRATED.venue, quotesShown: false } },
  demo: DEMO_MARKET,
};

export const DEFAULT_MARKET = CALIBRATED;

/** Currencies that move this many times as much. */
function moved({ references }: MarketParameters, times: number): MarketParameters["references"] {
  return mapped(references, (one) => ({ ...one, volatilityPerYear: one.volatilityPerYear * times }));
}

/** Coins that stray from par as in `demo`, without a floor: something seems to be worth trading. */
function wide({ pegs }: MarketParameters): MarketParameters["pegs"] {
  return { ...pegs, VCHF: DEMO_MARKET.pegs.VCHF as PegParameters, VGBP: DEMO_MARKET.pegs.VGBP as PegParameters };
}

/** The same market without any edge: no peg deviation, no stress, no noise, no old rates; walks and spreads stay. */
export function withoutEdge(parameters: MarketParameters): MarketParameters {
  return {
    ...parameters,
    pegs: mapped(parameters.pegs, (peg) => ({ ...peg, deviationBps: 0, stressed: false })),
    stress: { ...parameters.stress, chancePerDay: 0, ...NO_DEPEG },
    pairs: mapped(parameters.pairs, (one) => ({ ...one, noiseBps: 0 })),
    dealing: { ...parameters.dealing, lagMinMs: 0, lagMaxMs: 0 },
  };
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
