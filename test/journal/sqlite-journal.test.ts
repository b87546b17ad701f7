import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { inspectJournal } from "../../src/journal/file/inspect.ts";
import { RecordStore } from "../../src/journal/file/record-store.ts";
import type { Receipt } from "../../src/journal/journal.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import type { Entry, JournalRecord } from "../../src/journal/record.ts";
import { MemoryJournal } from "../support/memory-journal.ts";
import { optionsOf } from "./journal-options.ts";
import { journalAt, temporaryPath } from "./place.ts";
import { doubt, everyKind } from "./samples.ts";

const marked = (cause: string): JournalRecord => ({ ...doubt, cause });
const causes = (entries: readonly Entry[]) =>
  entries.flatMap(({ record }) => (record.kind === "doubt" ? [record.cause] : []));
const receipt = async (write: Promise<{ ok: boolean }>) => unwrap((await write) as { ok: true; value: Receipt });

describe("a journal on disk", () => {
  it("tells the books by all of its records but balances and states that later ones took the place of", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    const isList = (record: JournalRecord): boolean => record.kind === "step" && record.step.event.kind === "balances";
    const list = everyKind.find(isList);
    const state = everyKind.find(({ kind }) => kind === "state");
    if (list?.kind !== "step" || state === undefined) throw new Error("both must be among the samples");
    const plain = { ...list, step: { ...list.step, decisions: [], commands: [], mark: undefined } };
    const marked = { ...plain, step: { ...plain.step, mark: Money.of("1", "CHF" as Asset) } };
    await journal.append([plain, state, doubt, marked, plain, state, plain, state, doubt]);
    const reader = unwrap(JournalReader.open(path));
    const told = (after: number) => Array.from(reader.telling(after), (read) => unwrap(read).entry.sequence);
    // The opening is the first; left out are two plain lists and two states.
    expect(told(0)).toEqual([1, 4, 5, 8, 9, 10]);
    // The last list and the last state count, wherever one begins.
    expect(told(5)).toEqual([8, 9, 10]);
    expect(told(9)).toEqual([8, 9, 10]);
    reader.close();
    journal.close();
  });

  it("is readable by its owner only, in a folder of the owner only", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    await journal.append([doubt]);
    expect(readdirSync(dirname(path)).sort()).toEqual(
      ["", "-lock", "-shm", "-wal", ".anchor"].map((suffix) => `pegbot.db${suffix}`),
    );
    for (const name of readdirSync(dirname(path)))
      expect(statSync(`${dirname(path)}/${name}`).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    journal.close();
  });

  it("is refused while one of its files gives others access or is another user's, by the file's name", async () => {
    const path = temporaryPath();
    journalAt(path).close();
    const link = `${path}-link`;
    symlinkSync(path, link);
    for (const part of ["", "-wal", "-shm", ".anchor", ".snapshot", ".ledger", ".token", ".key"]) {
      const file = `${path}${part}`;
      if (!existsSync(file)) writeFileSync(file, "");
      chmodSync(file, 0o640);
      for (const name of [path, link])
        expect(openJournal(optionsOf(name))).toMatchObject({
          error: {
            code: "journal-exposed",
            message: expect.stringContaining(`of ${file} must be 600, was 640: chmod`),
          },
        });
      chmodSync(file, 0o600);
      // Only root can give files away.
      if (process.geteuid?.() !== 0) continue;
      chownSync(file, 4_321, 0);
      const message = expect.stringContaining(`${file} belongs to another user (id 4321)`);
      expect(openJournal(optionsOf(path))).toMatchObject({ error: { code: "journal-exposed", message } });
      chownSync(file, 0, 0);
    }
    // The kill file stops the bot, whoever wrote it.
    writeFileSync(`${path}.KILL`, "", { mode: 0o644 });
    expect(openJournal(optionsOf(path)).ok).toBe(true);
  });

  it("believes nothing more after a commit that failed, whatever SQLite said, and does not decide again", async () => {
    // Busy, read-only and damaged: of a write that has not got to its commit they say that nothing is there.
    for (const errcode of [5, 8, 11]) {
      const journal = journalAt(temporaryPath());
      const { commit } = RecordStore.prototype;
      onTestFinished(() => {
        RecordStore.prototype.commit = commit;
      });
      RecordStore.prototype.commit = () => {
        throw Object.assign(new Error("no"), { errcode });
      };
      let decided = 0;
      const told = await journal.transact(() => ({ records: [doubt], value: ++decided }));
      RecordStore.prototype.commit = commit;
      expect([told, await journal.append([doubt])]).toMatchObject(
        [1, 2].map(() => ({ ok: false, error: { code: "journal-suspect" } })),
      );
      expect(decided).toBe(1);
      journal.close();
    }
  });

  it("syncs every commit to the disk, in strict tables", () => {
    const path = temporaryPath();
    journalAt(path).close();
    const store = RecordStore.forWriting(path, () => {});
    // 2 is FULL: in WAL mode NORMAL may lose a commit at a power cut.
    expect(store.database.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
    expect(store.database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(store.database.prepare("SELECT strict FROM pragma_table_list('record')").get()).toEqual({ strict: 1 });
    store.close();
  });

  it("has the same chain as one in memory, record by record", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    const memory = new MemoryJournal(journal.opening, journal.writer);
    expect(await receipt(journal.append(everyKind))).toEqual(unwrap(await memory.append(everyKind)));
    expect(journal.read(0, 1_000)).toEqual(memory.read(0, 1_000));
    const traceOnly = new MemoryJournal(journal.opening, journal.writer, { keep: false });
    for (const record of everyKind) traceOnly.record(record);
    expect(traceOnly.head()).toEqual(journal.head());
    journal.close();
  });

  it("continues where it ended", async () => {
    const path = temporaryPath();
    const first = journalAt(path);
    await first.append([marked("1"), marked("2")]);
    first.close();
    const second = journalAt(path, { absent: "refuse" });
    expect(second.opening).toEqual(first.opening);
    expect(causes(unwrap(second.read(1, 10)))).toEqual(["1", "2"]);
    expect((await receipt(second.append([marked("3")]))).head.sequence).toBe(4);
    second.close();
    expect(inspectJournal(path)).toMatchObject({ ok: true, value: { head: { sequence: 4 }, since: 0 } });
  });

  it("writes all records of one call or none", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    const broken = { ...doubt, cause: undefined } as unknown as JournalRecord;
    await expect(journal.append([marked("1"), broken])).rejects.toThrow("must be a string");
    expect(unwrap(journal.head()).sequence).toBe(1);
    expect((await receipt(journal.append([marked("2")]))).head.sequence).toBe(2);
    journal.close();
  });

  it("refuses to change, delete, replace or skip a record, whoever asks", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    await journal.append([doubt]);
    const raw = new DatabaseSync(path);
    const hash = "0".repeat(64);
    expect(() => raw.exec("UPDATE record SET entry = '{}' WHERE sequence = 2")).toThrow("records never change");
    expect(() => raw.exec("DELETE FROM record WHERE sequence = 2")).toThrow("records are never deleted");
    expect(() => raw.exec(`INSERT OR REPLACE INTO record VALUES (2, '{}', '${hash}')`)).toThrow("in order");
    expect(() => raw.exec(`INSERT INTO record VALUES (4, '{}', '${hash}')`)).toThrow("in order");
    expect(() => raw.exec("INSERT INTO record VALUES (3, '{}', 'short')")).toThrow("CHECK");
    raw.close();
    journal.close();
  });
});

