// `mint` and `rail`: the slow doors, for a person.

import type { Command } from "commander";
import type { MintOptions } from "../action/mint.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const MINT_HELP = `
Pays from the coin's own fiat, at once; the coins settle hours later. The last
decimals of the quantity are made recognisable, never above what was asked for.
It is sent once. One mint of a coin at a time; a running bot follows it.
Ends with 0 accepted (with --wait: settled), 3 refused by a rule or by the venue,
4 unknown or held (money may have moved), 5 halted or killed.`;

export function registerTreasury(program: Command, run: Run): void {
  program
    .command("mint")
    .helpGroup(group.treasury)
    .description("new coins against fiat on account")
    .argument("<asset>", "VCHF, for example")
    .requiredOption("--chain <code>", "chain, ETH for example")
    .requiredOption("--quantity <qty>", "units of the coin, a decimal")
    .option("--to <name>", "a wallet of treasury.destinations; the own balance unless set")
    .option("--exact", "send the quantity as it stands; it is then harder to recognise")
    .option("--wait", "follow it until it has settled or is held")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", MINT_HELP)
    .action((asset: string, options: MintOptions) =>
      run(async (shell) => (await import("../action/mint.ts")).mint(shell, asset, options)),
    );
}
