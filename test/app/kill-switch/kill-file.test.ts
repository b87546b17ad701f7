// The kill file next to the journal: what stops a bot, and what keeps it stopped whatever happens to the disk.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  BOT,
  controlsFrom,
  killFilePath,
  openKillFile,
  testKillSwitch,
} from "../../../src/app/kill-switch/kill-file.ts";
import type { Control } from "../../../src/domain/event.ts";
import { millis } from "../../../src/domain/time.ts";
import { FRESH, joined, RESUME, type TradingState, transition } from "../../../src/risk/trading-state.ts";

const AT = millis(1_794_731_400_000);
const isRoot = process.getuid?.() === 0;
let folder: string;
let journal: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-kill-file-"));
  journal = join(folder, "pegbot.db");
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

test("a stop that a full disk has no room for is kept by the file that the start made", () => {
  const file = openKillFile(journal);
  // As a full disk: no new file can be written there.
  mkdirSync(`${killFilePath(journal)}.new-${process.pid}`);
  expect(file.write("no room", BOT).ok).toBe(false);
  rmSync(`${killFilePath(journal)}.new-${process.pid}`, { recursive: true });
  expect([testKillSwitch(journal), file.check()]).toEqual([undefined, undefined]);
  mkdirSync(`${killFilePath(journal)}.new-${process.pid}`);
  expect(file.write("no room", BOT).ok).toBe(true);
  expect(openKillFile(journal).standing()).toMatchObject({ state: "HALTED", cause: "journal", wayOut: RESUME });
});

describe("a stop in the kill file", () => {
  test("holds for every process at once and through a restart, for its owner alone, with reason, name and time", () => {
    const [one, other] = [openKillFile(journal), openKillFile(journal)];
    expect([one.check(), one.standing()]).toEqual([undefined, FRESH]);
    expect(one.write("fat finger", "anna").ok).toBe(true);
    for (const seen of [one, other, openKillFile(journal)]) expect(seen.check()).toBe("HALTED: fat finger");
    expect(statSync(killFilePath(journal)).mode & 0o777).toBe(0o600);
    utimesSync(killFilePath(journal), AT / 1_000, AT / 1_000);
    expect(other.standing()).toMatchObject({ state: "HALTED", cause: "person", by: "anna", since: AT, wayOut: RESUME });
    expect(one.remove().ok).toBe(true);
    expect([other.check(), readdirSync(folder)]).toEqual([undefined, []]);
  });

  test("keeps its first reason and everything that came later, the bot's own beneath a person's", () => {
    const file = openKillFile(journal);
    expect(file.write("journal-full: no room", BOT).ok).toBe(true);
    expect(file.standing()).toMatchObject({ state: "HALTED", cause: "journal", by: "bot", also: [] });
    for (const by of ["anna", "anna", "ben"]) expect(file.write(`${by} says so`, by).ok).toBe(true);
    expect(file.standing()).toMatchObject({
      ...{ cause: "person", by: "anna", reason: "anna says so" },
      also: [{ by: "ben" }, { cause: "journal", reason: "journal-full: no room" }],
    });
    expect(readFileSync(killFilePath(journal), "utf8").split("\n")).toHaveLength(7);
  });

  test.each<[string, (path: string) => void, string]>([
    ["written with a reason", (path) => writeFileSync(path, "too fast\u001b[2J\n"), "too fast\\x1b[2J"],
    ["linked to nowhere", (path) => symlinkSync(join(path, "nowhere"), path), "the kill file cannot be read: ELOOP"],
    [
      "made larger than any reason",
      (path) => writeFileSync(path, "x".repeat(100_000)),
      "the kill file cannot be read: it has more than 65536 bytes",
    ],
  ])("may be one that was %s", (_, make, reason) => {
    make(killFilePath(journal));
    const file = openKillFile(journal);
    expect(file.check()).toBe(`HALTED: ${reason}`);
    expect(file.standing()).toMatchObject({ state: "HALTED", cause: "person", by: "kill file" });
    expect(file.write("stop", BOT).ok).toBe(true);
    expect(file.standing()).toMatchObject({ cause: "person", by: "kill file" });
  });

  test.runIf(isRoot)("belongs to the bot's user when root writes it", () => {
    chownSync(folder, 65_534, 65_534);
    openKillFile(journal).write("enough", "root");
    expect(statSync(killFilePath(journal)).uid).toBe(65_534);
  });

  test.each(["rename", "sync"])("is there whole or not at all after a death before its %s", (step) => {
    const driver = resolve("test/cli/processes/dies-while-latching.ts");
    const died = spawnSync(process.execPath, [driver, killFilePath(journal), "stop\nby anna\n", step]);
    expect(died.signal).toBe("SIGKILL");
    expect(openKillFile(journal).check()).toBe(step === "rename" ? undefined : "HALTED: stop");
    // What was left lying does not stand in the way of the next one.
    expect(openKillFile(journal).write("again", "anna").ok).toBe(true);
    expect(openKillFile(journal).check()).toMatch(/^HALTED: /);
  });

  test("that cannot be written is an error that names the file, and leaves nothing behind", () => {
    const file = openKillFile(join(folder, "gone", "pegbot.db"));
    const error = expect.stringMatching(/^kill file .*pegbot\.db\.KILL cannot be written: ENOENT/);
    expect([file.write("stop", "anna"), readdirSync(folder)]).toEqual([{ ok: false, error }, []]);
  });

  test("that cannot be removed is an error, and still counts", () => {
    mkdirSync(killFilePath(journal));
    const file = openKillFile(journal);
    expect(file.remove().ok).toBe(false);
    expect(file.check()).toMatch(/^HALTED: /);
  });
});

test("the self-test sets and clears a scratch file on the same disk, and names what is wrong with it", () => {
  expect([testKillSwitch(journal), readdirSync(folder)]).toEqual([undefined, ["pegbot.db.KILL.spare"]]);
  expect(testKillSwitch(join(folder, "gone", "pegbot.db"))).toMatch(/^kill file .* cannot be written: ENOENT/);
});

test("the engine is told what makes it as strict as the file, and nothing when it is", () => {
  const stop = (control: Control): TradingState => transition(FRESH, control, AT);
  const kill = { kind: "kill", reason: "stop", by: "anna" } as const;
  const halt = { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" } as const;
  const reduce = { ...halt, kind: "reduce", cause: "heartbeat" } as const;
  const both = joined(stop(kill), stop(halt));
  for (const control of [kill, halt, reduce]) expect(controlsFrom(stop(control), FRESH)).toEqual([control]);
  expect(controlsFrom(both, FRESH)).toEqual([kill, halt]);
  expect(controlsFrom(both, stop(kill))).toEqual([halt]);
  for (const found of [FRESH, stop(kill), stop(halt)]) expect(controlsFrom(found, both)).toEqual([]);
});
