// The tables of a journal file and their version. Until the first release the version rises with every change of tables
// or records, and a file of any other version is refused: there are no migrations.

import type { DatabaseSync } from "node:sqlite";

/** `pegb`: distinguishes a journal from other SQLite files. */
export const APPLICATION_ID = 0x70656762;

export const SCHEMA_VERSION = 7;

const TABLES = `
    CREATE TABLE record (
      sequence INTEGER PRIMARY KEY,
      entry TEXT NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT;
    -- Also what INSERT OR REPLACE would do, which fires no delete trigger.
    CREATE TRIGGER record_in_order BEFORE INSERT ON record
      WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM record)
      BEGIN SELECT raise(ABORT, 'records are appended in order'); END;
    CREATE TRIGGER record_never_changes BEFORE UPDATE ON record
      BEGIN SELECT raise(ABORT, 'records never change'); END;
    CREATE TRIGGER record_never_goes BEFORE DELETE ON record
      BEGIN SELECT raise(ABORT, 'records are never deleted'); END;
`;

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/** For a new file. */
export function createTables(database: DatabaseSync): void {
  database.exec(`${TABLES}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
}
