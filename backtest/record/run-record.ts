// The record of a backtest: the plain input of every figure and of the report. Exact
// amounts are decimal text, signals are float columns with NaN for unknown values, times are UTC milliseconds. Fields
// that a source cannot know are undefined, and their figures read n/a.

import type { Statement } from "../../src/books/accounts/statement.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Asked, ReliabilityFigures } from "../../src/domain/reliability.ts";
import type { RiskState } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { WantClass } from "../../src/exchange/port.ts";
import type { Stress } from "../../src/risk/stress.ts";

export type RunRecord = {
  readonly settings: RunSettings;
  /** The trading state at the end. */
  readonly ended?: Ended;
  readonly books: Books;
  /** The account at the end, computed by the same function as limits and displays; absent where no bot produced it. */
  readonly statement?: Statement | undefined;
  /** The stress table at the end. */
  readonly stress?: readonly Stress[] | undefined;
  readonly samples: Samples;
  readonly prices: readonly Prices[];
  readonly fills: Fills;
  readonly unfilled: Unfilled;
  readonly refusals: Readonly<Record<string, number>>;
  readonly refusedPairs?: Readonly<Record<PairSymbol, number>>;
  /** The first proposal that each rule refused, with the gate's message. */
  readonly firstRefusals?: Readonly<Record<string, FirstRefusal>>;
  /** Orders that each rule cut down, with the message of the first. */
  readonly caps?: Readonly<Record<string, Capped>>;
  /** The first timer that the strategy set, with file and line where known. */
  readonly timer?: string | undefined;
  /** The first clock, random source or other runtime facility that a strategy's file used, with its line. */
  readonly outside?: string | undefined;
  /** The strategy's last message, and since when it stands; undefined without one. */
  readonly said?: { readonly at: Millis; readonly text: string } | undefined;
  /** Where the venue shows no quotes: what order outcomes taught until the end; absent otherwise. */
  readonly hidden?: readonly HiddenPrices[];
  readonly reliability?: ReliabilityFigures | undefined;
  /** Gaps in the recorded prices of the run; undefined where none were replayed. */
  readonly holes?: readonly Holes[];
  /** Undefined where requests were not counted. */
  readonly slots: Slots | undefined;
  /** Mints and rails; undefined where the run has no treasury, empty where it had one that did nothing. */
  readonly settlements: readonly Settlement[] | undefined;
};

/** `symbol` is undefined where the refused proposal named no pair. */
export type FirstRefusal = { readonly at: Millis; readonly symbol: PairSymbol | undefined; readonly message: string };
export type Capped = FirstRefusal & { readonly orders: number };
/** The limits asked last with their chances, and the time since the pair's last outcome. */
export type HiddenPrices = {
  readonly symbol: PairSymbol;
  readonly bid: Asked | undefined;
  readonly ask: Asked | undefined;
  readonly ageMs: number;
};

export type RunSettings = {
  readonly title: string;
  readonly strategy: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data: string;
  /** Pairs whose venue prices were recorded. */
  readonly recordedPairs?: readonly PairSymbol[];
  /** Pairs that the limits allow and the run leaves out, because their prices were not recorded. */
  readonly pairsWithoutData?: readonly PairSymbol[];
  /** Where traded prices are synthetic: the scenario, the seed, and what in it is assumed. */
  readonly banner?: string;
  /** Ways in which the price data favour the strategy. */
  readonly cautions?: readonly string[];
  /** Set where the bot polls less often than a live one: how often, and the consequence. */
  readonly cadence?: string;
  readonly seed: number | undefined;
  readonly traceHash: string | undefined;
  readonly codeVersion: string;
  readonly from: Millis;
  readonly to: Millis;
  /** The currency of equity, profit and every sum of money. */
  readonly currency: Asset;
  /** Per year, as a fraction: 0.01 is one percent. */
  readonly riskFreeRate: number;
  /** Every chosen assumption behind the result: latency, fees, depth, publication delay, pace ... */
  readonly assumptions: readonly Assumption[];
};

/** A HALTED bot did nothing from `since` on, a REDUCED one only reduced exposure. */
export type Ended =
  | { readonly state: "ACTIVE" }
  | { readonly state: Exclude<RiskState, "ACTIVE">; readonly since: Millis; readonly reason: string };

export type Assumption = { readonly name: string; readonly value: string };

/** The exact state at both ends of the run: profit is the difference of these, not of samples. */
export type Books = {
  /** Undefined when the books never opened: at no time did everything held have a rate, or no balance was read yet. */
  readonly opening: readonly Holding[] | undefined;
  readonly closing: readonly Holding[];
  /** Equity at the end as the bot states it; absent where it equals the value of `closing`. */
  readonly equity?: string | undefined;
  /** Deposits and withdrawals by people after the opening: neither profit nor loss. */
  readonly adopted: readonly Adopted[];
};

export type Adopted = {
  readonly at: Millis;
  /** The first sample that includes it: several samples may have the same time, before and after the adoption. */
  readonly sample: number;
  readonly amounts: readonly { readonly asset: Asset; readonly amount: string }[];
  /** In the currency at that moment; undefined when one of the amounts had no rate. */
  readonly value: string | undefined;
};

