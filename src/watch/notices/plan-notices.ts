// Messages of plans for mints and payments that ended before they were done.

import type { PlanProgress, PlanRecord } from "../../journal/record.ts";
import { Memory } from "../memory.ts";
import type { Notice } from "./notice.ts";

export interface PlanNotices {
  begun(plan: PlanRecord): void;
  progressed(progress: PlanProgress): readonly Notice[];
}

/** Whether a person proposed it, whatever the targets say; by its id. */
export type IsWish = (id: string) => boolean;

export function createPlanNotices(isWish: IsWish = () => false): PlanNotices {
  /** Plans that nobody was asked about and of which nothing was done: where those are refused, the refusal is told. */
  const untouched = new Memory<boolean>();
  return {
    begun({ id, persons }) {
      untouched.set(id, persons === 0);
    },
    progressed(progress) {
      const { id, state, refusal } = progress;
      if (state === "step") untouched.set(id, false);
      if (state === "expired" || state === "withdrawn") return [endNotice(progress, isWish(id))];
      const isTold = refusal === undefined || untouched.get(id) !== true;
      return state === "stopped" && isTold ? [endNotice(progress, isWish(id))] : [];
    },
  };
}

function endNotice({ id, state, text, at }: PlanProgress, isWish: boolean): Notice {
  const status = state === "expired" ? "has expired" : `was ${state}`;
  const fields = { id, status, what: text, wayOut: wayOut(state, isWish) };
  return { kind: "plan", urgency: "warning", key: `${state}:${id}`, at, fields };
}

/** No target asks for what a person proposed: `rebalance` does not show it. */
function wayOut(state: PlanProgress["state"], isWish: boolean): string {
  const anew = isWish
    ? "pegbot mint or pegbot rail with --propose proposes it anew"
    : `pegbot rebalance shows what is ${state === "stopped" ? "still needed" : "needed now"}`;
  return state === "stopped" ? `pegbot status shows what is open; ${anew}` : anew;
}
