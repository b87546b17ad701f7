// `halt`: a person's stop. It writes the kill file, which every process reads before it sends, so that the stop needs
// no journal, key or venue. A running bot journals it; otherwise the next start does.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { CommandFailure, plainFailure, usageFailure } from "../../app/command-failure.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { isJournalThere } from "../../app/journal/journal-there.ts";
import { joinBudget } from "../../app/key/join-budget.ts";
import { openKillFile } from "../../app/kill-switch/kill-file.ts";
import { requireOpening } from "../../app/kill-switch/stop-journal.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { personHere } from "../../app/terminal/confirmation.ts";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { pause } from "../../domain/pause.ts";
import { printable } from "../../domain/sanitise.ts";
import { anchorOf } from "../../journal/file/files.ts";
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
  const path = await orNotStopped(shell, () => botConfig(shell).journal.path);
  await requireSomethingToStop(shell, path);
  const own = printable(reason.trim(), REASON_MAX);
  await kill(shell, path, own);
  await pause(systemTimers, SETTLE_MS);
  const { state, reason: why, by, since } = await kill(shell, path, own);
  if (terminal.wantsJson)
    terminal.json({ state, reason: why, by, since: new Date(since).toISOString(), journal: path });
  else {
    terminal.print(`${state}: no order, mint or rail leaves from now on; reading and resolving go on`);
    terminal.print(`reason   ${printable(why)} (${printable(by)})`);
    // The first reason of a stop stays in force; a second stop must see that its reason is recorded as well.
    if (why !== own) terminal.print(`also     ${own} (${printable(personHere())}): it was stopped already`);
    terminal.print(`journal  ${path}`);
    terminal.print(`way out  ${RESUME}`);
  }
  return exitCode.done;
}

/** Writes the kill file, or the journal if the file cannot be written. */
async function kill(shell: Shell, path: string, reason: string): Promise<TradingState> {
  const control = { kind: "kill", reason, by: personHere() } as const;
  const file = openKillFile(path);
  const written = file.write(reason, control.by);
  if (written.ok) return file.standing();
  try {
    return transition(FRESH, control, await appendControl(shell, path, control));
  } catch (error) {
    const pid = (await botOf(shell, path))?.pid ?? "PID";
    throw plainFailure(
      `NOT STOPPED: ${written.error}; ${errorMessage(error)}`,
      `send SIGUSR2 to the running bot: kill -USR2 ${pid}`,
    );
  }
}

/** A failure before the stop must not read like a stop. */
async function orNotStopped<T>(shell: Shell, work: () => T, way?: "its own"): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = bySignal(await runningBots(shell), way && error.next);
    throw new CommandFailure(error.code, `NOT STOPPED: ${error.message}`, next);
  }
}

/** In the wrong folder a stop would silently stop nothing. A damaged journal is enough: the stop holds. */
async function requireSomethingToStop(shell: Shell, path: string): Promise<void> {
  const isThere = () => isJournalThere(path) || isJournalThere(anchorOf(path));
  if (await orNotStopped(shell, isThere, "its own")) return;
  const why = "so this configuration has no bot, and nothing was stopped";
  throw usageFailure(`NOT STOPPED: there is no journal at ${path}, ${why}`, bySignal(await runningBots(shell)));
}

function bySignal(bots: readonly RunningBot[], first = "name the bot's own configuration with --config"): string {
  const named = bots.map(({ pid, folder, journal }) => {
    const books = journal === undefined ? "" : `, journal ${printable(journal)}`;
    return `kill -USR2 ${pid} stops the bot that was started in ${printable(folder)}${books}`;
  });
  const signal = named.length === 0 ? "send SIGUSR2 to it: kill -USR2 PID" : named.join("; ");
  return `${first}, or ${signal}`;
}

/** Only for the message after a failed stop: undefined if journal or ledger give no answer. */
async function botOf(shell: Shell, path: string): Promise<RunningBot | undefined> {
  try {
    return await runningBot(shell, requireOpening(path).opening.account);
  } catch {
    return undefined;
  }
}

// The bots of this user on this machine, found through the ledgers of their keys, for a stop from the wrong folder. It
// needs no key and no configuration; unreadable ledgers are left out.

type RunningBot = { readonly pid: number; readonly folder: string; readonly journal: string | undefined };

async function runningBots(shell: Shell): Promise<readonly RunningBot[]> {
  const bots: RunningBot[] = [];
  for (const fingerprint of keysInUse()) {
    const bot = await runningBot(shell, fingerprint);
    if (bot !== undefined) bots.push(bot);
  }
  return bots;
}

async function runningBot(shell: Shell, fingerprint: string): Promise<RunningBot | undefined> {
  try {
    const budget = await joinBudget(shell, { fingerprint });
    try {
      const { bot, members } = budget.ledger.urgently(() => budget.ledger.status());
      if (bot === undefined) return undefined;
      const journal = members.find(({ instance }) => instance === bot.instance)?.books?.path;
      return { pid: bot.pid, folder: bot.folder, journal };
    } finally {
      budget.close();
    }
  } catch {
    return undefined;
  }
}

/** An open ledger has a write-ahead log next to it, which the last process removes. */
function keysInUse(): readonly string[] {
  const state = stateFolder(environment());
  if (!state.ok) return [];
  const folder = join(state.value, "keys");
  try {
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, "ledger.db-wal")));
  } catch {
    return [];
  }
}
