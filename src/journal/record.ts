// What the journal can hold, as data. A submission's records carry its id (of an order: the client order id); amounts are
// exact, times are those of the writer's clock.

import type { Control, OrderReport } from "../domain/event.ts";
import type { Money } from "../domain/money/money.ts";
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
  readonly intent: OrderIntent;
  /** What it may spend, fee included. */
  readonly reserved: readonly Money[];
  readonly by: string;
};

/** On disk before the first byte leaves. Without an outcome after it, it is a doubt. */
export type Sending = {
  readonly kind: "sending";
  readonly at: Millis;
  readonly id: string;
  readonly nonce: number;
  /** sha256 of the body as sent. */
  readonly bodyDigest: string;
  readonly host: string;
};

export type Outcome = {
  readonly kind: "outcome";
  readonly at: Millis;
  readonly id: string;
  readonly report: OrderReport;
  /** sha256 of the answer; absent when nothing was sent. */
  readonly answerDigest: string | undefined;
};

export type Doubt = { readonly kind: "doubt"; readonly at: Millis; readonly id: string; readonly cause: string };

/** A later nonce of the same key was accepted: the doubtful request can no longer be. */
export type Fenced = { readonly kind: "fenced"; readonly at: Millis; readonly id: string; readonly nonce: number };

/** One look at the venue's histories and balances after the fence. */
export type Evidence = {
  readonly kind: "evidence";
  readonly at: Millis;
  readonly id: string;
  readonly count: number;
  readonly trades: Witness;
  readonly orders: Witness;
  readonly balances: Witness;
};

export type Witness = "filled" | "not-filled" | "silent";

export type Resolution = {
  readonly kind: "resolution";
  readonly at: Millis;
  readonly id: string;
  readonly verdict: "filled" | "dead" | "escalated";
  readonly reason: string;
  /** `rule`, or the person. */
  readonly by: string;
};

/** What the books take over from the venue: signed amounts. */
export type Adoption = {
  readonly kind: "adoption";
  readonly at: Millis;
  readonly amounts: readonly Money[];
  readonly reason: string;
  readonly by: string;
};

/** A strategy's saved state at a safe point. */
export type StateRecord = {
  readonly kind: "state";
  readonly at: Millis;
  readonly strategy: string;
  readonly state: unknown;
};

export type ControlRecord = { readonly kind: "control"; readonly at: Millis; readonly control: Control };

export type JournalRecord =
  | Opening
  | Started
  | StepRecord
  | IntentRecord
  | Sending
  | Outcome
  | Doubt
  | Fenced
  | Evidence
  | Resolution
  | Adoption
  | StateRecord
  | ControlRecord;

/** A record in its place. */
export type Entry = {
  readonly sequence: number;
  /** sha256 over the hash before it and its own text, in hex. */
  readonly hash: string;
  /** The instance of the process that wrote it. */
  readonly writer: string;
  readonly record: JournalRecord;
};
