// Sends an approved request of a person to the venue and records the answer. The outcome is printed before it is
// recorded, so that the person sees the venue's answer in any case.

import type { Sent } from "../../bot/effects/dispatch.ts";
import { CommandFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import type { Ask } from "../../execution/effects.ts";
import type { Approval } from "../../risk/treasury-gate.ts";
import type { Shell } from "../shell.ts";
import { standingLines } from "../terminal/trading-state-lines.ts";
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

/** `asks`: the reads about it; if the command does not send them, a bot or the next start does. */
type Carried = { readonly code: ExitCode; readonly asks: readonly Ask[] };

export async function carry(
  { terminal }: Pick<Shell, "terminal">,
  tool: MoneyCommand,
  approved: Approval,
  stop: AbortSignal,
  tell: (sent: Sent) => ExitCode,
  /** What the answer means where more is known than the answer. */
  understood: (sent: Sent) => Promise<Sent> = async (sent) => sent,
): Promise<Carried> {
  const { dispatch } = tool;
  const cease = (): void => dispatch.close("stopped before it was sent");
  if (stop.aborted) cease();
  stop.addEventListener("abort", cease, { once: true });
  const sent = await understood(await dispatch.send(approved));
  const code = tell(sent);
  try {
    const { counters } = tool.tradingCore.engine.books;
    const before = counters.tradingState;
    const { asks } = await tool.take({ kind: "outcome", ...sent });
    // The answer may stop the bot; the command prints that, as the bot reports it.
    if (counters.tradingState !== before && counters.state !== "ACTIVE")
      for (const line of standingLines(counters.tradingState)) terminal.note(line);
    return { code, asks };
  } catch (error) {
    throw sent.outcome.kind === "not-sent" ? error : unrecorded(error);
  }
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
