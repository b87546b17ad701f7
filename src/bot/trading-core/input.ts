// What can happen to a trading core: one of these at a time.

import type { Asset } from "../../domain/asset.ts";
import type { Control, Event } from "../../domain/event.ts";
import type { Quantity } from "../../domain/money/money.ts";
import type { RailsRecord } from "../../domain/rail.ts";
import type { Mono } from "../../domain/time.ts";
import type { Outcome } from "../../exchange/port.ts";
import type { Answer } from "../../execution/effects.ts";
import type { PaymentEnd } from "../../execution/payments.ts";
import type { AnyReceipt, Resolution, Witness } from "../../execution/request.ts";
import type { Adoption } from "../../journal/record.ts";
import type { MovementWish } from "../../risk/treasury-gate.ts";
import type { Strategy } from "../../strategy/prepare.ts";

export type Input =
  | { readonly kind: "event"; readonly event: Event }
  /** With the stop that its way out found a reason for: one turn, so that neither is on disk without the other. */
  | {
      readonly kind: "outcome";
      readonly id: string;
      readonly outcome: Outcome<AnyReceipt>;
      readonly control?: Control | undefined;
    }
  /** A mint or a rail that is wanted: approved and among the turn's sends, or refused. */
  | { readonly kind: "movement"; readonly wish: MovementWish }
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "unanswered";
      readonly witness: Witness;
      readonly asset?: Asset | undefined;
      readonly askedAt: Mono;
      readonly code: string;
      readonly isShared?: boolean;
    }
  /** A person closes what evidence could not. */
  | { readonly kind: "resolution"; readonly id: string; readonly resolution: Resolution<AnyReceipt> }
  /** So much is to be paid on a rail of ours. */
  | { readonly kind: "expectation"; readonly rail: string; readonly amount: Quantity }
  /** A payment that was to come is waited for no longer. */
  | { readonly kind: "give-up"; readonly expectation: string; readonly reason: string }
  /** A person says what became of a payment that is in flight. */
  | { readonly kind: "payment"; readonly id: string; readonly end: PaymentEnd; readonly reason: string }
  /** A person has looked at what froze rails. */
  | { readonly kind: "rails"; readonly record: RailsRecord }
  /** What the venue has and the books do not: an opening entry, or a difference that a person accepts. */
  | {
      readonly kind: "adoption";
      readonly adoption: Adoption;
      /** Trades of this bot in it that the journal has lost: what strategies remember is older than what they did. */
      readonly lost?: number;
      /** Orders whose rows are not as their strategies know them. */
      readonly odd?: readonly string[];
      readonly isOpening?: true;
    }
  /** Between two events: the new one decides from the next on, with the state that it last had here. */
  | { readonly kind: "strategy"; readonly strategy: Strategy }
  /** A safe point now, whenever the last one was. */
  | { readonly kind: "save" }
  /** About once a second: deadlines pass, and what a process that is gone kept is taken over. */
  | {
      readonly kind: "time";
      readonly isGone?: (writer: string) => boolean;
      /** Nobody but our own clock says yet what time it is: the books, whose time never goes back, do not take it. */
      readonly isUnsure?: boolean;
    }
  /** What a process that is gone was sending is in doubt from now on, whichever process resolves it. */
  | { readonly kind: "lost"; readonly isGone: (writer: string) => boolean }
  /** Nothing happened here: a turn only for what others wrote. */
  | { readonly kind: "news" };

/** Time passes where no other process is that could be gone. */
export const TIME: Input = Object.freeze({ kind: "time" });
