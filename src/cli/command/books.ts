// `status`, `adopt` and `resolve`: how the books stand, and what a person may do about them.

import type { Command } from "commander";
import type { AdoptOptions } from "../action/adopt.ts";
import type { ResolveOptions } from "../action/resolve/closing.ts";
import type { StatusOptions } from "../action/status.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

export function registerBooks(program: Command, run: Run): void {
  program
    .command("status")
    .helpGroup(group.trading)
    .description("state and way out, holdings, open orders, last decisions; also while no bot runs")
    .option("--json", "print as JSON")
    .action((options: StatusOptions) =>
      run(async (shell) => (await import("../action/status.ts")).status(shell, options)),
    );
  program
    .command("adopt")
    .helpGroup(group.trading)
    .description("show venue against journal, and take the difference over when a person accepts it")
    .option("--reason <text>", "what the difference is, for the journal")
    .option(
      "--beside <id...>",
      "the difference is other money than that of this order, mint or payment, which is open or young",
    )
    .option("--gone <asset...>", "the venue no longer lists this asset, and confirms that nothing of it is left")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the comparison as JSON")
    .action((options: AdoptOptions) =>
      run(async (shell) => (await import("../action/adopt.ts")).adopt(shell, options)),
    );
  program
    .command("resolve")
    .helpGroup(group.trading)
    .description("close an order, mint, rail or payment that evidence could not decide, with the venue's own record")
    .argument("<id>", "as status shows it")
    .option("--filled", "it happened: the fill is taken from the venue's trades, or from the amounts below")
    .option("--not-filled", "it did not happen, or is listed as what its fill cannot be: adopt then takes that over")
    .option("--landed", "a mint, rail or payment: it happened, by the venue's list or by the id below")
    .option("--not-landed", "a mint, rail or payment: it did not happen, or was given back")
    .option("--venue-confirms", "the venue has confirmed it in writing, though its balances do not show it")
    .option("--venue-id <id>", "the venue's own id of the mint request or the rail")
    .option("--spent <amount>", 'what a mint took, fee included: "120120 CHF"')
    .option("--reason <text>", "how this is known, for the journal")
    .option("--bought <amount>", 'what it brought, as the portal shows it: "100 VCHF"')
    .option("--sold <amount>", 'what it took: "99.98 CHF"')
    .option("--fee <amount>", 'what it cost: "0.02 CHF"')
    .option("--order-id <id>", "the venue's own order id")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print how it was closed as JSON")
    .action((id: string, options: ResolveOptions) =>
      run(async (shell) => (await import("../action/resolve.ts")).resolve(shell, id, options)),
    );
}
