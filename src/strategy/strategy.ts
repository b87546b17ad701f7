// The contract of strategies, known to users as "pegbot/strategy". A strategy is a function from what is seen to what is
// proposed: no clock, no chance, no input or output of its own.

import { z } from "zod";
import type { Proposal } from "../domain/step.ts";
import { type FillCount, NOTHING_COUNTED, newFills } from "./fill-count.ts";
import { change } from "./signal/change.ts";
import { deviation } from "./signal/deviation.ts";
import { ema } from "./signal/ema.ts";
import { expectedTake } from "./signal/expected-take.ts";
import { highest, lowest } from "./signal/extreme.ts";
import { sma } from "./signal/sma.ts";
import type { View, Wake } from "./view.ts";

export type { NoFair } from "../domain/fair.ts";
export type { Proposal } from "../domain/step.ts";
export type {
  BalanceView,
  BarView,
  FillView,
  OpenOrderView,
  OutcomeView,
  QuoteView,
  ReportView,
  View,
  Wake,
} from "./view.ts";
export type { FillCount };
export { change, deviation, ema, expectedTake, highest, lowest, NOTHING_COUNTED, newFills, sma, z };

export type Definition<P extends z.ZodType = z.ZodType, S = unknown, W extends Wake = Wake> = {
  /** Lower case, digits and hyphens: it appears in metrics and journals. */
  readonly name: string;
  readonly params?: P;
  /** A fresh object of plain data and signals. */
  readonly state?: (params: ParamsOf<P>) => S;
  /** The parameters that a saved state belongs to: with another value of one it is not given back. All, unless told. */
  readonly stateParams?: readonly (keyof z.output<P> & string)[];
  /** To be raised when the same fields mean something else than before: a state of another version does not fit. 0, unless told. */
  readonly stateVersion?: number;
  /**
   * Takes over a saved state that does not fit: gives the state to go on with, or undefined to start fresh. What it throws
   * disables the strategy: the bot is HALTED with the reason.
   */
  migrateState?(saved: Readonly<Record<string, unknown>>, version: number): S | undefined;
  /** Which events call `decide`; the venue's quotes, unless told. */
  readonly wakes?: readonly W[];
  decide(view: View<ParamsOf<P>, S, W>): Proposed;
  /**
   * What the next look at this pair would earn, as far as can be said now, in the pair's quote asset: asked of each pair
   * when a slot opens and something else wants it too. It only looks: state is not its to change. Undefined: cannot say.
   */
  worth?(view: View<ParamsOf<P>, Readonly<S>, "quote">): number | undefined;
};

/** As they are handed out: frozen to the last list. */
export type ParamsOf<P extends z.ZodType> = Frozen<z.output<P>>;

type Frozen<T> = unknown extends T ? T : T extends Whole ? T : { readonly [K in keyof T]: Frozen<T[K]> };
type Whole = string | number | bigint | boolean | symbol | null | undefined | Date | ((...given: never[]) => unknown);

export type Proposed = Proposal | readonly (Proposal | undefined)[] | undefined | false | null;

/** Gives the definition back: its worth is in the types. */
export function defineStrategy<
  P extends z.ZodType = z.ZodObject<Record<never, never>>,
  S = Record<never, never>,
  W extends Wake = "quote",
>(definition: Definition<P, S, W>): Definition<P, S, W> {
  return definition;
}
