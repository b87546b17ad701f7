// Messages of plans for mints and payments that ended before they were done.

import type { PlanProgress, PlanRecord } from "../journal/record.ts";
import { Memory } from "../telemetry/memory.ts";
import type { Notice } from "./notice.ts";

export interface PlanNotices {
  begun(plan: PlanRecord): void;
  progressed(progress: PlanProgress): readonly Notice[];
}

export function createPlanNotices(): PlanNotices {
  /** Plans that nobody was asked about and of which nothing was done: where those are refused, the refusal is told. */
  const untouched = new Memory<boolean>();
  return {
    begun({ id, persons }) {
      untouched.set(id, persons === 0);
    },
    progressed(progress) {
      const { id, state, refusal } = progress;
      if (state === "step") untouched.set(id, false);
      if (state === "expired" || state === "withdrawn") return [unusedNotice(progress)];
      const isTold = refusal === undefined || untouched.get(id) !== true;
      return state === "stopped" && isTold ? [stoppedNotice(progress)] : [];
    },
  };
}

function unusedNotice({ id, state, text, at }: PlanProgress): Notice {
  const status = state === "expired" ? "was approved and has expired" : "was withdrawn";
  const fields = { id, status, what: text, wayOut: "pegbot rebalance shows what is needed now" };
  return { kind: "plan", urgency: "warning", key: `${state}:${id}`, at, fields };
}

function stoppedNotice({ id, text, at }: PlanProgress): Notice {
  const wayOut = "pegbot status shows what is open, pegbot rebalance what is still needed";
  return {
    kind: "plan",
    urgency: "warning",
    key: `stopped:${id}`,
    at,
    fields: { id, status: "was stopped", what: text, wayOut },
  };
}
