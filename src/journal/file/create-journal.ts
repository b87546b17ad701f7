// A new journal appears under its name whole, with tables and its first record, or not at all: it is made under another
// name and linked, so that of two processes that make one, the second finds the first one's.

import { closeSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createFolder } from "../../disk/create-folder.ts";
import { syncFolderOf } from "../../disk/new-file.ts";
import { saidBy } from "../../disk/sqlite-error.ts";
import type { Opening } from "../record.ts";
import { chainedHash, entryText, GENESIS } from "../text/entry-text.ts";
import { RecordStore } from "./record-store.ts";
import { createTables } from "./schema.ts";
import { isMachineFailure, JournalFault, writeError } from "./sqlite-failure.ts";

export function createJournal(path: string, opening: Opening, writer: string): void {
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

export function createPlaceOf(path: string): void {
  const folder = createFolder(dirname(path), 0o700);
  if (!folder.ok) throw unmade(path, `its folder could not be made: ${folder.error}`);
}

/** Work before there is anything under the journal's name: whatever fails of it, nothing on disk is in doubt. */
export function withoutDoubt<T>(path: string, work: () => T): T {
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
    // The last to close moves everything into the file itself and removes its -wal.
    store.close();
  }
}

/** Where another process was first, its journal stands. */
function link(made: string, path: string): void {
  try {
    linkSync(made, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function unmade(path: string, why: string): JournalFault {
  const message = `journal ${path}: ${why}; nothing was written: make room for it there, or name another place in journal.path`;
  return new JournalFault({ code: "journal-unmade", message });
}
