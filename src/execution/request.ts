// A request that moves money, and how far it has come. Orders, mints and rails pass through the same states; only what counts
// as evidence differs. A state carries what is known in it and survives a restart; polling is kept apart, in `poll`.

import type { Asset } from "../domain/asset.ts";
import type { Halt } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail, RailIntent } from "../domain/rail.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type { Failure, Nonce } from "../exchange/port.ts";
import type {
  DoubtRecord,
  Evidence,
  Fenced,
  OutcomeRecord,
  Recovered,
  ResolutionRecord,
  Sending,
  Settled,
} from "../journal/record.ts";

export type MoneyKind = "order" | "mint" | "rail";

export type Contents = { readonly order: OrderIntent; readonly mint: MintIntent; readonly rail: RailIntent };
export type Receipts = { readonly order: Fill; readonly mint: MintRecord; readonly rail: Rail };
export type AnyReceipt = Receipts[MoneyKind];

export type MoneyRequest<K extends MoneyKind = MoneyKind> = {
  readonly kind: K;
  readonly id: string;
  readonly request: Contents[K];
  /** Frozen while the outcome is unknown. */
  readonly assets: readonly Asset[];
  /** What is at stake, in the currency of equity; undefined where no rate was known. */
  readonly value: Money | undefined;
  readonly state: State<Receipts[K]>;
};

export type State<T> =
  | { readonly kind: "intended" }
  /** On disk; bytes may be out. */
  | (Sending & { readonly nonce: Nonce })
  /** The answer says that it happened; history has not confirmed it. `isOverdue`: a person was asked for that. */
  | { readonly kind: "accepted"; readonly receipt: T; readonly since: Millis; readonly isOverdue: boolean }
  /** History shows it, or a person with the venue's record does. */
  | { readonly kind: "confirmed"; readonly receipt: T }
  /** The balances are explained with it booked. `isReturned`: of a mint, the venue gave its money back. */
  | { readonly kind: "settled"; readonly receipt: T; readonly isReturned?: true | undefined }
  | ({ readonly kind: "rejected" } & Failure)
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  | Unknown
  /** Given up by the full rule or by a person; compared with every history from now on. */
  | { readonly kind: "released"; readonly at: Millis; readonly by: string; readonly reason: string }
  /** It happened after it had been given up. */
  | { readonly kind: "late"; readonly receipt: T };

/** It may have happened. */
export type Unknown = {
  readonly kind: "unknown";
  readonly nonce: Nonce;
  readonly code: string;
  readonly cause: string;
  readonly since: Millis;
  /** A higher nonce of the key was accepted: the request can no longer arrive. */
  readonly fence?: Nonce | undefined;
  /** Rounds in a row, asked after the fence, in which no witness knows it. */
  readonly absences: number;
  /** Why a person is asked. */
  readonly escalated?: string | undefined;
};

/** The records of a request's life after its intent. */
export type LifeRecord =
  | Sending
  | OutcomeRecord
  | DoubtRecord
  | Fenced
  | Evidence
  | ResolutionRecord
  | Recovered
  | Settled;

export type Moment = { readonly at: Millis; readonly mono: Mono };

export type Witness = "trades" | "orders" | "balances" | "supply-changes" | "rails" | "payments" | "addresses";

/** What one round of queries shows about a request. */
export type Finding<T> =
  | { readonly kind: "landed"; readonly receipt: T }
  /** Every witness says no, in an answer that would show it. `listedAs`: the orders list it under a status that says no. */
  | { readonly kind: "absent"; readonly listedAs?: string }
  /** Proves nothing: cut off, incomplete, or explained in several ways. */
  | { readonly kind: "silent"; readonly reason: string }
  /** Witnesses disagree in a way that late publication explains; once publication must be over, it is a contradiction. */
  | ({ readonly kind: "split" } & Disagreement)
  | ({ readonly kind: "contradiction" } & Disagreement);

/** `shows`: a stable word for the evidence; another one of the same request is another halt. */
export type Disagreement = { readonly reason: string; readonly shows: string; readonly cause: StopCause };

export type Resolution<T> =
  | { readonly kind: "landed"; readonly receipt: T; readonly by: string; readonly reason: string }
  | { readonly kind: "not-landed"; readonly by: string; readonly reason: string };

export type NamedHalt = Halt & { readonly subject: string };
export type Conflict = Omit<NamedHalt, "wayOut">;

/** `both-ways` while it may happen, `booked` once it is in the ledger, `freed` once it is known or ruled not to happen. */
export type Reservation = "both-ways" | "booked" | "freed";

export function reservationOf({ kind }: Pick<State<unknown>, "kind">): Reservation {
  switch (kind) {
    case "intended":
    case "sending":
    case "unknown":
      return "both-ways";
    case "accepted":
    case "confirmed":
    case "settled":
    case "late":
      return "booked";
    case "rejected":
    case "not-sent":
    case "released":
      return "freed";
    default:
      return unreachable(kind);
  }
}

/** The outcome is unknown: also of one whose process ended between sending and answer. */
export function isUnknown({ kind }: Pick<State<unknown>, "kind">): boolean {
  return kind === "sending" || kind === "unknown";
}

/** A person is asked. */
export function isEscalated(state: State<unknown>): boolean {
  return state.kind === "unknown" && state.escalated !== undefined;
}

/** It happened, as far as is known now. */
export function hasHappened(state: State<unknown>): state is Extract<State<unknown>, { kind: "confirmed" | "late" }> {
  return state.kind === "confirmed" || state.kind === "late";
}

/** As people and metrics read it. */
export function stateText(state: State<unknown>): string {
  return isEscalated(state) ? "escalated" : state.kind;
}

export function isKind<K extends MoneyKind>(one: MoneyRequest, kind: K): one is MoneyRequest<K> {
  return one.kind === kind;
}

type KindRule = {
  /** One round of queries; the first is the fence and the confirmation. */
  readonly witnesses: readonly [Witness, ...Witness[]];
  /** Only a request with an id of ours can be known to be missing. */
  readonly isReleasable: boolean;
  readonly answers: string;
  /** Queried after it happened. */
  readonly followed: readonly Witness[];
};

export const KIND_RULES: Readonly<Record<MoneyKind, KindRule>> = {
  order: {
    witnesses: ["trades", "orders", "balances"],
    isReleasable: true,
    answers: "--filled|--not-filled",
    followed: [],
  },
  mint: {
    witnesses: ["supply-changes", "balances"],
    isReleasable: false,
    answers: "--landed|--not-landed",
    followed: ["supply-changes"],
  },
  rail: {
    witnesses: ["rails"],
    isReleasable: false,
    answers: "--landed|--not-landed",
    followed: ["rails", "payments"],
  },
};
