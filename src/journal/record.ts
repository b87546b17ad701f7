// The journal's records as data. The records of a request carry its id (an order's is the client order id); amounts are
// exact, times are those of the writer's clock.

import type { Asset } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail, RailIntent, RailsRecord } from "../domain/rail.ts";
import type { OrderIntent, Step } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";

/** The first record of every journal, with its owner. A file never serves another environment or account. */
export type Opening = {
  readonly kind: "opening";
  readonly at: Millis;
  readonly environment: string;
  /** Fingerprint of the public key. */
  readonly account: string;
  /** Random, drawn when the file is created: no two journals share one. */
  readonly chainId: string;
  readonly schemaVersion: number;
  readonly codeVersion: string;
};

/** A process started writing, with this code and configuration. */
export type Started = {
  readonly kind: "started";
  readonly at: Millis;
  readonly codeVersion: string;
  readonly configDigest: string;
};

/** An engine step that changed money, limits or accounts. */
export type StepRecord = { readonly kind: "step"; readonly at: Millis; readonly step: Step };

/** A request that is approved and reserved, not sent yet. */
export type IntentRecord = {
  readonly kind: "intent";
  readonly at: Millis;
  readonly id: string;
  readonly request: RequestRecord;
  /** The most it may spend, fee included. */
  readonly reserved: readonly Money[];
  /** The amount at stake, in the currency of the limits; absent without a price. */
  readonly value: Money | undefined;
  readonly by: string;
  /** For a mint or a rail: its origin and reason. An order carries its own reason. */
  readonly why?: string | undefined;
};

/** `assets`: frozen while the request is in doubt; an order freezes those of its symbol. */
export type RequestRecord =
  | { readonly kind: "order"; readonly order: OrderIntent }
  | { readonly kind: "mint"; readonly mint: MintIntent; readonly assets: readonly Asset[] }
  | { readonly kind: "rail"; readonly rail: RailIntent; readonly assets: readonly Asset[] };

/** The venue's receipt for a request. */
export type ReceiptRecord =
  | { readonly kind: "order"; readonly fill: Fill }
  | { readonly kind: "mint"; readonly mint: MintRecord }
  | { readonly kind: "rail"; readonly rail: Rail };

/** On disk before the first byte leaves. Without a later outcome, the request is in doubt. */
export type Sending = {
  readonly kind: "sending";
  readonly at: Millis;
  readonly id: string;
  readonly nonce: number;
  /** SHA-256 of the body as sent, in hex. */
  readonly digest: string;
  readonly host: string;
};

/** A definite answer, or certainty that no byte left. */
export type OutcomeRecord = {
  readonly kind: "outcome";
  readonly at: Millis;
  readonly id: string;
  readonly outcome: DefiniteOutcome;
};

export type DefiniteOutcome =
  | { readonly kind: "accepted"; readonly receipt: ReceiptRecord }
  | {
      readonly kind: "rejected";
      readonly code: string;
      readonly status: number | undefined;
      readonly venueCode: string | undefined;
      readonly message: string;
    }
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string };

/** A request with an unknown outcome. */
export type DoubtRecord = {
  readonly kind: "doubt";
  readonly at: Millis;
  readonly id: string;
  readonly nonce: number;
  readonly code: string;
  readonly cause: string;
};

/** The venue accepted a later nonce of the same key, so the doubtful request can no longer arrive. */
export type Fenced = { readonly kind: "fenced"; readonly at: Millis; readonly id: string; readonly nonce: number };

/** The result of one round of reads about a request. */
export type Evidence = {
  readonly kind: "evidence";
  readonly at: Millis;
  readonly id: string;
  readonly round: number;
  readonly finding: FindingRecord;
  /**
   * For an answered order that history now shows: since when the list could not be read, having not shown the order at
   * its last reading. The time since then must not count as the venue's confirmation latency. Absent if the list was
   * read as usual.
   */
  readonly unreadFrom?: Millis | undefined;
};

export type FindingRecord =
  | { readonly kind: "landed"; readonly receipt: ReceiptRecord }
  | { readonly kind: "absent" }
  | { readonly kind: "silent"; readonly reason: string }
  | { readonly kind: "split"; readonly reason: string }
  | { readonly kind: "contradiction"; readonly reason: string };

/** Evidence or a person decided a request, or the bot escalates it to a person. */
export type ResolutionRecord = {
  readonly kind: "resolution";
  readonly at: Millis;
  readonly id: string;
  readonly verdict: ResolutionVerdict;
  readonly reason: string;
  /** `bot` if its rule decided, otherwise the person. */
  readonly by: string;
};

export type ResolutionVerdict =
  | { readonly kind: "landed"; readonly receipt: ReceiptRecord }
  | { readonly kind: "released" }
  | { readonly kind: "escalated" };

/**
 * The request's process is gone, and the writer of this record tracks it from now on; if it was sent without an answer,
 * it is in doubt.
 */
export type Recovered = { readonly kind: "recovered"; readonly at: Millis; readonly id: string };

/** The venue's balances agree with the request's outcome. */
export type Settled = { readonly kind: "settled"; readonly at: Millis; readonly id: string };

/**
 * The venue's balance of an asset differs from the accounts without an exact explanation, since this time; without an
 * amount, the difference is gone.
 */
