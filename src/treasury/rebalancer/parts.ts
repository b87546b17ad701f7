// The rebalancer keeps holdings within their bands while the bot runs: its parts, its actions within a turn, and its
// queries.

import type { Quantity } from "../../domain/money/money.ts";
import type { Random } from "../../domain/random.ts";
import type { Proposal, Refusal, Verdict } from "../../domain/step.ts";
import type { Ask } from "../../execution/effects.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import type { Moment } from "../../execution/request.ts";
import type { ApprovalRecord, JournalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import type { MovementWish } from "../../risk/treasury-gate.ts";
import type { UnaskedBounds } from "../approval/bounds.ts";
import { titleOf } from "../approval/plan-content.ts";
import { type Approver, type LoggedPlan, PlanLog } from "../approval/plan-log.ts";
import type { Wallet } from "../rail.ts";
import type { RailDrafts } from "./rails.ts";
import type { TradingView, TreasuryTerms } from "./treasury-view.ts";

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
  /** Usable templates: complete, and leading to a destination in our list. */
  readonly rails: RailDrafts;
  /** The wallets in our list of destinations. */
  readonly wallets: readonly Wallet[];
  readonly saltDecimals: number;
  /** An older quote is not used for planning. */
  readonly quoteAgeMsMax: number;
  readonly writer: string;
  readonly random: Random;
};

/** The rebalancer's actions within a turn: all go through the gates, and onto the disk with the turn. */
export type Hands = TradingView & {
  readonly now: Moment;
  readonly executor: ExecutorView;
  record(record: JournalRecord): void;
  note(text: string): void;
  ask(ask: Ask): void;
  /** Undefined while stopped. */
  order(proposal: Proposal): Verdict | undefined;
  /** The id of the approved request, or the refusal. */
  move(wish: MovementWish): string | Refusal | undefined;
  /** Registers that this amount is to be paid on the rail of this request; returns the id of the expected payment. */
  expect(rail: string, amount: Quantity): string;
};

export type PlanUnderWay = { readonly known: LoggedPlan; readonly waitsFor: string | undefined };

export class PlanWriter {
  readonly log = new PlanLog();
  readonly #writer: string;

  constructor(writer: string) {
    this.#writer = writer;
  }

  /** Folded here, because the journal does not return this process's own records as news. */
  write(record: PlanRecord | ApprovalRecord | PlanProgress, hands: Hands): void {
    hands.record(record);
    this.log.fold({ record, writer: this.#writer });
  }

  progress(
    plan: PlanRecord,
    how: Pick<PlanProgress, "state" | "text" | "refusal" | "move" | "by">,
    hands: Hands,
  ): void {
    this.write({ kind: "plan-progress", at: hands.now.at, id: plan.id, ...how }, hands);
    hands.note(`${titleOf(plan)} ${how.state}: ${how.text}`);
  }
}

/** A doubt freezes its asset or rail; a plan that depends on it would only be refused. */
export function whyStopped({ books, executor, now }: Hands): string | undefined {
  const { state } = books.counters;
  if (state !== "ACTIVE") return `the bot is ${state}`;
  const freeze = executor.freeze(now);
  return freeze.kind === "none" ? undefined : freeze.reason;
}
