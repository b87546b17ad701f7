// A key has one journal in each environment, and ledger and journal name each other. The ledger has the journal's path and chain: with
// another journal a process would trade beside the books; only `adopt` moves that binding. The journal has the ledger's path, in a file
// next to it: with another state folder a process would send in the seconds of the first one and refuse its nonces.

import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isThere } from "../../disk/is-there.ts";
import { createFile } from "../../disk/new-file.ts";
import { isBusy } from "../../disk/sqlite-error.ts";
import { pause } from "../../domain/pause.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { KeptElsewhere, KeyLedger } from "../../exchange/budget/ledger.ts";
import { describeLedgerError, type JournalBinding } from "../../exchange/budget/ledger-store.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../command-failure.ts";
import { systemTimers } from "../system/system-timers.ts";
import { isJournalThere } from "./journal-there.ts";

const RETRY_MS = 20;
const TRIES = 250;

export type KeyJournal = {
  readonly ledger: KeyLedger;
  readonly environment: string;
  /** The account lies beside the journal, as that of the embedded simulator does: whoever moves the folder moves both. */
  readonly hasAccountBeside?: boolean;
  readonly timers?: Timers;
};

/**
 * Before the journal is opened: refuses a path that is not the key's own, and says what to do when there is no file at it.
 * A key that has a journal never gets another one by itself.
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

/** Once it is open: the first one that comes is the key's own from then on. */
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

/** Nothing but its place is another: a link leads to it from where it was, or nothing is left there of an account that came with it. */
function isMoved({ hasAccountBeside = false }: KeyJournal, path: string, known: JournalBinding): boolean {
  return isSameFile(known.path, path) || (hasAccountBeside && isJournalThere(path) && !isJournalThere(known.path));
}

/**
 * For `adopt`: a bot that runs would go on trading beside the new books, with limits of its own; what a command is still
 * sending would be a stranger's in them, and halt the next bot.
 */
export async function requireNobodyElsewhere(key: KeyJournal, path: string): Promise<void> {
  requireOwnLedger(key, path);
  const kept = await patiently(key, () => key.ledger.keptElsewhere(key.environment, canonicalPath(path)));
  if (kept !== undefined) throw keptBy(kept, path, "nothing was changed");
}

/** Why a start would refuse what is at this path, for who only looks. `chainId`: of the journal there, if there is one. */
export async function refusalOf(
  key: KeyJournal,
  path: string,
  chainId: string | undefined,
): Promise<CommandFailure | undefined> {
  const known = await replacedBy(key, path, chainId);
  return known === undefined ? otherLedger(key, path) : another(key, path, known);
}

/** For `adopt`: the one that the key has so far, where this one would take its place. */
export async function replacedBy(
  key: KeyJournal,
  path: string,
  chainId: string | undefined,
): Promise<JournalBinding | undefined> {
  const known = await patiently(key, () => key.ledger.journalOf(key.environment));
  if (known === undefined) return undefined;
  const isItsChain = chainId === undefined || chainId === known.chainId;
  const isItsPlace = known.path === canonicalPath(path) || isMoved(key, path, known);
  return isItsChain && isItsPlace ? undefined : known;
}

/** For `adopt` alone. A bot or a command may have begun since it looked. */
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

/** The same file has one name, whatever folder it was named from and whatever links lead to it. */
export function canonicalPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync.native(full);
  } catch {
    // Not there yet: then its folder may be.
    const parent = dirname(full);
    return parent === full ? full : join(canonicalPath(parent), basename(full));
  }
}

/** Also where a folder on the way was moved since one of them was noted, and a link put in its place. */
export function isSameFile(one: string, other: string): boolean {
  return canonicalPath(one) === canonicalPath(other);
}

function another({ environment }: KeyJournal, path: string, known: JournalBinding): CommandFailure {
  return usageFailure(
    `journal ${path} is not the one of this key in environment ${environment}: ` +
      `that is ${known.path}, chain ${known.chainId}`,
    "set journal.path to it; if it is lost or was moved on purpose, pegbot adopt takes this one instead",
  );
}

function nameLedger(key: KeyJournal, path: string): void {
  // A paper account moves with its folder, and its key has no other host.
  if (key.hasAccountBeside !== true && !isThere(ledgerNameAt(path)))
    createFile(ledgerNameAt(path), `${canonicalPath(key.ledger.path)}\n`, 0o600);
}

function requireOwnLedger(key: KeyJournal, path: string): void {
  const refusal = otherLedger(key, path);
  if (refusal !== undefined) throw refusal;
}

function otherLedger({ ledger, hasAccountBeside }: KeyJournal, path: string): CommandFailure | undefined {
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

/** A ledger that is busy for a moment is asked again, for five seconds. */
async function patiently<T>({ ledger, timers = systemTimers }: KeyJournal, work: () => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || tries >= TRIES) throw plainFailure(describeLedgerError(error, ledger.path));
    }
    await pause(timers, RETRY_MS);
  }
}
