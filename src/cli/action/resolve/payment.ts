// A payment on a rail that a person closes: one that is in flight by the books and was given back, does not come, has come or has
// arrived at the bank; or one that was to come and does not. The venue's list is read first: what it says to the end needs no
// person's word.

import { CommandFailure } from "../../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../../app/exit-code.ts";
import { inquireInto, seePricesOf } from "../../../app/money-command/hear.ts";
import type { Tool } from "../../../app/money-command/tool.ts";
import { personHere, requireConfirmation, requireReason } from "../../../app/terminal/confirmation.ts";
import type { Asset } from "../../../domain/asset.ts";
import { isFromOutside } from "../../../domain/movement.ts";
import { printable, quoted } from "../../../domain/outside-text.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { utcText } from "../../../domain/time-text.ts";
import { wordOf } from "../../../domain/venue-word.ts";
import {
  type Expectation,
  GIVEN_UP_BY,
  type PaymentEnd,
  type PaymentFlight,
  venueIdOf,
} from "../../../execution/payments.ts";
import { ADOPT } from "../../../execution/remediation.ts";
import { type Asked, type ResolveOptions, refused, requireExact, sayClosed } from "./closing.ts";

export async function resolvePayment(
  tool: Tool,
  { shell, prompts }: Asked,
  id: string,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { landed = false, notLanded = false } = options;
  if (landed === notLanded)
    throw new CommandFailure(exitCode.usage, `${id} is a payment: one of --landed and --not-landed is needed`);
  await readPayments(tool);
  const { payments } = tool.desk.executor.treasury;
  const flight = payments.get(id);
  if (flight === undefined)
    throw refused(
      `${id} is over: ${payments.ended(id)}`,
      `what the balances differ by since is taken over by ${ADOPT}`,
    );
  if (options.venueConfirms !== true) requireDay(tool, flight);
  const isIn = isFromOutside(flight);
  const end: PaymentEnd = notLanded ? "back" : isIn ? "here" : "through";
  const net = flight.comes.minus(flight.fee);
  const moves = end === "here" ? [net] : end === "back" && !isIn ? [flight.spent] : [];
  const { asset } = isIn ? flight.comes : flight.spent;
  const moved = await requireExact(tool, { id, assets: [asset] }, moves, options);
  const as = landed ? "landed" : "not-landed";
  const text = endText(flight, end);
  const gone = isIn ? "" : `${flight.spent} ${flight.spent.asset} gone, `;
  const listed = quoted(flight.status ?? "nothing");
  shell.terminal.print(`payment  ${id}: ${gone}${flight.comes} ${flight.comes.asset} in flight, listed as ${listed}`);
  shell.terminal.print(`closing  as ${as}: ${text}`);
  const given = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: as, yes: options.yes });
  const reason = `closed by ${personHere()}: ${printable(given)}`;
  await requireValue(tool, valuedBy(flight, end));
  await tool.take({ kind: "payment", id, end, reason }, () =>
    payments.get(id) === undefined ? `${id} is in flight no more` : moved(),
  );
  sayClosed(shell, tool, { id, as, text: `is closed: ${text}`, json: options.json });
  return exitCode.done;
}

export function expectationOf({ desk }: Pick<Tool, "desk">, id: string): Expectation | undefined {
  return desk.executor.treasury.payments.expectations().find((one) => one.id === id);
}

export async function resolveExpectation(
  tool: Tool,
  { shell, prompts }: Asked,
  { id, rail, pays }: Expectation,
  options: ResolveOptions,
): Promise<ExitCode> {
  if (options.notLanded !== true)
    throw new CommandFailure(
      exitCode.usage,
      `${id} is a payment that is to come: --not-landed says that it does not; one that came is read from the venue's list`,
    );
  await readPayments(tool);
  if (expectationOf(tool, id) === undefined)
    throw refused(`${id} has come: the venue lists a payment on ${rail}`, undefined);
  shell.terminal.print(`payment  ${pays} ${pays.asset} on rail ${rail}, not listed by the venue`);
  const given = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "not-landed", yes: options.yes });
  const reason = `${GIVEN_UP_BY}${personHere()}: ${printable(given)}`;
  await tool.take({ kind: "give-up", expectation: id, reason }, () =>
    expectationOf(tool, id) === undefined ? `${id} is no longer expected` : undefined,
  );
  const text = "is no longer expected; its money is free, and the bot plans no payment on this rail for an hour";
  sayClosed(shell, tool, { id, as: "not-landed", text, json: options.json });
  return exitCode.done;
}

async function readPayments(tool: Tool): Promise<void> {
  await inquireInto(tool, { witness: "payments", asset: undefined, class: "doubt" });
}

/** Of a payment that the list has as on its way, the venue has a day to say how it ended. */
function requireDay(tool: Tool, { id, since, status }: PaymentFlight): void {
  const word = status === undefined ? "unknown" : wordOf(status);
  const from = since + DAY_MS;
  if ((word !== "pending" && word !== "held") || tool.now().at >= from) return;
  throw refused(
    `the venue lists ${id} as ${quoted(status ?? "")}, and has had less than a day to say how it ended`,
    `ask its support about payment ${venueIdOf({ id })}; from ${utcText(from)} on the same command closes it`,
  );
}

/** Money that crosses the border of the account moves the bases of losses by its value. */
function valuedBy(flight: PaymentFlight, end: PaymentEnd): Asset | undefined {
  const { asset } = flight.comes;
  if (end === "through" || (end === "here" && !flight.fee.isZero())) return asset;
  return end === "back" && isFromOutside(flight) ? asset : undefined;
}

async function requireValue(tool: Tool, asset: Asset | undefined): Promise<void> {
  if (asset === undefined) return;
  await seePricesOf(tool, [asset]);
  const { pricing } = tool.desk.engine.context;
  if (asset === pricing.currency || pricing.rate(asset) !== undefined) return;
  throw refused(
    `${asset} has no rate now, by which losses and fees are counted`,
    "the same command again once pegbot quotes shows a price of it",
  );
}

function endText({ spent, comes, fee }: PaymentFlight, end: PaymentEnd): string {
  if (end === "through") return `${comes} ${comes.asset} have arrived outside`;
  if (end === "here") return `${comes.minus(fee)} ${comes.asset} are on account, fee ${fee}`;
  return spent.isZero() ? `${comes} ${comes.asset} do not come` : `${spent} ${spent.asset} count as given back`;
}
