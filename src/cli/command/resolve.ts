// `resolve`: a person closes a request that evidence did not decide.

import type { Command } from "commander";
import { inquireInto, seePricesOf } from "../../app/money-command/market.ts";
import { type MoneyCommand, standingOf } from "../../app/money-command/money-command.ts";
import type { Run } from "../../app/shell.ts";
import { requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import type { Asset } from "../../domain/asset.ts";
import { CommandFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { fillInconsistency } from "../../domain/fill-consistency.ts";
import type { MintRecord } from "../../domain/mint.ts";
import type { Money } from "../../domain/money/money.ts";
import { isFromOutside } from "../../domain/movement.ts";
import { fillMoves } from "../../domain/moves.ts";
import { type ClientOrderId, type Fill, legsText } from "../../domain/order.ts";
import { type Rail, UNLISTED } from "../../domain/rail.ts";
import { printable, quoted } from "../../domain/sanitise.ts";
import { settlementOf } from "../../domain/settlement-status.ts";
import { DAY_MS } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import { isRowOfMint } from "../../execution/evidence.ts";
import { type Expectation, type PaymentEnd, type PaymentFlight, venueIdOf } from "../../execution/payments.ts";
import { ADOPT, RUN, resolveCommand } from "../../execution/remediation.ts";
import {
  type AnyReceipt,
  hasHappened,
  isEscalated,
  isKind,
  type MoneyRequest,
  type Resolution,
  stateText,
} from "../../execution/request.ts";
import { isReturnable, isUncosted, resolutionRefusal } from "../../execution/request-state.ts";
import { stopBy } from "../../operation/money.ts";
import { amountOf } from "../../operation/movement.ts";
import { personHere } from "../../operation/person.ts";
import { RESUME } from "../../risk/trading-state.ts";
import { type Asked, recording } from "../by-person.ts";

export function defineResolve(command: Command, run: Run): void {
  command
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
    .action((id: string, options: ResolveOptions) => {
      const { filled, notFilled, landed, notLanded } = options;
      if ([filled, notFilled, landed, notLanded].filter(Boolean).length !== 1)
        throw usageFailure("one of --filled, --not-filled, --landed and --not-landed is needed");
      return recording(run, (tool, asked) => resolve(tool, asked, id, options));
    });
}

function resolve(tool: MoneyCommand, asked: Asked, id: string, options: ResolveOptions): Promise<ExitCode> {
  const { executor } = tool.tradingCore;
  const expected = expectationOf(tool, id);
  if (expected !== undefined) return resolveExpectation(tool, asked, expected, options);
  const { payments } = executor.treasury;
  if (payments.get(id) !== undefined || payments.ended(id) !== undefined)
    return resolvePayment(tool, asked, id, options);
  const found = executor.get(id);
  if (found === undefined) {
    const open = openIn(tool.tradingCore);
    const next = open.length === 0 ? "nothing is open" : `open are ${open.slice(0, 10).join(", ")}`;
    throw usageFailure(`the journal knows no ${printable(id, 64)}`, next);
  }
  return isKind(found, "order")
    ? resolveOrder(tool, asked, found, options)
    : resolveMovement(tool, asked, found, options);
}

/** Payments first: they are few, while rails stay open for as long as they are used. */
export function openIn({ executor }: Pick<TradingCore, "executor">): readonly string[] {
  const { payments } = executor.treasury;
  return [
    ...payments.all().map(({ id }) => `${id} (in flight)`),
    ...payments.expectations().map(({ id }) => `${id} (to come)`),
    ...executor.open().map(({ id, state }) => `${id} (${stateText(state)})`),
  ];
}

export type ResolveOptions = {
  readonly filled?: boolean;
  readonly notFilled?: boolean;
  readonly landed?: boolean;
  readonly notLanded?: boolean;
  readonly reason?: string;
  /** For an order: the fill as stated by the person. */
  readonly bought?: string;
  readonly sold?: string;
  readonly orderId?: string;
  /** For a mint or a rail: the venue's id; for a mint also the amount spent. */
  readonly venueId?: string;
  readonly spent?: string;
  readonly fee?: string;
  /** The venue's written confirmation replaces balances that do not show the outcome. */
  readonly venueConfirms?: boolean;
  readonly yes?: boolean;
};

/** Throws if a person may not close the request now, with the condition to wait for while evidence may still decide. */
export function refuseToClose(tool: MoneyCommand, request: MoneyRequest, verdict: Resolution<unknown>["kind"]): void {
  const refusal = resolutionRefusal(request, verdict);
  if (refusal === undefined) return;
  const { state } = request;
  const since = state.kind === "sending" ? state.at : state.kind === "unknown" ? state.since : undefined;
  if (since === undefined || isEscalated(state)) throw refused(refusal, undefined);
  const by = utcText(since + tool.tradingCore.executor.parameters(tool.now()).escalateAfterMs);
  const next = `only a running bot resolves it until ${by}: ${RUN}; what evidence cannot decide, a person closes with ${resolveCommand(request)}`;
  throw refused(refusal, next);
}

/**
 * The balances must match exactly with the request closed in this way, unless the venue has confirmed it in writing:
 * money freed by mistake could be spent twice. Returns the check to repeat when it is written.
 */
export async function requireExact(
  tool: MoneyCommand,
  closed: { readonly id: string; readonly assets: readonly Asset[] },
  moves: readonly Money[],
  { venueConfirms = false }: Pick<ResolveOptions, "venueConfirms">,
): Promise<() => string | undefined> {
  if (venueConfirms) return () => undefined;
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  const { balances } = tool.tradingCore.executor;
  if (!balances.wouldBeExact(rows, closed, moves))
    throw refused(
      `closed so, the venue's balances would differ from the books: they do not show it of ${closed.id}`,
      `compare with the portal and try again in ten minutes: balances may be late. Other money that moved there is taken over first, by ${ADOPT} (with --beside ${closed.id} where it asks for that). If the venue has confirmed this in writing: the same command with --venue-confirms`,
    );
  return () =>
    balances.wouldBeExact(rows, closed, moves) ? undefined : "the account moved meanwhile: the same command again";
}

export function refused(why: string, next: string | undefined): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`, next);
}

/** The text before confirmation and after closing. `first`: the command to run next. */
export type Closing = {
  readonly request: MoneyRequest;
  readonly what: string;
  /** Undefined if the request did not happen. */
  readonly receipt: AnyReceipt | undefined;
  readonly as: "filled" | "not-filled" | "landed" | "not-landed";
  readonly closing: string;
  readonly closed: string;
  readonly first?: string | undefined;
};

/**
 * Closes the request for a person. `moved` returns why the shown state is out of date; it is checked when the
 * resolution is written.
 */
export async function closeBy(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  { request, what, receipt, as, closing, closed, first }: Closing,
  options: ResolveOptions,
  moved: (now: MoneyRequest) => string | undefined,
): Promise<ExitCode> {
  const { id, kind, state } = request;
  shell.terminal.print(`${kind.padEnd(8)} ${id}: ${what}`);
  const cause = state.kind === "unknown" ? `: ${printable(state.cause)}` : "";
  shell.terminal.print(`state    ${stateText(state)}${cause}`);
  shell.terminal.print(`closing  as ${closing}`);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: as, yes: options.yes });
  const by = personHere();
  const resolution: Resolution<AnyReceipt> =
    receipt === undefined ? { kind: "not-landed", by, reason } : { kind: "landed", receipt, by, reason };
  await tool.take({ kind: "resolution", id, resolution }, () => {
    const now = tool.tradingCore.executor.get(id);
    return now === undefined ? `${id} is gone` : (resolutionRefusal(now, resolution.kind) ?? moved(now));
  });
  return sayClosed(shell, tool, { id, as, text: `is closed as ${closed}` }, first);
}

type Closed = { readonly id: string; readonly as: string; readonly text: string };

/**
 * Prints how the request was closed, and the next steps if the bot is stopped; `first` comes before them, in any case.
 */
export function sayClosed({ terminal }: Asked["shell"], tool: MoneyCommand, closed: Closed, first?: string): ExitCode {
  if (terminal.wantsJson) terminal.json(closed);
  else terminal.print(`${closed.id} ${closed.text}`);
  const steps = [...(first === undefined ? [] : [first]), ...(stopBy(standingOf(tool)) === undefined ? [] : [RESUME])];
  if (steps.length > 0) terminal.print(`next: ${steps.join(", then ")}`);
  return exitCode.done;
}

export async function resolveOrder(
  tool: MoneyCommand,
  asked: Asked,
  request: MoneyRequest<"order">,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id, request: order } = request;
  const isFilled = options.filled === true;
  if (!isFilled && options.notFilled !== true)
    throw usageFailure(`${id} is an order: one of --filled and --not-filled is needed`);
  refuseToClose(tool, request, isFilled ? "landed" : "not-landed");
  const listed = await listedFill(tool, request);
  if (listed !== undefined) refuseAgainst(request, listed, isFilled);
  const receipt = isFilled ? (listed?.fill ?? statedFill(request, options)) : undefined;
  const moves = receipt === undefined ? [] : fillMoves(order, receipt);
  const moved = listed === undefined ? await requireExact(tool, request, moves, options) : undefined;
  const isDenied = !isFilled && listed !== undefined;
  if (isDenied) asked.shell.terminal.print(`listed   ${unbookedText(id, listed)}; closed so, ${ADOPT} takes it over`);
  const closed = receipt === undefined ? "not filled" : `filled: ${legsText(receipt)}`;
  const what = `${order.side} ${order.quantity} ${order.symbol} at ${order.limit}`;
  const shown = { request, what, receipt, as: isFilled ? "filled" : "not-filled", closing: closed, closed } as const;
  return closeBy(tool, asked, { ...shown, first: isDenied ? ADOPT : undefined }, options, () => moved?.());
}

/** The fill as the venue lists it; `odd`: why it cannot be a fill of the order. */
type Listed = { readonly fill: Fill; readonly odd: string | undefined };

async function listedFill(tool: MoneyCommand, { id, request }: MoneyRequest<"order">): Promise<Listed | undefined> {
  const trades = await tool.read("trades", tool.exchange.trades({ class: "doubt" }));
  const listed = trades.flatMap(({ status: _, ...trade }): readonly Listed[] => {
    if (trade.clientOrderId !== id) return [];
    const fill = { ...trade, clientOrderId: id as ClientOrderId };
    return [{ fill, odd: fillInconsistency(request, fill) }];
  });
  return listed.find(({ odd }) => odd === undefined) ?? listed[0];
}

function refuseAgainst({ id }: MoneyRequest<"order">, listed: Listed, isFilled: boolean): void {
  const { fill, odd } = listed;
  if (odd === undefined && !isFilled)
    throw refused(
      `the venue shows a trade of ${id} (${legsText(fill)}), so it did fill`,
      `pegbot resolve ${id} --filled --reason "..."`,
    );
  if (odd !== undefined && isFilled)
    throw refused(
      unbookedText(id, listed),
      `ask the venue about it; if it stays so: pegbot resolve ${id} --not-filled --reason "..." frees the order, then ${ADOPT} takes this trade over`,
    );
}

function unbookedText(id: string, { fill, odd }: Listed): string {
  return `the venue lists ${legsText(fill)}, which cannot be booked as the fill of ${id}: ${odd}`;
}

/** The fill as the person states it, which must be complete. */
function statedFill({ id, request }: MoneyRequest<"order">, options: ResolveOptions): Fill {
  const { bought, sold, fee, orderId } = options;
  if (bought === undefined || sold === undefined || fee === undefined || orderId === undefined)
    throw usageFailure(
      `the venue's history shows no trade of ${id}, so its amounts must be stated, all four of them`,
      'take them from the portal: --bought "100 VCHF" --sold "99.98 CHF" --fee "0.02 CHF" --order-id ID',
    );
  const fill: Fill = {
    clientOrderId: id as ClientOrderId,
    orderId: printable(orderId, 64),
    tradeId: undefined,
    symbol: request.symbol,
    side: request.side,
    bought: amountOf("--bought", bought),
    sold: amountOf("--sold", sold),
    fee: amountOf("--fee", fee),
    at: undefined,
  };
  const problem = fillInconsistency(request, fill);
  if (problem === undefined) return fill;
  throw refused(
    `this is not believed of ${id}: ${problem}`,
    `compare the decimal point with the portal. If it says so too: once the venue's history shows the trade, --filled takes it from there; until then --not-filled and ${ADOPT} take over what the balances show`,
  );
}

