// `resume`: a person ends a stop, with a reason and a typed confirmation; the bot's own stop beneath a person's stays
// until it is resumed as well.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { inBotTime } from "../../app/journal/bot-time.ts";
import { requireOpening } from "../../app/kill-switch/stop-journal.ts";
import { type FoundStop, findStop } from "../../app/kill-switch/take-back.ts";
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
import { isPersons, type TradingState } from "../../risk/trading-state.ts";
import { ALL_ANEW, acceptedTexts, againTexts, agreeText, lastingCauses } from "../../watch/text/resume-text.ts";
import type { Told } from "../ask-bot.ts";

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
  const { path } = config.journal;
  const { opening } = requireOpening(path);
  const stop = await findStop(inBotTime(shell, opening), path);
  try {
    const before = stop.standing;
    if (before.state === "ACTIVE") {
      terminal.print("ACTIVE already: there is nothing to take back");
      if (terminal.wantsJson) terminal.json(plainOf(before, before));
      return exitCode.done;
    }
    for (const line of standingLines(before, terminal.width)) terminal.print(line);
    for (const text of againTexts(before)) terminal.hang("again    ", printable(text, TEXT_MAX));
    const told = isPersons(before) ? undefined : await toldByBot(shell, config);
    const agreed = told?.kind === "told" ? agreeText(before, told.status.balancesAgreeSince) : undefined;
    if (agreed !== undefined) terminal.hang("balances ", agreed);
    const accepted = acceptedWith(told, before);
    for (const text of accepted) terminal.hang("accepts  ", printable(text, TEXT_MAX));
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: "resume", yes: options.yes });
    const taken = await stop.takeBack(reason, personHere());
    terminal.print(
      `${taken.state}: ${isPersons(before) ? "a person's stop" : before.state} was taken back by ${personHere()}: ${printable(reason)}`,
    );
    const isFollowed = told !== undefined && lastingCauses(before).length > 0;
    const after = isFollowed ? await followed(stop, taken, timers) : taken;
    if (terminal.wantsJson) terminal.json({ ...plainOf(before, after), accepted });
    return tellNext(shell, before, { taken, after });
  } finally {
    stop.close();
  }
}

/** State and reason afterwards, with the names of the API. */
function plainOf({ state: was }: TradingState, { state, reason, wayOut }: TradingState): object {
  return { state, reason, wayOut, was };
}

/** The same maximum as for the reason of a stop. */
const TEXT_MAX = 1_000;
/** A running bot applies the resume within a second; an immediate new stop shows shortly after. */
const FOLLOWED_MS = 2_000;
const LOOK_MS = 100;

/** A resume must also work if the status cannot be read. */
async function toldByBot(shell: Shell, config: Config): Promise<Told | undefined> {
  const { botSays } = await import("./status.ts");
  return botSays(shell, config).catch(() => undefined);
}

/** Includes current amounts if a running bot answers. Ending a person's own stop accepts nothing. */
function acceptedWith(told: Told | undefined, before: TradingState): readonly string[] {
  if (isPersons(before)) return [];
  return [...(told?.kind === "told" ? acceptedTexts(told.status.limits) : []), ALL_ANEW];
}

/** The trading state after a running bot has followed: stopped again if the cause persists and is noticed at once. */
async function followed(stop: Pick<FoundStop, "now">, taken: TradingState, timers: Timers): Promise<TradingState> {
  for (let waited = 0; waited < FOLLOWED_MS; waited += LOOK_MS) {
    await pause(timers, LOOK_MS);
    const now = stop.now();
    if (now.state !== "ACTIVE") return now;
  }
  return taken;
}

type Taken = { readonly taken: TradingState; readonly after: TradingState };

function tellNext({ terminal }: Shell, before: TradingState, { taken, after }: Taken): ExitCode {
  if (after !== taken) {
    terminal.print(`${after.state} again at once, and what was accepted is accepted:`);
    for (const line of standingLines(after, terminal.width)) terminal.print(line);
    return after.state === "REDUCED" ? exitCode.done : exitCode.halted;
  }
  if (after.state === "ACTIVE") {
    terminal.print(`a running bot follows within a second${againText(before)}`);
    return exitCode.done;
  }
  terminal.print(
    "beneath it the bot had stopped by itself, and that stands until it is dealt with and resumed as well:",
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
