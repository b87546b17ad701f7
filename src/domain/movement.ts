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
  /** It will not happen. */
  | { readonly kind: "released"; readonly reason: string }
  /**
   * `spent` has left, the fee is part of it; `comes` is in flight. Where nothing was spent it comes from outside. `railId`: the
   * venue's, of a payment.
   */
  | {
      readonly kind: "departed";
      readonly door: Door;
      readonly spent: Money;
      readonly fee: Money;
      readonly comes: Money;
      readonly railId?: string | undefined;
      /** Of a payment from outside: what is taken off it when it arrives. */
      readonly feeAtArrival?: Money | undefined;
    }
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

export type MovementEvent = {
  readonly kind: "movement";
  /** Of its submission. */
  readonly id: string;
  readonly report: MovementReport;
  readonly receivedAt: Millis;
  /** Of what went outside or came from there, in the currency of the limits: put in by the engine, undefined when there was no rate. */
  readonly value?: Money | undefined;
  /** The same with every coin at par. */
  readonly atPar?: Money | undefined;
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
