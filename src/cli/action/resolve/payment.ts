// A payment on a rail that is in flight by the books, and of which a person knows what became of it: it was given back, does not
// come, or has arrived at the bank. The venue's list is read first: what it says to the end needs nobody's word.

import type { Asset } from "../../../domain/asset.ts";
import { Money } from "../../../domain/money/money.ts";
import { isFromOutside } from "../../../domain/movement.ts";
import { printable } from "../../../domain/outside-text.ts";
import { wordOf } from "../../../domain/venue-word.ts";
import { totalOf } from "../../../execution/balance-vote.ts";
import { endOf, type PaymentEnd, type PaymentFlight, venueIdOf } from "../../../execution/payment-flights.ts";
import { CommandFailure } from "../../command-failure.ts";
import { personHere, requireConfirmation, requireReason } from "../../confirmation.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { inquireInto, seePricesOf } from "../../tool/hear.ts";
import type { Tool } from "../../tool/tool.ts";
import type { Person } from "../mint.ts";
import { type MovementResolveOptions, sayClosed } from "./movement.ts";

export async function resolvePayment(
  tool: Tool,
  { shell, prompts }: Pick<Person, "shell" | "prompts">,
  flight: PaymentFlight,
  options: MovementResolveOptions,
): Promise<ExitCode> {
  const { id } = flight;
  const end = endBy(flight, options);
  const answer = await inquireInto(tool, { witness: "payments", asset: undefined, class: "doubt" });
  if (tool.desk.executor.payment(id) === undefined)
    throw new CommandFailure(exitCode.refused, `${id} is over by the venue's list; nothing was changed`);
  const rows = answer.witness === "payments" ? answer.rows : [];
  const status = rows.find((row) => row.paymentId === venueIdOf(flight))?.status;
  await requireOver(tool, flight, end, status);
  const listed = status === undefined ? "not listed by the venue" : `listed as ${printable(status)}`;
  shell.terminal.print(`payment  ${id}: ${amountText(flight)}, ${listed}`);
  const as = end === "back" ? "not-landed" : "landed";
  shell.terminal.print(`closing  as ${as}: ${endText(flight, end)}`);
  const given = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: as, yes: options.yes });
  const reason = `closed by ${personHere()}: ${printable(given)}`;
  await requireValue(tool, endOf(flight, end, reason).crossing);
  await tool.take({ kind: "payment", id, end, reason }, () =>
    tool.desk.executor.payment(id) === undefined ? `${id} is in flight no more` : undefined,
  );
  sayClosed(shell, tool, { id, as, text: `is closed: ${endText(flight, end)}`, json: options.json });
  return exitCode.done;
}

function endBy(flight: PaymentFlight, { landed = false, notLanded = false }: MovementResolveOptions): PaymentEnd {
  const { id, comes } = flight;
  if (landed === notLanded)
    throw new CommandFailure(exitCode.usage, `${id} is a payment: one of --landed and --not-landed is needed`);
  if (landed && isFromOutside(flight))
    throw new CommandFailure(
      exitCode.usage,
      `${id} comes onto the account: that its ${comes.asset} are there is read from the venue's list and balances, and nobody's word is needed`,
    );
  return landed ? "through" : "back";
}

/**
 * While the list has it as on its way, or settled, it is not over by anybody's word: of coins that are back the balances say so.
 * Rejected, a word that nobody knows, and no entry at all leave it to the person.
 */
async function requireOver(
  tool: Tool,
  { id, spent }: PaymentFlight,
  end: PaymentEnd,
  status: string | undefined,
): Promise<void> {
  const word = status === undefined ? undefined : wordOf(status);
  if (word === undefined || word === "rejected" || word === "unknown") return;
  const { asset } = spent;
  const isBack = end === "back" && !spent.isZero();
  const lack = isBack ? await lackOf(tool, spent) : undefined;
  // What the venue keeps of it as a fee is missing in the books afterwards, and stops the bot by itself.
  if (lack?.atMost(spent.share(100, "down")) === true) return;
  const why = isBack
    ? `, and its balances lack ${lack ?? "an unknown amount"} ${asset} of what there would be if it had given the coins back`
    : "";
  throw new CommandFailure(
    exitCode.refused,
    `the venue lists ${id} as ${printable(status ?? "")}${why}; nothing was changed`,
    `ask its support about payment ${venueIdOf({ id })}; once ${isBack ? "the coins are back, or the list says rejected" : "the list says how it ended"}, ${isBack ? "the same command closes it" : "that is booked by itself"}`,
  );
}

async function lackOf(tool: Tool, spent: Money): Promise<Money | undefined> {
  const { asset } = spent;
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  const ledger = tool.desk.engine.context.accounts.settled(asset) ?? Money.zero(asset);
  const total = totalOf(rows.find((row) => row.asset === asset));
  return total && ledger.plus(spent).minus(total);
}

/** What crosses the border of the account moves the bases of losses by its value. */
async function requireValue(tool: Tool, asset: Asset | undefined): Promise<void> {
  if (asset === undefined) return;
  await seePricesOf(tool, [asset]);
  const { pricing } = tool.desk.engine.context;
  if (asset === pricing.currency || pricing.rate(asset) !== undefined) return;
  throw new CommandFailure(
    exitCode.refused,
    `${asset} has no rate now, by which the bases of losses would move; nothing was changed`,
    "the same command again once pegbot quotes shows a price of it",
  );
}

function amountText({ spent, comes }: PaymentFlight): string {
  const gone = spent.isZero() ? "" : `${spent} ${spent.asset} gone, `;
  return `${gone}${comes} ${comes.asset} in flight`;
}

function endText({ spent, comes }: PaymentFlight, end: PaymentEnd): string {
  if (end === "through") return `${comes} ${comes.asset} have arrived outside`;
  return spent.isZero() ? `${comes} ${comes.asset} do not come` : `${spent} ${spent.asset} count as given back`;
}
