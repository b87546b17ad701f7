// A payment on a rail that is in flight by the books, and of which a person knows what became of it: it was given back, does not
// come, is on the account, or has arrived at the bank. The venue's list is read first: what it says to the end needs nobody's word.

import type { Asset } from "../../../domain/asset.ts";
import { isFromOutside } from "../../../domain/movement.ts";
import { printable } from "../../../domain/outside-text.ts";
import { millis } from "../../../domain/time.ts";
import { utcText } from "../../../domain/time-text.ts";
import { wordOf } from "../../../domain/venue-word.ts";
import { ONE_SIDED_MS_MAX } from "../../../execution/one-sided.ts";
import { feeMaxOf } from "../../../execution/payment/arrivals.ts";
import {
  closingPayment,
  endOf,
  isPayment,
  type PaymentEnd,
  type PaymentFlight,
  venueIdOf,
} from "../../../execution/payment/payment-flights.ts";
import { TAKE_OVER } from "../../../execution/way-out.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { type Person, personHere, requireConfirmation, requireReason } from "../../terminal/confirmation.ts";
import { inquireInto, seePricesOf } from "../../tool/hear.ts";
import type { Tool } from "../../tool/tool.ts";
import {
  ACCOUNT_MOVED,
  balancesOf,
  balancesTwice,
  leftBy,
  movedSince,
  refuseHidden,
  refuseWord,
  shownBy,
  wordFor,
} from "./given-back.ts";
import { type MovementResolveOptions, sayClosed } from "./movement.ts";

export async function resolvePayment(
  tool: Tool,
  { shell, prompts }: Pick<Person, "shell" | "prompts">,
  { id }: Pick<PaymentFlight, "id">,
  options: MovementResolveOptions,
): Promise<ExitCode> {
  const { landed = false, notLanded = false } = options;
  if (landed === notLanded)
    throw new CommandFailure(exitCode.usage, `${id} is a payment: one of --landed and --not-landed is needed`);
  const status = await listedAs(tool, id);
  // As the list has left it, which may have corrected it.
  const flight = tool.desk.executor.movements.payment(id);
  if (flight === undefined) throw overBy(id, status);
  if (isFromOutside(flight)) refuseWord(id, "payment onto the account", options.venueConfirms);
  const { end, moved } = await (isFromOutside(flight) ? endOfComing : endOfLeaving)(tool, flight, options, status);
  const listed = status === undefined ? "not listed by the venue" : `listed as ${printable(status)}`;
  shell.terminal.print(`payment  ${id}: ${amountText(flight)}, ${listed}`);
  const as = landed ? "landed" : "not-landed";
  shell.terminal.print(`closing  as ${as}: ${endText(flight, end)}`);
  const given = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: as, yes: options.yes });
  const word = wordFor(tool, id, options.venueConfirms);
  const reason = `closed by ${personHere()}: ${printable(given)}${word}`;
  await requireValue(tool, endOf(flight, end, reason).valued);
  await tool.take({ kind: "payment", id, end, reason }, () => {
    const now = tool.desk.executor.movements.payment(id);
    if (now === undefined) return `${id} is in flight no more`;
    const isSame = now.spent.equals(flight.spent) && now.comes.equals(flight.comes);
    return isSame ? moved?.() : `${id} is listed with another amount since: the same command again`;
  });
  sayClosed(shell, tool, { id, as, text: `is closed: ${endText(flight, end)}`, json: options.json });
  return exitCode.done;
}

/** What the list calls it now. */
async function listedAs(tool: Tool, id: string): Promise<string | undefined> {
  const answer = await inquireInto(tool, { witness: "payments", asset: undefined, class: "doubt" });
  return answer.witness === "payments" ? tool.desk.executor.movements.paymentListed(id, answer.rows) : undefined;
}

/** One that ended before anybody asked: how and when by the journal, and what the list calls it now. */
export async function refuseEnded(tool: Tool, id: string, ended: string): Promise<never> {
  const status = await listedAs(tool, id);
  const listed = status === undefined ? "the venue does not list it" : listedText("it", status);
  throw refusal(
    `${id} is over: ${ended}; ${listed}`,
    `what the balances differ by since is taken over by ${TAKE_OVER}`,
  );
}

/** `moved`: why the balances that were read say it no longer. */
type Ending = { readonly end: PaymentEnd; readonly moved?: () => string | undefined };

/**
 * On the way to a bank. While the list has it as on its way, that its coins are back only the balances say; that it has arrived a
 * person, who sees the bank's account, once the venue had a day to say so. Rejected, a word that nobody knows, and no entry at all
 * leave both to the person.
 */
async function endOfLeaving(
  tool: Tool,
  flight: PaymentFlight,
  { landed = false, venueConfirms }: MovementResolveOptions,
  status: string | undefined,
): Promise<Ending> {
  const { id, spent, since } = flight;
  const end: PaymentEnd = { kind: landed ? "through" : "back" };
  if (!isGoingOn(status)) return { end };
  if (landed) requireDay(tool, flight, status);
  const dueAt = millis(since + tool.desk.executor.terms.balancesMsMax);
  const left = leftBy(tool, id, dueAt, landed || venueConfirms);
  const sought = { id, amount: spent, feeMax: spent.share(100, "down"), left };
  const look = await (landed ? balancesOf : balancesTwice)(tool, sought);
  const shown = look();
  const { isThere, lack } = shown;
  if (landed || isThere) refuseHidden(tool, shown, sought);
  if (landed && isThere)
    throw refusal(
      `the venue's balances have the ${spent} ${spent.asset} of ${id} back`,
      `${closingPayment(id)} closes it as given back`,
    );
  if (landed || isThere) return { end, moved: () => movedSince(shown, look()) };
  throw refusal(
    `${listedText(id, status)}, and its balances lack ${lack ?? "an unknown amount"} ${spent.asset} of what there would be if it had given the coins back`,
    `${support(id)}; once the coins are back, or the list says rejected, the same command closes it`,
  );
}

