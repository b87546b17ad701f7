// Results of many runs in one SQLite file, each under the digest of its trial: a finished run is never computed again.
// A file belongs to the specification that created it; another one is refused, with the differences.

import { existsSync, statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { linkTarget } from "../../src/disk/link-target.ts";
import { saidBy } from "../../src/disk/sqlite-error.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { isCorrupt, isFull, isMachineFailure } from "../../src/journal/file/sqlite-failure.ts";
import { canonicalText } from "./identity.ts";
import type { Axis } from "./parameter-space.ts";
import type { Trial } from "./trial.ts";
import { NOT_REPEATABLE, resultText, type TrialResult } from "./trial-result.ts";

/** Named parts as plain data. */
export type Specification = Readonly<Record<string, unknown>>;

/** Each part as its stored text. */
type Parts = ReadonlyMap<string, string>;

/** `pegs`: distinguishes it from a journal and from any other SQLite file. */
const APPLICATION_ID = 0x70656773;
const VERSION = 2;
const BUSY_MS = 10_000;

const TABLES = `
  CREATE TABLE specification (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
`;

/** Before the searched parameters, one column each. */
const OWN_COLUMNS = [
  "trial TEXT PRIMARY KEY CHECK (length(trial) = 64)",
  "text TEXT NOT NULL",
  "seed INTEGER",
  "from_ms INTEGER",
  "to_ms INTEGER",
];

function isOwn(name: string): boolean {
  return OWN_COLUMNS.some((column) => column.startsWith(`${name.toLowerCase()} `));
}

/** A value that is no number is JSON, or text. */
function valueIn({ params, market }: Trial, { target, name }: Axis): string | number {
  const branch = (tree: unknown, key: string): unknown => (tree as Record<string, unknown> | undefined)?.[key];
  const value = target === "param" ? params[name] : name.split(".").reduce(branch, market as unknown);
  return typeof value === "number" || typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export class ResultStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #known = new Map<string, TrialResult>();
  readonly #path: string;
  readonly #axes: readonly Axis[];

  private constructor(path: string, database: DatabaseSync, axes: readonly Axis[]) {
    this.#path = path;
    this.#database = database;
    this.#axes = axes;
    const marks = [...OWN_COLUMNS, ...axes].map(() => "?").join(", ");
    this.#insert = database.prepare(`INSERT INTO result VALUES (${marks}) ON CONFLICT DO NOTHING`);
    this.#find = database.prepare("SELECT text FROM result WHERE trial = ?");
  }

  /** Created if there is none. */
  static open(path: string, specification: Specification): Result<ResultStore> {
    let database: DatabaseSync | undefined;
    try {
      const foreign = whyForeign(path);
      if (foreign !== undefined) return err(foreign);
      database = new DatabaseSync(path, { timeout: BUSY_MS });
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      const parts = partsOf(specification);
      const axes = (specification["parameters searched"] ?? []) as readonly Axis[];
      makeTables(database, parts, axes);
      const differs = differing(database, parts);
      if (differs.length === 0) return ok(new ResultStore(path, database, axes));
      database.close();
      return err(`${path} has the results of another specification: ${differText(differs)}`);
    } catch (error) {
      if (database?.isOpen) database.close();
      if (!isMachineFailure(error)) throw error;
      const advice = isFull(error) ? "free some disk space" : "it and its folder must be writable by this user";
      return err(`${path} cannot be used: ${saidBy(error)}; ${advice}`);
    }
  }

  get(trial: string): TrialResult | undefined {
    const known = this.#known.get(trial);
    if (known !== undefined) return known;
    const row = this.#find.get(trial) as { text: string } | undefined;
    if (row === undefined) return undefined;
    const result = JSON.parse(row.text) as TrialResult;
    this.#known.set(trial, result);
    return result;
  }

  /**
   * On disk when this returns. A trial has one result: two different ones mean that the strategy is not deterministic.
   */
  put(result: TrialResult, trial: Trial): void {
    const text = resultText(result);
    const { seed, from, to } = trial;
    if (this.#inserts([result.trial, text, seed, from, to, ...this.#axes.map((axis) => valueIn(trial, axis))])) return;
    const { text: before } = this.#find.get(result.trial) as { text: string };
    if (before !== text) throw new Error(NOT_REPEATABLE);
  }

  #inserts(row: readonly (string | number)[]): boolean {
    try {
      return Number(this.#insert.run(...row).changes) === 1;
    } catch (error) {
      if (!isMachineFailure(error)) throw error;
      throw new Error(`${this.#path} could not be written: ${saidBy(error)}`);
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Checks without changing the file. Undefined where it is a result file or empty. */
function whyForeign(path: string): string | undefined {
  try {
    linkTarget(path);
  } catch (error) {
    return (error as Error).message;
  }
  if (!existsSync(path) || statSync(path).size === 0) return undefined;
  if (!statSync(path).isFile()) return `${path} is no file`;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    const { application_id: id } = database.prepare("PRAGMA application_id").get() as { application_id: number };
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    // It is being created at this moment.
    if (id === 0 && version === 0 && database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined)
      return undefined;
    if (id !== APPLICATION_ID) return `${path} holds no results of pegbot`;
    if (version !== VERSION) return `${path} has results of version ${version}, this pegbot knows ${VERSION}`;
    return undefined;
  } catch (error) {
    if (isCorrupt(error)) return `${path} holds no results of pegbot`;
    throw error;
  } finally {
    database?.close();
  }
}

/** Creates tables and specification together: a file that has one has both. */
function makeTables(database: DatabaseSync, parts: Parts, axes: readonly Axis[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) {
      const names = axes.map(({ name }) => `, "${(isOwn(name) ? `${name}_` : name).replaceAll('"', '""')}" ANY`);
      database.exec(`${TABLES}CREATE TABLE result (${OWN_COLUMNS.join(", ")}${names.join("")}) STRICT, WITHOUT ROWID`);
      const insert = database.prepare("INSERT INTO specification VALUES (?, ?)");
      for (const [name, value] of parts) insert.run(name, value);
    }
    database.exec("COMMIT");
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}

function partsOf(specification: Specification): Parts {
  return new Map(Object.entries(specification).map(([name, value]) => [name, canonicalText(value)]));
}

/** The names of the parts that differ in the file. */
function differing(database: DatabaseSync, wanted: Parts): readonly string[] {
  const rows = database.prepare("SELECT name, value FROM specification").all() as { name: string; value: string }[];
  const kept = new Map(rows.map(({ name, value }) => [name, value]));
  return [...new Set([...wanted.keys(), ...kept.keys()])].filter((name) => wanted.get(name) !== kept.get(name));
}

function differText(names: readonly string[]): string {
  return `${names.join(", ")} differ${names.length === 1 ? "s" : ""}`;
}