describe("two processes on one journal", () => {
  it("do not wait long at the socket: what cannot be announced at once is not sent", () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    const rival = new DatabaseSync(path);
    rival.exec("BEGIN IMMEDIATE");
    expect(journal.announce([doubt])).toMatchObject({ ok: false, error: { code: "journal-locked" } });
    rival.exec("ROLLBACK");
    rival.close();
    const announced = journal.announce([doubt]);
    expect(announced).toEqual(journal.head());
    // Another connection sees it: it was committed when the call returned.
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(reader.prepare("SELECT max(sequence) AS last FROM record").get()).toEqual({ last: 2 });
    reader.close();
    journal.close();
    const memory = new MemoryJournal(journal.opening, journal.writer);
    expect(memory.announce([doubt])).toEqual(announced);
  });

  it("do not lock each other out by reading: a snapshot that stays open stops no writer", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN; SELECT count(*) FROM record");
    expect((await journal.append([doubt])).ok).toBe(true);
    reader.close();
    journal.close();
  });

  it("has one writer: a second is refused, and is let in when the first has closed", () => {
    const path = temporaryPath();
    const first = journalAt(path);
    const second = openJournal(optionsOf(path, { absent: "refuse" }));
    expect(second).toMatchObject({ ok: false, error: { code: "journal-locked" } });
    first.close();
    journalAt(path, { absent: "refuse" }).close();
  });
});

