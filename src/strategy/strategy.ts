// The contract of strategies, known to users as "pegbot/strategy". A strategy is a function from a view to proposals:
// it has no clock, randomness, input or output of its own.

import { z } from "zod";
import type { Proposal } from "../domain/step.ts";
import { type FillCount, NOTHING_COUNTED, newFills } from "./fill-count.ts";
import type { ScreenColumns, ScreenResult } from "./screen.ts";
import { ScreenAccount } from "./screen.ts";
import { change } from "./signal/change.ts";
import { deviation } from "./signal/deviation.ts";
import { ema } from "./signal/ema.ts";
import { highest, lowest } from "./signal/extreme.ts";
import { sma } from "./signal/sma.ts";
import type { View, Wake } from "./view.ts";

export type { NoFair } from "../domain/fair.ts";
export type { Proposal } from "../domain/step.ts";
export type { ScreenPair } from "./screen.ts";
export type {
  BalanceView,
  BarView,
  FillView,
  HiddenSideView,
  HiddenView,
  OpenOrderView,
  OutcomeView,
  QuoteView,
  ReportView,
  View,
  Wake,
} from "./view.ts";
export type { FillCount, ScreenColumns, ScreenResult };
export { change, deviation, ema, highest, lowest, NOTHING_COUNTED, newFills, ScreenAccount, sma, z };

export type Definition<P extends z.ZodType = z.ZodType, S = unknown, W extends Wake = Wake> = {
  /** Lower case letters, digits and hyphens: it appears in metrics and journals. */
  readonly name: string;
  readonly params?: P;
  /** A fresh object of plain data and signals. */
  readonly state?: (params: ParamsOf<P>) => S;
  /** The parameters that a saved state belongs to: with another value of one the start is refused. All by default. */
  readonly stateParams?: readonly (keyof z.output<P> & string)[];
  /** The events that call `decide`; the venue's quotes by default. */
  readonly wakes?: readonly W[];
  decide(view: View<ParamsOf<P>, S, W>): Proposed;
  /**
   * Called in place of `decide` where the venue shows no quotes: at references, balances, pairs and timers, whatever
   * `wakes` says. Without it such a venue never wakes a strategy that wakes at quotes alone.
   */
  blind?(view: View<ParamsOf<P>, S>): Proposed;
  /** The same decisions over columns, for `sweep --screen`. */
  screen?(columns: ScreenColumns, params: ParamsOf<P>): ScreenResult;
};

/** Frozen at every level. */
export type ParamsOf<P extends z.ZodType> = Frozen<z.output<P>>;

type Frozen<T> = unknown extends T ? T : T extends Whole ? T : { readonly [K in keyof T]: Frozen<T[K]> };
type Whole = string | number | bigint | boolean | symbol | null | undefined | Date | ((...given: never[]) => unknown);

export type Proposed = Proposal | readonly (Proposal | undefined)[] | undefined | false | null;

/** Returns the definition unchanged; it exists for the types. */
export function defineStrategy<
  P extends z.ZodType = z.ZodObject<Record<never, never>>,
  S = Record<never, never>,
  W extends Wake = "quote",
>(definition: Definition<P, S, W>): Definition<P, S, W> {
  return definition;
}
