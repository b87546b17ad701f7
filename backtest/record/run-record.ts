// What a run left behind, whether it was a backtest or a bot's journal: the plain input of every figure and of the report.
// Exact amounts are decimal text, signals are float columns with NaN where nothing is known, times are UTC milliseconds.
// What a source cannot know is undefined, and the figures about it read n/a.

import type { Statement } from "../../src/bot/accounts/statement.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { RiskState } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { WantClass } from "../../src/exchange/port.ts";

export type RunRecord = {
  readonly settings: RunSettings;
  /** Where the bot stood at the end; undefined in the record of a journal. */
  readonly ended?: Ended;
  readonly books: Books;
  /** The account at the end, by the same function as limits and every display; absent where no bot was here to say it. */
  readonly statement?: Statement | undefined;
  readonly samples: Samples;
  readonly prices: readonly Prices[];
  readonly fills: Fills;
  readonly unfilled: Unfilled;
  /** Proposals that the risk gate refused, by rule: they never became orders. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Of those by RC19, how many were about each pair. */
  readonly refusedPairs?: Readonly<Record<PairSymbol, number>>;
  /** The first proposal that each rule refused, with the gate's own sentence. */
  readonly firstRefusals?: Readonly<Record<string, FirstRefusal>>;
  /** Orders that each rule made smaller, with its sentence on the first of them. */
  readonly caps?: Readonly<Record<string, Capped>>;
  /** The first word on worth that could not be taken; undefined where there was none, and of a journal. */
  readonly worthProblem?: WorthProblem | undefined;
  /** The first timer that the strategy set, with its file and line where they are known. */
  readonly timer?: string | undefined;
  /** The first clock, chance or other thing of the runtime that a strategy's file used, with its line. */
  readonly outside?: string | undefined;
  /** What the strategy last had to say, and since when; undefined where it said nothing, and of a journal. */
  readonly said?: { readonly at: Millis; readonly text: string } | undefined;
  /** Where recorded prices of the run are missing; undefined where none were replayed. */
  readonly holes?: readonly Holes[];
  /** Undefined where requests were not counted: a journal has those of orders only. */
  readonly slots: Slots | undefined;
  /** Mints and rails; undefined where the run has no treasury, empty where it had one and nothing was done. */
  readonly settlements: readonly Settlement[] | undefined;
};

/** Without a pair where what was refused named none. */
export type FirstRefusal = { readonly at: Millis; readonly symbol: PairSymbol | undefined; readonly message: string };
export type Capped = FirstRefusal & { readonly orders: number };
export type WorthProblem = { readonly at: Millis; readonly message: string };

export type RunSettings = {
  readonly title: string;
  readonly source: "backtest" | "paper" | "journal";
  readonly strategy: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Where the prices came from, in words. */
  readonly data: string;
  /** Pairs whose prices at the venue were recorded; undefined of a journal. */
  readonly recordedPairs?: readonly PairSymbol[];
  /** Pairs that the limits allow and the run does not, because their prices were not recorded. */
  readonly pairsWithoutData?: readonly PairSymbol[];
  /** What the prices leave open in the strategy's favour; undefined of a journal. */
  readonly cautions?: readonly string[];
  /** Where the bot looks more seldom than a live one: how often, and what that means. */
  readonly cadence?: string;
  readonly seed: number | undefined;
  readonly traceHash: string | undefined;
  readonly codeVersion: string;
  readonly from: Millis;
  readonly to: Millis;
  /** Of equity, profit and every sum of money. */
  readonly currency: Asset;
  /** A year's, as a part of one: 0.01 is one percent. */
  readonly riskFreeRate: number;
  /** Everything that the result rests on and that was chosen: latency, fees, depth, publication delay, pace ... */
  readonly assumptions: readonly Assumption[];
};

/** A bot that was HALTED did nothing from then on, one that was REDUCED only what brings exposure down. */
export type Ended =
  | { readonly state: "ACTIVE" }
  | { readonly state: Exclude<RiskState, "ACTIVE">; readonly since: Millis; readonly reason: string };

export type Assumption = { readonly name: string; readonly value: string };

/** The exact ends of the run: profit is a difference of these, not of samples. */
export type Books = {
  /** Undefined when they never opened: at no time had all that was held a rate, or nothing was read yet. */
  readonly opening: readonly Holding[] | undefined;
  readonly closing: readonly Holding[];
  /** At the end, as the bot states it; absent where it is the value of `closing`. */
  readonly equity?: string | undefined;
  /** What people put in or took out after the opening: no profit and no loss. */
  readonly adopted: readonly Adopted[];
};

export type Adopted = {
  readonly at: Millis;
  /** The first sample that has it: several samples may be of the same time, before it and after. */
  readonly sample: number;
  /** Signed. */
  readonly amounts: readonly { readonly asset: Asset; readonly amount: string }[];
  /** In the currency at that moment; undefined when some of it had no rate. */
  readonly value: string | undefined;
};

