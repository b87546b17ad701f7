// A key has one journal in each environment, and ledger and journal name each other. The ledger has the journal's path
// and chain, because a process with another journal would trade without the books; only `adopt` changes that binding.
// The journal has the ledger's path, in a file next to it, because a process with another state folder would use the
// same slots and break the first one's nonces.

import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isThere } from "../../disk/is-there.ts";
import { createFile } from "../../disk/new-file.ts";
import { isBusy } from "../../disk/sqlite-error.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { pause } from "../../domain/pause.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { KeptElsewhere, KeyLedger } from "../../exchange/budget/ledger.ts";
import { describeLedgerError, type JournalBinding } from "../../exchange/budget/ledger-store.ts";
import { systemTimers } from "../system/system-timers.ts";
import { isJournalThere } from "./journal-there.ts";

const RETRY_MS = 20;
const TRIES = 250;

export type KeyJournal = {
  readonly ledger: KeyLedger;
  readonly environment: string;
  /** The account lies next to the journal, like that of the embedded simulator, and moves with its folder. */
  readonly hasAccountBeside?: boolean;
  readonly timers?: Timers;
};

/** The same for a command that only looks. */
type LookedAt = Omit<KeyJournal, "ledger"> & { readonly ledger: Pick<KeyLedger, "path" | "journalOf"> };

/**
 * Called before the journal is opened: refuses a path that is not the key's, and decides what to do if there is no
 * file. A key with a journal never gets another one automatically.
 */
export async function absenceAt(
  key: KeyJournal,
  path: string,
  which: "own" | "existing" = "own",
): Promise<"create" | "refuse" | "refuse-new"> {
  requireOwnLedger(key, path);
  const known = await patiently(key, () => key.ledger.journalOf(key.environment));
  if (known === undefined) return which === "own" ? "create" : "refuse-new";
  if (known.path !== canonicalPath(path) && !isMoved(key, path, known)) throw another(key, path, known);
  return "refuse";
}

/** Called once the journal is open: the first one becomes the key's own. */
export async function bindJournal(key: KeyJournal, path: string, chainId: string): Promise<void> {
  requireOwnLedger(key, path);
  const known = await claimedBy(key, path, chainId);
  if (known === undefined) return nameLedger(key, path);
  if (known.chainId !== chainId || !isMoved(key, path, known)) throw another(key, path, known);
  await moveJournal(key, path, chainId);
  const other = await claimedBy(key, path, chainId);
  if (other !== undefined) throw another(key, path, other);
  nameLedger(key, path);
}

function claimedBy(key: KeyJournal, path: string, chainId: string): Promise<JournalBinding | undefined> {
  const brought = { path: canonicalPath(path), chainId };
  return patiently(key, () => key.ledger.claimJournal(key.environment, brought));
}

/**
 * The same journal at a new path: the old path links to it, or the account moved with its folder and left nothing
 * behind.
 */
function isMoved({ hasAccountBeside = false }: LookedAt, path: string, known: JournalBinding): boolean {
  return isSameFile(known.path, path) || (hasAccountBeside && isJournalThere(path) && !isJournalThere(known.path));
}

/**
 * For `adopt`: a running bot would go on trading outside the new books with its own limits, and a command's pending
 * request would be unattributed in them and halt the next bot.
 */
export async function requireNobodyElsewhere(key: KeyJournal, path: string): Promise<void> {
  requireOwnLedger(key, path);
  const kept = await patiently(key, () => key.ledger.keptElsewhere(key.environment, canonicalPath(path)));
  if (kept !== undefined) throw keptBy(kept, path, "nothing was changed");
}

/** For `adopt`: the key's present journal, if this one would replace it. */
export async function replacedBy(
  key: LookedAt,
  path: string,
  chainId: string | undefined,
): Promise<JournalBinding | undefined> {
  const known = await patiently(key, () => key.ledger.journalOf(key.environment));
  if (known === undefined) return undefined;
  const isItsChain = chainId === undefined || chainId === known.chainId;
  const isItsPlace = known.path === canonicalPath(path) || isMoved(key, path, known);
  return isItsChain && isItsPlace ? undefined : known;
}

/** Binds the key to this journal; refused if a bot or a command uses another one in the meantime. */
export async function moveJournal(key: KeyJournal, path: string, chainId: string): Promise<void> {
  const brought = { path: canonicalPath(path), chainId };
  const kept = await patiently(key, () => key.ledger.moveJournal(key.environment, brought));
  if (kept !== undefined) throw keptBy(kept, path, "the key keeps that one");
}

function keptBy({ by, journal }: KeptElsewhere, path: string, outcome: string): CommandFailure {
  const isHere = journal.path === canonicalPath(path);
  const other = isHere ? `the journal that was at ${path} before` : `another journal, ${journal.path}`;
  const who =
    by === undefined
      ? "a process that has ended used"
      : `a ${by.role === "bot" ? "bot" : "command"}, process ${by.pid}, started in ${by.folder}, uses`;
  const next = "its requests would be unknown to this journal: adopt there; or end it, and adopt again";
  return plainFailure(`${who} this key with ${other}; ${outcome}`, next);
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
    "set journal.path to it; if it is lost or was moved on purpose, pegbot adopt takes this one instead",
  );
}

function nameLedger(key: KeyJournal, path: string): void {
  // A paper account moves with its folder, and its key is used on no other host.
  if (key.hasAccountBeside !== true && !isThere(ledgerNameAt(path)))
    createFile(ledgerNameAt(path), `${canonicalPath(key.ledger.path)}\n`, 0o600);
}

function requireOwnLedger(key: KeyJournal, path: string): void {
  const refusal = otherLedger(key, path);
  if (refusal !== undefined) throw refusal;
}

function otherLedger({ ledger, hasAccountBeside }: LookedAt, path: string): CommandFailure | undefined {
  const file = ledgerNameAt(path);
  if (hasAccountBeside === true || !isThere(file)) return undefined;
  const named = readFileSync(file, "utf8").trim();
  const own = canonicalPath(ledger.path);
  if (canonicalPath(named) === own) return undefined;
  return usageFailure(
    `journal ${path} belongs to the key ledger ${printable(named, 200)}, this process uses ${own}: two ledgers of one key send in each other's seconds and refuse each other's nonces; nothing was sent`,
    `use the XDG_STATE_HOME and the user of the bot; if the state folder was moved on purpose, delete ${file} while no pegbot runs`,
  );
}

function ledgerNameAt(path: string): string {
  return `${path}.ledger`;
}

/** Retries a busy ledger for five seconds. */
async function patiently<T>({ ledger, timers = systemTimers }: LookedAt, work: () => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || tries >= TRIES) throw plainFailure(describeLedgerError(error, ledger.path));
    }
    await pause(timers, RETRY_MS);
  }
}
