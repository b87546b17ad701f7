// An order that evidence could not decide, closed by a person. The venue is asked first: what its history shows cannot be denied,
// and a fill needs its amounts, from there or stated one by one; what is stated the balances must not contradict. A trade that
// cannot be its fill is booked by nobody: closed as not filled, the order is free, and `adopt` takes the trade over.

import { fillInconsistency } from "../../../domain/fill-consistency.ts";
import type { ClientOrderId, Fill } from "../../../domain/order.ts";
import { printable } from "../../../domain/outside-text.ts";
import type { TradeRecord } from "../../../exchange/port.ts";
import { impliedPrice } from "../../../execution/stated-fill.ts";
import type { Resolution, Submission } from "../../../execution/submission.ts";
import { TAKE_OVER } from "../../../execution/way-out.ts";
import { unlessOff } from "../../../risk/limits.ts";
import { limitsOf } from "../../bot/core-of.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { type Person, personHere, requireConfirmation, requireReason } from "../../terminal/confirmation.ts";
import type { Tool } from "../../tool/tool.ts";
import { closingRefusal, type MovementResolveOptions, refuseToClose, sayClosed } from "./movement.ts";
import { requireShown } from "./shown-fill.ts";
import { type Stated, statedFill } from "./stated.ts";

export type OrderResolveOptions = MovementResolveOptions &
  Stated & {
    readonly filled?: boolean;
    readonly notFilled?: boolean;
  };

export async function resolveOrder(
  tool: Tool,
  { shell, prompts }: Pick<Person, "shell" | "prompts">,
  submission: Submission<"order">,
  options: OrderResolveOptions,
): Promise<ExitCode> {
  const { id } = submission;
  const isFilled = options.filled === true;
  if (!isFilled && options.notFilled !== true)
    throw new CommandFailure(exitCode.usage, `${id} is an order: one of --filled and --not-filled is needed`);
  const refusal = closingRefusal(tool.desk, submission, isFilled ? "landed" : "not-landed");
  refuseToClose(tool, submission, refusal);
  const listed = await listedFill(tool, submission);
  if (listed !== undefined) refuseAgainst(submission, listed, isFilled);
  const fill = isFilled
    ? (listed?.fill ?? statedFill(submission, options, unlessOff(limitsOf(tool.config).feeBpsMax)))
    : undefined;
  const moved = fill === undefined || listed !== undefined ? undefined : await requireShown(tool, submission, fill);
  show(shell, submission, fill);
  if (!isFilled && listed !== undefined)
    shell.terminal.print(`listed   ${unbookedText(id, listed)}; closed so, it is taken over by ${TAKE_OVER}`);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: isFilled ? "filled" : "not-filled", yes: options.yes });
  const by = personHere();
  const resolution: Resolution<Fill> =
    fill === undefined ? { kind: "not-landed", by, reason } : { kind: "landed", receipt: fill, by, reason };
  await tool.take({ kind: "resolution", id, resolution }, () => {
    const now = tool.desk.executor.get(id);
    return now === undefined ? `${id} is gone` : (closingRefusal(tool.desk, now, resolution.kind) ?? moved?.());
  });
  const text = `is closed as ${isFilled ? `filled: ${fill && amountsOf(fill)}` : "not filled"}`;
  const first = !isFilled && listed !== undefined ? TAKE_OVER : undefined;
  sayClosed(shell, tool, { id, as: isFilled ? "filled" : "not-filled", text, json: options.json }, first);
  return exitCode.done;
}

/** As the venue lists it; `odd`: why it cannot be a fill of the order. */
type Listed = { readonly fill: Fill; readonly odd: string | undefined };

async function listedFill(tool: Tool, { id, request }: Submission<"order">): Promise<Listed | undefined> {
  const trades = await tool.read("trades", tool.exchange.trades({ class: "doubt" }));
  const listed = trades.flatMap((trade): readonly Listed[] => {
    if (trade.clientOrderId !== id) return [];
    const fill = ofRecord(id as ClientOrderId, trade);
    return [{ fill, odd: fillInconsistency(request, fill) }];
  });
  return listed.find(({ odd }) => odd === undefined) ?? listed[0];
}

function refuseAgainst({ id }: Submission<"order">, listed: Listed, isFilled: boolean): void {
  const { fill, odd } = listed;
  if (odd === undefined && !isFilled)
    throw new CommandFailure(
      exitCode.refused,
      `the venue shows a trade of ${id} (${amountsOf(fill)}), so it did fill; nothing was changed`,
      `pegbot resolve ${id} --filled --reason "..."`,
    );
  if (odd !== undefined && isFilled)
    throw new CommandFailure(
      exitCode.refused,
      `${unbookedText(id, listed)}; nothing was changed`,
      `ask the venue about it; if it stays so: pegbot resolve ${id} --not-filled --reason "..." frees the order, then ${TAKE_OVER} takes over what the balances show, this trade with it`,
    );
}

function unbookedText(id: string, { fill, odd }: Listed): string {
  return `the venue lists ${amountsOf(fill)}, which cannot be booked as the fill of ${id}: ${odd}`;
}

function ofRecord(clientOrderId: ClientOrderId, { status: _, ...trade }: TradeRecord): Fill {
  return { ...trade, clientOrderId };
}

function show({ terminal }: Shell, { id, request, state }: Submission<"order">, fill: Fill | undefined): void {
  const { side, quantity, symbol, limit } = request;
  terminal.print(`order    ${id}: ${side} ${quantity} ${symbol} at ${limit}`);
  terminal.print(`state    ${state.kind}${"doubt" in state ? `: ${printable(state.doubt.cause)}` : ""}`);
  terminal.print(`closing  as ${fill === undefined ? "not filled" : `filled: ${amountsOf(fill)}`}`);
  if (fill !== undefined) terminal.print(`price    ${impliedPrice(request, fill)}, limit ${limit}`);
}

function amountsOf({ bought, sold, fee }: Fill): string {
  return `${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
}
