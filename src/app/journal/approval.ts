// A person's answer to a plan, yes or no, on its way into the journal: checked and written under one lock, so that a
// plan that has meanwhile expired, started or been answered by the same person is refused. Commands and the running
// bot's API share this code.

import { orRefused, plainFailure } from "../../domain/command-failure.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import type { ApprovalRecord, PlanProgress } from "../../journal/record.ts";
import { stopBy } from "../../operation/money.ts";
import { joined } from "../../risk/trading-state.ts";
import { isOwn } from "../../treasury/approval/plan-content.ts";
import {
  type Approver,
  answerRefusal,
  approvalRefusal,
  beginnable,
  PLAN_WORDS,
  PlanLog,
} from "../../treasury/approval/plan-log.ts";
import { openKillFile } from "../kill-switch/kill-file.ts";
import { foldedSoFar, openAsItIs, requireOpening } from "../kill-switch/stop-journal.ts";
import { type PlansWriter, plansOf } from "../money-command/plans.ts";
import type { Shell } from "../shell.ts";

/** The answer names the person and the digest of the plan. */
export type Answered = Pick<ApprovalRecord, "id" | "digest" | "by">;
type Declining = Answered & { readonly reason: string };

export type Declined = { readonly by: string; readonly text: string };

export type Agreed = { readonly by: string; readonly ready: boolean; readonly text: string };

export async function recordApproval(
  plans: PlansWriter,
  people: readonly Approver[],
  { id, digest, by }: Answered,
  now: () => Millis,
): Promise<Agreed> {
  let ready: Result<unknown> = err("");
  await plans.write((log) => {
    const known = log.get(id);
    const approval: ApprovalRecord = { kind: "approval", at: now(), id, digest, by };
    const refusal = approvalRefusal(known, approval, people, approval.at);
    if (known === undefined || refusal !== undefined) return refusal ?? "the journal knows no such plan";
    ready = beginnable({ ...known, approvals: [...known.approvals, approval] }, people, approval.at);
    return [approval];
  });
  return {
    by,
    ready: ready.ok,
    text: ready.ok ? "the running bot carries it out; without one, start it" : ready.error,
  };
}

export async function recordDecline(
  plans: PlansWriter,
  people: readonly Approver[],
  { reason, ...wish }: Declining,
  now: () => Millis,
): Promise<Declined> {
  let text = "";
  await plans.write((log) => {
    const known = log.get(wish.id);
    const at = now();
    const refusal = answerRefusal(known, wish, people, at);
    if (known === undefined || refusal !== undefined) return refusal ?? "the journal knows no such plan";
    const { id, by } = wish;
    text = isOwn(known.plan)
      ? "nobody carries it out, and the bot makes no plan of its own for an hour"
      : "nobody carries it out";
    const declined: PlanProgress = {
      kind: "plan-progress",
      at,
      id,
      state: "declined",
      text: printable(reason, 200),
      by,
    };
    return [declined];
  });
  return { by: wish.by, text };
}

type Timed = Pick<Shell, "clock">;

type Counter = {
  readonly path: string;
  readonly people: readonly Approver[];
  /** The person whom the token stands for; undefined if it proves nobody's name. */
  readonly person: string | undefined;
};

type Answering = {
  readonly approve: (wish: Answered) => Promise<Result<Agreed>>;
  readonly decline: (wish: Declining) => Promise<Result<Declined>>;
};

/** For the API: the answer's result, or the reason for its refusal. */
export function answers(timed: Timed, { path, people, person }: Counter): Answering {
  const now = (): Millis => timed.clock.now();
  async function answered<W extends Answered, T>(wish: W, write: (proved: W) => Promise<T>): Promise<Result<T>> {
    // Otherwise one holder of the token could answer as two people.
    if (wish.by !== person) return err(unproved(wish.by, person));
    return orRefused(async () => ok(await write(wish)));
  }
  return {
    approve: (wish) =>
      answered(wish, (proved) =>
        withPlansAt(timed, path, { whileStopped: false }, (plans) => recordApproval(plans, people, proved, now)),
      ),
    decline: (wish) =>
      answered(wish, (proved) =>
        withPlansAt(timed, path, { whileStopped: true }, (plans) => recordDecline(plans, people, proved, now)),
      ),
  };
}

function unproved(by: string, person: string | undefined): string {
  const who = person === undefined ? "nobody's name" : `only that this is ${person}`;
  return `the token proves ${who}: ${by} needs a token of that name (pegbot token); nothing was changed`;
}

async function withPlansAt<T>(
  timed: Timed,
  path: string,
  { whileStopped }: { readonly whileStopped: boolean },
  work: (plans: PlansWriter) => Promise<T>,
): Promise<T> {
  const { opening } = requireOpening(path);
  const killFile = openKillFile(path);
  // Opens its own handle: news read through this one must not be withheld from the bot's.
  const journal = openAsItIs(timed, path, opening);
  try {
    const log = new PlanLog();
    const folded = await foldedSoFar(journal, PLAN_WORDS, (entry) => log.fold(entry));
    if (!folded.ok) throw plainFailure(folded.error.message);
    const fold = folded.value;
    return await work(
      plansOf(journal, log, (news) => {
        for (const entry of news) {
          fold.take(entry);
          log.fold(entry);
        }
        return whileStopped ? undefined : stopBy(joined(killFile.standing(), fold.standing))?.message;
      }),
    );
  } finally {
    journal.close();
  }
}
