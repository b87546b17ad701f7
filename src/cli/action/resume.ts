// `resume`: a person takes a stop back, with a reason. Files and journal change inside one transaction of the journal, so that
// a stop which comes meanwhile is found afterwards, and a failure at any point leaves the bot stopped.

import type { Control } from "../../domain/event.ts";
import { printable } from "../../domain/outside-text.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Journal } from "../../journal/journal.ts";
import { isStricter, type Standing } from "../../risk/standing.ts";
import { botConfig } from "../bot-config.ts";
import { CommandFailure } from "../command-failure.ts";
import { personHere, requireConfirmation, requireReason } from "../confirmation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type LatchFile, openLatch } from "../latch/latch-file.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";
import { foldedSoFar, openAsItIs, requireOpening, type StandingFold } from "../standing-journal.ts";

export type ResumeOptions = { readonly reason?: string; readonly yes?: boolean };

export async function resume(
  shell: Shell,
  options: ResumeOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const { terminal } = shell;
  const { path } = botConfig(shell).journal;
  const { opening, records } = requireOpening(path);
  const latch = openLatch(path, shell.clock, records > 1);
  const journal = openAsItIs(shell, path, opening);
  try {
    const fold = orFailed(foldedSoFar(journal));
    const before = strictest(latch, fold);
    if (before.state === "ACTIVE") {
      terminal.print("ACTIVE already: there is nothing to take back");
      return exitCode.done;
    }
    show(shell, before);
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: "resume", yes: options.yes });
    await takeBack(shell, { journal, latch, fold }, before, reason);
    terminal.print(`ACTIVE: ${printable(before.state)} was taken back by ${personHere()}: ${printable(reason)}`);
    terminal.print("a running bot follows within a second; limits that are still broken stop it again");
    return exitCode.done;
  } finally {
    journal.close();
  }
}

type Books = { readonly journal: Journal; readonly latch: LatchFile; readonly fold: StandingFold };

async function takeBack(
  { clock }: Shell,
  { journal, latch, fold }: Books,
  before: Standing,
  reason: string,
): Promise<void> {
  const by = personHere();
  const written = await journal.transact<Result<Standing>>((news) => {
    for (const entry of news) fold.take(entry);
    const changed = changeSince(before, strictest(latch, fold));
    const resumed = changed === undefined ? latch.resume(reason, by) : err(changed);
    const control: Control = { kind: "resume", reason, by };
    return { records: resumed.ok ? [{ kind: "control", at: clock.now(), control }] : [], value: resumed };
  });
  // What is not on record must not hold: the files may have been cleared before the journal failed.
  if (!written.ok) latch.tighten(before);
  const resumed = orFailed(written);
  if (!resumed.ok) throw new CommandFailure(exitCode.failed, `not resumed: ${resumed.error}`);
}

/** A stop that came after the person looked is not the one that is taken back. */
function changeSince(before: Standing, { state, reason }: Standing): string | undefined {
  if (state === before.state && reason === before.reason) return undefined;
  return `meanwhile the state became ${state}${reason === "" ? "" : `: ${printable(reason)}`}; look again`;
}

function strictest(latch: LatchFile, { standing }: StandingFold): Standing {
  const onDisk = latch.standing();
  return isStricter(standing.state, onDisk.state) ? standing : onDisk;
}

function show({ terminal }: Shell, { state, reason, wayOut, by, since }: Standing): void {
  terminal.print(`state    ${state} since ${new Date(since).toISOString()}, by ${printable(by)}`);
  terminal.print(`reason   ${printable(reason, 500)}`);
  if (wayOut !== "") terminal.print(`way out  ${printable(wayOut, 500)}`);
}

function orFailed<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new CommandFailure(exitCode.failed, result.error.message);
  return result.value;
}
