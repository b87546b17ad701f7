import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openKillFile } from "../../src/app/kill-switch/kill-file.ts";
import { listJournal, verifyJournal } from "../../src/cli/command/journal.ts";
import { backupJournal } from "../../src/cli/command/journal-backup.ts";
import { exportJournal } from "../../src/cli/command/journal-export.ts";
import { inspectJournal } from "../../src/journal/file/inspect.ts";
import { chainedHash, GENESIS } from "../../src/journal/text/entry-text.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { everyKind } from "../journal/samples.ts";
import { type RecordedShell, recordedShell } from "../support/recorded-shell.ts";

const LENGTH = everyKind.length + 1;

/** A configuration with a journal of every kind of record, still open for writing. */
async function stage(): Promise<{
  shell: (options?: { json: boolean }) => RecordedShell;
  path: string;
  close: () => void;
}> {
  const configFile = join(temporaryFolder(), "pegbot.yaml");
  writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
  const path = join(dirname(configFile), "data", "pegbot.db");
  const journal = journalAt(path);
  await journal.append(everyKind);
  return { shell: (options) => recordedShell({ configFile, ...options }), path, close: () => journal.close() };
}

describe("journal list", () => {
  it("shows the newest records in a line each while a writer has it open", async () => {
    const { shell, close } = await stage();
    const terminal = shell();
    expect(listJournal(terminal, { last: 1_000 })).toBe(0);
    const lines = terminal.stdout().trimEnd().split("\n");
    expect(lines).toHaveLength(LENGTH + 1);
    expect(lines[1]).toMatch(/^ +1 {2}\S+Z {2}opening {8}journal of test, key 0123456789abcdef$/);
    expect(terminal.stdout()).toContain("T-k3v9x2qa-17 buy 100 VCHF/CHF at 0.9998");
    expect(terminal.stdout()).toContain("filled: 100 VCHF for 99.98 CHF, fee 0.000000000000000001 CHF");
    expect(terminal.stdout()).toContain("resume by operator: looked");
    const two = shell({ json: true });
    listJournal(two, { last: 2 });
    expect(JSON.parse(two.stdout())).toMatchObject([
      { sequence: LENGTH - 1, record: { kind: "control" }, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { sequence: LENGTH },
    ]);
    close();
  });

  it("ends at a record that cannot be read instead of leaving it out", async () => {
    const { shell, path, close } = await stage();
    close();
    const raw = new DatabaseSync(path);
    raw.exec("DROP TRIGGER record_never_changes; UPDATE record SET entry = '{}' WHERE sequence = 5");
    raw.close();
    expect(() => listJournal(shell(), { last: 1_000 })).toThrow(
      expect.objectContaining({ code: 1, message: "record 5 is unreadable: entry must have the field sequence" }),
    );
    expect(listJournal(shell(), { last: 5 })).toBe(0);
    // Nor does half of an export stand in the place of a whole one, also not of one that was killed before.
    const folder = temporaryFolder();
    const file = join(folder, "all.json");
    writeFileSync(`${file}.999999999-0.new`, "half");
    writeFileSync(`${file}.new-999999999`, "a copy that somebody made");
    const terminal = shell();
    expect(() => exportJournal(terminal, { json: file })).toThrow("record 5 is unreadable");
    expect(readdirSync(folder)).toEqual(["all.json.new-999999999"]);
  });
});

describe("journal verify", () => {
  it("says intact with the head, for people and for programs", async () => {
    const { shell, close } = await stage();
    const [text, json] = [shell(), shell({ json: true })];
    expect([verifyJournal(text, {}), verifyJournal(json, {})]).toEqual([0, 0]);
    const { head, verdict, records } = JSON.parse(json.stdout());
    expect([verdict, records]).toEqual(["intact", LENGTH]);
    expect(text.stdout()).toContain(head);
    close();
  });

  it("fails with the verdict, the record and the way out when it is damaged, and moves nothing", async () => {
    const { shell, path, close } = await stage();
    close();
    const raw = new DatabaseSync(path);
    raw.exec("DROP TRIGGER record_never_changes; UPDATE record SET entry = '{}' WHERE sequence = 5");
    raw.close();
    const json = shell({ json: true });
    expect(() => verifyJournal(json, {})).toThrow(
      expect.objectContaining({ code: 1, next: expect.stringContaining("pegbot journal backup") }),
    );
    expect(JSON.parse(json.stdout())).toMatchObject({ verdict: "broken", sequence: 5 });
    expect(statSync(path).isFile()).toBe(true);
  });
});

describe("journal export", () => {
  it("writes a chain that anybody can check again, into a new file of the owner only", async () => {
    const { shell, path, close } = await stage();
    const file = join(dirname(path), "all.json");
    expect(exportJournal(shell(), { json: file })).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const rows: { hash: string }[] = JSON.parse(readFileSync(file, "utf8"));
    expect(rows).toHaveLength(LENGTH);
    let before = GENESIS;
    for (const line of readFileSync(file, "utf8").split("\n").slice(1, -2)) {
      const [, entry, hash] = /^[ ,](.*),"hash":"([0-9a-f]{64})"\}$/.exec(line) ?? [];
      expect(chainedHash(before, `${entry}}`)).toBe(hash);
      before = hash ?? "";
    }
    expect(() => exportJournal(shell(), { json: file })).toThrow("exists already, and is never overwritten");
    close();
  });
});

