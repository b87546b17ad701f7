// A plan that a person proposes, with their own approval where it counts; the rebalancer of the owner carries it out.

import type { AskedOperation } from "../bot/input.ts";
import { exitCode } from "../domain/exit-code.ts";
import { type Millis, millis } from "../domain/time.ts";
import { isUnknown } from "../execution/request.ts";
import type { ApprovalRecord, PlanMove, PlanProgress, PlanRecord } from "../journal/record.ts";
import { contentOf } from "../treasury/approval/plan-content.ts";
import { approvalRefusal, isEnd, isNothing, type PlanLog } from "../treasury/approval/plan-log.ts";
import { type Asking, type Ended, refuseIf, requireActive, type Trader } from "./money.ts";
import { personHere } from "./person.ts";

/** A caller on the socket is the user of the owner. */
export function proposedTerms({ config, now }: Trader): Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by"> {
  const { expiryMs, persons } = config.treasury.approvals;
  const { at } = now();
  return { at, expiresAt: millis(at + expiryMs), persons, by: personHere() };
}

export type Proposing = {
  /** One or several, of one turn. */
  readonly plans: readonly PlanRecord[];
  readonly asked: AskedOperation | undefined;
  /** What stands against it in the turn that records it. */
  readonly why: (log: PlanLog, at: Millis) => string | undefined;
};

/** `waits`: the approvals that are missing; none where it may begin. */
type Proposed = { readonly waits: string | undefined };

/** Recorded in one turn; with `begins` they start in the same turn, where enough people have approved them. */
export async function propose(trader: Trader, { plans, asked, why }: Proposing, begins: boolean): Promise<Proposed> {
  const { people } = trader.config.treasury.approvals;
  const proposed = plans.map((plan) => {
    const { id, digest, at, by, persons } = plan;
    const approval: ApprovalRecord = { kind: "approval", at, id, digest, by };
    const refusal = approvalRefusal({ plan, approvals: [], begunBy: undefined, progress: [] }, approval, people, at);
    const approvals = refusal === undefined ? [approval] : [];
    return { plan, approvals, refusal, missing: persons - approvals.length };
  });
  const begin = begins && proposed.every(({ missing }) => missing <= 0) ? plans : [];
  const records = proposed.flatMap(({ plan, approvals }) => [plan, ...approvals]);
  const turn = await trader.take({ kind: "plan", asked, decide: (log, now) => why(log, now) ?? { records, begin } });
  if (turn.refusal !== undefined) requireActive(trader);
  refuseIf(turn.refusal?.message);
  const [{ plan, refusal, missing }] = proposed as [(typeof proposed)[number]];
  if (begin.length > 0) return { waits: undefined };
  const who = refusal === undefined ? "by another person" : "by a person who may";
  const text = `${refusal ?? `approved by ${plan.by}`}; ${missing} more must approve it`;
  const commands = plans.map(({ id }) => `pegbot approve ${id}`).join(", ");
  return { waits: `${text}; next: ${commands}, ${who}; the running bot carries it out` };
}

/** How a plan stands, with those of its turn: waiting, or followed to its end where it has begun. */
export async function planEnd(trader: Trader, id: string, asking: Asking): Promise<Ended> {
  const log = () => trader.core().rebalancer?.log;
  const first = log()?.get(id)?.plan;
  const together =
    log()
      ?.all()
      .filter(({ plan }) => plan.at === first?.at && plan.by === first.by) ?? [];
  const known = () => together.flatMap(({ plan }) => log()?.get(plan.id) ?? []);
  const told = new Map<string, number>();
  const awaited = new Map<string, string>();
  const ended = (): readonly PlanProgress[] | undefined => {
    const ends = known().map(({ plan, progress }) => {
      for (const { state, text } of progress.slice(told.get(plan.id) ?? 0))
        asking.tell(`plan     ${plan.id} ${state}: ${text}`);
      told.set(plan.id, progress.length);
      return progress.at(-1);
    });
    for (const { known: one, waitsFor } of trader.core().rebalancer?.conversions() ?? []) {
      const { id: plan } = one.plan;
      // The same with another price or time is no news.
      const what = waitsFor?.replace(/[\d.,:]+/g, "");
      if (waitsFor === undefined || !told.has(plan) || awaited.get(plan) === what) continue;
      awaited.set(plan, what ?? "");
      asking.tell(`plan     ${plan} waits for ${waitsFor}`);
    }
    return ends.length > 0 && ends.every((end) => end !== undefined && isEnd(end))
      ? (ends as PlanProgress[])
      : undefined;
  };
  if (known().every(({ begunBy }) => begunBy === undefined) && ended() === undefined)
    return {
      exit: exitCode.done,
      id,
      outcome: "waiting",
      text: "it waits for approvals, or for the bot that begins it",
    };
  const ends = await trader.until(ended, asking.gone);
  const end = ends?.find(({ state }) => state !== "done") ?? ends?.[0];
  if (ends === undefined || end === undefined)
    return { exit: exitCode.unknown, id, outcome: "open", text: "the owner of the key carries it out" };
  const text = ends.map((one) => one.text).join("; ");
  const hasStep = known().some(({ progress }) =>
    progress.some(({ state, move }) => state === "step" && hasMoved(move)),
  );
  const isPartly = hasStep || (end.state === "stopped" && end.refusal === undefined);
  return { exit: exitOf(trader, end, isPartly), id, outcome: end.state, text };
}

/** A step without a move is that of a wish. */
function hasMoved(move: PlanMove | undefined): boolean {
  return move === undefined || !isNothing(move);
}

/** `isPartly`: a step is done or may be, at least in part: "refused" would say that nothing was sent. */
function exitOf(trader: Trader, { state }: PlanProgress, isPartly: boolean): Ended["exit"] {
  if (state === "done") return exitCode.done;
  if (isPartly) return exitCode.unknown;
  if ([...trader.core().executor.open()].some((one) => isUnknown(one.state))) return exitCode.unknown;
  return trader.standing().state === "HALTED" ? exitCode.halted : exitCode.refused;
}

/** There and back at once would pay the spread for nothing. */
export function whyNotAnother(log: PlanLog, wanted: Pick<PlanRecord, "content">, at: Millis): string | undefined {
  const { from, to } = contentOf(wanted).conversion ?? {};
  const same = from && to && log.between(from, to, at);
  if (!same) return undefined;
  const { id } = same.plan;
  const wayOut = same.begunBy === undefined ? `pegbot decline ${id}` : `pegbot conversion ${id} --finish`;
  return `${id} converts between ${from} and ${to} already: ${wayOut} ends it`;
}
