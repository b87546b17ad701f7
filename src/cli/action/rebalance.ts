// `rebalance`: the cheapest way to bring every pot within its band, with what else could be done. With --execute a person has
// it carried out; where two must approve, it is kept for the second one.

import { millis } from "../../domain/time.ts";
import type { ApprovalRecord, PlanRecord } from "../../journal/record.ts";
import { type PlanTerms, planRecord } from "../../treasury/approval/plan-content.ts";
import { approvalRefusal, type LoggedPlan } from "../../treasury/approval/plan-log.ts";
import type { Plan } from "../../treasury/plan/plan.ts";
import { propose } from "../../treasury/plan/situation.ts";
import { CommandFailure } from "../command-failure.ts";
import { treasuryTermsOf } from "../config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { type Person, personHere, requireConfirmation } from "../terminal/confirmation.ts";
import { terminalPrompts } from "../terminal/prompts.ts";
import { openPlans } from "../tool/plans.ts";
import { requireMaySend, type Tool } from "../tool/tool.ts";
import { withOpenBooks } from "../tool/with-open-books.ts";
import { execute, personOf, type SayPlan } from "./rebalance/execute.ts";
import { proposalJson } from "./rebalance/proposal-json.ts";
import { showProposal } from "./rebalance/show-proposal.ts";
import { survey } from "./rebalance/survey.ts";

export type RebalanceOptions = { readonly json?: boolean; readonly execute?: boolean; readonly yes?: boolean };

export async function rebalance(shell: Shell, options: RebalanceOptions): Promise<ExitCode> {
  const stop = shell.stopSignal();
  return withOpenBooks(shell, (tool) => rebalanceWith(tool, { shell, prompts: terminalPrompts, stop }, options));
}

export async function rebalanceWith(tool: Tool, person: Person, options: RebalanceOptions): Promise<ExitCode> {
  const { shell, prompts } = person;
  const terms = treasuryTermsOf(tool.config);
  if (terms.targets.length === 0)
    throw new CommandFailure(
      exitCode.usage,
      "there are no targets to reach",
      "name them in treasury.targets: docs/TREASURY.md says how",
    );
  const proposal = propose(await survey(tool, terms));
  if (!proposal.ok) throw new CommandFailure(exitCode.failed, `no plan can be made: ${proposal.error}`);
  const { plan, unvalued: without } = proposal.value;
  const isExecuted = options.execute === true && plan.steps.length > 0;
  if (options.json && !isExecuted) shell.terminal.json(proposalJson(proposal.value));
  else showProposal(shell.terminal, proposal.value);
  if (!isExecuted) return exitCode.done;
  requireMaySend(tool);
  await requireConfirmation(shell, prompts, { word: "rebalance", yes: options.yes });
  return carryOut(tool, person, { plan, without }, sayerOf(shell, options));
}

/** What became of the plan, in the form of one order, mint or rail. */
function sayerOf({ terminal }: Shell, { json }: RebalanceOptions): SayPlan {
  return (outcome, id, text) => {
    if (json) terminal.json({ id, outcome, text });
    else terminal.print(`${outcome.padEnd("stopped".length)}  ${id}  ${text}`);
  };
}

type Made = { readonly plan: Plan } & Pick<PlanTerms, "without">;

/** The plan and this person's approval are journaled before its first step. */
async function carryOut(tool: Tool, person: Person, { plan, without }: Made, say: SayPlan): Promise<ExitCode> {
  const { terminal } = person.shell;
  const { expiryMs, persons } = tool.config.treasury.approvals;
  const people = tool.config.treasury.approvals.people.map(personOf);
  const { at } = tool.now();
  const by = personHere();
  const record = planRecord(plan, { at, expiresAt: millis(at + expiryMs), persons, by, without });
  const { id, digest } = record;
  const approval: ApprovalRecord = { kind: "approval", at, id, digest, by, signature: undefined };
  const plans = openPlans(tool);
  // Someone who approves with a key does so by `approve`, where the key is.
  const refusal = approvalRefusal(asNew(record), approval, people, at);
  const given = refusal === undefined ? 1 : 0;
  if (given >= persons) return execute(tool, person, plans, { ...asNew(record), approvals: [approval] }, say);
  await plans.write(() => (refusal === undefined ? [record, approval] : [record]));
  say("waiting", id, `${refusal ?? `approved by ${by}`}; ${persons - given} more must approve it`);
  const who = refusal === undefined ? "by somebody else" : "by somebody who may";
  terminal.print(`next: pegbot approve ${id}, ${who}; the running bot carries it out`);
  return exitCode.refused;
}

function asNew(plan: PlanRecord): LoggedPlan {
  return { plan, approvals: [], begunBy: undefined, progress: [] };
}