describe("journal backup", () => {
  it("copies a journal that is being written to, with anchor and stop; the copy is whole and can be gone on with", async () => {
    const { shell, path, close } = await stage();
    openKillFile(path).write("fat finger", "anna");
    for (const end of [".token"]) writeFileSync(`${path}${end}`, "kept", { mode: 0o600 });
    const folder = join(temporaryFolder(), "kept", "monday");
    const terminal = shell();
    expect(backupJournal(terminal, folder)).toBe(0);
    const copy = join(folder, "pegbot.db");
    expect(terminal.stdout()).toContain(`records   ${LENGTH}`);
    expect(terminal.stdout()).toMatch(
      /^with {6}anchor, KILL\nwithout {3}configuration, strategy file, what key.file names, token/m,
    );
    expect(readdirSync(folder).sort()).toEqual(["", ".KILL", ".anchor"].map((end) => `pegbot.db${end}`));
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    // Not a word of a lost -wal, though the writer had not closed.
    expect(inspectJournal(copy)).toMatchObject({ ok: true, value: { head: { sequence: LENGTH } } });
    expect(openKillFile(copy).standing()).toMatchObject({ state: "HALTED", reason: "fat finger" });
    const journal = journalAt(copy);
    expect(await journal.append(everyKind)).toMatchObject({ ok: true });
    journal.close();
    expect(inspectJournal(copy)).toMatchObject({ ok: true });
    close();
  });

  it("overwrites nothing, and leaves no half of one behind where the journal is damaged", async () => {
    const { shell, path, close } = await stage();
    close();
    const full = temporaryFolder();
    writeFileSync(join(full, "letter.txt"), "mine");
    expect(() => backupJournal(shell(), full)).toThrow(expect.objectContaining({ code: 2 }));
    const raw = new DatabaseSync(path);
    raw.exec("DROP TRIGGER record_never_changes; UPDATE record SET entry = '{}' WHERE sequence = 5");
    raw.close();
    const folder = join(temporaryFolder(), "tuesday");
    expect(() => backupJournal(shell(), folder)).toThrow(
      expect.objectContaining({ code: 1, message: expect.stringContaining("broken at record 5") }),
    );
    expect(existsSync(folder)).toBe(false);
    rmSync(`${path}.anchor`);
    expect(() => backupJournal(shell(), folder)).toThrow(
      expect.objectContaining({ code: 1, message: expect.stringContaining("anchor-lost") }),
    );
  });
});
