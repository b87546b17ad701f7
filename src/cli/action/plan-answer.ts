// What `approve` and `decline` share: the plan that a person answers, as it stands now, and whose answer it is.

import { readFileSync } from "node:fs";
import { amountText } from "../../domain/amount-text.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import { durationText } from "../../domain/time-text.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { contentOf, isWish, stepText } from "../../treasury/approval/plan-content.ts";
import { type Approver, type LoggedPlan, type PlanAnswer, signDigest } from "../../treasury/approval/plan-log.ts";
import { bandText, type HoldingChange, type HoldingsNow, holdingsAfter } from "../../treasury/approval/plan-need.ts";
import { holdingsFor } from "../../treasury/rebalancer/treasury-view.ts";
import { CommandFailure } from "../command-failure.ts";
import { treasuryTermsOf } from "../config/treasury-terms.ts";
import { exitCode } from "../exit-code.ts";
import type { Answered } from "../journal/approval.ts";
import type { Shell } from "../shell.ts";
import { personHere } from "../terminal/confirmation.ts";
import { openPlans, type Plans } from "../tool/plans.ts";
import { personOf } from "../tool/proposal.ts";
import type { Tool } from "../tool/tool.ts";

export type AnswerOptions = { readonly key?: string; readonly yes?: boolean; readonly json?: boolean };

export type ShownToPerson = {
  readonly plans: Plans;
  readonly known: LoggedPlan;
  readonly people: readonly Approver[];
  readonly wish: Answered;
};

export function showToPerson(
  tool: Tool,
  shell: Shell,
  { id, answer, key }: { readonly id: string; readonly answer: PlanAnswer; readonly key: string | undefined },
): ShownToPerson {
  const plans = openPlans(tool);
  const known = plans.log.get(id);
  const people = tool.config.treasury.approvals.people.map(personOf);
  if (known === undefined) throw unknownPlan(id, plans.log.waiting(tool.now().at));
  show(shell, known);
  const holdings = holdingsAfter(contentOf(known.plan).steps, holdingsNow(tool, known.plan));
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

/** By the books, as the bot sees it: whoever answers sees what has happened since the plan was made. */
function holdingsNow({ desk, config, now }: Tool, plan: PlanRecord): HoldingsNow {
  return holdingsFor(plan, desk, treasuryTermsOf(config), now().at);
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
    throw new CommandFailure(exitCode.usage, `${printable(file, 200)} must be a readable private key in PEM`);
  }
}

function unknownPlan(id: string, waiting: readonly LoggedPlan[]): CommandFailure {
  const ids = waiting.map(({ plan }) => plan.id);
  return new CommandFailure(
    exitCode.usage,
    `the journal knows no plan ${printable(id, 64)}`,
    ids.length === 0 ? "no plan waits for approval" : `waiting are ${ids.slice(0, 10).join(", ")}`,
  );
}

export function refused(why: string): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`);
}
