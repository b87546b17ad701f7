// `rail on|off`: registers a payment rail for a person, from flags or a named template, through the owner of the key.

import type { Command } from "commander";
import type { Run } from "../../app/shell.ts";
import type { RailInput } from "../../operation/rail.ts";
import type { Direction, RailParts } from "../../treasury/rail.ts";
import { type AskOptions, asking } from "../asking.ts";
import { declareMovement, followed, type MovementOptions } from "../option/movement.ts";

const HELP = `
A template of treasury.rails has everything; flags beat it. Destinations stand
in treasury.destinations, and a wallet must be whitelisted and confirmed at the
venue. It is sent once; the same content a second time needs --another.
With --propose nothing is sent: where two people must approve, the template
waits as a plan for pegbot approve of another, and the running bot registers it.
Ends with 0 accepted (with --wait: working; with --propose: it waits), 1 not
sent though nobody refused it (try again), 2 something is missing or unreadable,
3 refused by a rule or by the venue, 4 unknown or held, 5 halted or killed.`;

export function defineRail(command: Command, run: Run): void {
  const direction = command.name() as Direction;
  command
    .argument("[template]", "name of a template in treasury.rails")
    .option("--asset <coin>", "VCHF, for example")
    .option("--currency <fiat>", "the coin's own fiat unless set")
    .option("--chain <code>", "chain, ETH for example")
    .option("--to <name>", `a ${direction === "on" ? "wallet" : "bank account"} of treasury.destinations`)
    .option("--sender-name <name>", "legal name of the sender")
    .option("--sender-country <code>", "two capital letters")
    .option("--sender-type <type>", "what the sender is, company unless set")
    .option("--another", "a second rail of the same content is meant")
    .action((template: string | undefined, options: RailOptions & AskOptions) =>
      asking(run, { name: "rail", input: inputOf({ direction, template }, options) }, options),
    );
  declareMovement(command, HELP);
  if (direction === "on") command.option("--memo <text>", "memo of the wallet, where its chain needs one");
}

type RailOptions = RailParts & MovementOptions & { readonly another?: boolean };
type Way = { readonly direction: Direction; readonly template: string | undefined };

function inputOf(way: Way, options: RailOptions): RailInput {
  const { another, wait, reason, propose } = options;
  return { ...way, ...partsOf(options), another, wait: followed(options) && wait, propose, reason };
}

function partsOf({ asset, currency, chain, to, memo, senderName, senderCountry, senderType }: RailOptions) {
  return { asset, currency, chain, to, memo, senderName, senderCountry, senderType };
}
