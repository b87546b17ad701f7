import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { AnchorFile, readAnchor } from "../../src/journal/file/anchor.ts";
import { copyJournal } from "../../src/journal/file/copy-journal.ts";
import { inspectJournal } from "../../src/journal/file/inspect.ts";
import { RecordStore } from "../../src/journal/file/record-store.ts";
import { SCHEMA_VERSION } from "../../src/journal/file/schema.ts";
import { type JournalOptions, openJournal } from "../../src/journal/open-journal.ts";
import { optionsOf } from "./journal-options.ts";
import { journalAt, temporaryPath } from "./place.ts";
import { doubt, everyKind } from "./samples.ts";

/** Twenty and some records, closed in order unless told otherwise. */
async function journalOf(path: string): Promise<void> {
  const journal = journalAt(path);
  for (const record of everyKind) await journal.append([record]);
  journal.close();
}

const LENGTH = everyKind.length + 1;

/** As somebody with a database tool would. */
function tamper(path: string, sql: string): void {
  const raw = new DatabaseSync(path);
  raw.exec(`DROP TRIGGER record_never_changes; DROP TRIGGER record_never_goes; DROP TRIGGER record_in_order; ${sql}`);
  raw.close();
}

/** As somebody would who wants a record to get lost. */
const PASS_OVER = `CREATE TRIGGER evil BEFORE INSERT ON record WHEN NEW.entry LIKE '%"kind":"doubt"%' BEGIN SELECT raise(IGNORE); END;`;

function verdictOf(path: string): string {
  const inspected = inspectJournal(path);
  return inspected.ok ? "intact" : inspected.error.kind;
}

/** Opening refuses with what was found and the way out, whether or not a new journal may be made, and changes no file. */
function expectRefused(path: string, found: RegExp): void {
  const contents = () => ["", ".anchor"].map((suffix) => readFileSync(path + suffix));
  const before = contents();
  for (const absent of ["refuse", "create"] as const) {
    const refused = openJournal(optionsOf(path, { absent }));
    expect(refused).toMatchObject({ ok: false, error: { code: "journal-damaged" } });
    const message = refused.ok ? "" : refused.error.message;
    expect(message).toMatch(found);
    expect(message).toMatch(
      /: broken.*restore a backup made by pegbot journal backup .*; without one, move the journal/s,
    );
  }
  expect(contents()).toEqual(before);
}

