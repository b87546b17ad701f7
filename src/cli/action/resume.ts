// `resume`: a person takes a stop back, with a reason and a typed confirmation; beneath a person's stop the bot's own stands until
// it is resumed too.

import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/outside-text.ts";
import type { StopCause } from "../../domain/stop-cause.ts";
import { type Standing, stopsOf } from "../../risk/standing.ts";
import { ALL_ANEW, acceptedTexts } from "../../telemetry/accepted-text.ts";
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
  const config = botConfig(shell);
  const { path } = config.journal;
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
    const accepted = await acceptedWith(shell, config, before);
    for (const text of accepted) terminal.hang("accepts  ", printable(text, TEXT_MAX));
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: "resume", yes: options.yes });
    const after = await stop.takeBack(reason, personHere());
    terminal.print(`${after.state}: ${before.state} was taken back by ${personHere()}: ${printable(reason)}`);
    if (options.json) terminal.json({ ...plainOf(before, after), accepted });
    return tellNext(shell, before, after);
  } finally {
    stop.close();
  }
}

/** State and reason afterwards, as the API has them. */
function plainOf({ state: was }: Standing, { state, reason, wayOut }: Standing): object {
  return { state, reason, wayOut, was };
}

/** As much as of a stop. */
const TEXT_MAX = 1_000;
/** Of these the figures are gone with the stop. */
const COUNTED: ReadonlySet<StopCause | undefined> = new Set(["loss", "used_up", "rejections"]);
/** What these are about is looked at again, whoever resumed. */
const LASTING: ReadonlySet<StopCause | undefined> = new Set(["doubt", "heartbeat", "balances", "journal", "venue"]);

/** With amounts of now by the word of a running bot, else as the stops had them. The end of a person's own stop accepts nothing. */
async function acceptedWith(shell: Shell, config: Config, before: Standing): Promise<readonly string[]> {
  if (before.state === "KILLED") return [];
  const { botSays } = await import("./status.ts");
  // A stop is taken back also where nothing else works.
  const told = await botSays(shell, config).catch(() => undefined);
  const counted =
    told?.kind === "told" && told.priced !== undefined
      ? acceptedTexts(told.priced.limits)
      : stopsOf(before).flatMap(({ cause, reason }) =>
          COUNTED.has(cause) ? [`${reason}: that limit counts anew from now`] : [],
        );
  return [...counted, ALL_ANEW];
}

function tellNext({ terminal }: Shell, before: Standing, after: Standing): ExitCode {
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

/** Only of what the resume has not forgiven. */
function againText(before: Standing): string {
  if (before.state === "KILLED") return "; limits that are still broken stop it again";
  const lasting = new Set(stopsOf(before).flatMap(({ cause }) => (LASTING.has(cause) ? [cause] : [])));
  return lasting.size === 0 ? "" : `; what is still so stops it again: ${[...lasting].join(", ")}`;
}
