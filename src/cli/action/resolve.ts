// `resolve ID`: a person closes what evidence could not decide. The venue is asked first: what its history shows cannot be
// denied, and a fill needs its amounts, from there or stated one by one. Mints, rails and payments have files of their own.

import { IDLE } from "../../bot/start-up.ts";
import { fillInconsistency } from "../../domain/fill-consistency.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";
import { printable } from "../../domain/outside-text.ts";
import type { TradeRecord } from "../../exchange/port.ts";
import { resolutionRefusal } from "../../execution/advance.ts";
import { impliedPrice } from "../../execution/stated-fill.ts";
import type { Resolution, Submission } from "../../execution/submission.ts";
import { unlessOff } from "../../risk/limits.ts";
import { limitsOf } from "../bot/core-of.ts";
import { CommandFailure } from "../command-failure.ts";
import { personHere, requireConfirmation, requireReason } from "../confirmation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";
import { type Tool, withTool } from "../tool/tool.ts";
import { expectationOf, resolveExpectation } from "./resolve/expectation.ts";
import { type MovementResolveOptions, refuseToClose, resolveMovement, sayClosed } from "./resolve/movement.ts";
import { resolvePayment } from "./resolve/payment.ts";
import { type Stated, statedFill } from "./resolve/stated.ts";

export type ResolveOptions = MovementResolveOptions &
  Stated & {
    readonly filled?: boolean;
    readonly notFilled?: boolean;
  };

export async function resolve(
  shell: Shell,
  id: string,
  options: ResolveOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const answers = [options.filled, options.notFilled, options.landed, options.notLanded];
  if (answers.filter((one) => one === true).length !== 1)
    throw new CommandFailure(exitCode.usage, "one of --filled, --not-filled, --landed and --not-landed is needed");
  return withTool(shell, { strategy: IDLE, books: "existing" }, async (tool) => {
    const expected = expectationOf(tool, id);
    if (expected !== undefined) return resolveExpectation(tool, { shell, prompts }, expected, options);
    const payment = tool.desk.executor.payment(id);
    if (payment !== undefined) return resolvePayment(tool, { shell, prompts }, payment, options);
    const found = requireKnown(tool, id);
    if (found.kind !== "order") return resolveMovement(tool, { shell, prompts }, found, options);
    const submission = found as Submission<"order">;
    const isFilled = options.filled === true;
    if (!isFilled && options.notFilled !== true)
      throw new CommandFailure(exitCode.usage, `${id} is an order: one of --filled and --not-filled is needed`);
    const refusal = resolutionRefusal(submission, isFilled ? "landed" : "not-landed");
    refuseToClose(tool, submission, refusal);
    const fill = await fillOf(tool, submission, options);
    const odd = fill && fillInconsistency(submission.request, fill);
    if (odd !== undefined)
      throw new CommandFailure(exitCode.refused, `this fill is not one of ${id}: ${odd}; nothing was changed`);
    if (!isFilled && fill !== undefined)
      throw new CommandFailure(
        exitCode.refused,
        `the venue shows a trade of ${id} (${amountsOf(fill)}), so it did fill; nothing was changed`,
        `pegbot resolve ${id} --filled --reason "..."`,
      );
    show(shell, submission, fill);
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: isFilled ? "filled" : "not-filled", yes: options.yes });
    const by = personHere();
    const resolution: Resolution<Fill> =
      fill === undefined ? { kind: "not-landed", by, reason } : { kind: "landed", receipt: fill, by, reason };
    await tool.take({ kind: "resolution", id, resolution }, () => {
      const now = tool.desk.executor.get(id);
      return now === undefined ? `${id} is gone` : resolutionRefusal(now, resolution.kind);
    });
    const text = `is closed as ${isFilled ? `filled: ${fill && amountsOf(fill)}` : "not filled"}`;
    sayClosed(shell, tool, { id, as: isFilled ? "filled" : "not-filled", text, json: options.json });
    return exitCode.done;
  });
}

function requireKnown({ desk }: Tool, id: string): Submission {
  const { executor } = desk;
  const found = executor.get(id);
  if (found === undefined) {
    const open = [...executor.open()].map((one) => `${one.id} (${one.state.kind})`);
    const next = open.length === 0 ? "nothing is open" : `open are ${open.slice(0, 10).join(", ")}`;
    throw new CommandFailure(exitCode.usage, `the journal knows no ${printable(id, 64)}`, next);
  }
  return found;
}

/** The venue's own record, else the amounts that a person states; undefined for what did not fill. */
async function fillOf(tool: Tool, submission: Submission<"order">, options: ResolveOptions): Promise<Fill | undefined> {
  const { id } = submission;
  const trades = await tool.read("trades", tool.exchange.trades({ class: "doubt" }));
  const trade = trades.find(({ clientOrderId }) => clientOrderId === id);
  if (trade !== undefined) return ofRecord(id as ClientOrderId, trade);
  if (options.filled !== true) return undefined;
  return statedFill(submission, options, unlessOff(limitsOf(tool.config).feeBpsMax));
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