export type Holding = {
  readonly asset: Asset;
  /** Everything owned, including amounts in transit. */
  readonly amount: string;
  /** One unit in the currency at that end of the run: its mark. */
  readonly rate: string | undefined;
  /** The same at par, where a bot ran; a coin's mark is at most that. */
  readonly par?: string | undefined;
};

/** Worth and holdings on one time axis that never goes back; one sample a minute and one after each fill are enough. */
export type Samples = {
  readonly length: number;
  readonly time: Float64Array;
  readonly equity: Float64Array;
  /** The worth of the opening inventory and of adoptions, had nothing been traded. */
  readonly benchmark: Float64Array;
  readonly assets: readonly AssetSamples[];
};

export type AssetSamples = {
  readonly asset: Asset;
  readonly held: Float64Array;
  /** The part of it that is in transit and cannot be spent. */
  readonly inFlight: Float64Array;
  readonly rate: Float64Array;
};

/** The venue's quote and our fair value of one pair. */
export type Prices = {
  readonly symbol: PairSymbol;
  /** The price at which a coin is issued and redeemed, for a pair of coin and own fiat. */
  readonly par: number | undefined;
  /** The usual time between rows, where there are others at fills. */
  readonly stepMs?: number;
  readonly length: number;
  readonly time: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  readonly fair: Float64Array;
};

/** From a second to a day. */
export const MARKOUT_SECONDS = [1, 10, 60, 600, 3_600, 14_400, 86_400] as const;

/** Orders that filled, oldest first. */
export type Fills = {
  readonly length: number;
  readonly time: Float64Array;
  readonly decidedAt: Float64Array;
  readonly id: readonly string[];
  readonly symbol: readonly PairSymbol[];
  /** 0 buys, 1 sells. */
  readonly side: Uint8Array;
  readonly reason: readonly string[];
  /** Exact, in the asset that the side receives and pays; before a fee that is charged separately. */
  readonly bought: readonly string[];
  readonly sold: readonly string[];
  readonly fee: readonly string[];
  readonly feeAsset: readonly Asset[];
  readonly limit: Float64Array;
  /** The venue's price on the side taken, and our fair value, both as known at the decision. */
  readonly touch: Float64Array;
  readonly fair: Float64Array;
  /** One unit of the pair's quote asset in the currency, at the decision; undefined where it was unknown. */
  readonly rate: readonly (string | undefined)[];
  /** At average cost, in the quote asset, including fees; undefined where the fill closed nothing. */
  readonly realised: readonly (string | undefined)[];
  /** The venue's mid after the fill, one column for each of MARKOUT_SECONDS. */
  readonly mids: readonly Float64Array[];
};

/** How an order ended without a fill. `unfilled`: the venue did not state whether price or depth was missing. */
export const UNFILLED_ENDS = [
  "unfilled-price",
  "unfilled-depth",
  "unfilled",
  "rejected",
  "not-sent",
  "released",
  "doubt",
] as const;

export type UnfilledEnd = (typeof UNFILLED_ENDS)[number];

/** Orders that did not fill, oldest first; `doubt` marks an order that was still open when the run ended. */
export type Unfilled = {
  readonly length: number;
  readonly time: Float64Array;
  readonly id: readonly string[];
  readonly symbol: readonly PairSymbol[];
  readonly side: Uint8Array;
  readonly end: Uint8Array;
  /** The venue's code or our reason, unchanged. */
  readonly cause: readonly string[];
  readonly quantity: Float64Array;
  readonly limit: Float64Array;
  readonly touch: Float64Array;
  readonly fair: Float64Array;
  readonly rate: Float64Array;
};

/** Gaps in one pair's recorded prices that are longer than usual; the market was closed there. */
export type Holes = {
  readonly name: string;
  readonly symbol: PairSymbol;
  /** A longer step between two rows counts as a hole. */
  readonly limitMs: number;
  readonly count: number;
  readonly totalMs: number;
  readonly longest: { readonly from: Millis; readonly to: Millis };
  /**
   * During the holes: proposals for any pair that the gate refused, and orders for this pair that the venue did not
   * fill.
   */
  readonly refused: number;
  readonly turnedAway: number;
};

export const SLOT_CLASSES = [
  "order",
  "confirmation",
  "quote",
  "balance",
  "doubt",
  "kill-check",
  "treasury",
  "other",
] as const satisfies readonly WantClass[];

/** Requests counted by class in equal time buckets, so that a month of seconds stays small. */
export type Slots = {
  readonly from: Millis;
  readonly bucketMs: number;
  /** The minimum time per slot, which bounds the count of a bucket. */
  readonly paceMs: number;
  readonly buckets: number;
  /** `buckets` rows of one count for each of SLOT_CLASSES. */
  readonly counts: Uint32Array;
};

export type SettlementFee = {
  readonly at: Millis;
  readonly amount: string;
  readonly asset: Asset;
  readonly rate: string | undefined;
};

export type Settlement = {
  readonly kind: "mint" | "on-ramp" | "off-ramp";
  readonly id: string;
  readonly asset: Asset;
  readonly amount: string;
  /** Fees at departure and at arrival, unless the amount was returned; a zero fee is not listed. */
  readonly fees: readonly SettlementFee[];
  readonly from: Millis;
  readonly to: Millis | undefined;
  readonly state: "in flight" | "held" | "settled" | "rejected" | "doubt";
};
