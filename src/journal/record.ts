// What the journal can hold, as data. A submission's records carry its id (of an order: the client order id); amounts are
// exact, times are those of the writer's clock.

import type { Asset } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail, RailIntent, RailsRecord } from "../domain/rail.ts";
import type { OrderIntent, Step } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";

/** The first record of every journal: whose it is. A file never serves another environment or account. */
export type Opening = {
  readonly kind: "opening";
  readonly at: Millis;
  readonly environment: string;
  /** Fingerprint of the public key. */
  readonly account: string;
  /** Drawn at random when the file was made: two journals never share one. */
  readonly chainId: string;
  readonly schemaVersion: number;
  readonly codeVersion: string;
};

/** A process began to write: which code, under which configuration. */
export type Started = {
  readonly kind: "started";
  readonly at: Millis;
  readonly codeVersion: string;
  readonly configDigest: string;
};

/** A step of the engine that moved money, limits or books. */
export type StepRecord = { readonly kind: "step"; readonly at: Millis; readonly step: Step };

/** Approved and reserved, not sent yet. */
export type IntentRecord = {
  readonly kind: "intent";
  readonly at: Millis;
  readonly id: string;
  readonly request: RequestRecord;
  /** What it may spend, fee included. */
  readonly reserved: readonly Money[];
  /** What is at stake, in the currency of the limits; absent when it has no price. */
  readonly value: Money | undefined;
  readonly by: string;
  /** Of a mint or a rail: who wanted it and why. An order has its own reason. */
  readonly why?: string | undefined;
};

/** `assets`: what a doubt about it freezes; of an order those of its symbol. */
export type RequestRecord =
  | { readonly kind: "order"; readonly order: OrderIntent }
  | { readonly kind: "mint"; readonly mint: MintIntent; readonly assets: readonly Asset[] }
  | { readonly kind: "rail"; readonly rail: RailIntent; readonly assets: readonly Asset[] };

/** What the venue gave for it. */
export type ReceiptRecord =
  | { readonly kind: "order"; readonly fill: Fill }
  | { readonly kind: "mint"; readonly mint: MintRecord }
  | { readonly kind: "rail"; readonly rail: Rail };

/** On disk before the first byte leaves. Without an outcome after it, it is a doubt. */
export type Sending = {
  readonly kind: "sending";
  readonly at: Millis;
  readonly id: string;
  readonly nonce: number;
  /** SHA-256 of the body as sent, hexadecimal. */
  readonly digest: string;
  readonly host: string;
};

/** A definite answer, or the certainty that no byte left. */
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

/** It may have happened. */
export type DoubtRecord = {
  readonly kind: "doubt";
  readonly at: Millis;
  readonly id: string;
  readonly nonce: number;
  readonly code: string;
  readonly cause: string;
};

/** A later nonce of the same key was accepted: the doubtful request can no longer arrive. */
export type Fenced = { readonly kind: "fenced"; readonly at: Millis; readonly id: string; readonly nonce: number };

/** What one round of questions to the venue showed. */
export type Evidence = {
  readonly kind: "evidence";
  readonly at: Millis;
  readonly id: string;
  readonly round: number;
  readonly finding: FindingRecord;
  /**
   * Of an answered order that history shows: the list could not be read for long before, and when it last could it did not show it.
   * What passed from then on says nothing about how late the venue shows trades. Absent where it was read as usual.
   */
  readonly unreadFrom?: Millis | undefined;
};

export type FindingRecord =
  | { readonly kind: "landed"; readonly receipt: ReceiptRecord }
  | { readonly kind: "absent" }
  | { readonly kind: "silent"; readonly reason: string }
  | { readonly kind: "split"; readonly reason: string }
  | { readonly kind: "contradiction"; readonly reason: string };

/** How a submission that evidence or a person decided ended, or that a person is asked. */
export type ResolutionRecord = {
  readonly kind: "resolution";
  readonly at: Millis;
  readonly id: string;
  readonly verdict: ResolutionVerdict;
  readonly reason: string;
  /** `bot` by its rule, or the person. */
  readonly by: string;
};

