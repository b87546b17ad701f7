// `adopt`: a person accepts the balances and history that the venue has and the journal does not.

import { type Command, Option } from "commander";
import type { Run } from "../../app/shell.ts";
import type { AdoptInput } from "../../operation/adopt.ts";
import { asking } from "../asking.ts";

export function defineAdopt(command: Command, run: Run): void {
  command
    .option("--reason <text>", "what the difference is, for the journal")
    .option(
      "--beside <id...>",
      "the difference is other money than that of this order, mint or payment, which is open or young",
    )
    .addOption(
      new Option("--shown <how much>", "how much of what is open the balances show already").choices(["none", "all"]),
    )
    .option("--gone <asset...>", "the venue no longer lists this asset, and confirms that nothing of it is left")
    .option("--yes", "confirm without a terminal")
    .action(({ yes, json: _, ...input }: AdoptInput & { readonly yes?: boolean; readonly json?: boolean }) =>
      asking(run, { name: "adopt", input }, { yes }),
    );
}
