// The two files beside the journal: what stops a bot, and what keeps it stopped whatever happens to the disk.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeDurably } from "../../../src/app/kill-switch/durable-text.ts";
import {
  controlsFrom,
  killFilePath,
  type LatchFile,
  latchPath,
  openLatch,
} from "../../../src/app/kill-switch/latch-file.ts";
import type { RiskState } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import { formatLatch } from "../../../src/risk/latch.ts";
import { FRESH, joined, RESUME, type Standing, stopsOf, transition } from "../../../src/risk/standing.ts";
import { needs } from "../../support/needs.ts";

const clock = { now: () => millis(1_794_731_400_000) };
const isRoot = process.getuid?.() === 0;
let folder: string;
let journal: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-latch-"));
  journal = join(folder, "pegbot.db");
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

function standing(state: RiskState): Standing {
  const stop = { state, reason: "balances differ", wayOut: "pegbot adopt", by: "bot", since: clock.now(), also: [] };
  return state === "ACTIVE" ? stop : { ...stop, cause: state === "KILLED" ? "person" : "balances" };
}

function fresh(): LatchFile {
  const latch = openLatch(journal, clock, false);
  expect(latch.tighten(FRESH)).toEqual({ ok: true, value: FRESH });
  return latch;
}

/** As another process sees it. */
function others(): LatchFile {
  return openLatch(journal, clock, true);
}

