// What the rebalancer reads of the trading core: accounts, prices and limits, the pairs, and whether a strategy trades.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Proposal, Refusal } from "../../domain/step.ts";
import type { RiskContext } from "../../risk/rule.ts";
import type { Top } from "../plan/order-doors.ts";

export interface TradingView {
  readonly context: RiskContext;
  readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
  readonly strategy: { readonly wakes: { readonly size: number } };
  /** The venue's last good quote. */
  topOf(symbol: PairSymbol): (Top & { readonly ageMs: number }) | undefined;
  /** Why the gate could not judge this proposal now: prices are missing or too old. */
  unjudged(proposal: Proposal): Refusal | undefined;
}