/**
 * On the way to the account. That it is there the balances say, and what was taken off it. That it does not come nothing shows: of
 * what the list has as on its way a person may say so once it had a day to come.
 */
async function endOfComing(
  tool: Tool,
  flight: PaymentFlight,
  { landed = false }: MovementResolveOptions,
  status: string | undefined,
): Promise<Ending> {
  const { id, comes } = flight;
  const { executor } = tool.desk;
  if (!landed && isGoingOn(status)) requireDay(tool, flight, status);
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  const fee = executor.balances.arrivalFee(id, rows, tool.now());
  if (landed && fee !== undefined) {
    const isSame = (): boolean => executor.balances.arrivalFee(id, rows, tool.now())?.equals(fee) === true;
    return {
      end: { kind: "here", fee },
      moved: () => (isSame() ? undefined : ACCOUNT_MOVED),
    };
  }
  const sought = { id, amount: comes, feeMax: feeMaxOf(comes) };
  // Which of several payments has come is told by what was taken off it.
  const look = () => shownBy(tool, rows, sought, (mover) => !isPayment(mover.id));
  const shown = look();
  if (fee === undefined) refuseHidden(tool, shown, sought);
  if (landed)
    throw refusal(
      `the venue's balances do not show for certain that ${comes} ${comes.asset} of ${id} have come, less a fee of ${feeMaxOf(comes)} at most`,
      `once they do, the same command books it${amongOthers(tool, flight)}; if another amount has come: ${closingPayment(id)}, then pegbot adopt`,
    );
  if (fee === undefined) return { end: { kind: "back" }, moved: () => movedSince(shown, look()) };
  throw refusal(
    `the venue's balances show the ${comes} ${comes.asset} of ${id}, less a fee of ${fee}`,
    `pegbot resolve ${id} --landed --reason "..." books it`,
  );
}

function amongOthers({ desk }: Tool, { comes }: PaymentFlight): string {
  if (desk.executor.movements.arriving(comes.asset).length < 2) return "";
  return "; where it may as well be another payment that has come, first close the one that does not, with --not-landed";
}

/** The journal's news were read with the list: what the list does not end, another person has. */
function overBy(id: string, status: string | undefined): CommandFailure {
  const word = status === undefined ? undefined : wordOf(status);
  const isListed = word === "settled" || word === "rejected";
  const by = isListed ? "over by the venue's list" : "in flight no more: somebody else has closed it meanwhile";
  return refusal(`${id} is ${by}`, isListed ? undefined : "pegbot journal list shows who, and as what");
}

/** The list has it as on its way, or there: a word that means something. */
function isGoingOn(status: string | undefined): status is string {
  const word = status === undefined ? undefined : wordOf(status);
  return word === "pending" || word === "held" || word === "settled";
}

/** The venue knows best for a day; what it calls settled is booked by itself. */
function requireDay(tool: Tool, { id, since }: PaymentFlight, status: string): void {
  if (wordOf(status) === "settled")
    throw refusal(
      listedText(id, status),
      "a running bot books what the balances show of it; what they do not show stops it, and pegbot adopt leads out",
    );
  const from = since + ONE_SIDED_MS_MAX;
  if (tool.now().at >= from) return;
  throw refusal(
    `${listedText(id, status)}, and has had less than a day to say how it ended`,
    `${support(id)}; what the list says is booked by itself, and from ${utcText(from)} on the same command closes it`,
  );
}

function listedText(id: string, status: string): string {
  return `the venue lists ${id} as ${printable(status)}`;
}

function support(id: string): string {
  return `ask its support about payment ${venueIdOf({ id })}`;
}

function refusal(why: string, next: string | undefined): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`, next);
}

/** What crosses the border of the account moves the bases of losses by its value, and a fee counts by it. */
async function requireValue(tool: Tool, asset: Asset | undefined): Promise<void> {
  if (asset === undefined) return;
  await seePricesOf(tool, [asset]);
  const { pricing } = tool.desk.engine.context;
  if (asset === pricing.currency || pricing.rate(asset) !== undefined) return;
  throw new CommandFailure(
    exitCode.refused,
    `${asset} has no rate now, by which losses and fees are counted; nothing was changed`,
    "the same command again once pegbot quotes shows a price of it",
  );
}

function amountText({ spent, comes }: PaymentFlight): string {
  const gone = spent.isZero() ? "" : `${spent} ${spent.asset} gone, `;
  return `${gone}${comes} ${comes.asset} in flight`;
}

function endText({ spent, comes }: PaymentFlight, end: PaymentEnd): string {
  if (end.kind === "through") return `${comes} ${comes.asset} have arrived outside`;
  if (end.kind === "here") return `${comes.minus(end.fee)} ${comes.asset} are on account, fee ${end.fee}`;
  return spent.isZero() ? `${comes} ${comes.asset} do not come` : `${spent} ${spent.asset} count as given back`;
}