describe("the latch beside a journal", () => {
  test.runIf(isRoot)("belongs to the bot's user when root stops and resumes", () => {
    fresh();
    chownSync(folder, 65_534, 65_534);
    const owners = () =>
      [latchPath(journal), killFilePath(journal)].filter(existsSync).map((path) => statSync(path).uid);
    expect(others().kill("enough", "root").ok).toBe(true);
    expect(owners()).toEqual([65_534, 65_534]);
    expect(others().resume("looked at", "root", others().standing()).ok).toBe(true);
    expect(owners()).toEqual([65_534]);
  });

  test("lets requests out on a first start, and is on disk for its owner alone from then on", () => {
    expect(openLatch(journal, clock, false).check()).toBeUndefined();
    expect(fresh().check()).toBeUndefined();
    expect(statSync(latchPath(journal)).mode & 0o777).toBe(0o600);
    expect(others().check()).toBeUndefined();
  });

  test.each<[string, () => void, string]>([
    [
      "is missing beside a journal with records",
      () => rmSync(latchPath(journal)),
      "latch is missing, but the journal has records",
    ],
    ["is cut", () => writeFileSync(latchPath(journal), formatLatch(FRESH).slice(0, -5)), "latch is malformed"],
    ["is empty", () => writeFileSync(latchPath(journal), ""), "latch is malformed"],
    [
      "is a folder",
      () => {
        rmSync(latchPath(journal));
        mkdirSync(latchPath(journal));
      },
      "latch cannot be read: it is no regular file",
    ],
    [
      "is a pipe that nobody writes to",
      () => {
        needs("mkfifo");
        rmSync(latchPath(journal));
        expect(spawnSync("mkfifo", [latchPath(journal)]).status).toBe(0);
      },
      "latch cannot be read: it is no regular file",
    ],
    [
      "is a link",
      () => {
        rmSync(latchPath(journal));
        writeFileSync(join(folder, "elsewhere"), formatLatch(FRESH));
        symlinkSync(join(folder, "elsewhere"), latchPath(journal));
      },
      "latch cannot be read: ELOOP",
    ],
    [
      "is larger than any latch",
      () => writeFileSync(latchPath(journal), "x".repeat(100_000)),
      "latch cannot be read: it has more than 65536 bytes",
    ],
  ])("means KILLED when it %s, also for a process that has it open", (_, damage, reason) => {
    const latch = fresh();
    damage();
    for (const seen of [latch, others()]) {
      expect(seen.check()).toBe(`KILLED: ${reason}`);
      expect(seen.standing()).toMatchObject({ state: "KILLED", wayOut: RESUME, by: "latch" });
    }
  });

  test.runIf(!isRoot)("means KILLED when it may not be read", () => {
    const latch = fresh();
    chmodSync(latchPath(journal), 0);
    expect(latch.check()).toBe("KILLED: latch cannot be read: EACCES");
  });

  test("means KILLED when the whole folder is gone", () => {
    const latch = fresh();
    expect([latch.problem(), readdirSync(folder)]).toEqual([undefined, ["pegbot.db.latch"]]);
    rmSync(folder, { recursive: true });
    expect(latch.check()).toMatch(/^KILLED: /);
    expect(latch.problem()).toMatch(/^latch .* cannot be written: ENOENT/);
    mkdirSync(folder);
  });

  test.each(["rename", "sync"])("is whole, old or new, after a death before its %s", (step) => {
    fresh();
    const text = formatLatch(standing("KILLED"));
    const driver = resolve("test/cli/processes/dies-while-latching.ts");
    const died = spawnSync(process.execPath, [driver, latchPath(journal), text, step]);
    expect(died.signal).toBe("SIGKILL");
    expect(others().standing().state).toBe(step === "rename" ? "ACTIVE" : "KILLED");
    // What was left lying does not stand in the way of the next one.
    expect(others().kill("again", "anna").ok).toBe(true);
    expect(others().check()).toMatch(/^KILLED: /);
  });

  test("never gets looser by the bot", () => {
    const latch = fresh();
    for (const state of ["REDUCED", "HALTED", "KILLED"] as const) expect(latch.tighten(standing(state)).ok).toBe(true);
    for (const state of ["ACTIVE", "REDUCED", "HALTED"] as const)
      expect(latch.tighten(standing(state))).toMatchObject({ ok: true, value: { state: "KILLED" } });
    expect(others().standing()).toEqual(joined(standing("KILLED"), standing("HALTED")));
  });

  test("that cannot be put in its place is said, leaves nothing behind, and a person's stop holds by its own file", () => {
    fresh();
    rmSync(latchPath(journal));
    mkdirSync(latchPath(journal));
    const tightened = others().tighten(standing("HALTED"));
    expect(tightened.ok ? "" : tightened.error).toMatch(/^latch .* cannot be written: /);
    expect(others().kill("stop", "anna").ok).toBe(true);
    expect(readdirSync(folder)).toEqual(["pegbot.db.KILL", "pegbot.db.latch"]);
    expect(readFileSync(killFilePath(journal), "utf8")).toContain("no regular file");
  });

  test.runIf(existsSync("/proc/self/fd"))("keeps no file open, however often it is read and written", () => {
    const latch = fresh();
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    for (let i = 0; i < 20; i++) {
      latch.check();
      latch.problem();
      writeDurably(latchPath(journal), formatLatch(FRESH));
    }
    // Others may open a few meanwhile.
    expect(open()).toBeLessThan(before + 15);
  });

  test("stays shut in a folder that cannot be written to, and says so", { skip: isRoot }, () => {
    const latch = fresh();
    chmodSync(folder, 0o500);
    const killed = latch.kill("stop", "anna");
    expect(killed.ok ? "" : killed.error).toMatch(/^latch .* cannot be written: EACCES/);
  });
});