export async function resolveMovement(
  tool: MoneyCommand,
  asked: Asked,
  given: MoneyRequest,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id, kind } = given;
  const isLanded = options.landed === true;
  if (isLanded === (options.notLanded === true))
    throw usageFailure(`${id} is a ${kind}: one of --landed and --not-landed is needed`);
  const { executor } = tool.tradingCore;
  const { now: request, word } = await look(tool, given);
  // `--not-landed` given before the list showed the request does not mean that its money was returned.
  const isBack = !isLanded && "receipt" in given.state && isReturnable(request);
  const isThere = hasHappened(request.state) || request.state.kind === "settled";
  if (isThere && !isBack && !(isLanded && isUncosted(request))) {
    const text = `is ${stateText(request.state)}${word === undefined ? "" : `, and the venue lists it as ${quoted(word)}`}`;
    if (!isLanded) throw refused(`${id} ${text}`, ADOPT);
    return sayClosed(asked.shell, tool, { id, as: request.state.kind, text });
  }
  refuseToClose(tool, request, isLanded ? "landed" : "not-landed");
  const isListed = word !== undefined && settlementOf(word) !== "rejected" && settlementOf(word) !== "unknown";
  if (isBack && isListed && options.venueConfirms !== true)
    throw refused(
      `the venue lists ${id} as ${quoted(word)}`,
      "ask its support; once the list says rejected the same command closes it. If the venue has confirmed in writing that it gave the money back: --venue-confirms",
    );
  const receipt = isLanded ? receiptOf(request, options) : undefined;
  const taken = receipt && executor.treasury.whyNotIts(request, receipt);
  if (taken !== undefined) throw refused(taken, undefined);
  const moved = isLanded ? undefined : await requireExact(tool, request, returnedBy(request), options);
  const back = kind === "mint" ? ": its money counts as given back, fee included" : ": it counts as not there";
  const closing = receipt === undefined ? `not landed${isBack ? back : ""}` : `landed: ${receiptText(receipt)}`;
  const closed = isLanded ? "landed; a running bot follows it" : "not landed; its money is free";
  const as = isLanded ? "landed" : "not-landed";
  const shown = { request, what: contentOf(request), receipt, as, closing, closed } as const;
  return closeBy(tool, asked, shown, options, (found) => {
    if (!isLanded && !isBack && "receipt" in found.state)
      return `${id} is ${stateText(found.state)} since: it is listed`;
    return (receipt && executor.treasury.whyNotIts(found, receipt)) ?? moved?.();
  });
}

