// The plans of a journal, for commands: read once, and brought up to date under the lock when something is written about them.

import type { JournalRecord, PlanRecord } from "../../journal/record.ts";
import { PlanLog } from "../../treasury/approval/plan-log.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { Tool } from "./tool.ts";

const BATCH = 1_000;

export interface Plans {
  readonly log: PlanLog;
  /** `decide` sees the log as it is now: records, or the reason why there are none. */
  write(decide: (log: PlanLog) => readonly JournalRecord[] | string): Promise<void>;
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
  return {
    log,
    async write(decide) {
      let refusal: string | undefined;
      const written = await journal.transact((news) => {
        for (const entry of news) desk.fold(entry);
        catchUp();
        const decided = decide(log);
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
  state: "begun" | "step" | "done" | "stopped",
  text: string,
): JournalRecord {
  return { kind: "plan-progress", at, id, state, text };
}