export type Holding = {
  readonly asset: Asset;
  /** All that is owned, what is on its way included. */
  readonly amount: string;
  /** One unit in the currency, at that end of the run. */
  readonly rate: string | undefined;
};

/** Worth and holdings on one time axis, never going back: a sample a minute and one after each fill is plenty. */
export type Samples = {
  readonly length: number;
  readonly time: Float64Array;
  readonly equity: Float64Array;
  /** What the opening inventory (and whatever was adopted) would be worth, had nothing been traded. */
  readonly benchmark: Float64Array;
  readonly assets: readonly AssetSamples[];
};

export type AssetSamples = {
  readonly asset: Asset;
  /** As `amount` of a holding. */
  readonly held: Float64Array;
  /** The part of it that is on its way and cannot be spent. */
  readonly inFlight: Float64Array;
  readonly rate: Float64Array;
};

/** The venue's quote and our fair value of one pair. */
export type Prices = {
  readonly symbol: PairSymbol;
  /** What a unit is issued and redeemed at, for a coin against its own fiat. */
  readonly par: number | undefined;
  readonly length: number;
  readonly time: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  readonly fair: Float64Array;
};

export const MARKOUT_SECONDS = [1, 10, 60] as const;

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
  /** Exact, in the asset that the side brings and gives; before a fee that is taken beside them. */
  readonly bought: readonly string[];
  readonly sold: readonly string[];
  readonly fee: readonly string[];
  readonly feeAsset: readonly Asset[];
  /** The order's own limit. */
  readonly limit: Float64Array;
  /** The venue's price on the side taken, and our fair value, as known at the decision. */
  readonly touch: Float64Array;
  readonly fair: Float64Array;
  /** One unit of the pair's quote asset in the currency, at the decision; undefined where it was unknown. */
  readonly rate: readonly (string | undefined)[];
  /** At average cost, in the quote asset, fees included; undefined where nothing was closed. */
  readonly realised: readonly (string | undefined)[];
  /** The venue's mid so long after the fill, one column for each of MARKOUT_SECONDS. */
  readonly mids: readonly Float64Array[];
};

/** How an order ended without a fill. `unfilled`: the venue did not say whether price or depth was missing. */
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

/** Orders that did not fill, oldest first; `doubt` is one that was still open when the run ended. */
export type Unfilled = {
  readonly length: number;
  readonly time: Float64Array;
  readonly id: readonly string[];
  readonly symbol: readonly PairSymbol[];
  readonly side: Uint8Array;
  /** Index into UNFILLED_ENDS. */
  readonly end: Uint8Array;
  /** The venue's code or our reason, as it came. */
  readonly cause: readonly string[];
  readonly quantity: Float64Array;
  readonly limit: Float64Array;
  readonly touch: Float64Array;
  readonly fair: Float64Array;
  /** As of a fill. */
  readonly rate: Float64Array;
};

/** Recorded prices of one pair that are missing for longer than usual: there the market was closed. */
export type Holes = {
  /** Of the recording. */
  readonly name: string;
  readonly symbol: PairSymbol;
  /** A step between two rows that is longer than this is a hole. */
  readonly limitMs: number;
  readonly count: number;
  /** Of the run's time, in all. */
  readonly totalMs: number;
  readonly longest: { readonly from: Millis; readonly to: Millis };
  /** Proposals for any pair that the gate refused meanwhile, and orders for this one that the venue did not fill. */
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

/** Requests counted by class in equal spans of time, so that a month of seconds stays small. */
export type Slots = {
  readonly from: Millis;
  readonly bucketMs: number;
  /** How long a slot takes at least: bounds what a bucket could hold. */
  readonly paceMs: number;
  readonly buckets: number;
  /** `buckets` rows of one count for each of SLOT_CLASSES. */
  readonly counts: Uint32Array;
  /** Slots that something else wanted too: a row for each class that got them, a column for the best that did not. */
  readonly contested?: Uint32Array;
};

export type SettlementFee = {
  readonly at: Millis;
  readonly amount: string;
  readonly asset: Asset;
  /** One unit of the asset in the currency, then. */
  readonly rate: string | undefined;
};

export type Settlement = {
  readonly kind: "mint" | "on-ramp" | "off-ramp";
  readonly id: string;
  readonly asset: Asset;
  readonly amount: string;
  /** What was taken when it left and what when it arrived, unless it was given back; none of nothing. */
  readonly fees: readonly SettlementFee[];
  readonly from: Millis;
  /** Undefined while it is still on its way. */
  readonly to: Millis | undefined;
  readonly state: "in flight" | "held" | "settled" | "rejected" | "doubt";
};
