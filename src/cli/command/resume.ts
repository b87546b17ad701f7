// `resume`: a person ends a stop, with a reason and a typed confirmation; the bot's own stop beneath a person's stays
// until it is resumed as well.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { decided } from "../../app/owner/ask-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { standingLines } from "../../app/terminal/trading-state-lines.ts";
import type { Config } from "../../config/schema.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { pause } from "../../domain/pause.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import { personHere } from "../../operation/person.ts";
import { resume as operation } from "../../operation/resume.ts";
import { isPersons, stopsOf, type TradingState } from "../../risk/trading-state.ts";
import { ALL_ANEW, acceptedTexts, againTexts, agreeText, lastingCauses } from "../../watch/text/resume-text.ts";
import { statusNow } from "./status.ts";

export function defineResume(command: Command, run: Run): void {
  command
    .option("--reason <text>", "why it is right to go on")
    .option("--yes", "confirm without a terminal")
    .action((options: ResumeOptions) => run((shell) => resume(shell, options)));
}

type ResumeOptions = { readonly reason?: string; readonly yes?: boolean };

export async function resume(
  shell: Shell,
  options: ResumeOptions,
  prompts: Prompts = terminalPrompts,
  timers: Timers = systemTimers,
): Promise<ExitCode> {
  const { terminal } = shell;
  const config = botConfig(shell);
  const report = await statusNow(shell, config);
  const before: TradingState = report.standing;
  if (before.state === "ACTIVE") {
    terminal.print("ACTIVE already: there is nothing to take back");
    if (terminal.wantsJson) terminal.json(plainOf(before, before));
    return exitCode.done;
  }
  for (const line of standingLines(before, terminal.width)) terminal.print(line);
  for (const text of againTexts(before)) terminal.hang("again    ", printable(text, TEXT_MAX));
  const told = isPersons(before) || !report.isTold ? undefined : report;
  const agreed = told && agreeText(before, told.balancesAgreeSince);
  if (agreed !== undefined) terminal.hang("balances ", agreed);
  // Ending a person's own stop accepts nothing.
  const accepted = isPersons(before) ? [] : [...(told === undefined ? [] : acceptedTexts(told.limits)), ALL_ANEW];
  for (const text of accepted) terminal.hang("accepts  ", printable(text, TEXT_MAX));
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "resume", yes: options.yes });
  const seen = stopsOf(before).map((stop) => stop.reason);
  const taken = await decided<TradingState>(shell, operation, { reason, confirm: "resume", seen });
  terminal.print(
    `${taken.state}: ${isPersons(before) ? "a person's stop" : before.state} was taken back by ${personHere()}: ${printable(reason)}`,
  );
  const isFollowed = told !== undefined && lastingCauses(before).length > 0;
  const after = isFollowed ? await followed(shell, config, taken, timers) : taken;
  if (terminal.wantsJson) terminal.json({ ...plainOf(before, after), accepted });
  return tellNext(shell, before, { taken, after });
}

/** State and reason afterwards, with the names of the API. */
function plainOf({ state: was }: TradingState, { state, reason, wayOut }: TradingState): object {
  return { state, reason, wayOut, was };
}

/** The same maximum as for the reason of a stop. */
const TEXT_MAX = 1_000;
/** An immediate new stop shows shortly after. */
const FOLLOWED_MS = 2_000;
const LOOK_MS = 250;

/** The trading state after a running bot has followed: stopped again if the cause persists and is noticed at once. */
async function followed(shell: Shell, config: Config, taken: TradingState, timers: Timers): Promise<TradingState> {
  for (let waited = 0; waited < FOLLOWED_MS; waited += LOOK_MS) {
    await pause(timers, LOOK_MS);
    const { standing } = await statusNow(shell, config);
    if (standing.state !== "ACTIVE") return standing;
  }
  return taken;
}

type Taken = { readonly taken: TradingState; readonly after: TradingState };

function tellNext({ terminal }: Shell, before: TradingState, { taken, after }: Taken): ExitCode {
  if (after !== taken) {
    terminal.print(`${after.state} again at once, after the accepted stops were taken back:`);
    for (const line of standingLines(after, terminal.width)) terminal.print(line);
    return after.state === "REDUCED" ? exitCode.done : exitCode.halted;
  }
  if (after.state === "ACTIVE") {
    terminal.print(`it counts at once, and for the next start${againText(before)}`);
    return exitCode.done;
  }
  terminal.print(
    "beneath it the bot had stopped by itself; that stop stands until its cause is removed and you resume again:",
  );
  for (const line of standingLines(after, terminal.width)) terminal.print(line);
  return after.state === "REDUCED" ? exitCode.done : exitCode.halted;
}

/** Only the causes that the resume does not reset. */
function againText(before: TradingState): string {
  if (isPersons(before)) return "; limits that are still broken stop it again";
  const causes = new Set(lastingCauses(before));
  return causes.size === 0 ? "" : `; it stops again unless this was dealt with: ${[...causes].join(", ")}`;
}
