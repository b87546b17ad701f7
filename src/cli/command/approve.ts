// `approve ID` and `decline ID`: a person approves a plan exactly as recorded, before it expires, or declines one that
// has not started. The running bot executes it after enough approvals; one decline ends it.

import type { Command } from "commander";
import { NOT_WIDER, WHO_APPROVES } from "../../app/config/limits-in-force.ts";
import { type Answered, recordApproval, recordDecline } from "../../app/journal/approval.ts";
import { type MoneyCommand, requireActive } from "../../app/money-command/money-command.ts";
import { openPlans, type Plans } from "../../app/money-command/plans.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import { amountText } from "../../domain/amount-text.ts";
import { CommandFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/sanitise.ts";
import { durationText } from "../../domain/time-text.ts";
import { personHere } from "../../operation/person.ts";
import { treasuryTermsOf } from "../../operation/terms/treasury-terms.ts";
import { contentOf, isWish, stepText } from "../../treasury/approval/plan-content.ts";
import type { Approver, LoggedPlan } from "../../treasury/approval/plan-log.ts";
import { holdingsAfterSteps } from "../../treasury/approval/plan-need.ts";
import { bandText, type HoldingChange } from "../../treasury/plan/holding.ts";
import { holdingsFor } from "../../treasury/rebalancer/treasury-view.ts";
import { type Asked, recording } from "../by-person.ts";

const HELP = `
Agrees to exactly the plan that is shown, at the worst cost that is named,
before it expires; the running bot carries it out once, when enough different
people have.`;

type PlanAnswer = "approve" | "decline";

const DECLINE_HELP = `
Ends a plan that is not begun, also one that was approved. Whoever may approve
may say no, and one no is enough. After a no to a plan of its own the bot makes
none for an hour.`;

export function defineAnswer(command: Command, run: Run): void {
  const answer = command.name() as PlanAnswer;
  command
    .argument("<id>", "id of the plan, R-...")
    .option("--yes", "confirm without a terminal")
    .addHelpText("after", answer === "approve" ? HELP : DECLINE_HELP)
    .action((id: string, options: AnswerOptions) =>
      recording(run, (tool, asked) => answerWith(tool, asked, { id, answer }, options)),
    );
  if (answer === "decline") command.option("--reason <text>", "why, for the journal");
}

export type AnswerOptions = { readonly yes?: boolean; readonly reason?: string };
type Answering = { readonly id: string; readonly answer: PlanAnswer };

/** A plan can also be declined while the bot is stopped, so that it does not run after a resume. */
export async function answerWith(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  { id, answer }: Answering,
  options: AnswerOptions,
): Promise<ExitCode> {
  const isApproval = answer === "approve";
  if (isApproval) requireActive(tool);
  const { plans, known, people, wish } = showToPerson(tool, shell, id);
  const wider = isApproval ? tool.widerLimits(WHO_APPROVES) : undefined;
  if (wider !== undefined) throw new CommandFailure(exitCode.refused, `${wider}; nothing was changed`, NOT_WIDER);
  const reason = isApproval ? "" : await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: answer, yes: options.yes });
  const now = () => tool.now().at;
  const said = isApproval
    ? { ...(await recordApproval(plans, people, wish, now)), ...tooFew(tool, known) }
    : await recordDecline(plans, people, { ...wish, reason }, now);
  if (shell.terminal.wantsJson) shell.terminal.json({ id, ...said });
  else shell.terminal.print(`${answer}d  ${id}  by ${said.by}; ${said.text}`);
  return exitCode.done;
}

/** A bot with the current configuration does not start a plan made for fewer approvals. */
function tooFew({ config }: Pick<MoneyCommand, "config">, { plan }: LoggedPlan) {
  const { persons } = config.treasury.approvals;
  const text = `that does not suffice: it is for ${plan.persons} to approve, and treasury.approvals.persons is ${persons} now; a running bot withdraws its own, and proposes it anew`;
  return plan.persons < persons && { ready: false, text };
}

function showToPerson(
  tool: MoneyCommand,
  shell: Shell,
  id: string,
): { plans: Plans; known: LoggedPlan; people: readonly Approver[]; wish: Answered } {
  const plans = openPlans(tool);
  const known = plans.log.get(id);
  const people = tool.config.treasury.approvals.people;
  if (known === undefined) throw unknownPlan(id, plans.log.waiting(tool.now().at));
  show(shell, known);
  // At current holdings, so that the person sees changes since the plan was made.
  const now = holdingsFor(known.plan, tool.tradingCore, treasuryTermsOf(tool.config), tool.now().at);
  const holdings = holdingsAfterSteps(contentOf(known.plan).steps, now);
  showHoldings(shell, holdings);
  if (!isWish(known.plan) && holdings.every(({ missingBefore }) => missingBefore.isZero()))
    shell.terminal.note(UNNEEDED);
  const { digest } = known.plan;
  return { plans, known, people, wish: { id, digest, by: personHere() } };
}

function show({ terminal, clock }: Shell, { plan, approvals }: LoggedPlan): void {
  const { steps, cost, currency, isWish } = contentOf(plan);
  terminal.note(
    `plan      ${plan.id} by ${printable(plan.by, 64)}, until ${new Date(plan.expiresAt).toISOString()}, ${durationText(plan.expiresAt - clock.now())} from now`,
  );
  for (const [index, step] of steps.entries()) terminal.note(`step ${index + 1}    ${stepText(step)}`);
  if (isWish === true) terminal.note(`why       ${printable(plan.why ?? "no reason was given", 300)}`);
  else terminal.note(`cost      at most ${amountText(cost)} ${currency} at fair value`);
  terminal.note(`approved  by ${approvals.map(({ by }) => printable(by, 64)).join(", ") || "nobody yet"}`);
}

function showHoldings({ terminal }: Shell, holdings: readonly HoldingChange[]): void {
  for (const { holding, band, before, after, missingBefore, missingAfter } of holdings) {
    // Registering a rail moves nothing.
    if (band === undefined && before.equals(after)) continue;
    const mark = (missing: Money): string => (missing.isZero() ? "" : " (outside)");
    const edges = band === undefined ? "" : `, its band is ${bandText(band)}`;
    const [now, then] = [amountText(String(before)), amountText(String(after))];
    terminal.note(`holding   ${holding}: now ${now}${mark(missingBefore)}, after ${then}${mark(missingAfter)}${edges}`);
  }
}

const UNNEEDED =
  "needed    no: every holding is in its band now, and the running bot withdraws what is no longer needed";

function unknownPlan(id: string, waiting: readonly LoggedPlan[]): CommandFailure {
  const ids = waiting.map(({ plan }) => plan.id);
  return usageFailure(
    `the journal knows no plan ${printable(id, 64)}`,
    ids.length === 0 ? "no plan waits for approval" : `waiting are ${ids.slice(0, 10).join(", ")}`,
  );
}
