// `mint ASSET --chain C --quantity Q`: mints coins for a person, through the owner of the key.

import type { Command } from "commander";
import type { Run } from "../../app/shell.ts";
import type { MintInput } from "../../operation/mint.ts";
import { type AskOptions, asking } from "../asking.ts";
import { declareMovement, followed, type MovementOptions } from "../option/movement.ts";

const HELP = `
Pays from the coin's own fiat, at once; the coins settle hours later. With
--spend "1.7 BTC" it pays in crypto that the venue converts first, never more
than that, fee included. The last decimals of the quantity are made
recognisable: at most a 100,000th less.
It is sent once. One mint of a coin at a time; a running bot follows it.
With --propose nothing is sent: where two people must approve, it waits as a
plan for pegbot approve of another, and the running bot carries it out.
Ends with 0 accepted (with --wait: settled; with --propose: it waits), 1 not
sent though nobody refused it (nothing moved: try again), 3 refused by a rule or
by the venue, 4 unknown or held (money may have moved), 5 halted or killed.`;

export function defineMint(command: Command, run: Run): void {
  command
    .argument("<asset>", "VCHF, for example")
    .requiredOption("--chain <code>", "chain, ETH for example")
    .requiredOption("--quantity <qty>", "units of the coin, a decimal")
    .option("--to <name>", "a wallet of treasury.destinations; own balance unless set")
    .option("--spend <amount>", 'pay with another asset, at most so much: "1.7 BTC"')
    .option("--exact", "send the quantity as it stands; it is then harder to recognise")
    .action((asset: string, options: MintOptions & AskOptions) =>
      asking(run, { name: "mint", input: inputOf(asset, options) }, options),
    );
  declareMovement(command, HELP);
}

type MintOptions = MovementOptions & {
  readonly chain: string;
  readonly quantity: string;
  readonly to?: string;
  readonly exact?: boolean;
  readonly spend?: string;
};

function inputOf(asset: string, options: MintOptions): MintInput {
  const { chain, quantity, to, exact, spend, wait, reason, propose } = options;
  return { asset, chain, quantity, to, exact, spend, wait: followed(options) && wait, propose, reason };
}
