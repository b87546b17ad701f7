// `approve ID`: a person agrees to a plan that was proposed, exactly as it stands, before it expires. The running bot carries it
// out once enough people have.

import { readFileSync } from "node:fs";
import { IDLE } from "../../bot/start-up.ts";
import { potsFor } from "../../bot/treasury-sight.ts";
import { amountText, durationText } from "../../domain/amount-text.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { contentOf, stepText } from "../../treasury/approval/plan-content.ts";
import { approvalRefusal, type LoggedPlan } from "../../treasury/approval/plan-log.ts";
import { bandText, type PotChange, type Pots, potsAfter } from "../../treasury/approval/plan-need.ts";
import { signDigest } from "../../treasury/approval/signature.ts";
import { type Agreed, recordApproval } from "../approval.ts";
import { botConfig } from "../bot-config.ts";
import { CommandFailure } from "../command-failure.ts";
import { personHere, requireConfirmation } from "../confirmation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system-timers.ts";
import { openPlans } from "../tool/plans.ts";
import { requireActive, type Tool, withTool } from "../tool/tool.ts";
import { treasuryTermsOf } from "../treasury-terms.ts";
import type { Person } from "./mint.ts";
import { personOf } from "./rebalance/execute.ts";
import { whyNotBegun } from "./status/why-not-begun.ts";
import { botSays } from "./status.ts";

/** The bot looks about once a second. */
const LOOK_MS = 1_000;

export type ApproveOptions = { readonly key?: string; readonly yes?: boolean; readonly json?: boolean };

export async function approve(
  shell: Shell,
  id: string,
  options: ApproveOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  let agreed: Agreed | undefined;
  const code = await withTool(shell, { strategy: IDLE, books: "existing" }, (tool) =>
    approveWith(tool, { shell, prompts }, id, options, (given) => {
      agreed = given;
    }),
  );
  // Only the bot knows what it takes, and it reads the record first.
  if (agreed !== undefined) say(shell, id, options, await asTaken(shell, id, agreed));
  return code;
}

async function asTaken(shell: Shell, id: string, agreed: Agreed): Promise<Agreed> {
  if (!agreed.ready) return agreed;
  const config = botConfig(shell);
  const pause = (): Promise<void> => new Promise((resolve) => void systemTimers.after(LOOK_MS, resolve));
  const why = await whyNotBegun(id, () => botSays(shell, config), pause);
  return why === undefined ? agreed : { ...agreed, ready: false, text: `the running bot does not begin it: ${why}` };
}

function say({ terminal }: Shell, id: string, { json }: ApproveOptions, agreed: Agreed): void {
  if (json) terminal.json({ id, ...agreed });
  else terminal.print(`approved  ${id}  by ${agreed.by}; ${agreed.text}`);
}

export async function approveWith(
  tool: Tool,
  { shell, prompts }: Omit<Person, "stop">,
  id: string,
  options: ApproveOptions,
  tell: (agreed: Agreed) => void = (agreed) => say(shell, id, options, agreed),
): Promise<ExitCode> {
  requireActive(tool);
  const plans = openPlans(tool);
  const known = plans.log.get(id);
  const people = tool.config.treasury.approvals.people.map(personOf);
  if (known === undefined) throw unknownPlan(id, plans.log.waiting(tool.now().at));
  show(shell, known);
  showPots(shell, potsAfter(contentOf(known.plan).steps, potsNow(tool, known.plan)));
  const { digest } = known.plan;
  const signed = options.key === undefined ? undefined : signature(options.key, digest);
  // Who has a key is known by it; the name of the user on this machine proves less.
  const by = people.find(({ publicKey }) => publicKey !== undefined && publicKey === signed?.publicKey)?.name;
  const wish = { id, digest, by: by ?? personHere(), signature: signed?.signature };
  const early = approvalRefusal(known, wish, people, tool.now().at);
  if (early !== undefined) throw refused(early);
  await requireConfirmation(shell, prompts, { word: "approve", yes: options.yes });
  tell(await recordApproval(plans, people, wish, () => tool.now().at));
  return exitCode.done;
}

function show({ terminal, clock }: Shell, { plan, approvals }: LoggedPlan): void {
  const { steps, cost, currency } = contentOf(plan);
  terminal.note(
    `plan      ${plan.id} by ${printable(plan.by, 64)}, until ${new Date(plan.expiresAt).toISOString()}, ${durationText(plan.expiresAt - clock.now())} from now`,
  );
  for (const [index, step] of steps.entries()) terminal.note(`step ${index + 1}    ${stepText(step)}`);
  terminal.note(`cost      about ${amountText(cost)} ${currency}`);
  terminal.note(`approved  by ${approvals.map(({ by }) => printable(by, 64)).join(", ") || "nobody yet"}`);
}

/** By the books, as the bot sees it: whoever agrees sees what has happened since the plan was made. */
function potsNow({ desk, config, now }: Tool, plan: PlanRecord): Pots {
  return potsFor(plan, desk, treasuryTermsOf(config), now().at);
}

function showPots({ terminal }: Shell, pots: readonly PotChange[]): void {
  for (const { pot, band, now, after, missingNow, missingAfter } of pots) {
    const mark = (missing: Money): string => (missing.isZero() ? "" : " (outside)");
    const edges = band === undefined ? "" : `, its band is ${bandText(band)}`;
    const [before, then] = [amountText(String(now)), amountText(String(after))];
    terminal.note(`pot       ${pot}: now ${before}${mark(missingNow)}, after ${then}${mark(missingAfter)}${edges}`);
  }
  if (pots.every(({ missingNow }) => missingNow.isZero()))
    terminal.note("needed    no: every pot is in its band now, and the running bot withdraws what is no longer needed");
}

function signature(file: string, digest: string) {
  try {
    return signDigest(readFileSync(file, "utf8"), digest);
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

function refused(why: string): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`);
}
