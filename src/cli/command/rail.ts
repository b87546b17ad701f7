// `rail on|off`: registers a payment rail for a person, from flags or a named template, through the same gate, journal
// and protocol as an order. Money moves only with payments on it.

import type { Command } from "commander";
import { orFail, usageFailure } from "../../app/command-failure.ts";
import { railPartsOf } from "../../app/config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { heldRest, type Rest } from "../../app/money-command/follow.ts";
import { type MoneyCommand, requireActive } from "../../app/money-command/money-command.ts";
import { orRefuse, refuseIf, whitelist } from "../../app/money-command/send.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Person, requireConfirmation } from "../../app/terminal/confirmation.ts";
import { Money } from "../../domain/money/money.ts";
import { isRejected, isWorking, type Rail, type RailRequest } from "../../domain/rail.ts";
import { printable } from "../../domain/sanitise.ts";
import type { RailRecord } from "../../exchange/port.ts";
import type { AnyReceipt } from "../../execution/request.ts";
import { railStep } from "../../treasury/approval/plan-content.ts";
import type { Registration } from "../../treasury/plan/route.ts";
import { type Direction, draftRail, nameRail, type RailParts, whyNotRailed } from "../../treasury/rail.ts";
import { sending } from "../by-person.ts";
import {
  declareMovement,
  type MovementOptions,
  propose,
  requireWanted,
  send,
  sentText,
  type Wish,
} from "../movement.ts";

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
    .action((template: string | undefined, options: RailOptions) =>
      sending(run, (tool, person) => railWith(tool, person, { direction, template }, options)),
    );
  declareMovement(command, HELP);
  if (direction === "on") command.option("--memo <text>", "memo of the wallet, where its chain needs one");
}

export type RailOptions = RailParts & MovementOptions & { readonly another?: boolean };

export async function railWith(
  tool: MoneyCommand,
  person: Person,
  { direction, template }: { readonly direction: Direction; readonly template: string | undefined },
  options: RailOptions,
): Promise<ExitCode> {
  const { shell, prompts } = person;
  const { another: isAnother = false } = options;
  requireWanted(tool, options);
  // An approved rail is looked up in its template again before it is sent, so it needs one.
  if (options.propose && (template === undefined || Object.keys(given(options)).length > 0))
    throw usageFailure("--propose needs a template of treasury.rails, and no flag beside it");
  const parts = { ...templateParts(tool, direction, template), ...given(options) };
  orFail(nameRail(direction, parts));
  const draft = orRefuse(draftRail(direction, parts, tool.config.treasury.destinations));
  const want = { class: "balance" } as const;
  const assets = await tool.read("assets", tool.exchange.assets(want));
  const addresses = draft.wallet === undefined ? undefined : await whitelist(tool);
  refuseIf(whyNotRailed(draft, assets, addresses));
  show(shell, draft.rail, options);
  if (options.propose === true && template !== undefined) {
    const registers = { rail: draft.rail, toAccount: await isOurDeposit(tool, draft.rail, template), isAnother };
    return propose(tool, person, wishOf(direction, template, registers), options);
  }
  await requireConfirmation(shell, prompts, { word: "rail", yes: options.yes });
  const known = (await railsOf(tool)).map(({ railId }) => railId);
  const toAccount = await isOurDeposit(tool, draft.rail, template);
  const content = { kind: "rail", rail: { ...draft.rail, known, toAccount }, isAnother } as const;
  return send(tool, person, content, options, { accepted: receiptText, restOf });
}

function wishOf(direction: Direction, template: string, registers: Registration): Wish {
  const { rail, isAnother } = registers;
  const content = { kind: "rail", rail: { ...rail, known: [] }, isAnother } as const;
  return { step: railStep(direction, template, registers), content, cost: Money.zero(rail.currency) };
}

function templateParts({ config }: MoneyCommand, direction: Direction, name: string | undefined): RailParts {
  if (name === undefined) return {};
  const { rails } = config.treasury;
  const found = Object.hasOwn(rails, name) ? rails[name] : undefined;
  const names = Object.keys(rails);
  if (found === undefined)
    throw usageFailure(
      `treasury.rails has no template ${printable(name, 60)}`,
      names.length === 0 ? "it has none" : `it has ${names.join(", ")}`,
    );
  if (found.direction !== direction)
    throw usageFailure(`template ${name} is for rail ${found.direction}, not rail ${direction}`);
  return railPartsOf(found);
}

/** Flags override the template. */
function given(options: RailOptions): RailParts {
  const { asset, currency, chain, to, memo, senderName, senderCountry, senderType } = options;
  const parts = { asset, currency, chain, to, memo, senderName, senderCountry, senderType };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/**
 * Whether payments on this rail are credited to the account: according to the venue if it answers, otherwise to the
 * configuration.
 */
async function isOurDeposit(
  { config, exchange, clock }: MoneyCommand,
  { type, asset, blockchain, destination }: RailRequest,
  template: string | undefined,
): Promise<boolean> {
  if (type !== "FiatToStablecoin") return false;
  const reading = await exchange.depositAddress(asset, blockchain, { class: "balance" });
  if (reading.kind === "read") clock.heard(reading.at);
  const stated = template !== undefined && config.treasury.planning.rails[template]?.toVenue === true;
  return reading.kind === "read" ? reading.value === destination : stated;
}

/** Takes the list of rails into the books: unattributed rails halt here. */
async function railsOf(tool: MoneyCommand): Promise<readonly RailRecord[]> {
  const answer = await tool.ask({ witness: "rails", asset: undefined, class: "balance" });
  await tool.take({ kind: "answer", answer });
  requireActive(tool);
  return answer.witness === "rails" ? answer.rows : [];
}

function show(
  { terminal }: Shell,
  { type, sender, destination, memo, asset, currency, blockchain }: RailRequest,
  options: RailOptions,
): void {
  const isOn = type === "FiatToStablecoin";
  const way = isOn ? `${currency} in, ${asset} out` : `${asset} in, ${currency} out`;
  const where = isOn ? "wallet" : "bank account";
  terminal.note(`rail     ${way}, on ${blockchain}`);
  terminal.note(`sender   ${printable(sender.name, 140)}, ${sender.country}, ${printable(sender.type, 40)}`);
  terminal.note(
    `to       ${where} ${printable(destination, 120)}${memo === undefined ? "" : `, memo ${printable(memo, 100)}`}`,
  );
  terminal.note(`${sentText(options)}. It moves no money by itself: payments on it do`);
}

function receiptText(receipt: AnyReceipt): string {
  const { railId, status, reason } = receipt as Rail;
  const why = reason === undefined ? "" : `: ${printable(reason, 200)}`;
  return `rail ${printable(railId, 80)} is ${printable(status, 40)}${why}`;
}

function restOf(receipt: AnyReceipt): Rest | undefined {
  const { railId, status, reason } = receipt as Rail;
  const id = printable(railId, 80);
  if (isWorking({ status })) return { name: "working", code: exitCode.done, text: `rail ${id} takes payments` };
  if (isRejected({ status }))
    return { name: "rejected", code: exitCode.refused, text: printable(reason ?? "the venue gives no reason", 300) };
  return heldRest(`rail ${id}, which is ${printable(status, 40)}`, reason);
}
