// A key has one journal under each name (`paper`, `live:HOST`), and key file and journal name each other. The key file has
// the journal's path and chain, because a process with another journal would trade without the books; only `adopt` changes
// that binding. The journal has the key file's path, in a file next to it, because a process with another state folder
// would send in the same seconds and break the first one's nonces.

import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isThere } from "../../disk/is-there.ts";
import { createFile } from "../../disk/new-file.ts";
import { type CommandFailure, usageFailure } from "../../domain/command-failure.ts";
import { printable } from "../../domain/sanitise.ts";
import type { JournalBinding, KeyFile } from "../../exchange/budget/key-file.ts";
import { isJournalThere } from "../config/journal-there.ts";

export type KeyJournal = {
  readonly file: KeyFile;
  /** The name of the binding. */
  readonly environment: string;
  /** The account lies next to the journal, like that of the embedded simulator, and moves with its folder. */
  readonly hasAccountBeside?: boolean;
};

/** The same for a command that only looks. */
type LookedAt = Omit<KeyJournal, "file"> & { readonly file: Pick<KeyFile, "path" | "journalOf"> };

/**
 * Called before the journal is opened: refuses a path that is not the key's, and decides what to do if there is no
 * file. A key with a journal never gets another one automatically.
 */
export function absenceAt(
  key: KeyJournal,
  path: string,
  which: "own" | "existing" = "own",
): "create" | "refuse" | "refuse-new" {
  requireOwnKey(key, path);
  const known = key.file.journalOf(key.environment);
  if (known === undefined) return which === "own" ? "create" : "refuse-new";
  if (!isOwn(key, path, known)) throw another(key, path, known);
  return "refuse";
}

/** Called once the journal is open: the first one becomes the key's own. */
export function bindJournal(key: KeyJournal, path: string, chainId: string): void {
  requireOwnKey(key, path);
  const known = key.file.journalOf(key.environment);
  if (known !== undefined && (known.chainId !== chainId || !isOwn(key, path, known))) throw another(key, path, known);
  if (known?.path !== canonicalPath(path)) moveJournal(key, path, chainId);
  nameKey(key, path);
}

function isOwn(key: LookedAt, path: string, known: JournalBinding): boolean {
  return known.path === canonicalPath(path) || isMoved(key, path, known);
}

/**
 * The same journal at a new path: the old path links to it, or the account moved with its folder and left nothing
 * behind.
 */
function isMoved({ hasAccountBeside = false }: LookedAt, path: string, known: JournalBinding): boolean {
  return isSameFile(known.path, path) || (hasAccountBeside && isJournalThere(path) && !isJournalThere(known.path));
}

/** For `adopt`: the key's present journal, if this one would replace it. */
export function replacedBy(key: LookedAt, path: string, chainId: string | undefined): JournalBinding | undefined {
  const known = key.file.journalOf(key.environment);
  if (known === undefined) return undefined;
  const isItsChain = chainId === undefined || chainId === known.chainId;
  return isItsChain && isOwn(key, path, known) ? undefined : known;
}

/** A person has decided that this is the key's journal from now on, or it is the first. */
export function moveJournal({ file, environment }: KeyJournal, path: string, chainId: string): void {
  file.bind(environment, { path: canonicalPath(path), chainId });
}

/** One name for a file, regardless of working directory and links. */
export function canonicalPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync.native(full);
  } catch {
    // The file does not exist yet; its folder may.
    const parent = dirname(full);
    return parent === full ? full : join(canonicalPath(parent), basename(full));
  }
}

/** True also if a folder of the path was moved since and replaced by a link. */
export function isSameFile(one: string, other: string): boolean {
  return canonicalPath(one) === canonicalPath(other);
}

function another({ environment }: LookedAt, path: string, known: JournalBinding): CommandFailure {
  return usageFailure(
    `journal ${path} is not the one of this key in environment ${environment}: ` +
      `that is ${known.path}, chain ${known.chainId}`,
    "set journal.path (in the library: state) to it; if it is lost or was moved on purpose, pegbot adopt takes this one instead",
  );
}

function nameKey(key: KeyJournal, path: string): void {
  // A paper account moves with its folder, and its key is used on no other host.
  if (key.hasAccountBeside !== true && !isThere(keyNameAt(path)))
    createFile(keyNameAt(path), `${canonicalPath(key.file.path)}\n`, 0o600);
}

function requireOwnKey({ file, hasAccountBeside }: LookedAt, path: string): void {
  const at = keyNameAt(path);
  if (hasAccountBeside === true || !isThere(at)) return;
  const named = readFileSync(at, "utf8").trim();
  const own = canonicalPath(file.path);
  if (canonicalPath(named) === own) return;
  throw usageFailure(
    `journal ${path} belongs to the key file ${printable(named, 200)}, this process uses ${own}: two files of one key send in each other's seconds and refuse each other's nonces; nothing was sent`,
    `for another key use another journal; for the same one the XDG_STATE_HOME and user of before, or, if its file was moved on purpose, delete ${at} while no pegbot runs`,
  );
}

function keyNameAt(path: string): string {
  return `${path}.ledger`;
}
