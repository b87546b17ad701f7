// Opens a file for reading if it is a journal that this version knows, and says what it is instead if it is not.

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

export function openStore(path: string): Result<RecordStore, Problem> {
  const anchor = readAnchor(anchorOf(path));
  // Not by SQLite, which takes an empty file for a new database and removes the -wal file next to it.
  if (sizeOf(path) === 0)
    return typeof anchor === "string"
      ? err(problem("foreign-file", "it is empty"))
      : err(problem("missing-tail", `it is empty, the anchor knows ${anchor.head.sequence} records`, 1));
  const opened = readingPages(() => ok(RecordStore.forReading(path, requireJournal)));
  // Every journal has an anchor: what SQLite cannot even open, and has none, was never ours to move aside.
  const isStrange = !opened.ok && opened.error.kind === "corrupt-file" && anchor === "missing";
  return isStrange ? err(problem("foreign-file", "it is no journal of pegbot")) : opened;
}

/** What SQLite cannot read is a problem of the file; what `read` finds is handed on. */
export function readingPages<T>(read: () => Result<T, Problem>): Result<T, Problem> {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotThis) return err(error.problem);
    if (isCorrupt(error)) return err(problem("corrupt-file", `SQLite cannot read it: ${saidBy(error)}`));
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
    throw new NotThis(problem("foreign-part", `it must hold nothing but the journal's own parts, and ${part}`));
}

// A trigger or view that is not the journal's own decides what becomes of a record that is written, and an order must never
// leave without its own.

/** The first part that is not the journal's own, to the letter. One that is missing keeps nothing from being written. */
function foreignPartIn(database: DatabaseSync): string | undefined {
  // By what makes them: there is no second list that could differ.
  const empty = new DatabaseSync(":memory:");
  createTables(empty);
  const own = new Set(partsOf(empty).map(({ sql }) => sql));
  empty.close();
  const foreign = partsOf(database).find(({ sql }) => !own.has(sql));
  return foreign && `the ${foreign.type} ${quoted(foreign.name)} is none of them`;
}

/** Without what SQLite keeps for itself, whose names it reserves. */
function partsOf(
  database: DatabaseSync,
): readonly { readonly type: string; readonly name: string; readonly sql: string }[] {
  const sql =
    "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  return database.prepare(sql).all() as ReturnType<typeof partsOf>[number][];
}
