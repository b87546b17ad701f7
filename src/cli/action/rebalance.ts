// `rebalance`: the cheapest way to bring every holding within its band, with what else could be done. With --execute a person has
// it carried out; where two must approve, it is kept for the second one.

import { type PlanTerms, planRecord } from "../../treasury/approval/plan-content.ts";
import type { Plan } from "../../treasury/plan/plan.ts";
import { propose } from "../../treasury/plan/situation.ts";
import { CommandFailure } from "../command-failure.ts";
import { treasuryTermsOf } from "../config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { type Person, requireConfirmation } from "../terminal/confirmation.ts";
import { terminalPrompts } from "../terminal/prompts.ts";
import { openPlans } from "../tool/plans.ts";
import { proposalOf, proposedTerms } from "../tool/proposal.ts";
import { requireMaySend, type Tool } from "../tool/tool.ts";
import { withOpenBooks } from "../tool/with-open-books.ts";
import { execute, type SayPlan } from "./rebalance/execute.ts";
import { proposalJson } from "./rebalance/proposal-json.ts";
import { showProposal } from "./rebalance/show-proposal.ts";
import { survey } from "./rebalance/survey.ts";

export type RebalanceOptions = {
  readonly json?: boolean;
  readonly execute?: boolean;
  readonly yes?: boolean;
  /** Coins that are off their peg are sold, too. */
  readonly offPeg?: boolean;
};

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
  const proposal = propose(await survey(tool, terms, options.offPeg));
  if (!proposal.ok) throw new CommandFailure(exitCode.failed, `no plan can be made: ${proposal.error}`);
  const { plan, unvalued: without } = proposal.value;
  const isExecuted = options.execute === true && plan.steps.length > 0;
  if (options.json && !isExecuted) shell.terminal.json(proposalJson(proposal.value));
  else showProposal(shell.terminal, proposal.value);
  if (!isExecuted) return exitCode.done;
  requireMaySend(tool);
  await requireConfirmation(shell, prompts, { word: "rebalance", yes: options.yes });
  return carryOut(tool, person, { plan, without }, options);
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
async function carryOut(
  tool: Tool,
  person: Person,
  { plan, without }: Made,
  options: RebalanceOptions,
): Promise<ExitCode> {
  const say = sayerOf(person.shell, options);
  const proposal = proposalOf(planRecord(plan, { ...proposedTerms(tool), without }), tool);
  const { known, records, text, next } = proposal;
  const plans = openPlans(tool);
  if (proposal.isApproved) return execute(tool, person, plans, known, { say, offPeg: options.offPeg === true });
  await plans.write(() => records);
  say("waiting", known.plan.id, text);
  person.shell.terminal.print(next);
  return exitCode.refused;
}
