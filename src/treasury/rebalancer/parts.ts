// Who keeps holdings within their bands while the bot runs: what it is made of, what it may do within a turn, and what it can
// be asked.

import type { Quantity } from "../../domain/money/money.ts";
import type { Random } from "../../domain/random.ts";
import type { Proposal, Refusal, Verdict } from "../../domain/step.ts";
import type { Ask } from "../../execution/effects.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import type { Moment } from "../../execution/request.ts";
import type { JournalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import type { MovementWish } from "../../risk/treasury-gate.ts";
import { titleOf } from "../approval/plan-content.ts";
import { type Approver, type LoggedPlan, PlanLog } from "../approval/plan-log.ts";
import type { Wallet } from "../rail.ts";
import type { RailDrafts } from "./rails.ts";
import type { TradingView, TreasuryTerms } from "./treasury-view.ts";

export type UnaskedBounds = {
  /** What is worth more is asked for; undefined: always asked for. */
  readonly orderValueMax?: Quantity | undefined;
  readonly mintValueMax?: Quantity | undefined;
  readonly railValueMax?: Quantity | undefined;
  /** A step that loses more of what it moves, at fair value, is asked for. */
  readonly costBpsMax: number;
  /** All that is moved on a UTC day without asking; undefined: nothing. */
  readonly dayValueMax?: Quantity | undefined;
};

export type RebalancerRules = UnaskedBounds & {
  readonly automatic: boolean;
  readonly lookMs: number;
  readonly expiryMs: number;
  readonly persons: number;
  readonly people: readonly Approver[];
};

export type RebalancerParts = {
  readonly terms: TreasuryTerms;
  readonly rules: RebalancerRules;
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

export class PlanWriter {
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
  const { state } = engine.context.counters;
  if (state !== "ACTIVE") return `the bot is ${state}`;
  const freeze = executor.freeze(now);
  return freeze.kind === "none" ? undefined : freeze.reason;
}
