// An order that evidence could not decide, closed by a person. The venue is asked first: what its history shows cannot be denied,
// and a fill takes its amounts from there or from the person, amount by amount. A trade that cannot be its fill is not booked: closed
// as not filled, the order is free, and `adopt` takes the trade over.

import { assetsOf } from "../../../domain/asset.ts";
import { fillInconsistency } from "../../../domain/fill-consistency.ts";
import { Price } from "../../../domain/money/money.ts";
import { fillMoves, orderMoves } from "../../../domain/moves.ts";
import { type ClientOrderId, type Fill, legs, legsText, type OrderRequest } from "../../../domain/order.ts";
import { printable } from "../../../domain/outside-text.ts";
import { ADOPT } from "../../../execution/remediation.ts";
import { type MoneyRequest, type Resolution, stateText } from "../../../execution/request.ts";
import { unlessOff } from "../../../risk/limits.ts";
import { limitsOf } from "../../bot/core-of.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { personHere, requireConfirmation, requireReason } from "../../terminal/confirmation.ts";
import type { Tool } from "../../tool/tool.ts";
import {
  type Asked,
  amountOf,
  closingRefusal,
  type ResolveOptions,
  refused,
  refuseToClose,
  requireExact,
  sayClosed,
} from "./closing.ts";

export async function resolveOrder(
  tool: Tool,
  { shell, prompts }: Asked,
  order: MoneyRequest<"order">,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id } = order;
  const isFilled = options.filled === true;
  if (!isFilled && options.notFilled !== true)
    throw new CommandFailure(exitCode.usage, `${id} is an order: one of --filled and --not-filled is needed`);
  refuseToClose(tool, order, isFilled ? "landed" : "not-landed");
  const listed = await listedFill(tool, order);
  if (listed !== undefined) refuseAgainst(order, listed, isFilled);
  const fill = isFilled ? (listed?.fill ?? statedFill(tool, order, options)) : undefined;
  const moves = fill === undefined ? [] : fillMoves(order.request, fill);
  const moved = listed === undefined ? await requireExact(tool, id, moves, options) : undefined;
  show(shell, order, fill);
  if (!isFilled && listed !== undefined)
    shell.terminal.print(`listed   ${unbookedText(id, listed)}; closed so, it is taken over by ${ADOPT}`);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: isFilled ? "filled" : "not-filled", yes: options.yes });
  const by = personHere();
  const resolution: Resolution<Fill> =
    fill === undefined ? { kind: "not-landed", by, reason } : { kind: "landed", receipt: fill, by, reason };
  await tool.take({ kind: "resolution", id, resolution }, () => {
    const now = tool.desk.executor.get(id);
    return now === undefined ? `${id} is gone` : (closingRefusal(tool, now, resolution.kind) ?? moved?.());
  });
  const text = `is closed as ${isFilled ? `filled: ${fill && legsText(fill)}` : "not filled"}`;
  const first = !isFilled && listed !== undefined ? ADOPT : undefined;
  sayClosed(shell, tool, { id, as: isFilled ? "filled" : "not-filled", text, json: options.json }, first);
  return exitCode.done;
}

/** As the venue lists it; `odd`: why it cannot be a fill of the order. */
type Listed = { readonly fill: Fill; readonly odd: string | undefined };

async function listedFill(tool: Tool, { id, request }: MoneyRequest<"order">): Promise<Listed | undefined> {
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

function show({ terminal }: Shell, { id, request, state }: MoneyRequest<"order">, fill: Fill | undefined): void {
  const { side, quantity, symbol, limit } = request;
  terminal.print(`order    ${id}: ${side} ${quantity} ${symbol} at ${limit}`);
  terminal.print(`state    ${stateText(state)}${state.kind === "unknown" ? `: ${printable(state.cause)}` : ""}`);
  terminal.print(`closing  as ${fill === undefined ? "not filled" : `filled: ${legsText(fill)}`}`);
  if (fill !== undefined) terminal.print(`price    ${impliedPrice(request, fill)}, limit ${limit}`);
}

/** Paid or received for each unit of what was ordered. */
function impliedPrice({ side, quantity }: OrderRequest, { bought, sold }: Pick<Fill, "bought" | "sold">): string {
  return String(Price.implied(side === "buy" ? sold : bought, quantity, "down")?.rounded(8, "up") ?? 0);
}

/** The fill as a person states it: all of it, and within what the balances are explained with while its outcome is unknown. */
function statedFill(tool: Tool, { id, request }: MoneyRequest<"order">, options: ResolveOptions): Fill {
  const { bought, sold, fee, orderId } = options;
  if (bought === undefined || sold === undefined || fee === undefined || orderId === undefined) {
    const stated = { "--bought": bought, "--sold": sold, "--fee": fee, "--order-id": orderId };
    const missing = Object.entries(stated).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new CommandFailure(
      exitCode.usage,
      `the venue's history shows no trade of ${id}, so its amounts must be stated; ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`,
      `take them from the portal; at its limit and without a fee they would be ${atLimit(request)}`,
    );
  }
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
  const problem =
    fillInconsistency(request, fill) ?? outside(request, fill, unlessOff(limitsOf(tool.config).feeBpsMax));
  if (problem === undefined) return fill;
  throw refused(
    `this is not believed of ${id}: ${problem}`,
    `compare the decimal point with the portal. If it says so too: once the venue's history shows the trade, --filled takes it from there; until then --not-filled and ${ADOPT} take over what the balances show`,
  );
}

/** Why a stated fill lies outside what an order of this kind may do. */
function outside(
  request: OrderRequest & MoneyRequest<"order">["request"],
  fill: Fill,
  feeBpsMax = 0,
): string | undefined {
  const ranges = orderMoves(request, feeBpsMax);
  const moves = fillMoves(request, fill);
  for (const { least, most } of ranges) {
    const move = moves.find(({ asset }) => asset === most.asset);
    if (move === undefined || (move.atLeast(least) && move.atMost(most))) continue;
    return `${most.asset} must change by ${least} to ${most} (its limit, at most 5 % better, and risk.feeBpsMax), was ${move}, a price of ${impliedPrice(request, fill)}`;
  }
  return undefined;
}

function atLimit({ symbol, side, quantity, limit }: OrderRequest): string {
  const { base, quote } = assetsOf(symbol);
  const { bought, sold } = legs(side, base, quote);
  const worth = limit.times(quantity, quote, side === "buy" ? "up" : "down");
  const amount = (asset: string): string => `"${asset === base ? quantity : worth} ${asset}"`;
  return `--bought ${amount(bought)} --sold ${amount(sold)} --fee "0 ${quote}" --order-id ID`;
}
