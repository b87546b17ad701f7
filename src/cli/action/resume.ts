// `resume`: a person takes a stop back, with a reason and a typed confirmation; beneath a person's stop the bot's own stands until
// it is resumed too.

import { printable } from "../../domain/outside-text.ts";
import type { Standing } from "../../risk/standing.ts";
import { botConfig } from "../config/bot-config.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { inBotTime } from "../journal/bot-time.ts";
import { requireOpening } from "../journal/standing-journal.ts";
import { findStop } from "../journal/take-back.ts";
import { takeKeptStop } from "../latch/kept-stop.ts";
import type { Shell } from "../shell.ts";
import { personHere, requireConfirmation, requireReason } from "../terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../terminal/prompts.ts";
import { standingLines } from "../terminal/standing-lines.ts";

export type ResumeOptions = { readonly reason?: string; readonly yes?: boolean; readonly json?: boolean };

export async function resume(
  shell: Shell,
  options: ResumeOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const { terminal } = shell;
  const { path } = botConfig(shell).journal;
  await takeKeptStop(shell, path);
  const { account } = requireOpening(path).opening;
  const stop = await findStop(await inBotTime(shell, account), path);
  try {
    const before = stop.standing;
    if (before.state === "ACTIVE") {
      terminal.print("ACTIVE already: there is nothing to take back");
      if (options.json) terminal.json(plainOf(before, before));
      return exitCode.done;
    }
    for (const line of standingLines(before, terminal.width)) terminal.print(line);
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: "resume", yes: options.yes });
    const after = await stop.takeBack(reason, personHere());
    terminal.print(`${after.state}: ${before.state} was taken back by ${personHere()}: ${printable(reason)}`);
    if (options.json) terminal.json(plainOf(before, after));
    return tellNext(shell, after);
  } finally {
    stop.close();
  }
}

/** State and reason afterwards, as the API has them. */
function plainOf({ state: was }: Standing, { state, reason, wayOut }: Standing): object {
  return { state, reason, wayOut, was };
}

function tellNext({ terminal }: Shell, after: Standing): ExitCode {
  if (after.state === "ACTIVE") {
    terminal.print("a running bot follows within a second; limits that are still broken stop it again");
    return exitCode.done;
  }
  terminal.print(
    "beneath it the bot had stopped by itself, and that stands until it is dealt with and resumed as well:",
  );
  for (const line of standingLines(after, terminal.width)) terminal.print(line);
  return after.state === "REDUCED" ? exitCode.done : exitCode.halted;
}
