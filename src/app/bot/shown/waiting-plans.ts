// The plans that wait for an approval, as the API shows them: read on from where the last look ended, a stretch at a time, so
// that the bot goes on meanwhile.

import { pause } from "../../../domain/pause.ts";
import { ok, type Result } from "../../../domain/result.ts";
import type { Millis } from "../../../domain/time.ts";
import type { PlanRecord } from "../../../journal/record.ts";
import type { SqliteJournal } from "../../../journal/sqlite-journal.ts";
import { type LoggedPlan, PLAN_WORDS, PlanLog } from "../../../treasury/approval/plan-log.ts";
import type { HoldingChange } from "../../../treasury/approval/plan-need.ts";
import { edgesOf } from "../../../treasury/plan/holding.ts";
import type { WaitingPlan } from "../../../watch/dashboard/api/schema.ts";
import { systemTimers } from "../../system/system-timers.ts";

const STRETCH = 5_000;

/** `holdingsOf`: by the books of this moment, as the bot judges it. */
export function waitingPlans(
  journal: Pick<SqliteJournal, "search" | "head">,
  now: () => Millis,
  holdingsOf: (plan: PlanRecord) => readonly HoldingChange[],
): () => Promise<Result<readonly WaitingPlan[]>> {
  const log = new PlanLog();
  let after = 0;
  let reading: Promise<Result<undefined>> | undefined;

  async function readOn(): Promise<Result<undefined>> {
    const head = journal.head();
    if (!head.ok) return { ok: false, error: head.error.message };
    for (;;) {
      const upTo = Math.min(after + STRETCH, head.value.sequence);
      const found = journal.search(PLAN_WORDS, after, upTo);
      if (!found.ok) return { ok: false, error: found.error.message };
      for (const entry of found.value) log.fold(entry);
      after = upTo;
      if (after === head.value.sequence) return ok(undefined);
      await pause(systemTimers, 0);
    }
  }

  return async () => {
    // Who asks meanwhile waits for the same: two that read on side by side would count an approval twice.
    reading ??= readOn().finally(() => {
      reading = undefined;
    });
    const read = await reading;
    return read.ok ? ok(log.waiting(now()).map((one) => shown(one, holdingsOf(one.plan)))) : read;
  };
}

function shown({ plan, approvals }: LoggedPlan, holdings: readonly HoldingChange[]): WaitingPlan {
  const { id, digest, content, expiresAt, persons, at, by } = plan;
  return {
    ...{ id, digest, content, expiresAt, persons, at, by },
    approvals: approvals.map(({ by, at }) => ({ by, at })),
    holdings: holdings.map(({ holding, band, now, after, missingNow, missingAfter }) => ({
      holding,
      now: String(now),
      after: String(after),
      low: band && edgesOf(band).low?.toString(),
      high: band && edgesOf(band).high?.toString(),
      backTo: band?.left && band.low?.toString(),
      missingNow: String(missingNow),
      missingAfter: String(missingAfter),
    })),
  };
}