export type BalanceDifference = {
  readonly kind: "difference";
  readonly at: Millis;
  readonly asset: Asset;
  readonly amount: Money | undefined;
};

/**
 * Signed amounts that the accounts adopt from the venue. The step next to this record has the same amounts and books
 * them.
 */
export type Adoption = {
  readonly kind: "adoption";
  readonly at: Millis;
  readonly amounts: readonly Money[];
  readonly history: HistoryMark;
  readonly reason: string;
  readonly by: string;
};

/**
 * The adopted part of the venue's histories: all rows up to a venue time, and by id the rows without such a time and
 * the newest of the rest.
 */
export type HistoryMark = {
  readonly until: Millis | undefined;
  /** A witness and the venue's id, like `trade:t17`. */
  readonly ids: readonly string[];
};

/** A strategy's state at a safe point, or a mark that its saved state is outdated. */
export type StateRecord = {
  readonly kind: "state";
  readonly at: Millis;
  readonly strategy: string;
  readonly state: unknown;
  /** Why the state is older than the strategy's trades; it must neither be resumed nor reset to zero. */
  readonly outdated?: string | undefined;
};

/** A strategy started without its earlier state, so its counts restarted at zero; with the reason. */
export type FreshStart = {
  readonly kind: "fresh-start";
  readonly at: Millis;
  readonly strategy: string;
  /** A full sentence for people. */
  readonly text: string;
};

export type ControlRecord = { readonly kind: "control"; readonly at: Millis; readonly control: Control };

/** A plan to move money, with its exact steps. Approvals are bound to its digest. */
export type PlanRecord = {
  readonly kind: "plan";
  readonly at: Millis;
  /** Derived from the digest. */
  readonly id: string;
  /** SHA-256 of content, expiry and persons, in hex. */
  readonly digest: string;
  readonly content: string;
  /** After this the plan can neither be approved nor started. */
  readonly expiresAt: Millis;
  /** The number of different people who must approve; 0 below the thresholds. */
  readonly persons: number;
  readonly by: string;
  /**
   * Holdings outside their bands, holdings without a price, and why approval is required; absent if there is none of
   * these. Not part of the approved content.
   */
  readonly why?: string | undefined;
};

export type ApprovalRecord = {
  readonly kind: "approval";
  readonly at: Millis;
  readonly id: string;
  /** The approved digest. */
  readonly digest: string;
  readonly by: string;
};

/** A plan's progress, step by step; a plan starts only once. */
export type PlanProgress = {
  readonly kind: "plan-progress";
  readonly at: Millis;
  readonly id: string;
  /**
   * `expired`: approved, but not started in time. `withdrawn`: not started, because it was no longer needed.
   * `declined`: a person declined it before it started. `paused`, `resumed` and `finished`: by a person, of a conversion.
   */
  readonly state:
    | "begun"
    | "sent"
    | "step"
    | "paused"
    | "resumed"
    | "finished"
    | "done"
    | "stopped"
    | "expired"
    | "withdrawn"
    | "declined";
  readonly text: string;
  /** The person who declined. */
  readonly by?: string | undefined;
  /**
   * For a plan that stopped at a step that moved nothing: the number of steps left, that one included, and its reason.
   */
  readonly refusal?: PlanRefusal | undefined;
  /** Of a conversion: what a request is to move when it is `sent`, and what it has moved at the end of the `step`. */
  readonly move?: PlanMove | undefined;
};

/** `takes` and `brings` with their holdings, such as `49997.8 CHF`. */
export type PlanMove = {
  readonly request: string;
  readonly takes: string;
  readonly brings: string;
  /** What is taken, and what is lost of that, both at fair value then; when sent, what may be lost at most. */
  readonly value: Money;
  readonly lost: Money;
  /** `sell VCHF/CHF` */
  readonly route: string;
  /** Of an order: the price that the venue showed when it was sent, and the fee that it took, such as `1.2 CHF`. */
  readonly shown?: string | undefined;
  readonly fee?: string | undefined;
};

export type PlanRefusal = {
  readonly unmoved: number;
  readonly why: string;
  /** The bot was stopped; the route itself refused nothing. */
  readonly isStop?: boolean | undefined;
};

/** What somebody asked for under an id of their own, so that asking again with it sends nothing twice. */
export type OperationRecord = {
  readonly kind: "operation";
  readonly at: Millis;
  /** A UUIDv7, made by the caller. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of name and input, in hex. */
  readonly content: string;
  readonly by: string;
  /** The order, mint or rail that it led to. */
  readonly request: string | undefined;
  /** Why nothing was sent. */
  readonly refusal: string | undefined;
};

export type JournalRecord =
  | Opening
  | Started
  | StepRecord
  | IntentRecord
  | Sending
  | OutcomeRecord
  | DoubtRecord
  | Fenced
  | Evidence
  | ResolutionRecord
  | Recovered
  | Settled
  | BalanceDifference
  | Adoption
  | StateRecord
  | FreshStart
  | ControlRecord
  | PlanRecord
  | ApprovalRecord
  | PlanProgress
  | RailsRecord
  | OperationRecord;

/** A record at its place in the chain. */
export type Entry = {
  readonly sequence: number;
  /** SHA-256 of the previous hash and the entry's text, in hex. */
  readonly hash: string;
  /** The instance id of the process that wrote it. */
  readonly writer: string;
  readonly record: JournalRecord;
};
