// `start`: the bot without any configuration.

import type { Command } from "commander";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

export function registerStart(program: Command, run: Run): void {
  program
    .command("start")
    .helpGroup(group.trading)
    .description("say what pegbot can do so far")
    .action(() => run(async (shell) => (await import("../action/start.ts")).start(shell)));
}
