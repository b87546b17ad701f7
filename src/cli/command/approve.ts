// `approve ID` and `decline ID`: a person agrees to a plan exactly as it stands, before it expires, or says no to one that is not begun.
// The running bot carries it out once enough people agree; one no is enough to end it.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { CommandFailure, usageFailure } from "../../app/command-failure.ts";
import { NOT_WIDER, WHO_APPROVES } from "../../app/config/limits-in-force.ts";
import { treasuryTermsOf } from "../../app/config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { type Answered, recordApproval, recordDecline } from "../../app/journal/approval.ts";
import { type MoneyCommand, requireActive } from "../../app/money-command/money-command.ts";
import { openPlans, type Plans, personOf } from "../../app/money-command/plans.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { personHere, requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import { amountText } from "../../domain/amount-text.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/sanitise.ts";
import { durationText } from "../../domain/time-text.ts";
import { contentOf, isOwn, isWish, stepText } from "../../treasury/approval/plan-content.ts";
import {
  type Approver,
  approvalRefusal,
  declineRefusal,
  type LoggedPlan,
  type PlanAnswer,
  signDigest,
} from "../../treasury/approval/plan-log.ts";
import { type HoldingChange, holdingsAfter } from "../../treasury/approval/plan-need.ts";
import { bandText } from "../../treasury/plan/holding.ts";
import { holdingsFor } from "../../treasury/rebalancer/treasury-view.ts";
import { type Asked, recording } from "../by-person.ts";

const HELP = `
Agrees to exactly the plan that is shown, before it expires; the running bot
carries it out once, when enough different people have. Someone whose public key
stands in treasury.approvals.people signs with --key.`;

export function defineApprove(command: Command, run: Run): void {
  command
    .argument("<id>", "id of the plan, R-...")
    .option("--key <file>", "private key to sign with, PEM")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", HELP)
    .action((id: string, options: AnswerOptions) =>
      recording(run, (tool, asked) => approveWith(tool, asked, id, options)),
    );
}

const DECLINE_HELP = `
Ends a plan that is not begun, also one that was approved. Whoever may approve
may say no, and one no is enough. The running bot then leaves the steps of a
plan of its own alone: for an hour, longer after each further no.`;

export function defineDecline(command: Command, run: Run): void {
  command
    .argument("<id>", "id of the plan, R-...")
    .option("--reason <text>", "why, for the journal")
    .option("--key <file>", "private key to sign with, PEM")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", DECLINE_HELP)
    .action((id: string, options: DeclineOptions) =>
      recording(run, (tool, asked) => declineWith(tool, asked, id, options)),
    );
}

export async function approveWith(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  id: string,
  options: AnswerOptions,
): Promise<ExitCode> {
  requireActive(tool);
  const { plans, known, people, wish } = showToPerson(tool, shell, { id, answer: "approve", key: options.key });
  const wider = tool.widerLimits(WHO_APPROVES);
  if (wider !== undefined) throw new CommandFailure(exitCode.refused, `${wider}; nothing was changed`, NOT_WIDER);
  const early = approvalRefusal(known, wish, people, tool.now().at);
  if (early !== undefined) throw refused(early);
  await requireConfirmation(shell, prompts, { word: "approve", yes: options.yes });
  const agreed = await recordApproval(plans, people, wish, () => tool.now().at);
  const few = whyTooFew(tool, known);
  const said = few === undefined ? agreed : { ...agreed, ready: false, text: few };
  if (options.json) shell.terminal.json({ id, ...said });
  else shell.terminal.print(`approved  ${id}  by ${said.by}; ${said.text}`);
  return exitCode.done;
}

/** A bot with the configuration that was just read begins none that is for fewer. */
function whyTooFew({ config }: Pick<MoneyCommand, "config">, { plan }: LoggedPlan): string | undefined {
  const { persons } = config.treasury.approvals;
  if (plan.persons >= persons) return undefined;
  return `that does not suffice: it is for ${plan.persons} to approve, and treasury.approvals.persons is ${persons} now; a running bot withdraws its own, and proposes it anew`;
}

export type DeclineOptions = AnswerOptions & { readonly reason?: string };

