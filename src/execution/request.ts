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
  /** The assets that are frozen while the outcome is unknown. */
  readonly assets: readonly Asset[];
  /** The amount at stake, in the currency of equity; undefined if no rate was known. */
  readonly value: Money | undefined;
  readonly state: State<Receipts[K]>;
};

export type State<T> =
  | { readonly kind: "intended" }
  /** Recorded on disk; bytes may have left. */
  | (Sending & { readonly nonce: Nonce })
  /** The answer says that it happened; history has not confirmed it yet. `isOverdue`: a person was asked about it. */
  | { readonly kind: "accepted"; readonly receipt: T; readonly since: Millis; readonly isOverdue: boolean }
  /** Confirmed by history, or by a person with the venue's record. */
  | { readonly kind: "confirmed"; readonly receipt: T }
  /** The balances agree with it booked. `isReturned`: the venue returned the money of a mint. */
  | { readonly kind: "settled"; readonly receipt: T; readonly isReturned?: true | undefined }
  | ({ readonly kind: "rejected" } & Failure)
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  | Unknown
  /** Released by the absence rule or by a person; still compared with every history. */
  | { readonly kind: "released"; readonly at: Millis; readonly by: string; readonly reason: string }
  /** It happened after its release. */
  | { readonly kind: "late"; readonly receipt: T };

/** The request may have happened. */
export type Unknown = {
  readonly kind: "unknown";
  readonly nonce: Nonce;
  readonly code: string;
  readonly cause: string;
  readonly since: Millis;
  /** A higher nonce of the key was accepted, so the request can no longer arrive. */
  readonly fence?: Nonce | undefined;
  readonly fencedAt?: Millis | undefined;
  /** Consecutive rounds after the fence in which no witness shows it. */
  readonly absences: number;
  /** Why a person was asked, if so. */
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
  /**
   * Every witness denies it in an answer that would show it. `listedAs`: the order list shows it under a status that
   * means not filled.
   */
  | { readonly kind: "absent"; readonly listedAs?: string }
  /** Proves nothing: truncated, incomplete, or ambiguous. */
  | { readonly kind: "silent"; readonly reason: string }
  /** The witnesses disagree in a way that a publication delay explains; after that delay it is a contradiction. */
  | ({ readonly kind: "split" } & Disagreement)
  | ({ readonly kind: "contradiction" } & Disagreement);

/** `shows`: a stable key of the evidence. Another key for the same request raises another halt. */
export type Disagreement = { readonly reason: string; readonly shows: string; readonly cause: StopCause };

export type Resolution<T> =
  | { readonly kind: "landed"; readonly receipt: T; readonly by: string; readonly reason: string }
  | { readonly kind: "not-landed"; readonly by: string; readonly reason: string };

export type NamedHalt = Halt & { readonly subject: string };
export type Conflict = Omit<NamedHalt, "wayOut">;

/** `both-ways` while it may happen, `booked` once in the ledger, `freed` once it cannot happen. */
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

/** Includes a request whose process ended between sending and answer. */
export function isUnknown({ kind }: Pick<State<unknown>, "kind">): boolean {
  return kind === "sending" || kind === "unknown";
}

export function isEscalated(state: State<unknown>): boolean {
  return state.kind === "unknown" && state.escalated !== undefined;
}

export function hasHappened(state: State<unknown>): state is Extract<State<unknown>, { kind: "confirmed" | "late" }> {
  return state.kind === "confirmed" || state.kind === "late";
}

/** The state as messages and metrics print it. */
export function stateText(state: State<unknown>): string {
  return isEscalated(state) ? "escalated" : state.kind;
}

export function isKind<K extends MoneyKind>(one: MoneyRequest, kind: K): one is MoneyRequest<K> {
  return one.kind === kind;
}

type KindRule = {
  /** The lists of one round; the first is both fence and confirmation. */
  readonly witnesses: readonly [Witness, ...Witness[]];
  /** Only a request that carries our id can be proven absent. */
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
