// Shared by `mint` and `rail`: flags, sending and following, and --propose. If two people must approve, the request
// becomes a plan of one step, which waits for approval and is executed by the running bot.

import type { Command } from "commander";
import { type MoneyCommand, requireMaySend } from "../app/money-command/money-command.ts";
import { openPlans, proposalOf, proposedTerms } from "../app/money-command/plans.ts";
import { sayOutcome } from "../app/money-command/send.ts";
import { type Person, requireConfirmation } from "../app/terminal/confirmation.ts";
import { usageFailure } from "../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import type { Money } from "../domain/money/money.ts";
import type { Millis } from "../domain/time.ts";
import { refuseIf } from "../operation/money.ts";
import { type MovementContent, whyNotByHand } from "../operation/movement.ts";
import { reasonText } from "../operation/person.ts";
import type { MovementWish } from "../risk/treasury-gate.ts";
import { type ContentStep, contentOf, isWish, wishRecord } from "../treasury/approval/plan-content.ts";
import type { PlanLog } from "../treasury/approval/plan-log.ts";

export type MovementOptions = {
  readonly reason?: string;
  readonly wait?: boolean;
  readonly propose?: boolean;
  readonly yes?: boolean;
  /** Part of a plan with enough approvals. */
  readonly isOfPlan?: boolean;
};

export function declareMovement(command: Command, help: string): Command {
  return command
    .option("--reason <text>", "why, for the journal")
    .option("--wait", "follow it until it is settled or working, refused or held")
    .option("--propose", "send nothing: propose it as a plan, for others to approve")
    .option("--yes", "confirm without a terminal")
    .option("--preview", "show what would be sent, and send nothing")
    .option("--id <uuid>", "ask again: a known id sends nothing, and says what became of it")
    .addHelpText("after", help);
}

/** Printed before the confirmation. */
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

/** `content`: the request as it would be sent now. `cost`: its maximum cost. */
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

/** The gate decides again at execution; a request that it refuses now is not put up for approval. */
function whyRefused(tool: MoneyCommand, content: MovementContent): string | undefined {
  const { at: decidedAt, expiresAt } = proposedTerms(tool);
  const wish: MovementWish = { ...content, decidedAt, expiresAt, reason: "" };
  const verdict = tool.tradingCore.judge(wish, tool.now());
  return verdict.kind === "approved" ? undefined : `${verdict.refusal.rule}: ${verdict.refusal.message}`;
}

/** The same command given twice is meant once. */
function whyWaiting(log: PlanLog, step: ContentStep, at: Millis): string | undefined {
  const same = log
    .waiting(at)
    .find(({ plan }) => isWish(plan) && JSON.stringify(contentOf(plan).steps) === JSON.stringify([step]));
  return same && `${same.plan.id} of ${same.plan.by} proposes the same and waits: approve or decline that one`;
}
