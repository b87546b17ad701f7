// What a file holds beside the journal's own tables. A trigger or view that somebody else put there decides what becomes of a
// record that is written, and an order must never leave without its own.

import { DatabaseSync } from "node:sqlite";
import { quoted } from "../../domain/outside-text.ts";
import { createTables } from "./schema.ts";

type Part = { readonly type: string; readonly name: string; readonly sql: string };

/** Undefined when every part is the journal's own, to the letter. One that is missing keeps nothing from being written. */
export function foreignPartIn(database: DatabaseSync): string | undefined {
  const own = ownParts();
  const foreign = partsOf(database).find(({ name, sql }) => own.get(name) !== sql);
  if (foreign === undefined) return undefined;
  const { type, name } = foreign;
  return own.has(name) ? `its ${type} ${name} is not as pegbot makes it` : `it has a ${type} ${quoted(name)} in it`;
}

/** By what makes them: there is no second list that could differ. */
function ownParts(): ReadonlyMap<string, string> {
  const empty = new DatabaseSync(":memory:");
  createTables(empty);
  const parts = new Map(partsOf(empty).map(({ name, sql }) => [name, sql]));
  empty.close();
  return parts;
}

/** Without what SQLite keeps for itself: it lets nobody else use such names. */
function partsOf(database: DatabaseSync): readonly Part[] {
  const sql =
    "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  return database.prepare(sql).all() as Part[];
}
