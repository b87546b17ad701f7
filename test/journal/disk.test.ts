import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectJournal } from "../../src/journal/file/inspect.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { needs } from "../support/needs.ts";
import { TEST_MS_MAX } from "../support/patience.ts";
import { optionsOf } from "./journal-options.ts";
import { journalAt, temporaryFolder, temporaryPath } from "./place.ts";
import type { DriverTask } from "./processes/driver.ts";

const driver = resolve("test/journal/processes/driver.ts");

/** Folders that are there, and take nothing. */
const IN_PROC = [
  ["/proc/pegbot/p.db", "its folder could not be made: /proc must take new folders, and does not (ENOENT)"],
  ["/proc/p.db", "it could not be made: ENOENT: no such file or directory, open '/proc/p.db.new-writer00'"],
] as const;

/** Runs a driver behind a shell line that prepares its surroundings, and gives what it said. */
function run(prepare: string, task: DriverTask, through: readonly string[] = []): Record<string, unknown> {
  const command = `${prepare} exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
  const args = [...through, "sh", "-euc", command, process.execPath, driver, JSON.stringify(task)];
  const said = execFileSync(args[0] ?? "sh", args.slice(1), { encoding: "utf8", timeout: TEST_MS_MAX });
  return JSON.parse(said);
}

describe("a disk that fails", () => {
  it("a place that takes no journal: the folder, what the system said and the way out are named, and nothing is in doubt", () => {
    const inTheWay = join(temporaryFolder(), "file");
    writeFileSync(inTheWay, "");
    const long = join(temporaryFolder(), "x".repeat(250));
    const wayOut = "; nothing was written: make room for it there, or name another place in journal.path";
    for (const [path, why] of [
      [join(inTheWay, "p.db"), `its folder could not be made: ${inTheWay} must be a folder, and is none`],
      [long, `it could not be made: ENAMETOOLONG: name too long, stat '${long}.anchor'`],
      ...(process.platform === "linux" ? IN_PROC : []),
    ] as const)
      expect(openJournal(optionsOf(path, { writer: "writer00" }))).toEqual({
        ok: false,
        error: { code: "journal-unmade", message: `journal ${path}: ${why}${wayOut}` },
      });
  });

  it("full: nothing is written until there is room, and then it goes on", ({ skip }) => {
    needs("unshare", "mount");
    skip(spawnSync("unshare", ["-rm", "true"]).status !== 0, "a file system of its own may not be mounted here");
    const folder = temporaryFolder();
    const task: DriverTask = { role: "full", path: `${folder}/pegbot.db`, writer: "fulldisk" };
    const full = "journal-full";
    expect(run(`mount -t tmpfs -o size=2m,mode=700 tmpfs ${folder};`, task, ["unshare", "-rm"])).toEqual({
      ...{ first: "ok", decision: full, sending: full, fact: full, after: "ok", ids: ["first", "after"] },
    });
  });

  it("a write that fails in another way: nothing more is believed, and what was acknowledged is there", () => {
    const path = temporaryPath();
    journalAt(path).close();
    // Blocks of 512 bytes: files may not grow beyond 1 MB. Node takes the signal away and leaves the error.
    const said = run("ulimit -f 2048;", { role: "limited", path, writer: "limited0" });
    expect(said).toMatchObject({ first: "journal-suspect", second: "journal-suspect" });
    const inspected = inspectJournal(path);
    expect(inspected).toMatchObject({ ok: true });
    expect(inspected.ok && inspected.value.head.sequence).toBe(said.acknowledged);
  });

  it("a folder that may not be written to: no journal, and the message says so", () => {
    const path = temporaryPath();
    const folder = dirname(path);
    mkdirSync(folder);
    if (process.getuid?.() === 0) {
      chmodSync(dirname(folder), 0o755);
      chownSync(folder, 65_534, 65_534);
    }
    chmodSync(folder, 0o500);
    const said = run("", { role: "unwritable", path, writer: "readonly" });
    chmodSync(folder, 0o700);
    expect(said).toEqual({
      code: "journal-unwritable",
      message: expect.stringContaining("its file and folder must be writable by this user"),
    });
  });
});
