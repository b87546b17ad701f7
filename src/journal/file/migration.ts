// The tables, version by version: a new file runs through all of them, an older one through those it lacks. A migration
// may add tables and columns beside the records; it never touches their text or hash, which are chained for good.

import type { DatabaseSync } from "node:sqlite";

export type Migration = (database: DatabaseSync) => void;

/** `pegb`: tells a journal from any other SQLite file. */
export const APPLICATION_ID = 0x70656762;

const createRecords: Migration = (database) => {
  database.exec(`
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
  `);
};

/** The one at index n brings a file from version n to n + 1. */
export const MIGRATIONS: readonly Migration[] = [createRecords];
export const SCHEMA_VERSION: number = MIGRATIONS.length;

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/** All steps in one transaction: a crash leaves the old version or the new one. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  if (schemaVersion(database) >= migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Asked again under the lock: another process may have been quicker.
    for (const step of migrations.slice(schemaVersion(database))) step(database);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}
