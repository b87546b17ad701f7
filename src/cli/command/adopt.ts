// `adopt`: what the venue has and the journal does not, taken over by a person.

import type { Command } from "commander";
import type { Run } from "../../app/shell.ts";
import { type AdoptOptions, adopt } from "../action/adopt.ts";

export function defineAdopt(command: Command, run: Run): void {
  command
    .option("--reason <text>", "what the difference is, for the journal")
    .option(
      "--beside <id...>",
      "the difference is other money than that of this order, mint or payment, which is open or young",
    )
    .option("--gone <asset...>", "the venue no longer lists this asset, and confirms that nothing of it is left")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the comparison as JSON")
    .action((options: AdoptOptions) => run((shell) => adopt(shell, options)));
}
