// `journal backup`: copies the files that a bot needs to continue elsewhere or after a loss into a new folder, while it
// runs. The copy is verified. The ledger and the token, which are useless there, and the key of a real account are left
// out. A paper account is lost without its key, so that key is copied and reported.

import { chmodSync, constants, copyFileSync, existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { paperPlace } from "../../app/config/paper-place.ts";
import { journalPath, problemLine, readingFile } from "../../app/journal/open-reader.ts";
import { killFilePath } from "../../app/kill-switch/kill-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { createFolders } from "../../disk/create-folder.ts";
import { isLockedBeside } from "../../disk/lock-beside.ts";
import { saidBy } from "../../disk/sqlite-error.ts";
import { orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { copyJournal } from "../../journal/file/copy-journal.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { isFull } from "../../journal/file/sqlite-failure.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { intactLines } from "./journal.ts";

export function defineBackup(command: Command, run: Run): void {
  command
    .argument("<folder>", "a new one, or an empty one")
    .action((folder: string) => run((shell) => backupJournal(shell, folder)));
}

export function backupJournal(shell: Shell, folder: string): ExitCode {
  const path = journalPath(shell);
  const { terminal } = shell;
  requireAnchor(path);
  const place = resolve(folder);
  const made = newFolder(place);
  const copy = join(place, basename(path));
  try {
    const copied = readingFile(path, () => writingCopy(place, () => copyJournal(path, copy)));
    if (!copied.ok) throw plainFailure(problemLine(path, copied.error), WAY_OUT[copied.error.kind]);
    const isWritten = [paperPlace(path).state, `${path}.shadow`].some(isLockedBeside);
    // Copied after the journal: a stop in the meantime is in one of the two, and either one holds.
    const copyAll = (): readonly string[] => besideOf(path).flatMap((file) => copyBeside(file, path, copy));
    const beside = readingFile(path, () => writingCopy(place, copyAll));
    const { head, opening } = copied.value;
    const named = beside.map((name) => (name === "key" ? "the private key of the paper account" : name));
    const lines = [`with      ${["anchor", ...named].join(", ")}`, `without   ${WITHOUT}`];
    for (const line of [`backup    ${copy}`, ...intactLines(copied.value), ...lines]) terminal.print(line);
    if (isWritten && (beside.includes("simulator") || beside.includes("shadow")))
      terminal.note("the account's state is of a moment later: for an account that goes on, end the bot first");
    if (terminal.wantsJson)
      terminal.json({ path: copy, verdict: "intact", records: head.sequence, head: head.hash, opening, with: beside });
    return exitCode.done;
  } catch (error) {
    // A partial copy must not pass for a backup.
    for (const name of readdirSync(place)) rmSync(join(place, name), { force: true });
    takeBack(made);
    throw error;
  }
}

const WITHOUT =
  "configuration, strategy file, what key.file names, token, ledger and snapshot: keep the first three elsewhere, the rest is made anew";

/** A full disk at the destination says nothing about the journal, so the message does not suggest a restore. */
export function writingCopy<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!isFull(error)) throw error;
    const said = `the backup in ${place} could not be written (${saidBy(error)}), and nothing of it is left`;
    throw plainFailure(said, "free some disk space, or name another place");
  }
}

function requireAnchor(path: string): void {
  if (existsSync(anchorOf(path))) return;
  const message = `journal ${path}: anchor-lost: ${anchorOf(path)} is not there, so nothing shows that it was not cut`;
  throw plainFailure(message, WAY_OUT["anchor-lost"]);
}

/** Nothing is ever overwritten: one folder for each backup. Returns the folders it made. */
function newFolder(place: string): readonly string[] {
  const made = orFail(createFolders(place, 0o700));
  if (readdirSync(place).length > 0)
    throw usageFailure(`${place} must be a new folder or an empty one, and holds files already`);
  return made;
}

/** The innermost first; folders that contain files by now stay. */
function takeBack(folders: readonly string[]): void {
  try {
    for (const folder of folders.toReversed()) rmdirSync(folder);
  } catch {
    // An empty folder does not pass for a copy.
  }
}

/** The kill file, the host binding, the end of the last daily summary, and the account of paper or shadow. */
function besideOf(path: string): readonly string[] {
  const { key, state, market } = paperPlace(path);
  return [killFilePath(path), `${path}.host`, key, state, market, `${path}.shadow`, `${path}.looks`];
}

function copyBeside(file: string, path: string, copy: string): string[] {
  if (!existsSync(file)) return [];
  const name = file.slice(path.length);
  copyFileSync(file, copy + name, constants.COPYFILE_EXCL);
  chmodSync(copy + name, 0o600);
  return [name.slice(1)];
}