describe("a person's stop", () => {
  test("holds for every process at once, and through a restart", () => {
    const latch = fresh();
    const other = others();
    expect(latch.kill("fat finger", "anna")).toMatchObject({ ok: true, value: { state: "KILLED", by: "anna" } });
    for (const seen of [latch, other, others()]) expect(seen.check()).toBe("KILLED: fat finger");
    for (const path of [latchPath(journal), killFilePath(journal)]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("holds by either file alone", () => {
    fresh().kill("fat finger", "anna");
    const latch = readFileSync(latchPath(journal));
    writeFileSync(latchPath(journal), formatLatch(FRESH));
    expect(others().check()).toBe("KILLED: fat finger");
    writeFileSync(latchPath(journal), latch);
    rmSync(killFilePath(journal));
    expect(others().check()).toBe("KILLED: fat finger");
  });

  test.each<[string, (path: string) => void, string]>([
    ["touched", (path) => writeFileSync(path, ""), "the kill file is there"],
    ["written with nothing to read", (path) => writeFileSync(path, " \n"), "the kill file is there"],
    ["written with a reason", (path) => writeFileSync(path, "too fast\u001b[2J\n"), "too fast\\x1b[2J"],
    ["made as a folder", (path) => mkdirSync(path), "it cannot be read: it is no regular file"],
    ["linked to nowhere", (path) => symlinkSync(join(path, "nowhere"), path), "it cannot be read: ELOOP"],
  ])("may be a kill file that was %s", (_, make, reason) => {
    const latch = fresh();
    make(killFilePath(journal));
    expect(latch.check()).toBe(`KILLED: ${reason}`);
    // Once it was seen, taking the file away is no way out.
    expect(latch.tighten(FRESH).ok).toBe(true);
    rmSync(killFilePath(journal), { recursive: true });
    expect(others().check()).toBe(`KILLED: ${reason}`);
  });

  test("is taken back alone: the bot's own stop beneath it stays, from the files or from the journal", () => {
    const latch = fresh();
    latch.kill("stop", "anna");
    latch.tighten(standing("HALTED"));
    const reduced = transition(
      FRESH,
      { kind: "reduce", cause: "other", reason: "new version", wayOut: "wait" },
      clock.now(),
    );
    expect(latch.resume("looked at it", "ben", reduced).ok).toBe(true);
    expect(others().check()).toBe("HALTED: balances differ");
    expect(existsSync(killFilePath(journal))).toBe(false);
    expect(stopsOf(others().standing()).map(({ state }) => state)).toEqual(["HALTED", "REDUCED"]);
    expect(latch.resume("adopted", "ben", FRESH)).toMatchObject({ ok: true, value: { state: "ACTIVE" } });
    expect(others().check()).toBeUndefined();
  });

  test("ends by a resume with a reason, and without one it does not", () => {
    const latch = fresh();
    latch.kill("stop", "anna");
    expect(latch.resume(" ", "ben", FRESH)).toMatchObject({ ok: true, value: { state: "KILLED" } });
    expect([latch.check(), existsSync(killFilePath(journal))]).toEqual(["KILLED: stop", true]);
    expect(latch.resume("looked at it", "ben", FRESH)).toMatchObject({
      ok: true,
      value: { state: "ACTIVE", by: "ben" },
    });
    expect([others().check(), existsSync(killFilePath(journal))]).toEqual([undefined, false]);
    expect(readdirSync(folder)).toEqual(["pegbot.db.latch"]);
  });
});

describe("what the engine is told", () => {
  test("is what makes it as strict as the files, and nothing when it is", () => {
    const kill = { kind: "kill", reason: "balances differ", by: "bot" };
    const halt = { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" };
    expect(controlsFrom(standing("KILLED"), FRESH)).toEqual([kill]);
    expect(controlsFrom({ ...standing("KILLED"), cause: "bug" }, FRESH)).toEqual([{ ...kill, cause: "bug" }]);
    expect(controlsFrom(standing("HALTED"), FRESH)).toEqual([halt]);
    expect(controlsFrom(standing("REDUCED"), FRESH)).toMatchObject([{ kind: "reduce" }]);
    const both = joined(standing("KILLED"), standing("HALTED"));
    expect(controlsFrom(both, FRESH)).toEqual([kill, halt]);
    expect(controlsFrom(both, standing("KILLED"))).toEqual([halt]);
    for (const state of ["ACTIVE", "REDUCED", "HALTED", "KILLED"] as const)
      expect(controlsFrom(standing(state), both)).toEqual([]);
  });
});