describe("a part that pegbot did not make is named, and nothing is written beside it", () => {
  it.each<[string, string, string]>([
    ["a trigger", PASS_OVER, 'the trigger "evil" is none of them'],
    ["a view", "CREATE VIEW v AS SELECT * FROM record", 'the view "v" is none of them'],
    ["a table", "CREATE TABLE sqliteful (a)", 'the table "sqliteful" is none of them'],
    [
      "a trigger under a name of ours",
      "DROP TRIGGER record_never_goes; CREATE TRIGGER record_never_goes BEFORE INSERT ON record BEGIN SELECT raise(IGNORE); END",
      'the trigger "record_never_goes" is none of them',
    ],
  ])("%s", async (_, sql, said) => {
    const path = temporaryPath();
    await journalOf(path);
    const raw = new DatabaseSync(path);
    raw.exec(sql);
    raw.close();
    expect(inspectJournal(path)).toMatchObject({
      error: { kind: "broken", message: expect.stringContaining(said) },
    });
    expectRefused(path, /it must hold nothing but the journal's own parts/);
  });
});

describe("a damaged journal is told from a sound one, by name", () => {
  it("an untouched one is intact", async () => {
    const path = temporaryPath();
    await journalOf(path);
    expect(verdictOf(path)).toBe("intact");
  });

  it("a changed record, and only that one", async () => {
    const path = temporaryPath();
    await journalOf(path);
    tamper(path, "UPDATE record SET entry = replace(entry, '0.9998', '0.9999') WHERE sequence = 5");
    expect(inspectJournal(path)).toMatchObject({ error: { kind: "broken", sequence: 5 } });
    expectRefused(path, /broken at record 5: /);
  });

  it("a record cut out of the middle", async () => {
    const path = temporaryPath();
    await journalOf(path);
    tamper(path, "DELETE FROM record WHERE sequence = 9");
    expect(inspectJournal(path)).toMatchObject({ error: { kind: "broken", sequence: 9 } });
    expectRefused(path, /broken at record 9: /);
  });

  it("a tail cut off", async () => {
    const path = temporaryPath();
    await journalOf(path);
    tamper(path, `DELETE FROM record WHERE sequence > ${LENGTH - 1}`);
    expect(inspectJournal(path)).toMatchObject({ error: { kind: "broken", sequence: LENGTH } });
    expectRefused(path, new RegExp(`it ends at record ${LENGTH - 1}, the anchor knows ${LENGTH};`));
  });

  it("an older copy put back", async () => {
    const path = temporaryPath();
    journalAt(path).close();
    copyFileSync(path, `${path}.backup`);
    await (async () => {
      const journal = journalAt(path);
      await journal.append([doubt]);
      journal.close();
    })();
    copyFileSync(`${path}.backup`, path);
    expectRefused(path, /it ends at record 1, the anchor knows 2;/);
  });

  it("a database whose -wal file is gone", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    for (const record of everyKind) await journal.append([record]);
    // What a crash leaves behind, without its -wal.
    const crashed = temporaryPath();
    journalAt(crashed).close();
    for (const suffix of ["", ".anchor"]) copyFileSync(path + suffix, crashed + suffix);
    journal.close();
    expectRefused(crashed, /-wal is gone;/);
  });

  it("a chain cut and written anew, which is whole in itself", async () => {
    const path = temporaryPath();
    await journalOf(path);
    const copy = temporaryPath();
    const options = optionsOf(copy);
    unwrap(
      openJournal({ ...options, newChainId: () => "another-chain" }) as { ok: true; value: { close(): void } },
    ).close();
    const journal = journalAt(copy, { absent: "refuse" });
    for (const record of everyKind) await journal.append([record]);
    journal.close();
    copyFileSync(copy, path);
    expect(verdictOf(copy)).toBe("intact");
    expectRefused(path, /is not the one that the anchor knows;/);
  });

  it("pages that SQLite cannot read", async () => {
    const path = temporaryPath();
    await journalOf(path);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4_096 + 8, 2 * 4_096);
    writeFileSync(path, bytes);
    expectRefused(path, /SQLite/);
  });

  it("a file that is no journal, which is left where it is", () => {
    const path = temporaryPath();
    journalAt(path).close();
    writeFileSync(path, "precious notes".repeat(100));
    expect(verdictOf(path)).toBe("broken");
    rmSync(`${path}.anchor`);
    expect(verdictOf(path)).toBe("foreign-file");
    const other = temporaryPath();
    journalAt(other).close();
    rmSync(other);
    new DatabaseSync(other).exec("CREATE TABLE mine (a); PRAGMA user_version = 1");
    expect(verdictOf(other)).toBe("foreign-file");
    const unmade = temporaryPath();
    journalAt(unmade).close();
    tamper(unmade, "PRAGMA user_version = 0");
    expect(verdictOf(unmade)).toBe("foreign-file");
    writeFileSync(other, "");
    chmodSync(other, 0o600);
    rmSync(`${other}.anchor`);
    expect(verdictOf(other)).toBe("foreign-file");
    expect(openJournal(optionsOf(other))).toMatchObject({ error: { code: "journal-foreign" } });
    expect(existsSync(other)).toBe(true);
  });

  it.for([
    [-1, "older-schema", "journal-older"],
    [1, "newer-schema", "journal-newer"],
  ] as const)("a journal of another version (%s), which is left where it is", async ([by, verdict, code]) => {
    const path = temporaryPath();
    await journalOf(path);
    tamper(path, `PRAGMA user_version = ${SCHEMA_VERSION + by}`);
    expect(verdictOf(path)).toBe(verdict);
    expect(openJournal(optionsOf(path))).toMatchObject({ ok: false, error: { code } });
    expect(existsSync(path)).toBe(true);
  });

  it("a missing or unreadable anchor, beside which the journal stays", async () => {
    const path = temporaryPath();
    await journalOf(path);
    const anchor = readFileSync(`${path}.anchor`);
    writeFileSync(`${path}.anchor`, Buffer.alloc(1_024, "x"));
    expect(openJournal(optionsOf(path))).toMatchObject({ ok: false, error: { code: "journal-damaged" } });
    expect(verdictOf(path)).toBe("anchor-lost");
    rmSync(`${path}.anchor`);
    expect(openJournal(optionsOf(path))).toMatchObject({ ok: false, error: { code: "journal-damaged" } });
    expect(verdictOf(path)).toBe("anchor-lost");
    expect(openJournal(optionsOf(path))).toMatchObject({
      error: {
        message: expect.stringMatching(/restore a backup .* move the journal .* then pegbot adopt begins anew/),
      },
    });
    writeFileSync(`${path}.anchor`, anchor, { mode: 0o600 });
    journalAt(path).close();
  });
});

