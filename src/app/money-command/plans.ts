// The plans of a journal, for commands: read once, and brought up to date under the lock before a write.

import { plainFailure, refusedFailure } from "../../domain/command-failure.ts";
import { millis } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ApprovalRecord, Entry, JournalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import { personHere } from "../../operation/person.ts";
import { approvalRefusal, type LoggedPlan, PlanLog } from "../../treasury/approval/plan-log.ts";
import type { MoneyCommand } from "./money-command.ts";

const BATCH = 1_000;

export interface PlansWriter {
  readonly log: PlanLog;
  /** `decide` receives the current log and returns records, or the reason why there are none. */
  write(decide: (log: PlanLog) => readonly JournalRecord[] | string): Promise<void>;
}

export interface Plans extends PlansWriter {
  /** The log, including records of other processes since. */
  now(): PlanLog;
}

export function openPlans({ journal, tradingCore }: Pick<MoneyCommand, "journal" | "tradingCore">): Plans {
  const log = new PlanLog();
  let after = 0;
  const catchUp = (): void => {
    for (;;) {
      const batch = journal.read(after, BATCH);
      if (!batch.ok) throw plainFailure(batch.error.message);
      if (batch.value.length === 0) return;
      for (const entry of batch.value) log.fold(entry);
      after = batch.value.at(-1)?.sequence ?? after;
    }
  };
  catchUp();
  const plans = plansOf(journal, log, (news) => {
    for (const entry of news) tradingCore.fold(entry);
    catchUp();
    return undefined;
  });
  return {
    ...plans,
    now: () => {
      catchUp();
      return log;
    },
  };
}

/** `bringUpToDate` runs under the lock with other processes' new records; a reason that it returns ends the write. */
export function plansOf(
  journal: Pick<Journal, "transact">,
  log: PlanLog,
  bringUpToDate: (news: readonly Entry[]) => string | undefined,
): PlansWriter {
  return {
    log,
    async write(decide) {
      let refusal: string | undefined;
      const written = await journal.transact((news) => {
        const decided = bringUpToDate(news) ?? decide(log);
        if (typeof decided === "string") refusal = decided;
        return { records: typeof decided === "string" ? [] : decided, value: undefined };
      });
      if (!written.ok) throw plainFailure(`nothing was recorded: ${written.error.message}`);
      if (refusal !== undefined) throw refusedFailure(`${refusal}; nothing was changed`);
    },
  };
}

export function progressOf(
  { id }: PlanRecord,
  at: PlanRecord["at"],
  state: PlanProgress["state"],
  text: string,
): JournalRecord {
  return { kind: "plan-progress", at, id, state, text };
}

// A plan proposed by a person: with their own approval if it counts, and the approvals it still waits for.

type Proposal = {
  readonly known: LoggedPlan;
  /** Enough people have approved it. */
  readonly isApproved: boolean;
  /** Written in one transaction. */
  readonly records: readonly (PlanRecord | ApprovalRecord)[];
  /** The approver, and how many approvals are missing. */
  readonly text: string;
  readonly next: string;
};

/** The parts of a plan that follow from configuration and time. */
type ProposedTerms = Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by">;

export function proposedTerms({ config, now }: Pick<MoneyCommand, "config" | "now">): ProposedTerms {
  const { expiryMs, persons } = config.treasury.approvals;
  const { at } = now();
  return { at, expiresAt: millis(at + expiryMs), persons, by: personHere() };
}

export function proposalOf(plan: PlanRecord, { config }: Pick<MoneyCommand, "config">): Proposal {
  const { id, digest, at, by, persons } = plan;
  const approval: ApprovalRecord = { kind: "approval", at, id, digest, by };
  const known: LoggedPlan = { plan, approvals: [], begunBy: undefined, progress: [] };
  const refusal = approvalRefusal(known, approval, config.treasury.approvals.people, at);
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
