// `resolve ID`: a person closes what evidence could not decide. Orders, mints and rails, and payments have files of their own.

import { IDLE } from "../../bot/seat/idle.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Submission } from "../../execution/submission.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { type Prompts, terminalPrompts } from "../terminal/prompts.ts";
import { type Tool, withTool } from "../tool/tool.ts";
import { expectationOf, resolveExpectation } from "./resolve/expectation.ts";
import { resolveMovement } from "./resolve/movement.ts";
import { openIn } from "./resolve/open.ts";
import { type OrderResolveOptions, resolveOrder } from "./resolve/order.ts";
import { refuseEnded, resolvePayment } from "./resolve/payment.ts";

export async function resolve(
  shell: Shell,
  id: string,
  options: OrderResolveOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const answers = [options.filled, options.notFilled, options.landed, options.notLanded];
  if (answers.filter((one) => one === true).length !== 1)
    throw new CommandFailure(exitCode.usage, "one of --filled, --not-filled, --landed and --not-landed is needed");
  if (options.venueConfirms === true && options.notLanded !== true)
    throw new CommandFailure(exitCode.usage, "--venue-confirms goes with --not-landed, of a mint or a payment");
  return withTool(shell, { strategy: IDLE, books: "existing" }, async (tool) => {
    const expected = expectationOf(tool, id);
    if (expected !== undefined) return resolveExpectation(tool, { shell, prompts }, expected, options);
    const payment = tool.desk.executor.movements.payment(id);
    if (payment !== undefined) return resolvePayment(tool, { shell, prompts }, payment, options);
    const ended = tool.desk.executor.movements.paymentEnded(id);
    if (ended !== undefined) return refuseEnded(tool, id, ended);
    const found = requireKnown(tool, id);
    if (found.kind !== "order") return resolveMovement(tool, { shell, prompts }, found, options);
    return resolveOrder(tool, { shell, prompts }, found as Submission<"order">, options);
  });
}

function requireKnown(tool: Tool, id: string): Submission {
  const found = tool.desk.executor.get(id);
  if (found === undefined) {
    const open = openIn(tool.desk);
    const next = open.length === 0 ? "nothing is open" : `open are ${open.slice(0, 10).join(", ")}`;
    throw new CommandFailure(exitCode.usage, `the journal knows no ${printable(id, 64)}`, next);
  }
  return found;
}
