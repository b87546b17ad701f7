// Sends an approved request of a person to the venue and records the answer. The outcome is printed before it is
// recorded, so that the person sees the venue's answer in any case.

import { CommandFailure } from "../../domain/command-failure.ts";
import { exitCode } from "../../domain/exit-code.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import type { Shell } from "../shell.ts";
import type { MoneyCommand } from "./money-command.ts";

/** Taken into the books: a changed whitelist freezes rails here. */
export async function whitelist(tool: MoneyCommand): Promise<readonly WithdrawAddress[]> {
  const answer = await tool.ask({ witness: "addresses", asset: undefined, class: "balance" });
  await tool.take({ kind: "answer", answer });
  return answer.witness === "addresses" ? answer.rows : [];
}

/** Prints the outcome of an order, a mint, a rail or a plan. */
export function sayOutcome({ terminal }: Pick<Shell, "terminal">, outcome: string, id: string, text: string): void {
  if (terminal.wantsJson) terminal.json({ id, outcome, text });
  else terminal.print(`${outcome}  ${id}  ${text}`);
}

/** The send is on disk, its answer is not: to every other process the outcome is unknown. */
export function unrecorded(error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  return new CommandFailure(
    exitCode.unknown,
    `it was sent and answered as said above, but the answer could not be recorded: ${error.message}`,
    "a running bot, or the next start, finds out what became of it",
  );
}
