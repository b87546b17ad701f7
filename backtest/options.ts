// What a backtest is asked to be: everything that its result depends on.

import type { PriceRules } from "../src/bot/core.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import type { Step } from "../src/domain/step.ts";
import type { Millis } from "../src/domain/time.ts";
import type { Settings } from "../src/execution/parameters.ts";
import type { FairSettings } from "../src/market/pricing.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { Market } from "../src/simulator/market/market.ts";
import type { MarketParameters } from "../src/simulator/market/parameters.ts";
import type { ReferenceFeedParameters } from "../src/simulator/market/reference.ts";
import type { AddressText } from "../src/simulator/operation.ts";
import type { Strategy } from "../src/strategy/prepare.ts";
import type { Steward } from "../src/treasury/rebalancer/parts.ts";
import type { Recording } from "./recording.ts";
import type { BacktestTerms } from "./terms.ts";

export type BacktestOptions = {
  readonly strategy: Strategy;
  readonly limits: Limits;
  /** Of the pairs that the limits allow only these are traded; all, unless told. The others are quoted, and value what is held. */
  readonly traded?: readonly PairSymbol[];
  readonly par: FairSettings["par"];
  /** What else prices are judged by, as the running bot does. */
  readonly prices?: PriceRules;
  readonly protocol: Settings;
  /** Decimal text by asset. */
  readonly funds: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly from: Millis;
  readonly to: Millis;
  readonly market: MarketParameters;
  readonly references: readonly ReferenceFeedParameters[];
  readonly recordings: readonly Recording[];
  readonly terms: BacktestTerms;
  readonly codeVersion: string;
  /** Who rebalances, for the process of this name; absent: nobody does. */
  readonly steward?: (writer: string) => Steward;
  /** Wallets that the venue has whitelisted and confirmed from the start; none unless told. */
  readonly whitelist?: readonly AddressText[];
  /** Who pays what is to be paid on a rail; as in `PAYERS` unless told. */
  readonly payers?: Payers;
  /** Pairs whose prices belong into the record also where the run does not trade them. */
  readonly shown?: readonly PairSymbol[];
  /** Fresh ones show a strategy that keeps its view, and cost time. */
  readonly views?: "reused" | "fresh";
  /** Another synthetic market in its place: how a check changes the future. What is recorded it changes in the columns. */
  readonly bend?: (market: Market) => Market;
  readonly watch?: BacktestWatcher;
};

/** How long it takes until a payment that was asked for is made, in full. */
export type Payers = { readonly onRampMs: number; readonly offRampMs: number };

/** A person's bank takes some hours; coins are sent at once. */
export const PAYERS: Payers = { onRampMs: 4 * 3_600_000, offRampMs: 0 };

type BacktestWatcher = {
  /** Now and then: virtual time has come so far. */
  readonly reached?: (at: Millis) => void;
  readonly step?: (step: Step) => void;
};
