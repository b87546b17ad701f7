// Who keeps holdings within their bands while the bot runs: what it is made of, what it may do within a turn, and what it can
// be asked.

import type { Quantity } from "../../domain/money/money.ts";
import type { Random } from "../../domain/random.ts";
import type { Proposal, Refusal, Verdict } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { Answer, Ask, Unanswered } from "../../execution/effects.ts";
import type { ExecutorView, TreasuryRequests } from "../../execution/executor.ts";
import type { Moment } from "../../execution/request.ts";
import type { Entry, JournalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import type { MovementWish } from "../../risk/movement-gate.ts";
import { titleOf } from "../approval/plan-content.ts";
import { type Approver, type LoggedPlan, PlanLog } from "../approval/plan-log.ts";
import type { RefusedDoor } from "../approval/route-backoff.ts";
import type { LeftPot } from "../plan/situation.ts";
import type { Wallet } from "../rail.ts";
import type { RailDrafts } from "./rails.ts";
import type { DoorSight } from "./route-backoff.ts";
import type { TradingView, TreasuryTerms } from "./treasury-view.ts";
import type { UnaskedBounds } from "./unasked-bounds.ts";

export type StewardRules = UnaskedBounds & {
  readonly automatic: boolean;
  readonly lookMs: number;
  readonly expiryMs: number;
  readonly persons: number;
  readonly people: readonly Approver[];
};

export type StewardParts = {
  readonly terms: TreasuryTerms;
  readonly rules: StewardRules;
  /** Templates that can be used: complete, and leading to a destination of our own list. */
  readonly rails: RailDrafts;
  /** The wallets of our own list. */
  readonly wallets: readonly Wallet[];
  readonly saltDecimals: number;
  /** A quote that is older is no price to plan with. */
  readonly quoteAgeMsMax: number;
  readonly writer: string;
  readonly random: Random;
};

/** What it may do within a turn: all of it goes through the gates, and onto the disk with the turn. */
export type Hands = {
  readonly now: Moment;
  readonly engine: TradingView;
  readonly executor: ExecutorView;
  record(record: JournalRecord): void;
  note(text: string): void;
  ask(ask: Ask): void;
  /** Undefined while stopped. */
  order(proposal: Proposal): Verdict | undefined;
  /** The id of what was approved, or why not. */
  move(wish: MovementWish): string | Refusal | undefined;
  /** So much is to be paid on the rail of this submission. */
  expect(rail: string, amount: Quantity): void;
};

export type PlanUnderWay = { readonly known: LoggedPlan; readonly waitsFor: string | undefined };

export interface Steward {
  fold(entry: Pick<Entry, "record" | "writer">): void;
  heard(answer: Answer): void;
  unheard(question: Unanswered): void;
  /** About once a second. */
  look(hands: Hands, isGone: ((writer: string) => boolean) | undefined): void;
  /** Plans that can still be approved. */
  waiting(now: Millis): readonly LoggedPlan[];
  /** A person proposed it, whatever the targets say. */
  isWish(id: string): boolean;
  /** What a plan that was approved, and is not begun, waits for. */
  heldUp(id: string): string | undefined;
  /** The one that was begun and has not ended, by whomever, and what it waits for where this process carries it out. */
  underWay(): PlanUnderWay | undefined;
  /** Of the last day: what was approved and not begun. */
  unused(now: Millis): readonly PlanProgress[];
  /** The name that the configuration has for the rail of this submission. */
  templateOf(rail: string, movements: Pick<TreasuryRequests, "railOf">): string | undefined;
  /** Pots that its plans leave outside their bands for now: at two looks in a row, or now and then. */
  left(): readonly LeftPot[];
  /** Doors that refused, and that its plans leave alone for a while. */
  heldBack(now: Millis, movements: DoorSight): readonly RefusedDoor[];
}

export class PlanBook {
  readonly log = new PlanLog();
  readonly #writer: string;

  constructor(writer: string) {
    this.#writer = writer;
  }

  /** What this process writes is no news to it. */
  write(record: PlanRecord | PlanProgress, hands: Hands): void {
    hands.record(record);
    this.log.fold({ record, writer: this.#writer });
  }

  progress(plan: PlanRecord, how: Pick<PlanProgress, "state" | "text" | "refusal">, hands: Hands): void {
    this.write({ kind: "plan-progress", at: hands.now.at, id: plan.id, ...how }, hands);
    hands.note(`${titleOf(plan)} ${how.state}: ${how.text}`);
  }
}

/** What is in doubt is frozen: a plan that rests on it would only be refused. */
export function whyStopped({ engine, executor, now }: Hands): string | undefined {
  const { state } = engine.context.books;
  if (state !== "ACTIVE") return `the bot is ${state}`;
  const freeze = executor.freeze(now);
  return freeze.kind === "none" ? undefined : freeze.reason;
}
