// The protocol as one function: a submission and a fact give the next submission and what is to be done. Who keeps
// submissions calls the functions for each kind of fact directly.

import type { Halt } from "../../src/domain/event.ts";
import { unreachable } from "../../src/domain/invariant.ts";
import type { Nonce, Outcome, SendingRecord } from "../../src/exchange/port.ts";
import { answered, explained, fenced, recovered, resolved, sent, timed } from "../../src/execution/advance.ts";
import { looked, unanswered } from "../../src/execution/look.ts";
import type { Finding, Moment, MoneyKind, Receipts, Resolution, State, MoneyRequest, Witness } from "../../src/execution/request.ts";
import type { Hand } from "../../src/execution/submission.ts";
import type { Parameters } from "../../src/execution/parameters.ts";
import { watchOf } from "../../src/execution/watch.ts";

export type Fact<T> = { readonly now: Moment } & (
  | { readonly kind: "sending"; readonly record: SendingRecord }
  | { readonly kind: "outcome"; readonly outcome: Outcome<T> }
  /** A signed read of the same key was answered with 200. */
  | { readonly kind: "answered"; readonly nonce: Nonce }
  | { readonly kind: "looked"; readonly round: number; readonly finding: Finding<T> }
  /** A question of this round failed or was dropped. */
  | { readonly kind: "unanswered"; readonly round: number; readonly code: string }
  /** The process that kept it is gone, and this one has found it on disk. Never said of what another living one keeps. */
  | { readonly kind: "recovered" }
  | { readonly kind: "resolved"; readonly resolution: Resolution<T> }
  /** Venue totals equal the ledger with this receipt in it. */
  | { readonly kind: "explained" }
  | { readonly kind: "time" }
);

export type Effect<T> =
  | { readonly kind: "free" }
  /** Exactly once in the life of a submission. */
  | { readonly kind: "book"; readonly receipt: T }
  /** What is booked already is now known from history, with the venue's ids. */
  | { readonly kind: "confirm"; readonly receipt: T }
  | { readonly kind: "ask"; readonly round: number; readonly witnesses: readonly Witness[] }
  | { readonly kind: "escalate"; readonly reason: string; readonly wayOut: string }
  | ({ readonly kind: "halt" } & Halt);

type Advance<K extends MoneyKind> = {
  readonly submission: MoneyRequest<K>;
  readonly effects: readonly Effect<Receipts[K]>[];
};

export function advance<K extends MoneyKind>(
  submission: MoneyRequest<K>,
  fact: Fact<Receipts[K]>,
  terms: Parameters,
): Advance<K> {
  const effects: Effect<Receipts[K]>[] = [];
  const state = stateAfter(submission, fact, terms, listing(effects));
  return { submission: state === submission.state ? submission : { ...submission, state }, effects };
}

function stateAfter<K extends MoneyKind>(
  submission: MoneyRequest<K>,
  fact: Fact<Receipts[K]>,
  terms: Parameters,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  switch (fact.kind) {
    case "sending":
      return sent(submission, fact.record, fact.now.at);
    case "outcome":
      return answered(submission, fact.outcome, fact.now, terms, hand);
    case "answered":
      return fenced(submission, fact.nonce, fact.now);
    case "looked":
      return looked(submission, fact, terms, hand);
    case "unanswered":
      return unanswered(submission, fact, hand);
    case "recovered":
      return recovered(submission, fact.now, hand);
    case "resolved":
      return resolved(submission, fact.resolution, fact.now, hand);
    case "explained":
      return explained(submission);
    case "time":
      return timed(submission, fact.now, terms, hand);
    default:
      return unreachable(fact);
  }
}

function listing<T>(effects: Effect<T>[]): Hand<T> {
  return {
    free: () => effects.push({ kind: "free" }),
    book: (receipt) => effects.push({ kind: "book", receipt }),
    confirm: (receipt) => effects.push({ kind: "confirm", receipt }),
    ask: (state, witnesses) => effects.push({ kind: "ask", round: watchOf(state)?.round ?? 0, witnesses }),
    escalate: (reason, wayOut) => effects.push({ kind: "escalate", reason, wayOut }),
    halt: (halt) => effects.push({ kind: "halt", ...halt }),
  };
}
