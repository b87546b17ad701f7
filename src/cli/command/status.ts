// `status`: how the bot stands, running or not.

import type { Command } from "commander";
import { type StatusOptions, status } from "../action/status.ts";
import type { Run } from "../shell.ts";

export function defineStatus(command: Command, run: Run): void {
  command.option("--json", "print as JSON").action((options: StatusOptions) => run((shell) => status(shell, options)));
}
