// What happens to the bot, one thing at a time. Events are the only way in: the engine folds them in order, and its
// clock is the time they carry. A producer of many quotes may hand the same object in again with new numbers: the
// engine keeps none of it.

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

/** A finished bar: its decision is about the time after it closed. */
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
 * What the books take over from the venue: the opening entry at the first start, and differences a person accepted later.
 * Amounts are signed and are added to what the books hold.
 */
export type CoinCost = { readonly asset: Asset; readonly price: Price };

export type AdoptionEvent = {
  readonly kind: "adoption";
  readonly amounts: readonly Money[];
  readonly reason: string;
  readonly receivedAt: Millis;
  /** In the currency of the limits: put in by the engine when it takes the event, undefined when some amount had no rate. */
  readonly value?: Money | undefined;
  /** The same with every coin at par. */
  readonly atPar?: Money | undefined;
  /** What a unit of a coin had cost, in the currency that it stands for: of the opening, as the configuration states it. */
  readonly costs?: readonly CoinCost[] | undefined;
};

export type InstrumentsEvent = {
  readonly kind: "instruments";
  readonly instruments: readonly Instrument[];
  readonly receivedAt: Millis;
};

/** The code of a rejected order that nothing took at its limit: for a Fill-or-Kill order that is an ordinary end. */
export const UNFILLED = "unfilled";

/** How a venue may refuse an order, in our words; docs/EXCHANGE.md has their meaning. */
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

/** How a submitted order goes on. Only `not-sent`, `rejected`, `dead` and fills free what it reserved. */
export type OrderReport =
  | { readonly kind: "sending" }
  | { readonly kind: "not-sent"; readonly reason: string }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /** Booked provisionally from the answer, or found in history; applied once, by trade id. */
  | { readonly kind: "filled"; readonly fill: Fill; readonly confirmed: boolean }
  | { readonly kind: "doubt"; readonly cause: string }
  | { readonly kind: "escalated"; readonly reason: string }
  /** Released by the full rule, or by a person. */
  | { readonly kind: "dead"; readonly reason: string };

export type ReportEvent = {
  readonly kind: "report";
  readonly clientOrderId: ClientOrderId;
  readonly report: OrderReport;
  readonly receivedAt: Millis;
};

export type Control =
  /** A person's stop, by whichever of the switch's ways. */
  | { readonly kind: "kill"; readonly reason: string; readonly by: string }
  | ({ readonly kind: "halt" } & Halt)
  | ({ readonly kind: "reduce" } & Halt)
  | { readonly kind: "resume"; readonly reason: string; readonly by: string }
  /** Sending is still wanted; only asked for where the limits have a heartbeat. */
  | { readonly kind: "heartbeat"; readonly by: string }
  /** A person asks the running bot to read its limits again; with `changed` the bot says which are tighter from here on. */
  | { readonly kind: "limits"; readonly by: string; readonly changed?: string | undefined };

export type Halt = {
  readonly cause: StopCause;
  /**
   * What of that cause: an order, assets, a list, a rule. Stops of one cause and subject are one, in whatever words and figures they
   * are told. Absent in an error of others: then its reason, figures left out, is the subject.
   */
  readonly subject?: string | undefined;
  /** What is known of it besides, where that may lead another way out: whoever finds more says so again. */
  readonly finding?: string | undefined;
  readonly reason: string;
  /** The command that leads out. */
  readonly wayOut: string;
};

export type ControlEvent = { readonly kind: "control"; readonly control: Control; readonly receivedAt: Millis };

/** Time passed and nothing else happened: windows roll over, cool-downs end. */
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