/** Reads the list that would show the request, which is a fence as well. `word`: its status in the list. */
async function look(
  tool: MoneyCommand,
  { id, kind, request }: MoneyRequest,
): Promise<{ readonly now: MoneyRequest; readonly word: string | undefined }> {
  const asset = kind === "mint" ? (request as MoneyRequest<"mint">["request"]).asset : undefined;
  const witness = kind === "mint" ? "supply-changes" : "rails";
  const answer = await inquireInto(tool, { witness, asset, class: "doubt" });
  const now = tool.tradingCore.executor.get(id) as MoneyRequest;
  const receipt = "receipt" in now.state ? (now.state.receipt as MintRecord) : undefined;
  if (receipt === undefined || answer.witness !== "supply-changes") return { now, word: undefined };
  return { now, word: answer.rows.find((row) => isRowOfMint(row, receipt))?.status };
}

/** The money that a returned mint brings back; none if the outcome was unknown, because nothing was booked as spent. */
function returnedBy(request: MoneyRequest): readonly Money[] {
  if (!isKind(request, "mint") || !("receipt" in request.state)) return [];
  const { spent } = request.state.receipt;
  return spent === undefined ? [] : [spent];
}

function receiptOf(request: MoneyRequest, { venueId, spent, fee }: ResolveOptions): AnyReceipt {
  const { id, state } = request;
  const listed = "receipt" in state ? (state.receipt as MintRecord).requestId : undefined;
  const name = venueId === undefined ? listed : printable(venueId, 100);
  if (name === undefined)
    throw usageFailure(
      `the venue's list shows nothing that may be ${id}, so its id there must be stated`,
      "take it from the portal or from support: --venue-id ID",
    );
  if (!isKind(request, "mint")) return { railId: name, status: UNLISTED, reason: undefined } satisfies Rail;
  if (spent === undefined || fee === undefined)
    throw usageFailure(
      `what ${id} cost must be stated: the venue's list does not say it`,
      'take both from the portal: --spent "120120.37 CHF" (the fee is part of it) --fee "120 CHF"',
    );
  const record = { requestId: name, transactionId: undefined, status: undefined, reason: undefined };
  return { ...record, spent: amountOf("--spent", spent), fee: amountOf("--fee", fee) };
}