describe("what is not damage", () => {
  it("an anchor that lags behind or has one torn half: it is a lower bound", async () => {
    const path = temporaryPath();
    await journalOf(path);
    const lagging = readFileSync(`${path}.anchor`);
    const journal = journalAt(path);
    for (let n = 0; n < 5; n++) await journal.append([doubt]);
    journal.close();
    for (const half of [0, 512]) {
      const torn = Buffer.from(lagging);
      torn.fill(0, half + 100, half + 300);
      writeFileSync(`${path}.anchor`, torn);
      expect(verdictOf(path)).toBe("intact");
    }
  });
});

describe("a long journal", () => {
  const short = { chainMax: 10, pagesBytesMax: 0, newestMax: Number.POSITIVE_INFINITY };

  it("is verified at the start from where it last was, and by verify from its beginning", async () => {
    const path = temporaryPath();
    await journalOf(path);
    expect(inspectJournal(path, short)).toMatchObject({ ok: true, value: { since: 1 } });
    journalAt(path, { settings: short }).close();
    expect(inspectJournal(path, short)).toMatchObject({ ok: true, value: { since: LENGTH } });
    tamper(path, "UPDATE record SET entry = '{}' WHERE sequence = 3");
    expect(inspectJournal(path, short).ok).toBe(true);
    expect(verdictOf(path)).toBe("broken");
  });

  it("whose verified place was changed is noticed all the same", async () => {
    const path = temporaryPath();
    await journalOf(path);
    journalAt(path, { settings: short }).close();
    tamper(path, `UPDATE record SET hash = '${"a".repeat(64)}' WHERE sequence = ${LENGTH}`);
    expect(inspectJournal(path, short)).toMatchObject({ ok: false, error: { kind: "broken" } });
  });
});

describe("an anchor", () => {
  const headAt = (sequence: number) => ({ sequence, hash: `h${sequence}` });

  it("is not set back by a writer that comes late with it, and survives a write that was torn", () => {
    const path = join(dirname(dirname(temporaryPath())), "anchor");
    const state = { chainId: "c", head: headAt(8), verified: headAt(8), settled: false };
    const late = AnchorFile.create(path, state);
    const quick = AnchorFile.open(path, state);
    quick.write({ head: headAt(11) });
    late.write({ head: headAt(9) });
    expect(readAnchor(path)).toMatchObject({ head: headAt(11) });
    quick.write({ head: headAt(12) });
    expect(readAnchor(path)).toMatchObject({ head: headAt(12) });
    for (const file of [late, quick]) file.close();
    const torn = readFileSync(path, "latin1").replace('"h12"', '"h__"');
    writeFileSync(path, torn, "latin1");
    expect(readAnchor(path)).toMatchObject({ head: headAt(11) });
  });
});

