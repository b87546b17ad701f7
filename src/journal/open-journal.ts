// Opens a journal for writing: creates it if there is none and the caller allows it, inspects it before anything is
// written, and refuses a broken one and one of another account. A refused journal stays as it is.

import { closeSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createFolder } from "../disk/create-folder.ts";
import { isThere } from "../disk/is-there.ts";
import { lockBeside } from "../disk/lock-beside.ts";
import { syncFolderOf } from "../disk/new-file.ts";
import { whyExposed } from "../disk/open-to-others.ts";
import { saidBy } from "../disk/sqlite-error.ts";
import { invariant } from "../domain/invariant.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Clock } from "../domain/time.ts";
import { AnchorFile } from "./file/anchor.ts";
import { anchorOf, linkedFrom, walOf } from "./file/files.ts";
import { type Depth, type Inspection, inspectJournal } from "./file/inspect.ts";
import { RecordStore } from "./file/record-store.ts";
import { createTables, SCHEMA_VERSION } from "./file/schema.ts";
import { isMachineFailure, JournalFault, writeError } from "./file/sqlite-failure.ts";
import type { JournalError } from "./journal.ts";
import type { Opening } from "./record.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { chainedHash, entryText, GENESIS } from "./text/entry-text.ts";
import { type Problem, problemText, WAY_OUT } from "./verdict.ts";

export type JournalOptions = {
  readonly path: string;
  /** The owner that the journal must have. */
  readonly environment: string;
  readonly account: string;
  /** The instance id of this process: 8 to 32 of a-z and 0-9, drawn at every start. */
  readonly writer: string;
  readonly codeVersion: string;
  /**
   * The action if there is no journal. `refuse`: there was one before. `refuse-new`: there was none, and the caller has
   * no use for a new one. `create` still refuses next to an anchor.
   */
  readonly absent: "refuse" | "refuse-new" | "create";
  /** For a new journal: 16 or more random characters. */
  readonly newChainId: () => string;
  readonly clock: Pick<Clock, "now">;
  readonly settings?: Partial<Depth>;
};

const defaultDepth: Depth = {
  pagesBytesMax: 64 * 2 ** 20,
  chainMax: 100_000,
  newestMax: Number.POSITIVE_INFINITY,
};

export function openJournal(options: JournalOptions): Result<SqliteJournal, JournalError> {
  const settings = { ...defaultDepth, ...options.settings };
  const { path } = options;
  invariant(/^[a-z0-9]{8,32}$/.test(options.writer), `writer must be 8 to 32 of a-z and 0-9, was "${options.writer}"`);
  try {
    const absence = isThere(path) ? undefined : makeNew(options);
    if (absence !== undefined) return err(absence);
    const exposed = whyExposed(path);
    if (exposed !== undefined) return refused("journal-exposed", path, exposed);
    const inspection = inspectJournal(path, settings);
    if (!inspection.ok) return err(problemError(options, inspection.error));
    const stranger = strangerIn(options, inspection.value);
    return stranger ?? ok(join(options, settings, inspection.value));
  } catch (error) {
    return err(writeError(error, path));
  }
}

function join(options: JournalOptions, _settings: Depth, { opening, head, verified, anchor }: Inspection) {
  const { path, writer } = options;
  const unlock = lockedBy(path);
  let store: RecordStore | undefined;
  try {
    store = RecordStore.forWriting(path);
    const state = { chainId: opening.chainId, head, verified, settled: false };
    const file = anchorOf(path);
    const anchored = anchor === undefined ? AnchorFile.create(file, state) : AnchorFile.open(file, state);
    anchored.write({});
    const files = { path, store, anchor: anchored, unlock };
    return new SqliteJournal(files, { opening, writer });
  } catch (error) {
    store?.close();
    unlock();
    throw error;
  }
}

/** A second writer is refused. */
function lockedBy(path: string): () => void {
  try {
    return lockBeside(path);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `journal ${path}: it is written by its owner: pegbot status names the bot`;
    throw new JournalFault({ code: "journal-locked", message });
  }
}

function makeNew({ path, absent, clock, ...options }: JournalOptions): JournalError | undefined {
  if (absent === "refuse") return missing(path, GONE);
  if (absent === "refuse-new") return withoutDoubt(path, () => lostAt(path)) ?? missing(path, NONE_YET);
  createPlaceOf(path);
  const lost = withoutDoubt(path, () => lostAt(path));
  // The journal was created meanwhile, with the files next to it.
  if (lost !== undefined) return isThere(path) ? undefined : lost;
  createJournal(
    path,
    {
      kind: "opening",
      at: clock.now(),
      environment: options.environment,
      account: options.account,
      chainId: options.newChainId(),
      schemaVersion: SCHEMA_VERSION,
      codeVersion: options.codeVersion,
    },
    options.writer,
  );
  return undefined;
}

