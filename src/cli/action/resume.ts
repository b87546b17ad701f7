// `resume`: a person takes a stop back, with a reason; beneath a person's stop the bot's own stands until it is resumed too.
// Files and journal change inside one transaction of the journal, so that a stop which comes meanwhile is found afterwards,
// and a failure at any point leaves the bot stopped.

import { printable } from "../../domain/outside-text.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Journal } from "../../journal/journal.ts";
import { isStanding, joined, type Standing, stopsOf } from "../../risk/standing.ts";
import { botConfig } from "../bot-config.ts";
import { CommandFailure } from "../command-failure.ts";
import { personHere, requireConfirmation, requireReason } from "../confirmation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { controlsFrom, type LatchFile, openLatch } from "../latch/latch-file.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";
import { foldedSoFar, openAsItIs, requireOpening, type StandingFold } from "../standing-journal.ts";
import { standingLines } from "../standing-lines.ts";

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
    const before = standingOf(latch, fold);
    if (before.state === "ACTIVE") {
      terminal.print("ACTIVE already: there is nothing to take back");
      return exitCode.done;
    }
    for (const line of standingLines(before)) terminal.print(line);
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: "resume", yes: options.yes });
    const after = await takeBack(shell, { journal, latch, fold }, before, reason);
    terminal.print(`${after.state}: ${before.state} was taken back by ${personHere()}: ${printable(reason)}`);
    return tellNext(shell, after);
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
): Promise<Standing> {
  const by = personHere();
  const written = await journal.transact<Result<Standing>>((news) => {
    for (const entry of news) fold.take(entry);
    const now = standingOf(latch, fold);
    const changed = changeSince(before, now);
    if (changed !== undefined) return { records: [], value: err(changed) };
    // What only the files know goes on record first: a resume there must take back just what it takes back here.
    const controls = [...controlsFrom(now, fold.standing), { kind: "resume", reason, by } as const];
    const resumed = latch.resume(reason, by, fold.standing);
    const at = clock.now();
    return { records: resumed.ok ? controls.map((control) => ({ kind: "control", at, control })) : [], value: resumed };
  });
  // What is not on record must not hold: the files may have been cleared before the journal failed.
  if (!written.ok) latch.tighten(before);
  const resumed = orFailed(written);
  if (!resumed.ok) throw new CommandFailure(exitCode.failed, `not resumed: ${resumed.error}`);
  return resumed.value;
}

function tellNext({ terminal }: Shell, after: Standing): ExitCode {
  if (after.state === "ACTIVE") {
    terminal.print("a running bot follows within a second; limits that are still broken stop it again");
    return exitCode.done;
  }
  terminal.print(
    "beneath it the bot had stopped by itself, and that stands until it is dealt with and resumed as well:",
  );
  for (const line of standingLines(after)) terminal.print(line);
  return after.state === "REDUCED" ? exitCode.done : exitCode.halted;
}

/** A stop that came after the person looked is none that is taken back. */
function changeSince(before: Standing, now: Standing): string | undefined {
  const { state, reason } = now;
  if (state !== before.state || reason !== before.reason)
    return `meanwhile the state became ${state}${reason === "" ? "" : `: ${reason}`}; look again`;
  const added = stopsOf(now).find((stop) => !isStanding(stop, before));
  return added && `meanwhile there is another reason, ${added.state}: ${added.reason}; look again`;
}

function standingOf(latch: LatchFile, { standing }: StandingFold): Standing {
  return joined(latch.standing(), standing);
}

function orFailed<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new CommandFailure(exitCode.failed, result.error.message);
  return result.value;
}
