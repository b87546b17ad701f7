// What `mint` and `rail` share: flags, sending and following, and --propose, where two people must approve: the wish becomes a plan of one
// step, which waits for the others and is carried out by the running bot.

import type { Command } from "commander";
import { usageFailure } from "../app/command-failure.ts";
import { type ExitCode, exitCode } from "../app/exit-code.ts";
import type { WaitOptions } from "../app/money-command/follow.ts";
import { waitFor } from "../app/money-command/follow.ts";
import { type MoneyCommand, requireMaySend } from "../app/money-command/money-command.ts";
import { openPlans, proposalOf, proposedTerms } from "../app/money-command/plans.ts";
import {
  approveMovement,
  carry,
  isOpen,
  type MovementContent,
  refuseIf,
  sayOutcome,
  type Telling,
  tellMovement,
  whyNotByHand,
} from "../app/money-command/send.ts";
import { type Person, reasonText, requireConfirmation } from "../app/terminal/confirmation.ts";
import type { Money } from "../domain/money/money.ts";
import type { Millis } from "../domain/time.ts";
import type { MovementWish } from "../risk/treasury-gate.ts";
import { type ContentStep, contentOf, isWish, wishRecord } from "../treasury/approval/plan-content.ts";
import type { PlanLog } from "../treasury/approval/plan-log.ts";

/** Where the receipt of the venue and its resting place are put into words. */
type Words = Pick<Telling, "accepted"> & Pick<WaitOptions, "restOf">;

export type MovementOptions = {
  readonly reason?: string;
  readonly wait?: boolean;
  readonly propose?: boolean;
  readonly yes?: boolean;
  /** Of one that as many have approved as must. */
  readonly isOfPlan?: boolean;
};

export function declareMovement(command: Command, help: string): Command {
  return command
    .option("--reason <text>", "why, for the journal")
    .option("--wait", "follow it until it is settled or working, refused or held")
    .option("--propose", "send nothing: propose it as a plan, for others to approve")
    .option("--yes", "confirm without a terminal")
    .addHelpText("after", help);
}

/** Approved by the gate, sent, and with --wait followed to where it rests. */
export async function send(
  tool: MoneyCommand,
  { shell, stop }: Person,
  content: MovementContent,
  { reason, wait = false }: MovementOptions,
  { accepted, restOf }: Words,
): Promise<ExitCode> {
  const approved = await approveMovement(tool, content, stop, reason);
  const { code, asks } = await carry(shell, tool, approved, stop, (sent) =>
    tellMovement(shell, tool, sent, { wait, taken: "accepted", accepted }),
  );
  return wait && isOpen(code) ? waitFor(shell, tool, approved.id, { stop, asks, restOf }) : code;
}

/** Of whatever is shown before it is confirmed. */
export function sentText({ propose = false }: { readonly propose?: boolean | undefined }): string {
  const by = propose ? "by the running bot, when enough people have approved it, " : "";
  return `sent     ${by}once, and never again`;
}

export function requireWanted(
  tool: MoneyCommand,
  { wait, propose: isProposed = false, isOfPlan }: MovementOptions,
): void {
  requireMaySend(tool);
  if (!isProposed && !isOfPlan) refuseIf(whyNotByHand(tool.config));
  if (!isProposed) return;
  if (wait) throw usageFailure("--propose sends nothing that --wait could follow");
  if (tool.config.treasury.approvals.persons === 1)
    refuseIf("--propose is for others to approve, and treasury.approvals.persons is 1");
}

/** `content`: what would be sent if it were sent now. `cost`: the most that it may cost. */
export type Wish = { readonly step: ContentStep; readonly content: MovementContent; readonly cost: Money };

export async function propose(
  tool: MoneyCommand,
  { shell, prompts }: Person,
  { step, content, cost }: Wish,
  { reason, yes }: MovementOptions,
): Promise<ExitCode> {
  refuseIf(whyRefused(tool, content));
  await requireConfirmation(shell, prompts, { word: "propose", yes });
  requireMaySend(tool);
  const terms = proposedTerms(tool);
  const proposal = proposalOf(wishRecord(step, cost, { ...terms, why: reasonText("wanted", terms.by, reason) }), tool);
  const { id, at } = proposal.known.plan;
  await openPlans(tool).write((log) => whyWaiting(log, step, at) ?? proposal.records);
  sayOutcome(shell, "waiting", id, proposal.text);
  shell.terminal.note(proposal.next);
  return exitCode.done;
}

/** The gate decides when it is carried out; nobody is asked for what it refuses now. */
function whyRefused(tool: MoneyCommand, content: MovementContent): string | undefined {
  const { at: decidedAt, expiresAt } = proposedTerms(tool);
  const wish: MovementWish = { ...content, decidedAt, expiresAt, reason: "" };
  const verdict = tool.tradingCore.judge(wish, tool.now());
  return verdict.kind === "approved" ? undefined : `${verdict.refusal.rule}: ${verdict.refusal.message}`;
}

/** Whoever gives the command twice wants it once. */
function whyWaiting(log: PlanLog, step: ContentStep, at: Millis): string | undefined {
  const same = log
    .waiting(at)
    .find(({ plan }) => isWish(plan) && JSON.stringify(contentOf(plan).steps) === JSON.stringify([step]));
  return same && `${same.plan.id} of ${same.plan.by} proposes the same and waits: approve or decline that one`;
}
