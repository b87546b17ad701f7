// `rail on|off`: registers a payment rail for a person, from flags or a named template, through the owner of the key.

import type { Command } from "commander";
import type { MoneyCommand } from "../../app/money-command/money-command.ts";
import { asOwnTrader, carriedOut } from "../../app/money-command/own-trader.ts";
import { sayOutcome } from "../../app/money-command/send.ts";
import type { Run } from "../../app/shell.ts";
import type { Person } from "../../app/terminal/confirmation.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { ExitCode } from "../../domain/exit-code.ts";
import { Money } from "../../domain/money/money.ts";
import { personHere } from "../../operation/person.ts";
import { draftOf, isOurDeposit, type RailInput, rail, showRail } from "../../operation/rail.ts";
import { railStep } from "../../treasury/approval/plan-content.ts";
import type { Registration } from "../../treasury/plan/route.ts";
import type { Direction, RailParts } from "../../treasury/rail.ts";
import { type AskOptions, asking } from "../asking.ts";
import { sending } from "../by-person.ts";
import { declareMovement, type MovementOptions, propose, requireWanted, type Wish } from "../movement.ts";

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
      options.propose === true
        ? sending(run, (tool, person) => railWith(tool, person, { direction, template }, options))
        : asking(run, { name: "rail", input: inputOf({ direction, template }, options) }, options),
    );
  declareMovement(command, HELP);
  if (direction === "on") command.option("--memo <text>", "memo of the wallet, where its chain needs one");
}

export type RailOptions = RailParts & MovementOptions & { readonly another?: boolean };
type Way = { readonly direction: Direction; readonly template: string | undefined };

function inputOf(way: Way, options: RailOptions): RailInput {
  const { another, wait, reason } = options;
  return { ...way, ...partsOf(options), another, wait, reason };
}

function partsOf({ asset, currency, chain, to, memo, senderName, senderCountry, senderType }: RailOptions) {
  return { asset, currency, chain, to, memo, senderName, senderCountry, senderType };
}

export async function railWith(tool: MoneyCommand, person: Person, way: Way, options: RailOptions): Promise<ExitCode> {
  const { direction, template } = way;
  requireWanted(tool, options);
  const input = { ...inputOf(way, options), isOfPlan: options.isOfPlan };
  if (options.propose === true) {
    // An approved rail is looked up in its template again before it is sent, so it needs one.
    if (template === undefined || Object.values(partsOf(options)).some((value) => value !== undefined))
      throw usageFailure("--propose needs a template of treasury.rails, and no flag beside it");
    const [draft, toAccount] = await asOwnTrader(tool, person.stop, async (trader) => {
      const drafted = await draftOf(trader, input);
      showRail({ tell: person.shell.terminal.note }, drafted);
      return [drafted, await isOurDeposit(trader, drafted, template)] as const;
    });
    const registers = { rail: draft, toAccount, isAnother: options.another === true };
    return propose(tool, person, wishOf(direction, template, registers), options);
  }
  const { exit, id, outcome, text } = await carriedOut(
    tool,
    person,
    (trader, asked) => rail.act(trader, input, asked),
    { yes: options.yes, flags: [] },
    personHere(),
  );
  sayOutcome(person.shell, outcome, id, text);
  return exit;
}

function wishOf(direction: Direction, template: string, registers: Registration): Wish {
  const { rail: wanted, isAnother } = registers;
  const content = { kind: "rail", rail: { ...wanted, known: [] }, isAnother } as const;
  return { step: railStep(direction, template, registers), content, cost: Money.zero(wanted.currency) };
}
