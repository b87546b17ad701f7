// Money that moves by mint or rail takes hours or days. The amount that left can no longer be spent, and the amount to
// come cannot be spent yet: meanwhile it is in transit, ours and in no balance.

import type { Money } from "./money/money.ts";
import type { Millis } from "./time.ts";

export type Door = "mint" | "payment";

/** The progress of a movement. Only `released` and `departed` free its reservation. */
export type MovementReport =
  /**
   * Approved: it counts both ways from now on, as an order does. For an expected payment on a rail: the rail and the
   * amount.
   */
  | {
      readonly kind: "reserved";
      readonly door: Door;
      readonly leaves: Money;
      readonly comes: Money;
      readonly rail?: string | undefined;
      readonly pays?: Money | undefined;
    }
  /** The movement will not happen. `by`: the person who gave up an expected payment; `met`: the payment that came for it. */
  | {
      readonly kind: "released";
      readonly reason: string;
      readonly by?: string | undefined;
      readonly met?: string | undefined;
    }
  /**
   * `spent` has left and includes the fee; `comes` is in transit. If nothing was spent, it comes from outside.
   * `railId`: the venue's id, for a payment.
   */
  | {
      readonly kind: "departed";
      readonly door: Door;
      readonly spent: Money;
      readonly fee: Money;
      readonly comes: Money;
      readonly railId?: string | undefined;
      /** For a payment from outside: the fee deducted on arrival. */
      readonly feeAtArrival?: Money | undefined;
    }
  /** The venue's status, verbatim. */
  | { readonly kind: "told"; readonly status: string; readonly reason: string | undefined }
  /** The outcome is unknown. For mints and rails; no money moves with it. */
  | { readonly kind: "doubt"; readonly cause: string }
  /** Evidence does not decide whether it happened: a person must. For mints and rails; no money moves with it. */
  | { readonly kind: "escalated"; readonly reason: string; readonly wayOut: string }
  /**
   * The venue returned the money, fee included: for a mint according to a person, for a payment according to its list.
   */
  | { readonly kind: "returned"; readonly reason: string; readonly isListed?: boolean | undefined }
  /**
   * No longer in transit. `fee` was deducted on arrival. `reason`: for a payment closed by a person and not by the
   * venue's list.
   */
  | {
      readonly kind: "arrived";
      readonly at: "account" | "outside";
      readonly fee?: Money | undefined;
      readonly reason?: string | undefined;
    };

export type MovementEvent = {
  readonly kind: "movement";
  /** The id of its submission. */
  readonly id: string;
  readonly report: MovementReport;
  readonly receivedAt: Millis;
  /**
   * The value that left the account for outside or came from there, in the currency of the limits: set by the engine;
   * undefined without a rate.
   */
  readonly value?: Money | undefined;
  /** The same with every coin at par. */
  readonly atPar?: Money | undefined;
  /**
   * The value of the fee that this report takes or returns, if it is in an asset other than the currency of the limits:
   * set by the engine; undefined without a rate. A returned fee keeps the value at which it was taken.
   */
  readonly feeValue?: Money | undefined;
};

/** The fee that the report takes, negative if it returns one; `flight` is the state before it. */
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

/** Whether it was paid from outside: nothing of ours was spent. */
export function isFromOutside({ spent }: { readonly spent: Money }): boolean {
  return spent.isZero();
}

/** Money in transit, and since when. */
export type Flight = {
  readonly id: string;
  readonly door: Door;
  readonly spent: Money;
  readonly fee: Money;
  /** The value of the fee when it was taken, as in its event: a returned fee keeps it. */
  readonly feeValue?: Money | undefined;
  readonly comes: Money;
  readonly since: Millis;
  /** The venue's status, verbatim, and its reason; undefined before the first answer. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
};
