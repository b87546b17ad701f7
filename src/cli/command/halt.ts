// `halt`: a person's stop. It writes the kill file, which is read before each sending, so that the stop needs no journal,
// key or venue; then the owner of the key confirms it.

import type { Command } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { isJournalThere } from "../../app/config/journal-there.ts";
import { isSameFile } from "../../app/journal/journal-binding.ts";
import { isBot, owners, type RunningBot } from "../../app/key/owner-file.ts";
import { openKillFile } from "../../app/kill-switch/kill-file.ts";
import { askedOwner, decided } from "../../app/owner/ask-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { pause } from "../../domain/pause.ts";
import { ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { halt as operation } from "../../operation/halt.ts";
import { personHere } from "../../operation/person.ts";
import { status as statusOperation } from "../../operation/status.ts";
import { FRESH, joined, RESUME, transition } from "../../risk/trading-state.ts";
import type { Status } from "../../watch/status.ts";

export function defineHalt(command: Command, run: Run): void {
  command
    .argument("<reason...>", "why, for the journal and the person who resumes; all words, quoted or not")
    .action((words: readonly string[]) => run((shell) => halt(shell, words.join(" "))));
}

const REASON_MAX = 200;

/** A concurrent resume may be ending an earlier stop: this stop is later and must hold. */
const SETTLE_MS = 250;

export async function halt(shell: Shell, reason: string): Promise<ExitCode> {
  const { terminal } = shell;
  if (reason.trim() === "") throw usageFailure("NOT STOPPED: a reason is needed", 'pegbot halt "..."');
  const { path } = orNotStopped(() => botConfig(shell)).journal;
  requireSomethingToStop(path);
  const own = printable(reason.trim(), REASON_MAX);
  const bots = owners().filter(isBot);
  const bot = bots.find(({ journal }) => isSameFile(journal, path));
  // A bot that was started with another path to this journal, by a link, looks for its kill file there.
  const files = [path, ...(bot === undefined || bot.journal === path ? [] : [bot.journal])].map(openKillFile);
  const write = (): Result<unknown> =>
    files.map((file) => file.write(own, personHere())).find((one) => !one.ok) ?? ok(undefined);
  const written = write();
  if (written.ok) await pause(systemTimers, SETTLE_MS);
  const kept = written.ok ? write() : written;
  const confirmed = await confirmedBy(shell, own);
  if (!kept.ok) await requireJournaled(shell, own, { path, unwritten: kept.error, confirmed, bots });
  const control = { kind: "kill", reason: own, by: personHere() } as const;
  const found = files.map((file) => file.standing()).reduce(joined, FRESH);
  const { state, reason: why, by, since } = transition(found, control, shell.clock.now());
  const others = bots.filter(({ pid }) => pid !== bot?.pid);
  if (terminal.wantsJson) {
    const stop = { state, reason: why, by, since: new Date(since).toISOString(), journal: path };
    const confirmation = { confirmed: confirmed.kind === "stopped", pid: bot?.pid ?? null };
    terminal.json({ ...stop, ...confirmation, others: others.map(({ pid, journal }) => ({ pid, journal })) });
  } else {
    terminal.print(`${state}: no order, mint or rail leaves from now on; reading and resolving go on`);
    terminal.print(`reason   ${printable(why)} (${printable(by)})`);
    // The first reason of a stop stays in force; a second stop must see that its reason is recorded as well.
    if (why !== own) terminal.print(`also     ${own} (${printable(personHere())}): it was stopped already`);
    terminal.print(`journal  ${path}`);
    terminal.print(`bot      ${botText(bot, confirmed)}`);
    for (const other of others) terminal.print(`other    not stopped by this: ${bySignal(other)}`);
    terminal.print(`way out  ${RESUME}`);
  }
  return bot === undefined && confirmed.kind === "alone" ? exitCode.halted : exitCode.done;
}

const NO_BOT = "no bot of this user is known to run on this journal";

type Confirmed =
  | { readonly kind: "stopped" }
  /** No owner runs. */
  | { readonly kind: "alone" }
  | { readonly kind: "unconfirmed"; readonly why: string };

/** The owner has stopped in memory, too. */
async function confirmedBy(shell: Shell, reason: string): Promise<Confirmed> {
  try {
    return { kind: (await askedOwner(shell, operation, { reason })) === undefined ? "alone" : "stopped" };
  } catch (error) {
    // It stops also where it cannot write that down.
    const now = await askedOwner<Status>(shell, statusOperation, undefined).catch(() => undefined);
    return now?.standing.state === "HALTED" ? { kind: "stopped" } : { kind: "unconfirmed", why: errorMessage(error) };
  }
}

type Unwritten = {
  readonly path: string;
  readonly unwritten: string;
  readonly confirmed: Confirmed;
  readonly bots: readonly RunningBot[];
};

/** The kill file cannot be written: without an owner the stop goes to the journal. */
async function requireJournaled(shell: Shell, reason: string, { path, unwritten, confirmed, bots }: Unwritten) {
  const bot = bots.find(({ journal }) => isSameFile(journal, path));
  if (confirmed.kind === "stopped")
    throw plainFailure(
      `STOPPED ONLY WHILE IT RUNS: ${bot === undefined ? "the owner of the key" : `process ${bot.pid}`} of journal ${path}. NOT WRITTEN: ${unwritten}`,
      "leave it running; once the disk can be written, pegbot halt again, before any start",
    );
  const why = await decided(shell, operation, { reason }).then(() => undefined, errorMessage);
  if (why !== undefined)
    throw plainFailure(`NOT STOPPED: ${unwritten}; ${why}`, signals(bot === undefined ? bots : [bot]));
}

function botText(bot: RunningBot | undefined, confirmed: Confirmed): string {
  const who = bot && `process ${bot.pid}, started in ${printable(bot.folder)}`;
  if (confirmed.kind === "stopped") return `${who ?? "the owner of the key"}: it has stopped`;
  if (confirmed.kind === "unconfirmed")
    return `${who ?? "the owner of the key"}: ${printable(confirmed.why)}; the kill file stops it when it goes on`;
  return who ?? `${NO_BOT}: the stop holds for every command, and for the next start`;
}

/** A failure before the stop must not read like a stop. */
function orNotStopped<T>(work: () => T, way?: "its own"): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(
      error.code,
      `NOT STOPPED: ${error.message}`,
      signals(owners().filter(isBot), way && error.next),
    );
  }
}

/** In the wrong folder a stop would silently stop nothing. A damaged journal is enough: the stop holds. */
function requireSomethingToStop(path: string): void {
  if (orNotStopped(() => isJournalThere(path) || isJournalThere(anchorOf(path)), "its own")) return;
  const why = "so this configuration has no bot, and nothing was stopped";
  throw usageFailure(`NOT STOPPED: there is no journal at ${path}, ${why}`, signals(owners().filter(isBot)));
}

function signals(bots: readonly RunningBot[], first = "name the bot's own configuration with --config"): string {
  const signal = bots.length === 0 ? "send SIGUSR2 to it: kill -USR2 PID" : bots.map(bySignal).join("; ");
  return `${first}, or ${signal}`;
}

function bySignal({ pid, folder, journal }: RunningBot): string {
  return `kill -USR2 ${pid} stops the bot that was started in ${printable(folder)}, journal ${printable(journal)}`;
}
