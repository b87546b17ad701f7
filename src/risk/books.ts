// The counters that rules read: order times, turnover, streaks, doubts, peaks. Folded from entries alone, so that the
// engine and a fold over recorded steps come to the same books.

import type { Control, OrderReport } from "../domain/event.ts";
import type { Money, Price } from "../domain/money/money.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { Command, OrderIntent, RiskState } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";

export interface Books {
  readonly state: RiskState;
  apply(entry: BookEntry): void;
  /** Plain data, good for JSON. */
  save(): unknown;
}

/**
 * What the books of the rules are told, in order, by the engine, and by a fold over recorded steps alike: so an entry
 * carries every price it needs, and nothing is looked up when it is applied.
 */
export type BookEntry =
  /** `rate` is the value of one unit of the pair's quote asset in `currency` when it was approved. */
  | { readonly kind: "approved"; readonly intent: OrderIntent; readonly rate: Price | undefined; readonly at: Millis }
  | OrderEntry
  /** Equity where it opens a day or sets a new peak. */
  | { readonly kind: "mark"; readonly equity: Money; readonly at: Millis }
  | { readonly kind: "state"; readonly command: Extract<Command, { kind: "state" }>; readonly at: Millis }
  | { readonly kind: "control"; readonly control: Control; readonly at: Millis };

export type OrderEntry = {
  readonly kind: "report";
  /** Undefined when the books of the engine do not know the order. */
  readonly intent: OrderIntent | undefined;
  readonly clientOrderId: ClientOrderId;
  readonly report: OrderReport;
  /** False when a fill was booked before: the provisional one, now confirmed. */
  readonly first: boolean;
  /** Of a first fill: profit over average cost in the quote asset, fees included; undefined for an opening buy. */
  readonly realised: Money | undefined;
  readonly at: Millis;
};
