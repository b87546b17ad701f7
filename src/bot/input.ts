// The inputs of the engine, processed one at a time.

import type { Asset } from "../domain/asset.ts";
import type { Control, Event } from "../domain/event.ts";
import type { RailsRecord } from "../domain/rail.ts";
import type { Proposal } from "../domain/step.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type { Outcome } from "../exchange/port.ts";
import type { Answer } from "../execution/effects.ts";
import type { PaymentEnd } from "../execution/payments.ts";
import type { AnyReceipt, Resolution, Witness } from "../execution/request.ts";
import type { Adoption, ApprovalRecord, OperationRecord, PlanProgress, PlanRecord } from "../journal/record.ts";
import type { Preview } from "../risk/rule.ts";
import type { TradingState } from "../risk/trading-state.ts";
import type { MovementWish } from "../risk/treasury-gate.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { PlanLog } from "../treasury/approval/plan-log.ts";

/** Recorded with what it led to; an id that is known already leads to nothing more. */
export type AskedOperation = Pick<OperationRecord, "id" | "name" | "content" | "by">;

/** `begin`: carried out from this turn on, whatever the strategy does. */
export type PlanDecision = {
  readonly records: readonly (PlanRecord | ApprovalRecord | PlanProgress)[];
  readonly begin?: readonly PlanRecord[];
};

export type Input =
  | { readonly kind: "event"; readonly event: Event }
  /**
   * Includes the halt that the pre-send checks may have raised: one turn, so that neither is on disk without the other.
   */
  | {
      readonly kind: "outcome";
      readonly id: string;
      readonly outcome: Outcome<AnyReceipt>;
      readonly control?: Control | undefined;
    }
  /** A requested mint or rail: approved and among the turn's sends, or refused. */
  | { readonly kind: "movement"; readonly wish: MovementWish; readonly asked?: AskedOperation | undefined }
  /** A requested order. `unless`: a further reason against what the gate would approve, asked in the same turn. */
  | {
      readonly kind: "order";
      readonly proposal: Proposal;
      readonly unless?: ((found: Preview) => string | undefined) | undefined;
      readonly asked?: AskedOperation | undefined;
    }
  /** Of a person. `unless`: why the present state does not take it, asked in the same turn. */
  | {
      readonly kind: "control";
      readonly control: Control;
      readonly unless?: (now: TradingState) => string | undefined;
    }
  /** An operation that was refused before it came to the gate. */
  | { readonly kind: "refused"; readonly asked: AskedOperation; readonly refusal: string }
  /** What a person decides about plans, or why it cannot be, asked in this very turn. */
  | {
      readonly kind: "plan";
      readonly decide: (log: PlanLog, at: Millis) => PlanDecision | string;
      readonly asked?: AskedOperation | undefined;
    }
  /** Taken unless a reason stands against it in this very turn. */
  | { readonly kind: "unless"; readonly why: () => string | undefined; readonly input: Input }
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "unanswered";
      readonly witness: Witness;
      readonly asset?: Asset | undefined;
      readonly askedAt: Mono;
      readonly code: string;
      readonly isShared?: boolean;
    }
  /** A person closes a request that evidence did not decide. */
  | { readonly kind: "resolution"; readonly id: string; readonly resolution: Resolution<AnyReceipt> }
  /** An expected payment is given up. */
  | { readonly kind: "give-up"; readonly expectation: string; readonly reason: string; readonly by: string }
  /** A person states the outcome of a payment in transit. */
  | { readonly kind: "payment"; readonly id: string; readonly end: PaymentEnd; readonly reason: string }
  /** A person has reviewed the cause of a freeze of the rails. */
  | { readonly kind: "rails"; readonly record: RailsRecord }
  /**
   * Balances or history that the venue has and the books do not: an opening entry, or a difference that a person
   * accepts.
   */
  | {
      readonly kind: "adoption";
      readonly adoption: Adoption;
      /** This bot's trades in it that the journal has lost: the strategies' states are older than these trades. */
      readonly lost?: number;
      /** Orders whose rows differ from their reports to strategies. */
      readonly odd?: readonly string[];
      readonly isOpening?: true;
    }
  /** Between two events: the new strategy decides from the next one on, with its last state in this journal.
   * `isFresh`: a state that does not fit is given up. */
  | { readonly kind: "strategy"; readonly strategy: Strategy; readonly isFresh?: boolean }
  /** The venue shows no quotes. */
  | { readonly kind: "unquoted" }
  /** Forces a safe point, regardless of the last one. */
  | { readonly kind: "save" }
  /** About once a second: deadlines pass. */
  | {
      readonly kind: "time";
      /** Requests of earlier processes are taken over. */
      readonly recovers?: true;
      /** The venue's clock is still unknown: the books, whose time never goes back, do not adopt ours. */
      readonly isUnsure?: boolean;
    };

/** The time input where no process was before. */
export const TIME: Input = Object.freeze({ kind: "time" });
