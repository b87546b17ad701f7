// `journal anchor`: makes a new anchor for a journal that lost its own, after a person has accepted that a cut can no
// longer be detected. It is refused next to a running bot and over a readable anchor; the next start is HALTED.

import type { Command } from "commander";
import { journalPath, problemLine, readingFile } from "../../app/journal/open-reader.ts";
import { joinBudget } from "../../app/key/join-budget.ts";
import { BOT, openKillFile } from "../../app/kill-switch/kill-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { requireConfirmation, requireReason } from "../../app/terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { AnchorFile } from "../../journal/file/anchor.ts";
import { anchorOf, sizeOf, walInUse } from "../../journal/file/files.ts";
import { EVERYTHING, inspectJournal } from "../../journal/file/inspect.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { personHere } from "../../operation/person.ts";

export function defineAnchor(command: Command, run: Run): void {
  command
    .option("--reason <text>", "why it is right, for whoever resumes")
    .option("--yes", "confirm without being asked")
    .action((options: AnchorOptions) => run((shell) => anchorJournal(shell, options)));
}

type AnchorOptions = { readonly reason?: string; readonly yes?: boolean };

export async function anchorJournal(
  shell: Shell,
  options: AnchorOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const path = journalPath(shell);
  const { account } = readingFile(path, () => requireLostAnchor(path)).opening;
  // As the owner of the key: no bot runs, and none can start until this ends.
  const budget = await joinBudget(shell, { fingerprint: account }, path, { patienceMs: 0 });
  try {
    const found = readingFile(path, () => requireLostAnchor(path));
    tell(shell, path, found);
    const reason = await requireReason(shell, prompts, options.reason);
    await requireConfirmation(shell, prompts, { word: "anchor", yes: options.yes });
    anchorAnew(shell, path, found, `${personHere()}: ${reason}`);
    const { head, opening, last } = found;
    if (shell.terminal.wantsJson)
      shell.terminal.json({ path, anchor: anchorOf(path), records: head.sequence, head: head.hash, last, opening });
    return exitCode.done;
  } finally {
    budget.close();
  }
}

type Found = Pick<JournalReader, "opening"> & {
  readonly head: ReturnType<JournalReader["head"]>;
  readonly last: string;
};

/** Requires intact pages and an intact chain; only the anchor may be missing or unreadable. */
function requireLostAnchor(path: string): Found {
  const inspected = inspectJournal(path, EVERYTHING);
  if (inspected.ok) throw usageFailure(`journal ${path} has its anchor: there is nothing to make anew`);
  const { kind } = inspected.error;
  if (kind !== "anchor-lost") throw plainFailure(problemLine(path, inspected.error), WAY_OUT[kind]);
  const reader = JournalReader.open(path);
  if (!reader.ok) throw plainFailure(problemLine(path, reader.error));
  try {
    const { opening } = reader.value;
    const head = reader.value.head();
    const last = reader.value.one(head.sequence);
    const at = last.ok && last.value !== undefined ? new Date(last.value.entry.record.at).toISOString() : "unknown";
    return { opening, head, last: at };
  } finally {
    reader.value.close();
  }
}

function tell({ terminal }: Shell, path: string, { opening, head, last }: Found): void {
  terminal.print(`journal   ${path}`);
  terminal.print(`belongs   to ${opening.environment}, key ${opening.account}`);
  terminal.print(`records   ${head.sequence}, all of one chain; the last is of ${last}`);
  terminal.print(`head      ${head.hash}`);
  terminal.print(
    "lost      whether there were records after it: only its anchor could say. If a head that you kept elsewhere",
  );
  terminal.print(
    "          (pegbot journal verify prints it) is none of its records (pegbot journal export), it was cut: do not go on",
  );
  terminal.print("then      the next start compares it with the venue, and is HALTED until you resume");
}

function anchorAnew(shell: Shell, path: string, { opening, head }: Found, by: string): void {
  const file = anchorOf(path);
  const { terminal } = shell;
  const reason = `the journal was anchored anew at record ${head.sequence} by ${by}; what came after it, if anything did, is not in it: pegbot adopt shows venue and journal`;
  // The stop comes first: with only the anchor a bot would trade on.
  const halted = openKillFile(path).write(reason, BOT);
  if (!halted.ok) throw plainFailure(`nothing was changed: ${halted.error}`);
  const settled = (sizeOf(walInUse(path)) ?? 0) === 0;
  AnchorFile.renew(file, { chainId: opening.chainId, head, verified: head, settled }).close();
  terminal.print(`anchored  at record ${head.sequence}: ${printable(file)}`);
}