/** The error for an earlier journal that a new one must not replace. */
function lostAt(path: string): JournalError | undefined {
  // An anchor proves an earlier journal, and SQLite would replay its -wal into the new file.
  const left = [anchorOf(path), walOf(path)].find((file) => isThere(file));
  if (left !== undefined) {
    const wayOut = `bring it back; if it is gone for good, move ${left} to another folder: then ${ANEW}`;
    return missing(path, `it is gone, but ${left} is there: ${wayOut}`);
  }
  // The target may be on a disk that is not mounted; creating a file in the link's place would make two journals.
  const target = linkedFrom(path);
  return target === undefined
    ? undefined
    : missing(path, `it is a link to ${target}, and nothing is there: ${ELSEWHERE}`);
}

const ELSEWHERE = "bring that back; for a new journal there, name it in journal.path without the link";

const NONE_YET =
  "there is none yet; the first pegbot start, run, order, mint, rail or rebalance of a key makes it, and pegbot adopt where the account has a history";

const ANEW = "pegbot adopt begins anew from the venue's books";

/** For a journal that its key is known to have had at this path. */
const GONE = `there is none, and this is no first start: bring it back; if it is gone for good, ${ANEW}`;

function strangerIn({ path, ...whose }: JournalOptions, { opening }: Inspection) {
  const other = belongsToAnother(opening, whose);
  return other && refused("journal-foreign", path, `${other.cause}: ${other.next}`);
}

type Owner = Pick<Opening, "environment" | "account">;

/** Why a journal with this opening belongs to another owner, and what to do; undefined if it does not. */
function belongsToAnother(opening: Owner, { environment, account }: Owner) {
  if (opening.environment === environment && opening.account === account) return undefined;
  const isSameVenue = opening.environment === environment;
  const newKey =
    "; for a new key of the same account docs/operate/maintain.md#a-new-key-for-the-same-account has the steps";
  return {
    cause: `it belongs to environment ${opening.environment} and key ${opening.account}, not to ${environment} and ${account}`,
    next: `${WAY_OUT["foreign-file"]}${isSameVenue ? newKey : ""}`,
  };
}

function problemError({ path }: JournalOptions, found: Problem): JournalError {
  const message = `journal ${path}: ${problemText(found)}; ${WAY_OUT[found.kind]}`;
  switch (found.kind) {
    case "foreign-file":
      return { code: "journal-foreign", message };
    case "older-schema":
      return { code: "journal-older", message };
    case "newer-schema":
      return { code: "journal-newer", message };
    default:
      return { code: "journal-damaged", message };
  }
}

function missing(path: string, why: string): JournalError {
  return { code: "journal-missing", message: `journal ${path}: ${why}` };
}

function refused(code: JournalError["code"], path: string, why: string): Result<never, JournalError> {
  return err({ code, message: `journal ${path}: ${why}` });
}

// A new journal appears under its name complete with tables and first record, or not at all: it is created under
// another name and linked, so that of two processes that create one, the second finds the first one's.

function createJournal(path: string, opening: Opening, writer: string): void {
  const making = `${path}.new-${writer}`;
  withoutDoubt(path, () => {
    try {
      make(making, opening, writer);
      link(making, path);
    } finally {
      for (const file of [making, `${making}-wal`, `${making}-shm`]) rmSync(file, { force: true });
    }
  });
  syncFolderOf(path);
}

function createPlaceOf(path: string): void {
  const folder = createFolder(dirname(path), 0o700);
  if (!folder.ok) throw unmade(path, `its folder could not be made: ${folder.error}`);
}

/** Runs work that precedes the journal's file: if it fails, nothing on disk is in doubt. */
function withoutDoubt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isMachineFailure(error) || writeError(error, path).code !== "journal-suspect") throw error;
    throw unmade(path, `it could not be made: ${saidBy(error)}`);
  }
}

function make(path: string, opening: Opening, writer: string): void {
  closeSync(openSync(path, "wx", 0o600));
  const store = RecordStore.forWriting(path, createTables);
  try {
    const entry = entryText(1, writer, opening);
    store.begin();
    store.insert({ sequence: 1, entry, hash: chainedHash(GENESIS, entry) });
    store.commit();
  } finally {
    // The last connection to close checkpoints the -wal into the file and removes it.
    store.close();
  }
}

/** A journal that is there by now stays. */
function link(made: string, path: string): void {
  try {
    linkSync(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function unmade(path: string, why: string): JournalFault {
  const message = `journal ${path}: ${why}; nothing was written: make room for it there, or name another place in journal.path`;
  return new JournalFault({ code: "journal-unmade", message });
}
