// A submission and what is known around it: one object for the whole of its life, of one shape, whose state is replaced.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import type { IntentRecord, RequestRecord } from "../../journal/record.ts";
import type { MovementTold } from "../movement-report.ts";
import type { Sentinel } from "../order-evidence.ts";
import type { AnyReceipt, MoneyKind, Requests, State, Submission } from "../submission.ts";
import { KIND_RULES } from "../terms.ts";

const INTENDED: State<never> = Object.freeze({ kind: "intended" });

/** A series: all submissions whose ids differ only in their count. What one of them asks of it. */
export type Numbered = {
  /** `kept`: the object, or its place among those that are kept without one. */
  keep(count: number, kept: Held | number): void;
  forget(count: number, end: "filled" | "given-up"): boolean;
};

type Intended = Pick<IntentRecord, "id" | "request" | "value" | "at">;

// Fields are declared and set in the constructor: initialisers would be a second function for every order.
export class Held implements Submission {
  declare readonly kind: MoneyKind;
  /** Which of the traits below it has, as bits. */
  declare traits: number;
  /** The series of its id, and its count in it. */
  declare series: Numbered | undefined;
  declare count: number;
  declare readonly id: string;
  declare readonly request: Requests[MoneyKind];
  /** Assets of a mint or a rail; those of an order are in its symbol, and are seldom asked for. */
  declare readonly listed: readonly Asset[] | undefined;
  declare readonly value: Money | undefined;
  declare state: State<AnyReceipt>;
  /** The process that wrote the last record of it, and keeps it as long as it lives. */
  declare keeper: string;
  declare readonly intendedAt: Millis;
  /** How many had opened before it did; anew when it comes back to life. */
  declare place: number;
  /** Its place among the orders that have ended. */
  declare ended: number | undefined;
  /** What the engine was last told of it: of an order everything, of a mint or a rail only that it is in doubt, of a rail also that it is no longer. */
  declare told: Told | undefined;
  /** What the engine was last told of a mint's money. */
  declare movement: MovementTold | undefined;
  declare sentinel: Sentinel;
  /** When the answer came that it is done; undefined once its process has been gone since. */
  declare acceptedAt: Millis | undefined;
  /** Since when the ledger has it: by the record, and by the monotonic clock where this process booked it. */
  declare bookedAt: Millis | undefined;
  declare bookedFrom: Mono | undefined;
  /** The balances have shown it. */
  declare isMoved: boolean;
  /** Of a mint: since when the list calls it settled, and since when only one of list and balances does. */
  declare listedAt: Millis | undefined;
  declare oneSidedAt: Millis | undefined;
  /** Of a mint: since when it is missing in the list. */
  declare droppedAt: Millis | undefined;
  /** Of a mint or a rail: since when the venue is seen to hold it. */
  declare keptBackAt: Millis | undefined;
  /** Of a mint: a person was asked because only one side calls it settled, and because the list has it no longer. */
  declare isAsked: boolean;
  declare isDropAsked: boolean;

  constructor({ id, request, value, at }: Intended, keeper: string, sentinel: Sentinel) {
    // First the fields that are read when it is let go, long after all others: side by side they are one read of memory.
    this.kind = request.kind;
    this.traits = 0;
    this.series = undefined;
    this.count = 0;
    this.id = id;
    this.request = contentOf(request);
    this.listed = request.kind === "order" ? undefined : request.assets;
    this.value = value;
    this.state = INTENDED;
    this.keeper = keeper;
    this.intendedAt = at;
    this.place = 0;
    this.ended = undefined;
    this.told = undefined;
    this.movement = undefined;
    this.sentinel = sentinel;
    this.acceptedAt = undefined;
    this.bookedAt = undefined;
    this.bookedFrom = undefined;
    this.isMoved = false;
    this.listedAt = undefined;
    this.oneSidedAt = undefined;
    this.droppedAt = undefined;
    this.keptBackAt = undefined;
    this.isAsked = false;
    this.isDropAsked = false;
  }

  get assets(): readonly Asset[] {
    return this.listed ?? pairOf(this.request as OrderIntent);
  }
}

/** Not known to have ended, or not seen in history and balances yet. */
export const OPEN = 1;
/** It waits for history, or for what that shows to go on. */
export const WAITING = 2;
export const DOUBTFUL = 4;
/** An order that may have happened, or a mint: the balances may show it or not. */
export const UNCERTAIN = 8;
/** It has happened, and all is over. */
export const DONE = 16;

export function traitsOf(kind: MoneyKind, state: State<unknown>["kind"]): number {
  const open = kind === "mint" ? OPEN | UNCERTAIN : OPEN;
  switch (state) {
    case "intended":
      return open;
    case "sending":
      return kind === "rail" ? OPEN : OPEN | UNCERTAIN;
    case "accepted":
      return open | WAITING;
    case "confirmed":
    case "zombie":
      return KIND_RULES[kind].followed.length === 0 ? open : open | WAITING;
    case "doubt":
    case "fenced":
    case "escalated":
      return kind === "rail" ? OPEN | WAITING | DOUBTFUL : OPEN | WAITING | DOUBTFUL | UNCERTAIN;
    case "settled":
      return DONE;
    case "rejected":
    case "not-sent":
    case "presumed-dead":
      return 0;
    default:
      return unreachable(state);
  }
}

function contentOf(request: RequestRecord): Requests[MoneyKind] {
  switch (request.kind) {
    case "order":
      return request.order;
    case "mint":
      return request.mint;
    case "rail":
      return request.rail;
    default:
      return unreachable(request);
  }
}

function pairOf({ symbol }: OrderIntent): readonly Asset[] {
  const { base, quote } = assetsOf(symbol);
  return [base, quote];
}

/** A copy of it as it is now, for callers that keep it. */
export function submissionOf<K extends MoneyKind>({
  kind,
  id,
  request,
  assets,
  value,
  state,
}: Submission<K>): Submission<K> {
  return { kind, id, request, assets, value, state };
}

export type Told = "not-sent" | "rejected" | "filled" | "confirmed" | "doubt" | "escalated" | "dead";

/** What the engine is told of a state; undefined where it knows by itself. */
export function toldOf({ kind }: Pick<State<unknown>, "kind">): Told | undefined {
  switch (kind) {
    case "intended":
    case "sending":
      return undefined;
    case "not-sent":
    case "rejected":
    case "escalated":
      return kind;
    case "accepted":
      return "filled";
    case "confirmed":
    case "settled":
    case "zombie":
      return "confirmed";
    case "doubt":
    case "fenced":
      return "doubt";
    case "presumed-dead":
      return "dead";
    default:
      return unreachable(kind);
  }
}
