// `limits reload`: the limits of a running bot, without a restart.

import type { Command } from "commander";
import type { ReloadOptions } from "../action/limits-reload.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const HELP = `
The running bot reads its configuration again, takes over at once what is
tighter than what it goes by, and journals what changed and who asked. SIGHUP to
a bot without a terminal does the same. A widening is refused: it counts from
the next start on. Ends with 0 in force, 1 the bot did not answer, 2 mistakes in
the configuration, 3 some limit is not tighter, and was not taken over.`;

export function registerLimits(program: Command, run: Run): void {
  program
    .command("limits")
    .helpGroup(group.trading)
    .description("the limits that a running bot goes by")
    .command("reload")
    .description("have the running bot take over what the configuration has tighter by now")
    .option("--json", "print what was taken over, and what was refused, as JSON")
    .addHelpText("after", HELP)
    .action((options: ReloadOptions) =>
      run(async (shell) => (await import("../action/limits-reload.ts")).reloadLimits(shell, options)),
    );
}
