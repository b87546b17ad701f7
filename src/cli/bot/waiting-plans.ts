// The plans that wait for an approval, as the API shows them: read on from where the last look ended, a page at a time, so that
// the bot goes on meanwhile.

import type { WaitingPlan } from "../../dashboard/api/schema.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import { type LoggedPlan, PlanLog } from "../../treasury/approval/plan-log.ts";
import { systemTimers } from "../system-timers.ts";

const PAGE = 500;

export function waitingPlans(
  journal: Pick<Journal, "read">,
  now: () => Millis,
): () => Promise<Result<readonly WaitingPlan[]>> {
  const log = new PlanLog();
  let after = 0;
  let reading: Promise<Result<undefined>> | undefined;

  async function readOn(): Promise<Result<undefined>> {
    for (;;) {
      const page = journal.read(after, PAGE);
      if (!page.ok) return { ok: false, error: page.error.message };
      for (const entry of page.value) log.fold(entry);
      after = page.value.at(-1)?.sequence ?? after;
      if (page.value.length < PAGE) return ok(undefined);
      await new Promise<void>((resolve) => systemTimers.after(0, resolve));
    }
  }

  return async () => {
    // Who asks meanwhile waits for the same: two that read on side by side would count an approval twice.
    reading ??= readOn().finally(() => {
      reading = undefined;
    });
    const read = await reading;
    return read.ok ? ok(log.waiting(now()).map(shown)) : read;
  };
}

function shown({ plan, approvals }: LoggedPlan): WaitingPlan {
  const { id, digest, content, expiresAt, persons, at, by } = plan;
  return { id, digest, content, expiresAt, persons, at, by, approvals: approvals.map(({ by, at }) => ({ by, at })) };
}
