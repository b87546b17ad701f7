// A person closes an order, mint, rail or payment that evidence did not decide, with the venue's own record.

import { z } from "zod";
import type { Engine } from "../bot/engine.ts";
import type { Input } from "../bot/input.ts";
import type { Asset } from "../domain/asset.ts";
import { CommandFailure, usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import { fillInconsistency } from "../domain/fill-consistency.ts";
import type { MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import { isFromOutside } from "../domain/movement.ts";
import { fillMoves } from "../domain/moves.ts";
import { type ClientOrderId, type Fill, legsText } from "../domain/order.ts";
import { type Rail, UNLISTED } from "../domain/rail.ts";
import { printable, quoted } from "../domain/sanitise.ts";
import { settlementOf } from "../domain/settlement-status.ts";
import { DAY_MS } from "../domain/time.ts";
import { utcText } from "../domain/time-text.ts";
import { isRowOfMint } from "../execution/evidence.ts";
import { type Expectation, type PaymentEnd, type PaymentFlight, venueIdOf } from "../execution/payments.ts";
import { ADOPT, RUN, resolveCommand } from "../execution/remediation.ts";
import {
  type AnyReceipt,
  hasHappened,
  isEscalated,
  isKind,
  type MoneyRequest,
  type Resolution,
  stateText,
} from "../execution/request.ts";
import { isReturnable, isUncosted, resolutionRefusal } from "../execution/request-state.ts";
import { RESUME } from "../risk/trading-state.ts";
import { type Asking, type Ended, moneyOperation, stopBy, type Trader } from "./money.ts";
import { amountOf } from "./movement.ts";
import { reason } from "./plan.ts";
import { seePrices } from "./prices.ts";

const ENDS = ["filled", "not-filled", "landed", "not-landed"] as const;
const amount = (description: string) => z.string().max(80).optional().meta({ value: "amount", description });

const resolveInput = z.strictObject({
  id: z.string().min(1).max(100).meta({ argument: "id", description: "as status shows it" }),
  as: z.enum(ENDS).meta({
    ends: {
      filled: "it happened: the fill is taken from the venue's trades, or from the amounts below",
      "not-filled": "it did not happen, or is listed as what its fill cannot be: adopt then takes that over",
      landed: "a mint, rail or payment: it happened, by the venue's list or by the id below",
      "not-landed": "a mint, rail or payment: it did not happen, or was given back",
    },
  }),
  reason,
  bought: amount('what it brought, as the portal shows it: "100 VCHF"'),
  sold: amount('what it took: "99.98 CHF"'),
  fee: amount('what it cost: "0.02 CHF"'),
  spent: amount('what a mint took, fee included: "120120 CHF"'),
  orderId: z.string().max(100).optional().meta({ value: "id", description: "the venue's own order id" }),
  venueId: z
    .string()
    .max(200)
    .optional()
    .meta({ value: "id", description: "the venue's own id of the mint request or the rail" }),
  venueConfirms: z
    .boolean()
    .optional()
    .meta({ description: "the venue has confirmed it in writing, though its balances do not show it" }),
});
export type ResolveInput = z.output<typeof resolveInput>;

export const resolve = moneyOperation<ResolveInput>({
  name: "resolve",
  sentence: "Closes an order, mint, rail or payment that evidence could not decide, with the venue's own record",
  scope: "trade",
  begins: "restored",
  input: resolveInput,
  act(trader, input, asking) {
    const { executor } = trader.core();
    const expected = expectationOf(trader, input.id);
    if (expected !== undefined) return resolveExpectation(trader, expected, input, asking);
    const { payments } = executor.treasury;
    if (payments.get(input.id) !== undefined || payments.ended(input.id) !== undefined)
      return resolvePayment(trader, input, asking);
    const found = executor.get(input.id);
    if (found === undefined) {
      const open = openIn(trader.core());
      const next = open.length === 0 ? "nothing is open" : `open are ${open.slice(0, 10).join(", ")}`;
      throw usageFailure(`the journal knows no ${printable(input.id, 64)}`, next);
    }
    return isKind(found, "order")
      ? resolveOrder(trader, found, input, asking)
      : resolveMovement(trader, found, input, asking);
  },
});

/** Payments first: they are few, while rails stay open for as long as they are used. */
function openIn({ executor }: Pick<Engine, "executor">): readonly string[] {
  const { payments } = executor.treasury;
  return [
    ...payments.all().map(({ id }) => `${id} (in flight)`),
    ...payments.expectations().map(({ id }) => `${id} (to come)`),
    ...executor.open().map(({ id, state }) => `${id} (${stateText(state)})`),
  ];
}

/** Whether `one` or `other` was given; any other end is not one of this. */
function endOf({ as }: ResolveInput, what: string, one: ResolveInput["as"], other: ResolveInput["as"]): boolean {
  if (as !== one && as !== other) throw usageFailure(`${what}: one of --${one} and --${other} is needed`);
  return as === one;
}

/** Throws if a person may not close the request now, with the condition to wait for while evidence may still decide. */
function refuseToClose(trader: Trader, request: MoneyRequest, verdict: Resolution<unknown>["kind"]): void {
  const refusal = resolutionRefusal(request, verdict);
  if (refusal === undefined) return;
  const { state } = request;
  const since = state.kind === "sending" ? state.at : state.kind === "unknown" ? state.since : undefined;
  if (since === undefined || isEscalated(state)) throw refused(refusal, undefined);
  const by = utcText(since + trader.core().executor.parameters(trader.now()).escalateAfterMs);
  const next = `only a running bot resolves it until ${by}: ${RUN}; what evidence cannot decide, a person closes with ${resolveCommand(request)}`;
  throw refused(refusal, next);
}

/**
 * The balances must match exactly with the request closed in this way, unless the venue has confirmed it in writing:
 * money freed by mistake could be spent twice. Returns the check to repeat when it is written.
 */
async function requireExact(
  trader: Trader,
  closed: { readonly id: string; readonly assets: readonly Asset[] },
  moves: readonly Money[],
  { venueConfirms = false }: ResolveInput,
): Promise<() => string | undefined> {
  if (venueConfirms) return () => undefined;
  const rows = await trader.read("balances", trader.exchange.balances({ class: "doubt" }));
  const { balances } = trader.core().executor;
  if (!balances.wouldBeExact(rows, closed, moves))
    throw refused(
      `closed so, the venue's balances would differ from the books: they do not show it of ${closed.id}`,
      `compare with the portal and try again in ten minutes: balances may be late. Other money that moved there is taken over first, by ${ADOPT} (with --beside ${closed.id} where it asks for that). If the venue has confirmed this in writing: the same command with --venue-confirms`,
    );
  return () =>
    balances.wouldBeExact(rows, closed, moves) ? undefined : "the account moved meanwhile: the same command again";
}

function refused(why: string, next: string | undefined): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`, next);
}

/** The text before confirmation and after closing. `first`: the command to run next. */
type Closing = {
  readonly request: MoneyRequest;
  readonly what: string;
  /** Undefined if the request did not happen. */
  readonly receipt: AnyReceipt | undefined;
  readonly closing: string;
  readonly closed: string;
  readonly first?: string | undefined;
};

/** `moved` returns why the shown state is out of date; it is checked when the resolution is written. */
async function closeBy(
  trader: Trader,
  { request, what, receipt, closing, closed, first }: Closing,
  input: ResolveInput,
  asking: Asking,
  moved: (now: MoneyRequest) => string | undefined,
): Promise<Ended> {
  const { id, kind, state } = request;
  const cause = state.kind === "unknown" ? `: ${printable(state.cause)}` : "";
  await agreed(asking, input, {
    [kind]: `${id}: ${what}`,
    state: `${stateText(state)}${cause}`,
    closing: `as ${closing}`,
  });
  const { by } = asking;
  const why = printable(input.reason);
  const resolution: Resolution<AnyReceipt> =
    receipt === undefined ? { kind: "not-landed", by, reason: why } : { kind: "landed", receipt, by, reason: why };
  await decided(trader, { kind: "resolution", id, resolution }, () => {
    const now = trader.core().executor.get(id);
    return now === undefined ? `${id} is gone` : (resolutionRefusal(now, resolution.kind) ?? moved(now));
  });
  return endedAs(trader, { id, as: input.as, text: `is closed as ${closed}` }, first);
}

async function agreed(asking: Asking, { as }: ResolveInput, sent: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(sent)) asking.tell(`${name.padEnd(8)} ${text}`);
  await asking.agree({ word: as, sent, worst: [], caveats: [] });
}

/** Taken in one turn, unless a reason stands against it there. */
async function decided(trader: Trader, input: Input, why: () => string | undefined): Promise<void> {
  const { refusal } = await trader.take({ kind: "unless", why, input });
  if (refusal !== undefined) throw refused(refusal.message, undefined);
}

type Closed = { readonly id: string; readonly as: string; readonly text: string };

/** With the next steps if the bot is stopped; `first` comes before them, in any case. */
function endedAs(trader: Trader, { id, as, text }: Closed, first?: string): Ended {
  const steps = [...(first === undefined ? [] : [first]), ...(stopBy(trader.standing()) === undefined ? [] : [RESUME])];
  const next = steps.length === 0 ? "" : `; next: ${steps.join(", then ")}`;
  return { exit: exitCode.done, id, outcome: as, text: `${text}${next}`, json: { id, as, text } };
}

async function resolveOrder(
  trader: Trader,
  request: MoneyRequest<"order">,
  input: ResolveInput,
  asking: Asking,
): Promise<Ended> {
  const { id, request: order } = request;
  const isFilled = endOf(input, `${id} is an order`, "filled", "not-filled");
  refuseToClose(trader, request, isFilled ? "landed" : "not-landed");
  const listed = await listedFill(trader, request);
  if (listed !== undefined) refuseAgainst(request, listed, isFilled);
  const receipt = isFilled ? (listed?.fill ?? statedFill(request, input)) : undefined;
  const moves = receipt === undefined ? [] : fillMoves(order, receipt);
  const moved = listed === undefined ? await requireExact(trader, request, moves, input) : undefined;
  const isDenied = !isFilled && listed !== undefined;
  if (isDenied) asking.tell(`listed   ${unbookedText(id, listed)}; closed so, ${ADOPT} takes it over`);
  const closed = receipt === undefined ? "not filled" : `filled: ${legsText(receipt)}`;
  const what = `${order.side} ${order.quantity} ${order.symbol} at ${order.limit}`;
  const first = isDenied ? ADOPT : undefined;
  return closeBy(trader, { request, what, receipt, closing: closed, closed, first }, input, asking, () => moved?.());
}

/** The fill as the venue lists it; `odd`: why it cannot be a fill of the order. */
type Listed = { readonly fill: Fill; readonly odd: string | undefined };

async function listedFill(trader: Trader, { id, request }: MoneyRequest<"order">): Promise<Listed | undefined> {
  const trades = await trader.read("trades", trader.exchange.trades({ class: "doubt" }));
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
function statedFill({ id, request }: MoneyRequest<"order">, { bought, sold, fee, orderId }: ResolveInput): Fill {
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

async function resolveMovement(
  trader: Trader,
  given: MoneyRequest,
  input: ResolveInput,
  asking: Asking,
): Promise<Ended> {
  const { id, kind } = given;
  const isLanded = endOf(input, `${id} is a ${kind}`, "landed", "not-landed");
  const { executor } = trader.core();
  const { now: request, word } = await look(trader, given);
  // `--not-landed` given before the list showed the request does not mean that its money was returned.
  const isBack = !isLanded && "receipt" in given.state && isReturnable(request);
  const isThere = hasHappened(request.state) || request.state.kind === "settled";
  if (isThere && !isBack && !(isLanded && isUncosted(request))) {
    const text = `is ${stateText(request.state)}${word === undefined ? "" : `, and the venue lists it as ${quoted(word)}`}`;
    if (!isLanded) throw refused(`${id} ${text}`, ADOPT);
    return endedAs(trader, { id, as: request.state.kind, text });
  }
  refuseToClose(trader, request, isLanded ? "landed" : "not-landed");
  const isListed = word !== undefined && settlementOf(word) !== "rejected" && settlementOf(word) !== "unknown";
  if (isBack && isListed && input.venueConfirms !== true)
    throw refused(
      `the venue lists ${id} as ${quoted(word)}`,
      "ask its support; once the list says rejected the same command closes it. If the venue has confirmed in writing that it gave the money back: --venue-confirms",
    );
  const receipt = isLanded ? receiptOf(request, input) : undefined;
  const taken = receipt && executor.treasury.whyNotIts(request, receipt);
  if (taken !== undefined) throw refused(taken, undefined);
  const moved = isLanded ? undefined : await requireExact(trader, request, returnedBy(request), input);
  const back = kind === "mint" ? ": its money counts as given back, fee included" : ": it counts as not there";
  const closing = receipt === undefined ? `not landed${isBack ? back : ""}` : `landed: ${receiptText(receipt)}`;
  const closed = isLanded ? "landed; a running bot follows it" : "not landed; its money is free";
  const shown = { request, what: contentOf(request), receipt, closing, closed };
  return closeBy(trader, shown, input, asking, (found) => {
    if (!isLanded && !isBack && "receipt" in found.state)
      return `${id} is ${stateText(found.state)} since: it is listed`;
    return (receipt && executor.treasury.whyNotIts(found, receipt)) ?? moved?.();
  });
}

/** Reads the list that would show the request, which is a fence as well. `word`: its status in the list. */
async function look(
  trader: Trader,
  { id, kind, request }: MoneyRequest,
): Promise<{ readonly now: MoneyRequest; readonly word: string | undefined }> {
  const asset = kind === "mint" ? (request as MoneyRequest<"mint">["request"]).asset : undefined;
  const witness = kind === "mint" ? "supply-changes" : "rails";
  const answer = await trader.ask({ witness, asset, class: "doubt" });
  const now = trader.core().executor.get(id) as MoneyRequest;
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

function receiptOf(request: MoneyRequest, { venueId, spent, fee }: ResolveInput): AnyReceipt {
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

async function resolvePayment(trader: Trader, input: ResolveInput, asking: Asking): Promise<Ended> {
  const { id } = input;
  const isLanded = endOf(input, `${id} is a payment`, "landed", "not-landed");
  await readPayments(trader);
  const { payments } = trader.core().executor.treasury;
  const flight = payments.get(id);
  if (flight === undefined)
    throw refused(
      `${id} is over: ${payments.ended(id)}`,
      `if the balances differ since then, ${ADOPT} books the difference`,
    );
  if (input.venueConfirms !== true) requireDay(trader, flight);
  const isIn = isFromOutside(flight);
  const end: PaymentEnd = !isLanded ? "back" : isIn ? "here" : "through";
  const net = flight.comes.minus(flight.fee);
  const moves = end === "here" ? [net] : end === "back" && !isIn ? [flight.spent] : [];
  const { asset } = isIn ? flight.comes : flight.spent;
  const moved = await requireExact(trader, { id, assets: [asset] }, moves, input);
  const text = endText(flight, end);
  const gone = isIn ? "" : `${flight.spent} ${flight.spent.asset} gone, `;
  const listed = quoted(flight.status ?? "nothing");
  await agreed(asking, input, {
    payment: `${id}: ${gone}${flight.comes} ${flight.comes.asset} in flight, listed as ${listed}`,
    closing: `as ${input.as}: ${text}`,
  });
  const reason = `closed by ${asking.by}: ${printable(input.reason)}`;
  await requireValue(trader, valuedBy(flight, end));
  await decided(trader, { kind: "payment", id, end, reason }, () =>
    trader.core().executor.treasury.payments.get(id) === undefined ? `${id} is in flight no more` : moved(),
  );
  return endedAs(trader, { id, as: input.as, text: `is closed: ${text}` });
}

function expectationOf({ core }: Pick<Trader, "core">, id: string): Expectation | undefined {
  return core()
    .executor.treasury.payments.expectations()
    .find((one) => one.id === id);
}

async function resolveExpectation(
  trader: Trader,
  { id, rail, pays }: Expectation,
  input: ResolveInput,
  asking: Asking,
): Promise<Ended> {
  if (input.as !== "not-landed")
    throw usageFailure(
      `${id} is an expected payment: only --not-landed closes it; one that arrived is read from the venue's list`,
    );
  await readPayments(trader);
  if (expectationOf(trader, id) === undefined)
    throw refused(`${id} has come: the venue lists a payment on ${rail}`, undefined);
  await agreed(asking, input, { payment: `${pays} ${pays.asset} on rail ${rail}, not listed by the venue` });
  const { by } = asking;
  const reason = `given up by ${by}: ${printable(input.reason)}`;
  await decided(trader, { kind: "give-up", expectation: id, reason, by }, () =>
    expectationOf(trader, id) === undefined ? `${id} is no longer expected` : undefined,
  );
  const text = "is no longer expected; its money is free, and the bot plans no payment on this rail for an hour";
  return endedAs(trader, { id, as: "not-landed", text });
}

async function readPayments(trader: Trader): Promise<void> {
  await trader.ask({ witness: "payments", asset: undefined, class: "doubt" });
}

/** If the list shows the payment as pending, the venue has a day to report its end. */
function requireDay(trader: Trader, { id, since, status }: PaymentFlight): void {
  const word = status === undefined ? "unknown" : settlementOf(status);
  const from = since + DAY_MS;
  if ((word !== "pending" && word !== "held") || trader.now().at >= from) return;
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

async function requireValue(trader: Trader, asset: Asset | undefined): Promise<void> {
  if (asset === undefined) return;
  await seePrices(trader, [asset]);
  const { pricing } = trader.core().books;
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