describe("a copy of a journal", () => {
  it("knows no record that came after it, and was not cut by losing a -wal", async () => {
    const path = temporaryPath();
    const journal = journalAt(path);
    await journal.append(everyKind);
    const copy = `${path}.copy`;
    const { close } = RecordStore.prototype;
    onTestFinished(() => {
      RecordStore.prototype.close = close;
    });
    // Written to the journal while its copy is looked through.
    RecordStore.prototype.close = function () {
      RecordStore.prototype.close = close;
      this.close();
      unwrap(journal.announce([doubt]) as { ok: true; value: unknown });
    };
    expect(copyJournal(path, copy)).toMatchObject({ ok: true, value: { head: { sequence: LENGTH } } });
    journal.close();
    expect([verdictOf(path), verdictOf(copy)]).toEqual(["intact", "intact"]);
    tamper(copy, `DELETE FROM record WHERE sequence = ${LENGTH}`);
    expect(verdictOf(copy)).toBe("broken");
  });
});

describe("a journal that is gone", () => {
  it("is asked for with the way out, and a broken one in its place is not replaced", async () => {
    const path = temporaryPath();
    const refusal = (absent: JournalOptions["absent"]) => {
      const opened = openJournal(optionsOf(path, { absent }));
      return opened.ok ? "" : opened.error.message;
    };
    expect(refusal("refuse-new")).toMatch(/there is none yet; the first pegbot start, run, order, .* makes it/);
    await journalOf(path);
    rmSync(path);
    expect(refusal("refuse-new")).toContain(`it is gone, but ${path}.anchor is there: bring it back`);
    expect(refusal("refuse")).toContain("bring it back; if it is gone for good, pegbot adopt begins anew");
    expect(refusal("create")).toContain(`move ${path}.anchor to another folder: then pegbot adopt`);
    writeFileSync(path, "cut", { mode: 0o600 });
    for (const absent of ["refuse", "refuse-new", "create"] as const)
      expect(refusal(absent)).toMatch(/broken.*without one, move the journal .*: then pegbot adopt begins anew/);
    for (const suffix of ["", ".anchor"]) rmSync(path + suffix);
    expect(refusal("create")).toBe("");
  });

  it("is never made anew beside its anchor or its -wal file", async () => {
    const path = temporaryPath();
    await journalOf(path);
    rmSync(path);
    expect(openJournal(optionsOf(path))).toMatchObject({ ok: false, error: { code: "journal-missing" } });
    rmSync(`${path}.anchor`);
    writeFileSync(`${path}-wal`, "x");
    expect(openJournal(optionsOf(path))).toMatchObject({ ok: false, error: { code: "journal-missing" } });
    expect(existsSync(path)).toBe(false);
  });
});

describe("any single byte", () => {
  it("of the stored entries can be flipped without passing for intact", async () => {
    const seed = 20_261_115;
    const random = createRandom(seed);
    const path = temporaryPath();
    await journalOf(path);
    const sound = readFileSync(path);
    const anchor = readFileSync(`${path}.anchor`);
    const start = sound.indexOf('{"sequence":');
    let flips = 0;
    for (let n = 0; n < 150; n++) {
      const bytes = Buffer.from(sound);
      const place = random.integer(start, bytes.length - 1);
      // Free space between rows is nobody's record.
      if (bytes[place] === 0) continue;
      bytes[place] = (bytes[place] ?? 0) ^ (1 << random.integer(0, 7));
      for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
      writeFileSync(path, bytes);
      writeFileSync(`${path}.anchor`, anchor);
      const inspected = inspectJournal(path);
      const isSame = inspected.ok && sameRecords(path, sound);
      expect(inspected.ok && !isSame, `seed ${seed}, byte ${place}`).toBe(false);
      if (!inspected.ok) flips += 1;
    }
    expect(flips).toBeGreaterThan(100);
  });
});

function sameRecords(path: string, sound: Buffer): boolean {
  const twin = temporaryPath();
  journalAt(twin).close();
  writeFileSync(twin, sound);
  const rows = (file: string) => {
    const raw = new DatabaseSync(file, { readOnly: true });
    const all = JSON.stringify(raw.prepare("SELECT * FROM record ORDER BY sequence").all());
    raw.close();
    return all;
  };
  return rows(path) === rows(twin);
}
