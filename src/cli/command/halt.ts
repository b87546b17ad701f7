// `halt`: a person's stop. It writes the kill file, which every process reads before it sends, so that the stop needs
// no journal, key or venue. A running bot journals it; otherwise the next start does.

import type { Command } from "commander";
import { type RunningBot, runningBotOn, runningBots } from "../../app/bot/running-bots.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { isSameFile } from "../../app/journal/journal-binding.ts";
import { isJournalThere } from "../../app/journal/journal-there.ts";
import { openKillFile } from "../../app/kill-switch/kill-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { pause } from "../../domain/pause.ts";
import { printable } from "../../domain/sanitise.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { personHere } from "../../operation/person.ts";
import { FRESH, RESUME, type TradingState, transition } from "../../risk/trading-state.ts";
import { appendControl } from "../append-control.ts";

export function defineHalt(command: Command, run: Run): void {
  command
    .argument("<reason...>", "why, for the journal and for whoever resumes; all words, quoted or not")
    .action((words: readonly string[]) => run((shell) => halt(shell, words.join(" "))));
}

const REASON_MAX = 200;

/** A concurrent resume may be ending an earlier stop: this stop is later and must hold. */
const SETTLE_MS = 250;

export async function halt(shell: Shell, reason: string): Promise<ExitCode> {
  const { terminal } = shell;
  if (reason.trim() === "") throw usageFailure("NOT STOPPED: a reason is needed", 'pegbot halt "..."');
  const config = orNotStopped(() => botConfig(shell));
  const { path } = config.journal;
  requireSomethingToStop(path);
  const own = printable(reason.trim(), REASON_MAX);
  await kill(shell, config, own);
  await pause(systemTimers, SETTLE_MS);
  const { state, reason: why, by, since } = await kill(shell, config, own);
  const bots = runningBots();
  const bot = bots.find(({ journal }) => isSameFile(journal, path));
  // A bot that was started with another path to this journal, by a link, looks for its kill file there.
  if (bot !== undefined && bot.journal !== path) {
    const written = openKillFile(bot.journal).write(own, personHere());
    if (!written.ok) throw plainFailure(`NOT STOPPED: process ${bot.pid}: ${written.error}`, signals([bot]));
  }
  const others = bots.filter(({ pid }) => pid !== bot?.pid);
  if (terminal.wantsJson) {
    const stop = { state, reason: why, by, since: new Date(since).toISOString(), journal: path };
    terminal.json({ ...stop, pid: bot?.pid ?? null, others: others.map(({ pid, journal }) => ({ pid, journal })) });
  } else {
    terminal.print(`${state}: no order, mint or rail leaves from now on; reading and resolving go on`);
    terminal.print(`reason   ${printable(why)} (${printable(by)})`);
    // The first reason of a stop stays in force; a second stop must see that its reason is recorded as well.
    if (why !== own) terminal.print(`also     ${own} (${printable(personHere())}): it was stopped already`);
    terminal.print(`journal  ${path}`);
    terminal.print(
      bot === undefined
        ? `bot      ${NO_BOT}: the stop holds for every command, and for the next start`
        : `bot      process ${bot.pid}, started in ${printable(bot.folder)}`,
    );
    for (const other of others) terminal.print(`other    not stopped by this: ${bySignal(other)}`);
    terminal.print(`way out  ${RESUME}`);
  }
  return bot === undefined ? exitCode.halted : exitCode.done;
}

const NO_BOT = "no bot of this user is known to run on this journal";

/** Writes the kill file, or the journal if the file cannot be written. */
async function kill(shell: Shell, config: Config, reason: string): Promise<TradingState> {
  const { path } = config.journal;
  const control = { kind: "kill", reason, by: personHere() } as const;
  const file = openKillFile(path);
  const written = file.write(reason, control.by);
  if (written.ok) return file.standing();
  try {
    return transition(FRESH, control, await appendControl(shell, path, control));
  } catch (error) {
    throw await inProcessOnly(shell, config, `${written.error}; ${errorMessage(error)}`);
  }
}

/** Nothing can be written: a running bot still stops by the signal, as long as it runs. */
async function inProcessOnly(shell: Shell, config: Config, unwritten: string): Promise<CommandFailure> {
  const { path } = config.journal;
  const bot = runningBotOn(path);
  if (bot === undefined) return plainFailure(`NOT STOPPED: ${unwritten}; ${NO_BOT}`, signals(runningBots()));
  try {
    process.kill(bot.pid, "SIGUSR2");
  } catch (error) {
    return plainFailure(`NOT STOPPED: ${unwritten}; ${errorMessage(error)}`, signals([bot]));
  }
  await pause(systemTimers, SETTLE_MS);
  const { botSays } = await import("./status.ts");
  const told = await botSays(shell, config);
  const isStopped = told?.kind === "told" && told.status.standing.state === "HALTED";
  const stopped = isStopped ? "STOPPED ONLY WHILE IT RUNS" : "SIGUSR2 WAS SENT, NO STOP IS CONFIRMED";
  const why = told?.kind === "silent" ? ` (${told.why})` : "";
  return plainFailure(
    `${stopped}: process ${bot.pid} of journal ${path}${why}. NOT WRITTEN: ${unwritten}`,
    "leave it running; once the disk can be written, pegbot halt again, before any start",
  );
}

/** A failure before the stop must not read like a stop. */
function orNotStopped<T>(work: () => T, way?: "its own"): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(error.code, `NOT STOPPED: ${error.message}`, signals(runningBots(), way && error.next));
  }
}

/** In the wrong folder a stop would silently stop nothing. A damaged journal is enough: the stop holds. */
function requireSomethingToStop(path: string): void {
  if (orNotStopped(() => isJournalThere(path) || isJournalThere(anchorOf(path)), "its own")) return;
  const why = "so this configuration has no bot, and nothing was stopped";
  throw usageFailure(`NOT STOPPED: there is no journal at ${path}, ${why}`, signals(runningBots()));
}

function signals(bots: readonly RunningBot[], first = "name the bot's own configuration with --config"): string {
  const signal = bots.length === 0 ? "send SIGUSR2 to it: kill -USR2 PID" : bots.map(bySignal).join("; ");
  return `${first}, or ${signal}`;
}

function bySignal({ pid, folder, journal }: RunningBot): string {
  return `kill -USR2 ${pid} stops the bot that was started in ${printable(folder)}, journal ${printable(journal)}`;
}
