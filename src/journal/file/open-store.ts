// Opens a file for reading if it is a journal of this version; otherwise reports what it is.

import { DatabaseSync } from "node:sqlite";
import { saidBy } from "../../disk/sqlite-error.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { quoted } from "../../domain/sanitise.ts";
import { type Problem, problem } from "../verdict.ts";
import { readAnchor } from "./anchor.ts";
import { anchorOf, sizeOf } from "./files.ts";
import { RecordStore } from "./record-store.ts";
import { APPLICATION_ID, createTables, SCHEMA_VERSION, schemaVersion } from "./schema.ts";
import { isCorrupt } from "./sqlite-failure.ts";

/** `onlyLooks`: for commands that change nothing; what decides about a journal must see its writers. */
export function openStore(path: string, onlyLooks = false): Result<RecordStore, Problem> {
  const anchor = readAnchor(anchorOf(path));
  // Checked before SQLite sees the file: SQLite treats an empty file as a new database and removes the -wal file next
  // to it.
  if (sizeOf(path) === 0)
    return typeof anchor === "string"
      ? err(problem("foreign-file", "it is empty"))
      : err(problem("broken", `it is empty, the anchor knows ${anchor.head.sequence} records`, 1));
  const opened = readingPages(() => ok(RecordStore.forReading(path, requireJournal, onlyLooks)));
  // Every journal has an anchor: a file that SQLite cannot open and that has none is not ours.
  const isStrange = !opened.ok && opened.error.kind === "broken" && anchor === "missing";
  return isStrange ? err(problem("foreign-file", "it is no journal of pegbot")) : opened;
}

/** Turns a page that SQLite cannot read into a problem of the file; problems that `read` returns pass through. */
export function readingPages<T>(read: () => Result<T, Problem>): Result<T, Problem> {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotThis) return err(error.problem);
    if (isCorrupt(error)) return err(problem("broken", `SQLite cannot read it: ${saidBy(error)}`));
    throw error;
  }
}

/** Carries a problem out of the opening of a store. */
class NotThis extends Error {
  readonly problem: Problem;

  constructor(found: Problem) {
    super(found.message);
    this.problem = found;
  }
}

function requireJournal(database: DatabaseSync): void {
  const version = schemaVersion(database);
  const application = Number(database.prepare("PRAGMA application_id").get()?.application_id);
  if (application !== APPLICATION_ID || version < 1)
    throw new NotThis(problem("foreign-file", "it is no journal of pegbot"));
  if (version !== SCHEMA_VERSION) {
    const kind = version < SCHEMA_VERSION ? "older-schema" : "newer-schema";
    throw new NotThis(problem(kind, `its version is ${version}, this pegbot reads ${SCHEMA_VERSION} only`));
  }
  const part = foreignPartIn(database);
  if (part !== undefined)
    throw new NotThis(problem("broken", `it must hold nothing but the journal's own parts, and ${part}`));
}

// A foreign trigger or view could change or drop a record as it is written, and an order must never leave without its
// record.

/**
 * The first table, index, trigger or view that differs from the journal's own. A missing one does not prevent writing.
 */
function foreignPartIn(database: DatabaseSync): string | undefined {
  // Derived from the code that creates the tables, so that no second list can differ from it.
  const empty = new DatabaseSync(":memory:");
  createTables(empty);
  const own = new Set(partsOf(empty).map(({ sql }) => sql));
  empty.close();
  const foreign = partsOf(database).find(({ sql }) => !own.has(sql));
  return foreign && `the ${foreign.type} ${quoted(foreign.name)} is none of them`;
}

/** Without SQLite's internal objects, whose names are reserved. */
function partsOf(
  database: DatabaseSync,
): readonly { readonly type: string; readonly name: string; readonly sql: string }[] {
  const sql =
    "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  return database.prepare(sql).all() as ReturnType<typeof partsOf>[number][];
}
