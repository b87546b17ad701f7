import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { inspectJournal } from "../../src/journal/file/inspect.ts";
import { MIGRATIONS, migrate, SCHEMA_VERSION, schemaVersion } from "../../src/journal/file/migration.ts";
import { journalAt, temporaryPath } from "./place.ts";
import { everyKind } from "./samples.ts";

const addNotes = (database: DatabaseSync): void => database.exec("CREATE TABLE note (body TEXT NOT NULL) STRICT");

function contents(path: string): unknown {
  const raw = new DatabaseSync(path, { readOnly: true });
  try {
    return raw.prepare("SELECT * FROM record").all();
  } finally {
    raw.close();
  }
}

describe("versions of the journal's tables", () => {
  it("an empty file goes through all of them", () => {
    const database = new DatabaseSync(":memory:");
    expect(schemaVersion(database)).toBe(0);
    migrate(database);
    expect(schemaVersion(database)).toBe(SCHEMA_VERSION);
    database.close();
  });

  it("an older journal gets the steps it lacks, and its records stay as they were", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    await journal.append(everyKind);
    journal.close();
    const before = contents(path);
    const database = new DatabaseSync(path);
    migrate(database, [...MIGRATIONS, addNotes]);
    migrate(database, [...MIGRATIONS, addNotes]);
    expect(schemaVersion(database)).toBe(SCHEMA_VERSION + 1);
    // An older pegbot knows less of them, and leaves it as new as it is.
    migrate(database, MIGRATIONS);
    expect(schemaVersion(database)).toBe(SCHEMA_VERSION + 1);
    expect(database.prepare("SELECT count(*) AS n FROM note").get()).toEqual({ n: 0 });
    database.close();
    expect(contents(path)).toEqual(before);
    expect(inspectJournal(path)).toMatchObject({ ok: false, error: { kind: "newer-schema" } });
  });

  it("a step that fails leaves the old version, whole", () => {
    const path = temporaryPath();
    journalAt(path).close();
    const database = new DatabaseSync(path);
    const breaking = [...MIGRATIONS, addNotes, () => database.exec("CREATE TABLE note (twice TEXT) STRICT")];
    expect(() => migrate(database, breaking)).toThrow("already exists");
    expect(schemaVersion(database)).toBe(SCHEMA_VERSION);
    expect(() => database.prepare("SELECT * FROM note")).toThrow("no such table");
    database.close();
    expect(inspectJournal(path).ok).toBe(true);
  });
});
