// A new journal appears under its name whole, with tables and its first record, or not at all: it is made under another
// name and linked, so that of two processes that make one, the second finds the first one's.

import { closeSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Opening } from "../record.ts";
import { chainedHash, entryText, GENESIS } from "../text/entry-text.ts";
import { privateFolder, syncFolderOf } from "./files.ts";
import { migrate } from "./migration.ts";
import { RecordStore } from "./record-store.ts";

export function createJournal(path: string, opening: Opening, writer: string): void {
  privateFolder(dirname(path));
  const making = `${path}.new-${writer}`;
  closeSync(openSync(making, "wx", 0o600));
  try {
    const store = RecordStore.forWriting(making, migrate);
    try {
      const entry = entryText(1, writer, opening);
      store.begin();
      store.insert({ sequence: 1, entry, hash: chainedHash(GENESIS, entry) });
      store.commit();
    } finally {
      // The last to close moves everything into the file itself and removes its -wal.
      store.close();
    }
    linkSync(making, path);
    syncFolderOf(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    for (const file of [making, `${making}-wal`, `${making}-shm`]) rmSync(file, { force: true });
  }
}
