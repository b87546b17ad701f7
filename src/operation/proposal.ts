// A plan that a person proposes, with their own approval where it counts; the rebalancer of the owner carries it out.

import type { AskedOperation } from "../bot/input.ts";
import { exitCode } from "../domain/exit-code.ts";
import { type Millis, millis } from "../domain/time.ts";
import { isUnknown } from "../execution/request.ts";
import type { ApprovalRecord, PlanProgress, PlanRecord } from "../journal/record.ts";
import { approvalRefusal, isEnd, type PlanLog } from "../treasury/approval/plan-log.ts";
import { type Asking, type Ended, refuseIf, requireActive, type Trader } from "./money.ts";
import { personHere } from "./person.ts";

/** A caller on the socket is the user of the owner. */
export function proposedTerms({ config, now }: Trader): Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by"> {
  const { expiryMs, persons } = config.treasury.approvals;
  const { at } = now();
  return { at, expiresAt: millis(at + expiryMs), persons, by: personHere() };
}

export type Proposing = {
  readonly plan: PlanRecord;
  readonly asked: AskedOperation | undefined;
  /** What stands against it in the turn that records it. */
  readonly why: (log: PlanLog, at: Millis) => string | undefined;
};

/** `waits`: the approvals that are missing; none where it may begin. */
type Proposed = { readonly waits: string | undefined };

/** Recorded in one turn; with `begins` it starts in the same turn, where enough people have approved it. */
export async function propose(trader: Trader, { plan, asked, why }: Proposing, begins: boolean): Promise<Proposed> {
  const { id, digest, at, by, persons } = plan;
  const approval: ApprovalRecord = { kind: "approval", at, id, digest, by };
  const known = { plan, approvals: [], begunBy: undefined, progress: [] };
  const refusal = approvalRefusal(known, approval, trader.config.treasury.approvals.people, at);
  const approvals = refusal === undefined ? [approval] : [];
  const missing = persons - approvals.length;
  const begin = begins && missing <= 0 ? plan : undefined;
  const records = [plan, ...approvals];
  const turn = await trader.take({ kind: "plan", asked, decide: (log, now) => why(log, now) ?? { records, begin } });
  if (turn.refusal !== undefined) requireActive(trader);
  refuseIf(turn.refusal?.message);
  if (begin !== undefined) return { waits: undefined };
  const who = refusal === undefined ? "by another person" : "by a person who may";
  const text = `${refusal ?? `approved by ${by}`}; ${missing} more must approve it`;
  return { waits: `${text}; next: pegbot approve ${id}, ${who}; the running bot carries it out` };
}

/** How a plan stands: waiting, or followed to its end where it has begun. */
export async function planEnd(trader: Trader, id: string, asking: Asking): Promise<Ended> {
  const known = () => trader.core().rebalancer?.log.get(id);
  let told = 0;
  const ended = (): PlanProgress | undefined => {
    const progress = known()?.progress ?? [];
    for (const { state, text } of progress.slice(told)) asking.tell(`plan     ${id} ${state}: ${text}`);
    told = progress.length;
    const last = progress.at(-1);
    return last !== undefined && isEnd(last) ? last : undefined;
  };
  if (known()?.begunBy === undefined && ended() === undefined)
    return {
      exit: exitCode.done,
      id,
      outcome: "waiting",
      text: "it waits for approvals, or for the bot that begins it",
    };
  const end = await trader.until(ended, asking.gone);
  if (end === undefined)
    return { exit: exitCode.unknown, id, outcome: "open", text: "the owner of the key carries it out" };
  const text = end.state === "done" ? `${end.text}; what is on its way is in pegbot status` : end.text;
  const hasStep = known()?.progress.some(({ state }) => state === "step") === true;
  const isPartly = hasStep || (end.state === "stopped" && end.refusal === undefined);
  return { exit: exitOf(trader, end, isPartly), id, outcome: end.state, text };
}

/** `isPartly`: a step is done or may be, at least in part: "refused" would say that nothing was sent. */
function exitOf(trader: Trader, { state }: PlanProgress, isPartly: boolean): Ended["exit"] {
  if (state === "done") return exitCode.done;
  if (isPartly) return exitCode.unknown;
  if ([...trader.core().executor.open()].some((one) => isUnknown(one.state))) return exitCode.unknown;
  return trader.standing().state === "HALTED" ? exitCode.halted : exitCode.refused;
}
