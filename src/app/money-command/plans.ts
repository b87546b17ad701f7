// The plans of a journal, for commands: read once, and brought up to date under the lock when something is written about them.

import type { Journal } from "../../journal/journal.ts";
import type { Entry, JournalRecord, PlanProgress, PlanRecord } from "../../journal/record.ts";
import { PlanLog } from "../../treasury/approval/plan-log.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { Tool } from "./tool.ts";

const BATCH = 1_000;

/** What can be written about them. */
export interface PlansWriter {
  readonly log: PlanLog;
  /** `decide` sees the log as it is now: records, or the reason why there are none. */
  write(decide: (log: PlanLog) => readonly JournalRecord[] | string): Promise<void>;
}

export interface Plans extends PlansWriter {
  /** With what others wrote since. */
  now(): PlanLog;
}

export function openPlans({ journal, desk }: Pick<Tool, "journal" | "desk">): Plans {
  const log = new PlanLog();
  let after = 0;
  const catchUp = (): void => {
    for (;;) {
      const batch = journal.read(after, BATCH);
      if (!batch.ok) throw new CommandFailure(exitCode.failed, batch.error.message);
      if (batch.value.length === 0) return;
      for (const entry of batch.value) log.fold(entry);
      after = batch.value.at(-1)?.sequence ?? after;
    }
  };
  catchUp();
  const plans = plansOf(journal, log, (news) => {
    for (const entry of news) desk.fold(entry);
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

/** `bringUpToDate` is called under the lock, with what others wrote meanwhile; a reason that it gives ends it. */
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
      if (!written.ok) throw new CommandFailure(exitCode.failed, `nothing was recorded: ${written.error.message}`);
      if (refusal !== undefined) throw new CommandFailure(exitCode.refused, `${refusal}; nothing was changed`);
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
