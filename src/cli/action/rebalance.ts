// `rebalance`: the cheapest way to bring every pot within its band, with what else could be done. With --execute a person has
// it carried out; where two must approve, it is kept for the second one.

import { IDLE } from "../../bot/start-up.ts";
import { millis } from "../../domain/time.ts";
import type { ApprovalRecord } from "../../journal/record.ts";
import { planRecord } from "../../treasury/approval/plan-content.ts";
import { approvalRefusal } from "../../treasury/approval/plan-log.ts";
import type { Plan } from "../../treasury/plan/plan.ts";
import { propose } from "../../treasury/plan/situation.ts";
import { CommandFailure } from "../command-failure.ts";
import { personHere, requireConfirmation } from "../confirmation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";
import { openPlans } from "../tool/plans.ts";
import { requireActive, type Tool, withTool } from "../tool/tool.ts";
import { treasuryTermsOf } from "../treasury-terms.ts";
import type { Person } from "./mint.ts";
import { execute, personOf } from "./rebalance/execute.ts";
import { proposalJson } from "./rebalance/proposal-json.ts";
import { showProposal } from "./rebalance/show-proposal.ts";
import { survey } from "./rebalance/survey.ts";

export type RebalanceOptions = { readonly json?: boolean; readonly execute?: boolean; readonly yes?: boolean };

export async function rebalance(
  shell: Shell,
  options: RebalanceOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  if (options.json === true && options.execute === true)
    throw new CommandFailure(exitCode.usage, "--json shows a plan and --execute carries one out: one of them");
  const stop = shell.stopSignal();
  return withTool(shell, { strategy: IDLE, books: "existing" }, async (tool) => {
    const terms = treasuryTermsOf(tool.config);
    if (terms.targets.length === 0)
      throw new CommandFailure(
        exitCode.usage,
        "there are no targets to reach",
        "name them in treasury.targets: docs/TREASURY.md says how",
      );
    const proposal = propose(await survey(tool, terms));
    if (!proposal.ok) throw new CommandFailure(exitCode.failed, `no plan can be made: ${proposal.error}`);
    if (options.json) shell.terminal.json(proposalJson(proposal.value));
    else showProposal(shell.terminal, proposal.value);
    const { plan } = proposal.value;
    if (options.execute !== true || plan.steps.length === 0) return exitCode.done;
    requireActive(tool);
    await requireConfirmation(shell, prompts, { word: "rebalance", yes: options.yes });
    return carryOut(tool, { shell, prompts, stop }, plan);
  });
}

/** The plan and this person's approval are journaled before its first step. */
async function carryOut(tool: Tool, person: Person, plan: Plan): Promise<ExitCode> {
  const { terminal } = person.shell;
  const { expiryMs, persons, people } = tool.config.treasury.approvals;
  const { at } = tool.now();
  const by = personHere();
  const record = planRecord(plan, { at, expiresAt: millis(at + expiryMs), persons, by });
  const approval: ApprovalRecord = {
    kind: "approval",
    at,
    id: record.id,
    digest: record.digest,
    by,
    signature: undefined,
  };
  const plans = openPlans(tool);
  await plans.write(() => [record]);
  // Someone who approves with a key does so by `approve`, where the key is.
  const refusal = approvalRefusal(plans.log.get(record.id) ?? asNew(record), approval, people.map(personOf), at);
  if (refusal === undefined) await plans.write(() => [approval]);
  const given = refusal === undefined ? 1 : 0;
  if (given < persons) {
    terminal.print(`waiting  ${record.id}  ${refusal ?? `approved by ${by}`}; ${persons - given} more must approve it`);
    terminal.print(`next: pegbot approve ${record.id}, by somebody else; the running bot carries it out`);
    return exitCode.refused;
  }
  return execute(tool, person, plans, record);
}

function asNew(plan: ReturnType<typeof planRecord>) {
  return { plan, approvals: [], begunBy: undefined, progress: [] };
}