function contentOf(request: MoneyRequest): string {
  if (isKind(request, "mint")) {
    const { quantity, asset, blockchain } = request.request;
    return `${quantity} ${asset} on ${blockchain}`;
  }
  const { type, asset, destination } = (request as MoneyRequest<"rail">).request;
  return `${type} of ${asset} to ${printable(destination, 80)}`;
}

function receiptText(receipt: AnyReceipt): string {
  if ("railId" in receipt) return `rail ${receipt.railId}`;
  const { requestId, spent, fee } = receipt as MintRecord;
  return `request ${requestId}, ${spent} ${spent?.asset} spent, fee ${fee} ${fee?.asset}`;
}

export async function resolvePayment(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  id: string,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { landed = false, notLanded = false } = options;
  if (landed === notLanded) throw usageFailure(`${id} is a payment: one of --landed and --not-landed is needed`);
  await readPayments(tool);
  const { payments } = tool.tradingCore.executor.treasury;
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
  return sayClosed(shell, tool, { id, as, text: `is closed: ${text}` });
}

export function expectationOf({ tradingCore }: Pick<MoneyCommand, "tradingCore">, id: string): Expectation | undefined {
  return tradingCore.executor.treasury.payments.expectations().find((one) => one.id === id);
}

export async function resolveExpectation(
  tool: MoneyCommand,
  { shell, prompts }: Asked,
  { id, rail, pays }: Expectation,
  options: ResolveOptions,
): Promise<ExitCode> {
  if (options.notLanded !== true)
    throw usageFailure(
      `${id} is a payment that is to come: --not-landed says that it does not; one that came is read from the venue's list`,
    );
  await readPayments(tool);
  if (expectationOf(tool, id) === undefined)
    throw refused(`${id} has come: the venue lists a payment on ${rail}`, undefined);
  shell.terminal.print(`payment  ${pays} ${pays.asset} on rail ${rail}, not listed by the venue`);
  const given = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "not-landed", yes: options.yes });
  const by = personHere();
  const reason = `given up by ${by}: ${printable(given)}`;
  await tool.take({ kind: "give-up", expectation: id, reason, by }, () =>
    expectationOf(tool, id) === undefined ? `${id} is no longer expected` : undefined,
  );
  const text = "is no longer expected; its money is free, and the bot plans no payment on this rail for an hour";
  return sayClosed(shell, tool, { id, as: "not-landed", text });
}

