// The inputs of the bot, one at a time. Events are the only way in: the engine applies them in order, and its clock is
// the time they carry. A producer of many quotes may pass the same object again with new numbers: the engine keeps no
// reference to it.

import type { Asset, PairSymbol } from "./asset.ts";
import type { Balance } from "./balance.ts";
import type { Instrument } from "./instrument.ts";
import type { Money, Price } from "./money/money.ts";
import type { MovementEvent } from "./movement.ts";
import type { ClientOrderId, Fill } from "./order.ts";
import type { Quote } from "./quote.ts";
import type { StopCause } from "./stop-cause.ts";
import type { Millis } from "./time.ts";

export type QuoteEvent = { readonly kind: "quote" } & Quote;

/** A finished bar: its decision is about the time after the close. */
export type BarEvent = {
  readonly kind: "bar";
  readonly symbol: PairSymbol;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number | undefined;
  readonly receivedAt: Millis;
};

export type BalancesEvent = {
  readonly kind: "balances";
  readonly balances: readonly Balance[];
  readonly receivedAt: Millis;
};

/**
 * Amounts adopted from the venue: the opening entry at the first start, and differences that a person accepted later.
 * They are signed and are added to the books.
 */
export type CoinCost = { readonly asset: Asset; readonly price: Price };

export type AdoptionEvent = {
  readonly kind: "adoption";
  readonly amounts: readonly Money[];
  readonly reason: string;
  readonly receivedAt: Millis;
  /** In the currency of the limits: set by the engine when it takes the event; undefined if an amount had no rate. */
  readonly value?: Money | undefined;
  /** The same with every coin at par. */
  readonly atPar?: Money | undefined;
  /** The cost of one coin in its currency, for the opening, as the configuration states it. */
  readonly costs?: readonly CoinCost[] | undefined;
};

export type InstrumentsEvent = {
  readonly kind: "instruments";
  readonly instruments: readonly Instrument[];
  readonly receivedAt: Millis;
};

/** The code of an order that did not fill at its limit: an ordinary end of a Fill-or-Kill order. */
export const UNFILLED = "unfilled";

/** Our codes for a venue's rejections; docs/guides/requests.md explains them. */
export const REJECTION_CODES = [
  "bad-request",
  "invalid-order",
  "unknown-symbol",
  "below-minimum",
  "kyb-required",
  "agreement-missing",
  "not-whitelisted",
  UNFILLED,
  "price-out-of-band",
  "forbidden",
  "rate-limited",
  "rejected",
  "unknown-code",
] as const;

/** The progress of a submitted order. Only `not-sent`, `rejected`, `dead` and fills free its reservation. */
export type OrderReport =
  | { readonly kind: "sending" }
  | { readonly kind: "not-sent"; readonly reason: string }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /** Booked provisionally from the answer, or found in history; applied once by trade id. */
  | { readonly kind: "filled"; readonly fill: Fill; readonly confirmed: boolean }
  | { readonly kind: "doubt"; readonly cause: string }
  | { readonly kind: "escalated"; readonly reason: string }
  /** Released by the absence rule, or by a person. */
  | { readonly kind: "dead"; readonly reason: string };

export type ReportEvent = {
  readonly kind: "report";
  readonly clientOrderId: ClientOrderId;
  readonly report: OrderReport;
  readonly receivedAt: Millis;
};

export type Control =
  /** A person's stop, through any route of the kill switch. */
  | { readonly kind: "kill"; readonly reason: string; readonly by: string }
  | ({ readonly kind: "halt" } & Halt)
  | ({ readonly kind: "reduce" } & Halt)
  | { readonly kind: "resume"; readonly reason: string; readonly by: string }
  /** Confirms that sending is still wanted; only required if the limits have a heartbeat. */
  | { readonly kind: "heartbeat"; readonly by: string }
  /**
   * A person asks the running bot to reload its limits; with `changed` the bot reports which are tighter from here on.
   */
  | { readonly kind: "limits"; readonly by: string; readonly changed?: string | undefined };

export type Halt = {
  readonly cause: StopCause;
  /**
   * The subject of the cause: an order, assets, a list, a rule. Stops of the same cause and subject are one stop,
   * whatever their wording and figures. Absent for errors from outside: then the reason without its figures is the
   * subject.
   */
  readonly subject?: string | undefined;
  /** Further findings that may change the remediation: a stop with a new finding is reported again. */
  readonly finding?: string | undefined;
  readonly reason: string;
  /** The remediation command. */
  readonly wayOut: string;
};

export type ControlEvent = { readonly kind: "control"; readonly control: Control; readonly receivedAt: Millis };

/** Time passed without another event: windows roll over, cool-downs end. */
export type TimerEvent = { readonly kind: "timer"; readonly receivedAt: Millis };

export type Event =
  | QuoteEvent
  | BarEvent
  | BalancesEvent
  | AdoptionEvent
  | InstrumentsEvent
  | ReportEvent
  | MovementEvent
  | ControlEvent
  | TimerEvent;
