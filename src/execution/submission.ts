// One request that moves money, and how far it has come. Orders, mints and rails live through the same states; what
// differs between them is only which answers count as evidence. A submission is plain data: who keeps it writes each new
// one to disk in one transaction with the reports and halts that came with it, and before anything else is done.

import type { Asset } from "../domain/asset.ts";
import type { Halt } from "../domain/event.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail, RailIntent } from "../domain/rail.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type { Failure, Nonce } from "../exchange/port.ts";
import type { Sending } from "../journal/record.ts";

export type MoneyKind = "order" | "mint" | "rail";

export type Requests = { readonly order: OrderIntent; readonly mint: MintIntent; readonly rail: RailIntent };
export type Receipts = { readonly order: Fill; readonly mint: MintRecord; readonly rail: Rail };

export type AnyReceipt = Receipts[keyof Receipts];

export type Submission<K extends MoneyKind = MoneyKind> = {
  readonly kind: K;
  readonly id: string;
  readonly request: Requests[K];
  /** What a doubt about it freezes. */
  readonly assets: readonly Asset[];
  /** What is at stake, in the currency of equity; of an unknown worth nothing is ever freed without a person. */
  readonly value: Money | undefined;
  readonly state: State<Receipts[K]>;
};

export type State<T> =
  | { readonly kind: "intended" }
  /** This is on disk as a record; bytes may be out. */
  | (Sending & { readonly nonce: Nonce })
  /** The answer says that it happened; history has not said so yet. `overdue`: for so long that a person was asked. */
  | { readonly kind: "accepted"; readonly receipt: T; readonly watch: Watch; readonly overdue: boolean }
  /** History shows it, or a person with the venue's record does. */
  | { readonly kind: "confirmed"; readonly receipt: T; readonly watch?: Watch | undefined }
  /** The balances are explained with it. `isGivenBack`: of a mint, by a person who says that the venue gave its money back. */
  | { readonly kind: "settled"; readonly receipt: T; readonly isGivenBack?: true | undefined }
  | ({ readonly kind: "rejected" } & Failure)
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  /** It may have happened, and may still arrive. */
  | { readonly kind: "doubt"; readonly doubt: Doubt }
  /** It may have happened, but can no longer arrive. */
  | { readonly kind: "fenced"; readonly doubt: Doubt; readonly fence: Fence; readonly negatives: number }
  /** Evidence did not decide: a person does, or a trade that shows up after all. */
  | {
      readonly kind: "escalated";
      readonly doubt: Doubt;
      readonly fence: Fence | undefined;
      readonly reason: string;
    }
  /** The tombstone: freed by the full rule or by a person, and compared with every history from now on. */
  | { readonly kind: "presumed-dead"; readonly at: Millis; readonly by: string; readonly reason: string }
  /** It had been given up, and happened all the same. */
  | { readonly kind: "zombie"; readonly receipt: T; readonly watch?: Watch | undefined };

/** It may have happened, and nobody knows: also where its process ended between sending and answer. */
export function isUnknown({ kind }: Pick<State<unknown>, "kind">): boolean {
  return kind === "sending" || kind === "doubt" || kind === "fenced" || kind === "escalated";
}

export type Doubt = {
  readonly nonce: Nonce;
  readonly code: string;
  readonly cause: string;
  /** The venue says that it did not look at the request: one verification is enough. */
  readonly light: boolean;
  readonly watch: Watch;
};

/** Waiting for history, or for what history shows to settle. The wall clock outlives a restart, the other one never steps: whichever is later counts. */
export type Watch = {
  readonly since: Millis;
  readonly from: Mono;
  /** Counts the questions asked; answers to any but the last are thrown away. */
  readonly round: number;
  readonly askedAt: Mono | undefined;
  readonly open: boolean;
};

/** A later request of the same key was accepted: what has a lower nonce can no longer be. */
export type Fence = { readonly nonce: Nonce; readonly at: Mono };

export type Moment = { readonly at: Millis; readonly mono: Mono };

/** What one round of questions shows about one submission. */
export type Finding<T> =
  | { readonly kind: "landed"; readonly receipt: T }
  /** Every witness says no, in an answer that would show it. `listedAs`: the orders do list it, by a word that says no. */
  | { readonly kind: "absent"; readonly listedAs?: string }
  /** Proves nothing: cut off, incomplete, or explained in several ways. */
  | { readonly kind: "silent"; readonly reason: string }
  /** Witnesses disagree in a way that late publication explains; when publication must be over, it is a contradiction. */
  | ({ readonly kind: "split" } & Disagreement)
  | ({ readonly kind: "contradiction" } & Disagreement);

/** `shows`: which evidence it is, in a word that stays: of what else is shown of the same submission there is another stop. */
export type Disagreement = { readonly reason: string; readonly shows: string; readonly cause: StopCause };

/** A stop that says what it is about. */
export type NamedHalt = Halt & { readonly subject: string };

/** One of which somebody else knows the way out. */
export type Conflict = Omit<NamedHalt, "wayOut">;

export type Resolution<T> =
  | { readonly kind: "landed"; readonly receipt: T; readonly by: string; readonly reason: string }
  | { readonly kind: "not-landed"; readonly by: string; readonly reason: string };

export type Witness = "trades" | "orders" | "balances" | "supply-changes" | "rails" | "payments" | "addresses";

/** Who is told of the effects of a fact while it is taken, one call for each: a list of them would be made for every order. */
export interface Hand<T> {
  free(): void;
  book(receipt: T): void;
  confirm(receipt: T): void;
  /** `state`: the one that waits for the answers from now on. */
  ask(state: State<T>, witnesses: readonly Witness[]): void;
  escalate(reason: string, wayOut: string): void;
  halt(halt: NamedHalt): void;
}