describe("a journal in use", () => {
  it("that is moved or replaced is noticed before the next write, and for good", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    renameSync(path, `${path}.away`);
    expect(await journal.append([doubt])).toMatchObject({ ok: false, error: { code: "journal-moved" } });
    renameSync(`${path}.away`, path);
    expect(await journal.append([doubt])).toMatchObject({ ok: false, error: { code: "journal-moved" } });
    journal.close();
  });

  it("whose -wal or .anchor is removed or replaced is noticed before the next read and write, and for good", async () => {
    for (const suffix of ["-wal", ".anchor"])
      for (const replaced of [false, true]) {
        const path = temporaryPath();
        const journal = journalAt(path);
        await journal.append([doubt]);
        const content = readFileSync(`${path}${suffix}`);
        renameSync(`${path}${suffix}`, `${path}.away`);
        if (replaced) writeFileSync(`${path}${suffix}`, content, { mode: 0o600 });
        const refused = {
          ok: false,
          error: { code: "journal-moved", message: expect.stringContaining(`its ${suffix} file`) },
        };
        expect(journal.head()).toMatchObject(refused);
        expect(journal.announce([doubt])).toMatchObject(refused);
        expect(await journal.transact(() => ({ records: [doubt], value: 1 }))).toMatchObject(refused);
        renameSync(`${path}.away`, `${path}${suffix}`);
        expect(await journal.append([doubt])).toMatchObject(refused);
        journal.close();
      }
  });

  it.each([
    `DROP TRIGGER record_never_changes; UPDATE record SET hash = '${"f".repeat(64)}' WHERE sequence = 2`,
    "INSERT INTO record SELECT max(sequence) + 1, entry, hash FROM record",
  ])("whose last record was changed behind its back (%s) is noticed before the next write", async (change) => {
    const path = temporaryPath();
    const journal = journalAt(path);
    await journal.append([doubt]);
    const raw = new DatabaseSync(path);
    raw.exec(change);
    raw.close();
    const refused = await journal.append([doubt]);
    expect(refused).toMatchObject({ ok: false, error: { code: "journal-damaged" } });
    expect(journal.read(0, 1)).toEqual(refused);
    journal.close();
  });

  it("that another account or environment brings is refused, and stays where it is", () => {
    const path = temporaryPath();
    journalAt(path).close();
    for (const change of [{ environment: "live" }, { account: "fedcba9876543210" }]) {
      const refused = openJournal(optionsOf(path, change));
      expect(refused).toMatchObject({ ok: false, error: { code: "journal-foreign" } });
      expect(refused.ok || refused.error.message).toContain("it belongs to environment test and key 0123456789abcdef");
    }
    expect(existsSync(path)).toBe(true);
  });
});
