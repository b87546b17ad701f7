import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClosing } from "../../../src/app/bot/closing.ts";
import { openBooks } from "../../../src/app/bot/open-books.ts";
import type { OpenedVenue } from "../../../src/app/bot/open-venue.ts";
import { joinBudget, newInstance } from "../../../src/app/key/join-budget.ts";
import { latchPath } from "../../../src/app/kill-switch/latch-file.ts";
import { spareAt } from "../../../src/app/kill-switch/spare-latch.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { FRESH, transition } from "../../../src/risk/standing.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

const STOP = { kind: "kill", reason: "no room", by: "anna" } as const;

/** A key with its ledger, and how its books are opened by one process after another. */
async function staged() {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  const { config } = unwrap(parseConfig("mode: paper\n", join(folder, "pegbot.yaml"), {}));
  const signer = { fingerprint: "the-key-of-this-test" } as OpenedVenue["signer"];
  const budget = await joinBudget(recordedShell(), signer);
  onTestFinished(() => budget.close());
  const ledger = dirname(budget.ledger.path);
  return {
    path: config.journal.path,
    ledger,
    spare: spareAt(ledger, "paper", systemClock),
    async open(which: "own" | "any") {
      const closing = createClosing();
      onTestFinished(() => void closing.all());
      const order = { config, instance: newInstance(), codeVersion: "0", which };
      const { latch, journal } = await openBooks(recordedShell(), order, { budget, signer }, closing);
      // As with any record: from now on a latch that is missing was taken away.
      journal.announce([{ kind: "started", at: systemClock.now(), codeVersion: "0", configDigest: "d" }]);
      await closing.all();
      return latch;
    },
  };
}

const stops = (ledger: string): readonly string[] => readdirSync(ledger).filter((name) => name.startsWith("stop-"));

describe("a stop that is kept beside the ledger", () => {
  test("is in the latch once the key's own journal is opened, and no longer beside the ledger", async () => {
    const { open, spare, ledger } = await staged();
    expect((await open("own")).standing().state).toBe("ACTIVE");
    spare.put(transition(FRESH, STOP, systemClock.now()));
    for (const state of ["KILLED", "KILLED"]) {
      expect((await open("own")).standing()).toMatchObject({ state, reason: "no room", by: "anna" });
      expect(stops(ledger)).toEqual([]);
    }
  });

  test("stops a journal that is only looked at, and stays there for the key's own", async () => {
    const { open, spare, ledger } = await staged();
    spare.put(transition(FRESH, STOP, systemClock.now()));
    expect((await open("any")).standing().state).toBe("KILLED");
    expect(stops(ledger)).toEqual(["stop-paper.latch"]);
  });

  test("ends a start whose latch cannot be written, and is still there for the next", async () => {
    const { open, spare, ledger, path } = await staged();
    await open("own");
    spare.put(transition(FRESH, STOP, systemClock.now()));
    // A folder in the place of the file that it is written as: it cannot be made, and the latch stays as it was.
    const making = `${latchPath(path)}.new-${process.pid}`;
    mkdirSync(making);
    await expect(open("own")).rejects.toMatchObject({ code: 1, message: expect.stringContaining("latch ") });
    expect(stops(ledger)).toEqual(["stop-paper.latch"]);
    rmSync(making, { recursive: true });
    expect((await open("own")).standing().state).toBe("KILLED");
  });
});

test("what processes that were killed left half written beside journal and ledger goes when the books are opened, and nothing else", async () => {
  const { open, path, ledger } = await staged();
  await open("own");
  const GONE = 999_999_999;
  const now = recordedShell().clock.now();
  const made = (ends: readonly string[], minutes: number): string[] =>
    ends.map((end) => {
      const file = end.startsWith("stop-") ? join(ledger, end) : `${path}${end}`;
      writeFileSync(file, "half");
      utimesSync(file, now / 1_000, now / 1_000 - minutes * 60);
      return file;
    });
  const halves = [`.latch.new-${GONE}`, `.KILL.new-${GONE}`, `.anchor.new-${GONE}`, `.latch.try-${GONE}`];
  const checkpoints = [`.checkpoint.new-${GONE}`, `.checkpoint.${GONE}-0.new`];
  const tested = [`.self-test-${GONE}.latch`, `.self-test-${GONE}.KILL`, `.self-test-${GONE}.latch.new-${GONE}`];
  const maker = newInstance();
  const journals = [`.new-${maker}`, `.new-${maker}-wal`, `.new-${maker}-shm`];
  const left = made(
    [...halves, ...tested, ...checkpoints, ...journals, `.reserve.${GONE}-0.new`, `stop-paper.latch.new-${GONE}`],
    2,
  );
  const stay = [
    // Of processes that run; and of one that this machine does not know, a moment ago: it may be another container's.
    ...made([`.latch.new-${process.ppid}`, `.anchor.new-${process.pid}`], 2),
    ...made([`.host.new-${GONE}`, `.new-${newInstance()}`], 0),
    // Of other files, whatever they are: a copy of the journal that a person made is none of ours.
    ...made([`2.latch.new-${GONE}`, `.latch.new-monday`, ".latch.old", `.new-${GONE}`, `.${GONE}-11.new`], 2),
  ];
  await open("own");
  expect(left.filter((file) => existsSync(file))).toEqual([]);
  expect(stay.filter((file) => !existsSync(file))).toEqual([]);
});