/** Also while the bot is stopped: what is declined need not be thought of when somebody resumes. */
export async function declineWith(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  id: string,
  options: DeclineOptions,
): Promise<ExitCode> {
  const { plans, known, people, wish } = showToPerson(tool, shell, { id, answer: "decline", key: options.key });
  const early = declineRefusal(known, wish, people, tool.now().at);
  if (early !== undefined) throw refused(early);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "decline", yes: options.yes });
  const { by, text } = await recordDecline(plans, people, { ...wish, reason }, () => tool.now().at);
  if (options.json) shell.terminal.json({ id, by, text });
  else shell.terminal.print(`declined  ${id}  by ${by}; ${text}`);
  if (isOwn(known.plan))
    shell.terminal.note("next: pegbot status says until when; pegbot rebalance --execute of a person does not wait");
  return exitCode.done;
}

export type AnswerOptions = { readonly key?: string; readonly yes?: boolean; readonly json?: boolean };

function showToPerson(
  tool: MoneyCommand,
  shell: Shell,
  { id, answer, key }: { readonly id: string; readonly answer: PlanAnswer; readonly key: string | undefined },
): { plans: Plans; known: LoggedPlan; people: readonly Approver[]; wish: Answered } {
  const plans = openPlans(tool);
  const known = plans.log.get(id);
  const people = tool.config.treasury.approvals.people.map(personOf);
  if (known === undefined) throw unknownPlan(id, plans.log.waiting(tool.now().at));
  show(shell, known);
  // By the books of now: the person sees what has happened since the plan was made.
  const now = holdingsFor(known.plan, tool.tradingCore, treasuryTermsOf(tool.config), tool.now().at);
  const holdings = holdingsAfter(contentOf(known.plan).steps, now);
  showHoldings(shell, holdings);
  if (!isWish(known.plan) && holdings.every(({ missingNow }) => missingNow.isZero())) shell.terminal.note(UNNEEDED);
  const { digest } = known.plan;
  const signed = key === undefined ? undefined : signature(key, digest, answer);
  // Who has a key is known by it; the name of the user on this machine proves less.
  const by = people.find(({ publicKey }) => publicKey !== undefined && publicKey === signed?.publicKey)?.name;
  return { plans, known, people, wish: { id, digest, by: by ?? personHere(), signature: signed?.signature } };
}

function show({ terminal, clock }: Shell, { plan, approvals }: LoggedPlan): void {
  const { steps, cost, currency, isWish } = contentOf(plan);
  terminal.note(
    `plan      ${plan.id} by ${printable(plan.by, 64)}, until ${new Date(plan.expiresAt).toISOString()}, ${durationText(plan.expiresAt - clock.now())} from now`,
  );
  for (const [index, step] of steps.entries()) terminal.note(`step ${index + 1}    ${stepText(step)}`);
  if (isWish === true) terminal.note(`why       ${printable(plan.why ?? "no reason was given", 300)}`);
  else terminal.note(`cost      about ${amountText(cost)} ${currency}`);
  terminal.note(`approved  by ${approvals.map(({ by }) => printable(by, 64)).join(", ") || "nobody yet"}`);
}

function showHoldings({ terminal }: Shell, holdings: readonly HoldingChange[]): void {
  for (const { holding, band, now, after, missingNow, missingAfter } of holdings) {
    // A rail that is only registered moves nothing.
    if (band === undefined && now.equals(after)) continue;
    const mark = (missing: Money): string => (missing.isZero() ? "" : " (outside)");
    const edges = band === undefined ? "" : `, its band is ${bandText(band)}`;
    const [before, then] = [amountText(String(now)), amountText(String(after))];
    terminal.note(`holding   ${holding}: now ${before}${mark(missingNow)}, after ${then}${mark(missingAfter)}${edges}`);
  }
}

const UNNEEDED =
  "needed    no: every holding is in its band now, and the running bot withdraws what is no longer needed";

function signature(file: string, digest: string, answer: PlanAnswer) {
  try {
    return signDigest(readFileSync(file, "utf8"), digest, answer);
  } catch {
    throw usageFailure(`${printable(file, 200)} must be a readable private key in PEM`);
  }
}

function unknownPlan(id: string, waiting: readonly LoggedPlan[]): CommandFailure {
  const ids = waiting.map(({ plan }) => plan.id);
  return usageFailure(
    `the journal knows no plan ${printable(id, 64)}`,
    ids.length === 0 ? "no plan waits for approval" : `waiting are ${ids.slice(0, 10).join(", ")}`,
  );
}

function refused(why: string): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`);
}
