// `mint` and `rail`: the slow doors, for a person.

import type { Command } from "commander";
import type { MintOptions } from "../action/mint.ts";
import type { RailOptions } from "../action/rail.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const MINT_HELP = `
Pays from the coin's own fiat, at once; the coins settle hours later. The last
decimals of the quantity are made recognisable, never above what was asked for.
It is sent once. One mint of a coin at a time; a running bot follows it.
With --propose nothing is sent: where two people must approve, it waits as a
plan for pegbot approve of another, and the running bot carries it out.
Ends with 0 accepted (with --wait: settled; with --propose: it waits), 1 not
sent though nobody refused it (nothing moved: try again), 3 refused by a rule or
by the venue, 4 unknown or held (money may have moved), 5 halted or killed.`;

const RAIL_HELP = `
A template of treasury.rails has everything; flags beat it. Destinations stand
in treasury.destinations, and a wallet must be whitelisted and confirmed at the
venue. It is sent once; the same content a second time needs --another.
With --propose nothing is sent: where two people must approve, the template
waits as a plan for pegbot approve of another, and the running bot registers it.
Ends with 0 accepted (with --wait: working; with --propose: it waits), 1 not
sent though nobody refused it (try again), 2 something is missing or unreadable,
3 refused by a rule or by the venue, 4 unknown or held, 5 halted or killed.`;

export function registerTreasury(program: Command, run: Run): void {
  program
    .command("mint")
    .helpGroup(group.treasury)
    .description("new coins against fiat on account")
    .argument("<asset>", "VCHF, for example")
    .requiredOption("--chain <code>", "chain, ETH for example")
    .requiredOption("--quantity <qty>", "units of the coin, a decimal")
    .option("--to <name>", "a wallet of treasury.destinations; own balance unless set")
    .option("--reason <text>", "why, for the journal")
    .option("--exact", "send the quantity as it stands; it is then harder to recognise")
    .option("--wait", "follow it until it has settled or is held")
    .option("--propose", "send nothing: propose it as a plan, for others to approve")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", MINT_HELP)
    .action((asset: string, options: MintOptions) =>
      run(async (shell) => (await import("../action/mint.ts")).mint(shell, asset, options)),
    );
  const rail = program
    .command("rail")
    .helpGroup(group.treasury)
    .description("payment rails: fiat to coins (on), coins to fiat (off)");
  registerRail(rail, run, "on", "register a rail from a bank account to a wallet");
  registerRail(rail, run, "off", "register a rail from coins to a bank account");
}

function registerRail(parent: Command, run: Run, direction: "on" | "off", about: string): void {
  const command = parent
    .command(direction)
    .description(about)
    .argument("[template]", "name of a template in treasury.rails")
    .option("--asset <coin>", "VCHF, for example")
    .option("--currency <fiat>", "the coin's own fiat unless set")
    .option("--chain <code>", "chain, ETH for example")
    .option("--to <name>", `a ${direction === "on" ? "wallet" : "bank account"} of treasury.destinations`)
    .option("--sender-name <name>", "legal name of the sender")
    .option("--sender-country <code>", "two capital letters")
    .option("--sender-type <type>", "what the sender is, company unless set")
    .option("--reason <text>", "why, for the journal")
    .option("--another", "a second rail of the same content is meant")
    .option("--wait", "follow it until it works, is refused or is held")
    .option("--propose", "send nothing: propose it as a plan, for others to approve")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", RAIL_HELP)
    .action((template: string | undefined, options: RailOptions) =>
      run(async (shell) => (await import("../action/rail.ts")).rail(shell, direction, template, options)),
    );
  if (direction === "on") command.option("--memo <text>", "memo of the wallet, where its chain needs one");
}
