// What may be asked at any time of mints, rails and the payments on them: what may be begun beside them, and what is under
// way. Nothing here changes anything.

import type { Asset } from "../domain/asset.ts";
import type { MadeMint } from "../domain/mint.ts";
import type { RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import type { Payment } from "../exchange/port.ts";
import type { MovementWish } from "../risk/movement-gate.ts";
import type { Uncosted } from "./mint-cost.ts";
import type { Arriving } from "./payment/arrivals.ts";
import type { Awaited, Expectation, GivenUp } from "./payment/expectations.ts";
import type { KeptBackPayment, PaymentFlight } from "./payment/payment-flights.ts";
import type { AnyReceipt, Submission } from "./submission.ts";
import type { Flying } from "./under-way.ts";

export interface MovementSight {
  /** Why this mint or rail cannot be begun beside what is under way: one mint per coin, one rail of the same content. */
  refusal(wish: MovementWish): string | undefined;
  /** Why nothing leaves for a destination now: rails are frozen. Asked again when it is to be sent. */
  listRefusal(wish: MovementWish): string | undefined;
  /** Mints that were intended since then and happened or may have. */
  mintsSince(at: Millis): readonly MadeMint[];
  /** The mint or rail of ours that the venue knows by this id. */
  ownerOf(kind: "mint" | "rail", venueId: string): string | undefined;
  /** Why an entry of the venue's list is another one than this. */
  whyNotIts(submission: Submission, receipt: AnyReceipt): string | undefined;
  /** Coins of mints that happened and are not over: the venue may count them among its totals already, or not. */
  inFlight(asset: Asset): readonly Flying[];
  /** Mints that happened and were paid for with it, of which nobody has said what they cost: the books have it still. */
  uncosted(asset: Asset): readonly Uncosted[];
  /** A rail of ours stands: payments on it move money. */
  readonly hasRails: boolean;
  /** Why no rail may be used now, until a person has looked. */
  readonly railsFrozen: string | undefined;
  /** When the last reason for it came. */
  readonly railsFrozenAt: Millis | undefined;
  /** A rail of just this content that stands, whether it takes payments or not. */
  railOf(rail: RailRequest): Submission<"rail"> | undefined;
  /** Why the venue has refused the last rail of just this content. */
  railRefused(rail: RailRequest): string | undefined;
  /** Payments that are to come. */
  expectations(): Iterable<Expectation>;
  /** Of each rail the last payment that a person gave up, where none came since. */
  givenUp(): Iterable<GivenUp>;
  /** Payments that are to come, and rails that take payments and never had one. */
  awaited(): readonly Awaited[];
  /** Coins of payments to our own account: the same, less a fee that nobody knows yet. */
  arriving(asset: Asset): readonly Arriving[];
  /** A payment on a rail of ours that is in flight. */
  payment(id: string): PaymentFlight | undefined;
  /** Those of them that the venue holds. */
  paymentsKeptBack(): readonly KeptBackPayment[];
  /** Payments under words that nobody knows, which are not booked, in words. */
  unsaid(): readonly string[];
  /** Rows of the list of payments that nobody books: without an id, under that of another, or undone since. */
  odd(): readonly string[];
  /** What a list of payments that was just read calls this one, and not another with its id; undefined where it is not listed. */
  paymentListed(id: string, rows: readonly Payment[]): string | undefined;
  /** How and when one ended that is in flight no more. */
  paymentEnded(id: string): string | undefined;
}
