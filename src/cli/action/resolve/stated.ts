// The fill of an order as a person states it, amount by amount, where the venue's history shows none: all of it, and within
// what is believed of such an order.

import { assetsOf } from "../../../domain/asset.ts";
import { fillInconsistency } from "../../../domain/fill-consistency.ts";
import { type ClientOrderId, type Fill, legs, type OrderRequest } from "../../../domain/order.ts";
import { printable } from "../../../domain/outside-text.ts";
import { statedProblem } from "../../../execution/stated-fill.ts";
import type { Submission } from "../../../execution/submission.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import { amountOf } from "./movement.ts";

export type Stated = {
  readonly bought?: string;
  readonly sold?: string;
  readonly fee?: string;
  readonly orderId?: string;
};

/** `feeBpsMax`: undefined where fees have no limit. */
export function statedFill(
  { id, request }: Pick<Submission<"order">, "id" | "request">,
  stated: Stated,
  feeBpsMax: number | undefined,
): Fill {
  const { bought, sold, fee, orderId } = stated;
  if (bought === undefined || sold === undefined || fee === undefined || orderId === undefined) {
    const options = { "--bought": bought, "--sold": sold, "--fee": fee, "--order-id": orderId };
    const missing = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [name] : []));
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
  const problem = fillInconsistency(request, fill) ?? statedProblem(request, fill, feeBpsMax);
  if (problem !== undefined)
    throw new CommandFailure(
      exitCode.refused,
      `this is not believed of ${id}: ${problem}; nothing was changed`,
      `compare the decimal point with the portal. If it says so too: once the venue's history shows the trade, --filled takes it from there; until it does, --not-filled and pegbot adopt take over what the balances say`,
    );
  return fill;
}

function atLimit({ symbol, side, quantity, limit }: OrderRequest): string {
  const { base, quote } = assetsOf(symbol);
  const { bought, sold } = legs(side, base, quote);
  const worth = limit.times(quantity, quote, side === "buy" ? "up" : "down");
  const amount = (asset: string): string => `"${asset === base ? quantity : worth} ${asset}"`;
  return `--bought ${amount(bought)} --sold ${amount(sold)} --fee "0 ${quote}" --order-id ID`;
}
