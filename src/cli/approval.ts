// An approval on its way into the journal: looked at and written under one lock, so that what expired, was begun or was approved
// by the same person meanwhile is refused. The command and the running bot's API do the same here.

import { err, ok, type Result } from "../domain/result.ts";
import type { Millis } from "../domain/time.ts";
import type { ApprovalRecord } from "../journal/record.ts";
import { joined } from "../risk/standing.ts";
import { type Approver, approvalRefusal, beginnable, PLAN_WORDS, PlanLog } from "../treasury/approval/plan-log.ts";
import { CommandFailure } from "./command-failure.ts";
import { exitCode } from "./exit-code.ts";
import { openLatch } from "./latch/latch-file.ts";
import type { Shell } from "./shell.ts";
import { foldedSoFar, openAsItIs, requireOpening } from "./standing-journal.ts";
import { type Plans, plansOf } from "./tool/plans.ts";
import { stopBy } from "./tool/tool.ts";

type Agreement = Pick<ApprovalRecord, "id" | "digest" | "by" | "signature">;

export type Agreed = { readonly by: string; readonly ready: boolean; readonly text: string };

export async function recordApproval(
  plans: Plans,
  people: readonly Approver[],
  { id, digest, by, signature }: Agreement,
  now: () => Millis,
): Promise<Agreed> {
  let ready: Result<unknown> = err("");
  await plans.write((log) => {
    const known = log.get(id);
    const approval: ApprovalRecord = { kind: "approval", at: now(), id, digest, by, signature };
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

type Counter = {
  /** Of the journal. */
  readonly path: string;
  readonly people: readonly Approver[];
  /** Whose token it is, which is all that a token proves; undefined where it may come from another machine. */
  readonly owner: string | undefined;
};

/** As the API has it: what was agreed to, or what is in the way. */
export function approvals(shell: Shell, counter: Counter): (wish: Agreement) => Promise<Result<Agreed>> {
  const { path, people, owner } = counter;
  return async (wish) => {
    const hasKey = people.some(({ name, publicKey }) => name === wish.by && publicKey !== undefined);
    // Or one holder of the token could be two people.
    if (!hasKey && wish.by !== owner) return err(unproved(wish.by, owner));
    try {
      return ok(await approveAt(shell, path, people, { ...wish, signature: hasKey ? wish.signature : undefined }));
    } catch (error) {
      if (error instanceof CommandFailure) return err(error.message);
      throw error;
    }
  };
}

function unproved(by: string, owner: string | undefined): string {
  const who = owner === undefined ? "nobody's name" : `only that this is ${owner}`;
  return `the token proves ${who}: ${by} needs a publicKey in treasury.approvals.people, and a signature; nothing was changed`;
}

async function approveAt(shell: Shell, path: string, people: readonly Approver[], wish: Agreement): Promise<Agreed> {
  const { opening, records } = requireOpening(path);
  const latch = openLatch(path, shell.clock, records > 1);
  // Its own handle: what this one is shown as news must not be kept from the bot's.
  const journal = openAsItIs(shell, path, opening);
  try {
    const log = new PlanLog();
    const folded = await foldedSoFar(journal, { words: PLAN_WORDS, also: (entry) => log.fold(entry) });
    if (!folded.ok) throw new CommandFailure(exitCode.failed, folded.error.message);
    const { fold } = folded.value;
    const plans = plansOf(journal, log, (news) => {
      for (const entry of news) {
        fold.take(entry);
        log.fold(entry);
      }
      return stopBy(joined(latch.standing(), fold.standing))?.message;
    });
    return await recordApproval(plans, people, wish, () => shell.clock.now());
  } finally {
    journal.close();
  }
}
