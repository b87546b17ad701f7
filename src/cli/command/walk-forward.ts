// `walk-forward`: parameters chosen over one time, judged over the next, again and again.

import type { Command } from "commander";
import type { WalkForwardFlags } from "../action/walk-forward.ts";
import { group } from "../command-group.ts";
import { duration } from "../option/data-options.ts";
import { declarePlan } from "../option/plan-options.ts";
import { declareRunners, declareSearch } from "../option/search-options.ts";
import type { Run } from "../shell.ts";

export function registerWalkForward(program: Command, run: Run): void {
  const command = program
    .command("walk-forward")
    .helpGroup(group.research)
    .description("parameters chosen over one time (--param edgeBps=1..10:1) and judged over the next, window by window")
    .option(
      "--strategy <name>",
      "a built-in strategy or a .ts or .js file; otherwise that of --config, or peg-arbitrage",
    )
    .option("--train <time>", "how long parameters are chosen over, for example 20d", duration, 86_400_000 * 10)
    .option("--test <time>", "how long each choice is judged, right after", duration, 86_400_000 * 5)
    .option("--purge <time>", "left out between the two", duration)
    .option("--anchored", "every choice is made over all the time from the beginning, instead of the last --train");
  declareRunners(declareSearch(command))
    .option("--db <file>", "where results are kept, a name that ends in .db", "walk-forward.db")
    .option("--out <file>", "the report, a name that ends in .html", "walk-forward.html")
    .option("--json", "print windows and figures as JSON instead of the table");
  declarePlan(command).action((flags: WalkForwardFlags) =>
    run(async (shell) => (await import("../action/walk-forward.ts")).walkForward(shell, flags)),
  );
}
