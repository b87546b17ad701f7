// A plan that a person proposes: with their own approval, where that counts, and for whom it waits then.

import { millis } from "../../domain/time.ts";
import type { ApprovalRecord, PlanRecord } from "../../journal/record.ts";
import { approvalRefusal, type LoggedPlan } from "../../treasury/approval/plan-log.ts";
import { personHere } from "../terminal/confirmation.ts";
import type { Tool } from "./tool.ts";

export type Proposal = {
  readonly known: LoggedPlan;
  /** Enough people have approved it already. */
  readonly isApproved: boolean;
  /** What is written, in one transaction. */
  readonly records: readonly (PlanRecord | ApprovalRecord)[];
  /** Who has approved it, and how many are missing. */
  readonly text: string;
  readonly next: string;
};

/** What of a plan the configuration and the moment decide. */
export type ProposedTerms = Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by">;

export function proposedTerms({ config, now }: Pick<Tool, "config" | "now">): ProposedTerms {
  const { expiryMs, persons } = config.treasury.approvals;
  const { at } = now();
  return { at, expiresAt: millis(at + expiryMs), persons, by: personHere() };
}

export function proposalOf(plan: PlanRecord, { config }: Pick<Tool, "config">): Proposal {
  const { id, digest, at, by, persons } = plan;
  const approval: ApprovalRecord = { kind: "approval", at, id, digest, by, signature: undefined };
  const known: LoggedPlan = { plan, approvals: [], begunBy: undefined, progress: [] };
  // Someone who approves with a key does so by `approve`, where the key is.
  const refusal = approvalRefusal(known, approval, config.treasury.approvals.people.map(personOf), at);
  const approvals = refusal === undefined ? [approval] : [];
  const missing = persons - approvals.length;
  const who = refusal === undefined ? "by somebody else" : "by somebody who may";
  return {
    known: { ...known, approvals },
    isApproved: missing <= 0,
    records: [plan, ...approvals],
    text: `${refusal ?? `approved by ${by}`}; ${missing} more must approve it`,
    next: `next: pegbot approve ${id}, ${who}; the running bot carries it out`,
  };
}

export function personOf({ name, publicKey }: { name: string; publicKey?: string | undefined }) {
  return { name, publicKey };
}