export type ResolutionVerdict =
  | { readonly kind: "landed"; readonly receipt: ReceiptRecord }
  | { readonly kind: "released" }
  | { readonly kind: "escalated" };

/** Its process is gone, and the writer of this keeps it from now on: what was sent without an answer is a doubt. */
export type Recovered = { readonly kind: "recovered"; readonly at: Millis; readonly id: string };

/** The venue's totals are explained with it. */
export type Settled = { readonly kind: "settled"; readonly at: Millis; readonly id: string };

/** Since when the venue's balance of an asset differs from the ledger without an exact explanation; without an amount it no longer does. */
export type BalanceDifference = {
  readonly kind: "difference";
  readonly at: Millis;
  readonly asset: Asset;
  readonly amount: Money | undefined;
};

/** What the books take over from the venue: signed amounts. The step with the same amounts next to it moves the books. */
export type Adoption = {
  readonly kind: "adoption";
  readonly at: Millis;
  readonly amounts: readonly Money[];
  readonly history: HistoryMark;
  readonly reason: string;
  readonly by: string;
};

/** What of the venue's histories was taken over: all up to a time of the venue, and by their ids what has no such time and the newest of the rest. */
export type HistoryMark = {
  readonly until: Millis | undefined;
  /** Like `trade:t17`: a witness and the venue's id. */
  readonly ids: readonly string[];
};

/** A strategy's saved state at a safe point; or that it is none any more. */
export type StateRecord = {
  readonly kind: "state";
  readonly at: Millis;
  readonly strategy: string;
  readonly state: unknown;
  /** How it came to be older than what the strategy did: neither is it gone on from, nor begun at zero. */
  readonly outdated?: string | undefined;
};

/** A strategy sat down without the state that it had: what it counted began at zero, and why. */
export type FreshStart = {
  readonly kind: "fresh-start";
  readonly at: Millis;
  readonly strategy: string;
  /** For people: the whole sentence. */
  readonly text: string;
};

export type ControlRecord = { readonly kind: "control"; readonly at: Millis; readonly control: Control };

/** What money is to be moved, step by step, to the letter. Approvals are of its digest. */
export type PlanRecord = {
  readonly kind: "plan";
  readonly at: Millis;
  /** Made of the digest. */
  readonly id: string;
  /** SHA-256 of content, expiry and persons, hexadecimal. */
  readonly digest: string;
  readonly content: string;
  /** Past this it can neither be approved nor begun. */
  readonly expiresAt: Millis;
  /** How many different people must approve it; none below the thresholds. */
  readonly persons: number;
  readonly by: string;
  /** Which holdings were outside their bands, which ones have no price, and why people are asked; absent where there is nothing of it. No part of what is approved. */
  readonly why?: string | undefined;
};

export type ApprovalRecord = {
  readonly kind: "approval";
  readonly at: Millis;
  readonly id: string;
  /** What was approved. */
  readonly digest: string;
  readonly by: string;
  /** Of the digest, with the person's own key. */
  readonly signature: string | undefined;
};

/** A plan is begun once; what became of it, step by step. */
export type PlanProgress = {
  readonly kind: "plan-progress";
  readonly at: Millis;
  readonly id: string;
  /**
   * `expired`: approved, and not begun in time. `withdrawn`: not begun, because it was no longer needed. `declined`: a
   * person said no before it was begun.
   */
  readonly state: "begun" | "step" | "done" | "stopped" | "expired" | "withdrawn" | "declined";
  readonly text: string;
  /** Who declined it, and of a person with a key the signature of that. */
  readonly by?: string | undefined;
  readonly signature?: string | undefined;
  /** Of one that was stopped by a step that moved nothing: so many at its end did not, and why the first of them. */
  readonly refusal?: PlanRefusal | undefined;
};

export type PlanRefusal = {
  readonly unmoved: number;
  readonly why: string;
  /** The bot was stopped: its door refused nothing. */
  readonly isStop?: boolean | undefined;
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
  | RailsRecord;

/** A record in its place. */
export type Entry = {
  readonly sequence: number;
  /** sha256 over the hash before it and its own text, in hex. */
  readonly hash: string;
  /** The instance of the process that wrote it. */
  readonly writer: string;
  readonly record: JournalRecord;
};
