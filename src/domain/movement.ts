// Money on its way through a door that takes hours or days. What left cannot be spent any more, what comes cannot be spent
// yet: in between it is in flight, ours and in nobody's balance.

import type { Money } from "./money/money.ts";
import type { Millis } from "./time.ts";

export type Door = "mint" | "payment";

/** How a movement goes on. What it ties up is freed by `released` and `departed` and by nothing else. */
export type MovementReport =
  /** Approved: it counts both ways from now on, as an order does. Of a payment that is to come on a rail: on which, and how much. */
  | {
      readonly kind: "reserved";
      readonly door: Door;
      readonly leaves: Money;
      readonly comes: Money;
      readonly rail?: string | undefined;
      readonly pays?: Money | undefined;
    }
  /** It will not happen; `covered`: it did, and what it moved was taken over before anybody knew of it. */
  | { readonly kind: "released"; readonly reason: string; readonly covered?: CoveredMove | undefined }
  /**
   * `spent` has left, the fee is part of it; `comes` is in flight. Where nothing was spent it comes from outside. `railId`: the
   * venue's, of a payment; absent in records of earlier versions.
   */
  | {
      readonly kind: "departed";
      readonly door: Door;
      readonly spent: Money;
      readonly fee: Money;
      readonly comes: Money;
      readonly railId?: string | undefined;
    }
  /** Of a payment in flight: the venue lists it with another amount since. The books then have what they would have had from the first. */
  | { readonly kind: "corrected"; readonly spent: Money; readonly comes: Money; readonly reason: string }
  /** The venue's word of how far it is, verbatim. */
  | { readonly kind: "told"; readonly status: string; readonly reason: string | undefined }
  /** It may have happened. Of mints and of rails; no money moves with it. */
  | { readonly kind: "doubt"; readonly cause: string }
  /** Evidence does not decide whether it happened: a person does. Of mints and of rails; no money moves with it. */
  | { readonly kind: "escalated"; readonly reason: string; readonly wayOut: string }
  /** The venue gave back what it took, fee included: a mint's by a person's word, a payment's by its list. */
  | { readonly kind: "returned"; readonly reason: string }
  /** No longer in flight. A fee was taken off what came. `reason`: of a payment, where a person said so and not the venue's list. */
  | {
      readonly kind: "arrived";
      readonly at: "account" | "outside";
      readonly fee?: Money | undefined;
      readonly reason?: string | undefined;
    };

/** The word of a payment that the list has left out since it was told so: no word of the venue's, and one that says nothing of how it goes on. */
export const DROPPED = "no longer listed";

/** With the venue's word of a mint whose coins its balances show while its list does not call it settled: no reason of the venue's. */
export const SHOWN = "its balances show the coins";
/** The same where they do so no longer. */
export const UNSHOWN = "its balances show the coins no longer";

/** With the word of a mint, or of a payment to a bank, whose money the balances have once shown to be gone: only since then can they show that it is back. */
export const LEFT = "its balances show that it left";

/** What is told of a mint or a payment by the balances, and says nothing of the list. */
export function isOfBalances(reason: string | undefined): boolean {
  return reason === SHOWN || reason === UNSHOWN || reason === LEFT;
}

/** In the adoption of this time, by this change of what is held. */
export type CoveredMove = { readonly at: Millis; readonly amount: Money };

export type MovementEvent = {
  readonly kind: "movement";
  /** Of its submission. */
  readonly id: string;
  readonly report: MovementReport;
  readonly receivedAt: Millis;
  /** Of what went outside or came from there, in the currency of the limits: put in by the engine, undefined when there was no rate. */
  readonly value?: Money | undefined;
  /**
   * Of the fee that this report takes or gives back, where that is in another asset than the currency of the limits: put in by
   * the engine, undefined when there was no rate. What is given back has the value that it was taken at.
   */
  readonly feeValue?: Money | undefined;
};

/** What the report takes as a fee, less than nothing where it gives one back; `flight`: before it. */
export function feeOf(
  report: MovementReport,
  flight: Flight | undefined,
): { readonly door: Door; readonly fee: Money } | undefined {
  const fee =
    report.kind === "departed" || report.kind === "arrived"
      ? report.fee
      : report.kind === "returned"
        ? flight?.fee.negated()
        : undefined;
  const door = report.kind === "departed" ? report.door : flight?.door;
  return fee === undefined || door === undefined || fee.isZero() ? undefined : { door, fee };
}

/** Nothing of ours paid for it. */
export function isFromOutside({ spent }: { readonly spent: Money }): boolean {
  return spent.isZero();
}

/** What is in flight, and since when. */
export type Flight = {
  readonly id: string;
  readonly door: Door;
  readonly spent: Money;
  readonly fee: Money;
  /** What the fee was worth when it was taken, as its event has it: given back it is worth the same. */
  readonly feeValue?: Money | undefined;
  readonly comes: Money;
  readonly since: Millis;
  /** The venue's word, verbatim, and why; undefined before it said anything. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
};
