// `rebalance`: the cheapest way to bring every pot within its band, with what else could be done; a plan only.

import { IDLE } from "../../bot/start-up.ts";
import { propose } from "../../treasury/plan/situation.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { withTool } from "../tool/tool.ts";
import { treasuryTermsOf } from "../treasury-terms.ts";
import { proposalJson } from "./rebalance/proposal-json.ts";
import { showProposal } from "./rebalance/show-proposal.ts";
import { survey } from "./rebalance/survey.ts";

export type RebalanceOptions = { readonly json?: boolean };

export async function rebalance(shell: Shell, options: RebalanceOptions): Promise<ExitCode> {
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
    return exitCode.done;
  });
}
