// An order that evidence could not decide, closed by a person. The venue is asked first: what its history shows cannot be denied,
// and a fill takes its amounts from there or from the person, amount by amount. A trade that cannot be its fill is not booked: closed
// as not filled, the order is free, and `adopt` takes the trade over.

import { CommandFailure } from "../../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../../app/exit-code.ts";
import type { Tool } from "../../../app/money-command/tool.ts";
import { fillInconsistency } from "../../../domain/fill-consistency.ts";
import { Price } from "../../../domain/money/money.ts";
import { fillMoves } from "../../../domain/moves.ts";
import { type ClientOrderId, type Fill, legsText, type OrderRequest } from "../../../domain/order.ts";
import { printable } from "../../../domain/outside-text.ts";
import { ADOPT } from "../../../execution/remediation.ts";
import type { MoneyRequest } from "../../../execution/request.ts";
import { type Asked, amountOf, closeBy, type ResolveOptions, refused, refuseToClose, requireExact } from "./closing.ts";

export async function resolveOrder(
  tool: Tool,
  asked: Asked,
  request: MoneyRequest<"order">,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id, request: order } = request;
  const isFilled = options.filled === true;
  if (!isFilled && options.notFilled !== true)
    throw new CommandFailure(exitCode.usage, `${id} is an order: one of --filled and --not-filled is needed`);
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
  const closing = receipt === undefined ? closed : `${closed}, a price of ${impliedPrice(order, receipt)}`;
  const shown = { request, what, receipt, as: isFilled ? "filled" : "not-filled", closing, closed } as const;
  return closeBy(tool, asked, { ...shown, first: isDenied ? ADOPT : undefined }, options, () => moved?.());
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

/** Paid or received for each unit of what was ordered. */
function impliedPrice({ side, quantity }: OrderRequest, { bought, sold }: Pick<Fill, "bought" | "sold">): string {
  return String(Price.implied(side === "buy" ? sold : bought, quantity, "down")?.rounded(8, "up") ?? 0);
}

/** The fill as a person states it, all of it. */
function statedFill({ id, request }: MoneyRequest<"order">, options: ResolveOptions): Fill {
  const { bought, sold, fee, orderId } = options;
  if (bought === undefined || sold === undefined || fee === undefined || orderId === undefined) {
    const stated = { "--bought": bought, "--sold": sold, "--fee": fee, "--order-id": orderId };
    const missing = Object.entries(stated).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new CommandFailure(
      exitCode.usage,
      `the venue's history shows no trade of ${id}, so its amounts must be stated; ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`,
      'take them from the portal: --bought "100 VCHF" --sold "99.98 CHF" --fee "0.02 CHF" --order-id ID',
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
  const problem = fillInconsistency(request, fill);
  if (problem === undefined) return fill;
  throw refused(
    `this is not believed of ${id}: ${problem}`,
    `compare the decimal point with the portal. If it says so too: once the venue's history shows the trade, --filled takes it from there; until then --not-filled and ${ADOPT} take over what the balances show`,
  );
}
