// `status`: how the bot stands, running or not.

import type { Command } from "commander";
import type { Run } from "../../app/shell.ts";
import { type StatusOptions, status } from "../action/status.ts";

export function defineStatus(command: Command, run: Run): void {
  command.option("--json", "print as JSON").action((options: StatusOptions) => run((shell) => status(shell, options)));
}