async function readPayments(tool: MoneyCommand): Promise<void> {
  await inquireInto(tool, { witness: "payments", asset: undefined, class: "doubt" });
}

/** If the list shows the payment as pending, the venue has a day to report its end. */
function requireDay(tool: MoneyCommand, { id, since, status }: PaymentFlight): void {
  const word = status === undefined ? "unknown" : settlementOf(status);
  const from = since + DAY_MS;
  if ((word !== "pending" && word !== "held") || tool.now().at >= from) return;
  throw refused(
    `the venue lists ${id} as ${quoted(status ?? "")}, and has had less than a day to say how it ended`,
    `ask its support about payment ${venueIdOf({ id })}; from ${utcText(from)} on the same command closes it`,
  );
}

/** Money that crosses the account's border moves the bases of losses by its value. */
function valuedBy(flight: PaymentFlight, end: PaymentEnd): Asset | undefined {
  const { asset } = flight.comes;
  if (end === "through" || (end === "here" && !flight.fee.isZero())) return asset;
  return end === "back" && isFromOutside(flight) ? asset : undefined;
}

async function requireValue(tool: MoneyCommand, asset: Asset | undefined): Promise<void> {
  if (asset === undefined) return;
  await seePricesOf(tool, [asset]);
  const { pricing } = tool.tradingCore.engine.books;
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
