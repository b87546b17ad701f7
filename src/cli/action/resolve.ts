// `resolve ID`: a person closes what evidence could not decide: an order, a mint, a rail or a payment.

import { CommandFailure } from "../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { withTool } from "../../app/money-command/tool.ts";
import type { Shell } from "../../app/shell.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import type { Desk } from "../../bot/desk/desk.ts";
import { IDLE } from "../../bot/seat/idle.ts";
import { printable } from "../../domain/outside-text.ts";
import { isKind, stateText } from "../../execution/request.ts";
import type { ResolveOptions } from "./resolve/closing.ts";
import { resolveMovement } from "./resolve/movement.ts";
import { resolveOrder } from "./resolve/order.ts";
import { expectationOf, resolveExpectation, resolvePayment } from "./resolve/payment.ts";

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
    const asked = { shell, prompts };
    const { executor } = tool.desk;
    const expected = expectationOf(tool, id);
    if (expected !== undefined) return resolveExpectation(tool, asked, expected, options);
    const { payments } = executor.treasury;
    if (payments.get(id) !== undefined || payments.ended(id) !== undefined)
      return resolvePayment(tool, asked, id, options);
    const found = executor.get(id);
    if (found === undefined) {
      const open = openIn(tool.desk);
      const next = open.length === 0 ? "nothing is open" : `open are ${open.slice(0, 10).join(", ")}`;
      throw new CommandFailure(exitCode.usage, `the journal knows no ${printable(id, 64)}`, next);
    }
    return isKind(found, "order")
      ? resolveOrder(tool, asked, found, options)
      : resolveMovement(tool, asked, found, options);
  });
}

/** Payments first: they are few, and rails stay open for as long as they are used. */
export function openIn({ executor }: Pick<Desk, "executor">): readonly string[] {
  const { payments } = executor.treasury;
  return [
    ...payments.all().map(({ id }) => `${id} (in flight)`),
    ...payments.expectations().map(({ id }) => `${id} (to come)`),
    ...executor.open().map(({ id, state }) => `${id} (${stateText(state)})`),
  ];
}
