// `approve ID` and `decline ID`: a person approves a plan exactly as recorded, before it expires, or declines one that
// has not started. The running bot executes it after enough approvals; one decline ends it.

import type { Command } from "commander";
import { ownerConfig } from "../../app/config/bot-config.ts";
import type { Ask } from "../../app/owner/client.ts";
import { withOwner } from "../../app/owner/with-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { amountText } from "../../domain/amount-text.ts";
import { CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { durationText } from "../../domain/time-text.ts";
import { personHere } from "../../operation/person.ts";
import type { WaitingPlan } from "../../operation/plan.ts";
import { contentOf, linesOf } from "../../treasury/approval/plan-content.ts";

const HELP = `
Agrees to exactly the plan that is shown, at the worst cost that is named,
before it expires; the running bot carries it out once, when enough different
people have. The user at this terminal counts as one: others approve by their
own token (pegbot token), on the page.`;

type PlanAnswer = "approve" | "decline";

const DECLINE_HELP = `
Ends a plan that is not begun, also one that was approved. Each person who may
approve may decline, and one decline ends it. After a no to a plan of its own the bot makes
none for an hour.`;

export function defineAnswer(command: Command, run: Run): void {
  const answer = command.name() as PlanAnswer;
  command
    .argument("<id>", "id of the plan, R-...")
    .option("--yes", "confirm without a terminal")
    .addHelpText("after", answer === "approve" ? HELP : DECLINE_HELP)
    .action((id: string, options: AnswerOptions) =>
      run((shell) => {
        const stop = shell.stopSignal();
        const order = { config: ownerConfig(shell), isHeld: true };
        return withOwner(shell, order, stop, (ask) => answered(shell, ask, { id, answer }, options));
      }),
    );
  if (answer === "decline") command.option("--reason <text>", "why, for the journal");
}

type AnswerOptions = { readonly yes?: boolean; readonly reason?: string };
type Answering = { readonly id: string; readonly answer: PlanAnswer };

/** A plan can also be declined while the bot is stopped, so that it does not run after a resume. */
export async function answered(
  shell: Shell,
  ask: Ask,
  { id, answer }: Answering,
  { yes, reason: given }: AnswerOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const { plans } = await value<{ plans: readonly WaitingPlan[] }>(ask, "plans", undefined);
  const plan = plans.find((one) => one.id === id);
  if (plan === undefined) throw unknownPlan(id, plans);
  show(shell, plan);
  const reason = answer === "decline" ? { reason: await requireReason(shell, prompts, given) } : {};
  await requireConfirmation(shell, prompts, { word: answer, yes });
  const input = { id, digest: plan.digest, by: personHere(), confirm: answer, ...reason };
  const done = await value<{ by: string; text: string }>(ask, answer, input);
  if (shell.terminal.wantsJson) shell.terminal.json(done);
  else shell.terminal.print(`${answer}d  ${id}  by ${done.by}; ${done.text}`);
  return exitCode.done;
}

async function value<T>(ask: Ask, name: string, input: unknown): Promise<T> {
  const last = await ask(name, { by: personHere(), input }, () => undefined);
  // A plan that cannot be answered is refused.
  const exit = last.kind === "failed" && last.exit === exitCode.failed ? exitCode.refused : undefined;
  if (last.kind === "failed") throw new CommandFailure(exit ?? (last.exit as ExitCode), last.error, last.next);
  if (last.kind === "answer") return last.value as T;
  throw plainFailure("the owner of the key answered with a preview");
}

function show({ terminal, clock }: Shell, plan: WaitingPlan): void {
  const { cost, currency, isWish } = contentOf(plan);
  terminal.note(
    `plan      ${plan.id} by ${printable(plan.by, 64)}, until ${new Date(plan.expiresAt).toISOString()}, ${durationText(plan.expiresAt - clock.now())} from now`,
  );
  for (const [index, line] of linesOf(plan).entries()) terminal.note(`step ${index + 1}    ${line}`);
  if (isWish === true) terminal.note(`why       ${printable(plan.why ?? "no reason was given", 300)}`);
  else terminal.note(`cost      at most ${amountText(cost)} ${currency} at fair value`);
  terminal.note(`approved  by ${plan.approvals.map(({ by }) => printable(by, 64)).join(", ") || "none so far"}`);
  for (const { holding, now, after, low, high, missingNow, missingAfter } of plan.holdings) {
    const hasBand = low !== undefined || high !== undefined;
    // Registering a rail moves nothing.
    if (!hasBand && now === after) continue;
    const mark = (missing: string): string => (Number(missing) === 0 ? "" : " (outside)");
    const edges = hasBand ? `, its band is ${edge(low)} to ${edge(high)}` : "";
    terminal.note(
      `holding   ${holding}: now ${amountText(now)}${mark(missingNow)}, after ${amountText(after)}${mark(missingAfter)}${edges}`,
    );
  }
  if (isWish !== true && plan.holdings.every(({ missingNow }) => Number(missingNow) === 0)) terminal.note(UNNEEDED);
}

function edge(amount: string | undefined): string {
  return amount === undefined ? "any" : amountText(amount, 0).replace(/\.$/, "");
}

const UNNEEDED =
  "needed    no: every holding is in its band now, and the running bot withdraws what is no longer needed";

function unknownPlan(id: string, waiting: readonly WaitingPlan[]): CommandFailure {
  const ids = waiting.map((plan) => plan.id);
  return usageFailure(
    `no plan ${printable(id, 64)} waits`,
    ids.length === 0 ? "no plan waits for approval" : `waiting are ${ids.slice(0, 10).join(", ")}`,
  );
}
