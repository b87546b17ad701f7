// The switch of a running process: memory, files and engine are as strict as the strictest of them.

import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Guard, startGuard } from "../../../src/app/kill-switch/guard.ts";
import { hearKillSignal } from "../../../src/app/kill-switch/kill-signal.ts";
import { killFilePath, type LatchFile, latchPath, openLatch } from "../../../src/app/kill-switch/latch-file.ts";
import { spareAt } from "../../../src/app/kill-switch/spare-latch.ts";
import type { Control } from "../../../src/domain/event.ts";
import { err } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { FRESH, type Standing, transition } from "../../../src/risk/standing.ts";

const clock = { now: () => millis(1_794_731_400_000) };
let folder: string;
let journal: string;
let spareFolder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-guard-"));
  journal = join(folder, "pegbot.db");
  spareFolder = mkdtempSync(join(tmpdir(), "pegbot-spare-"));
});
afterEach(() => {
  for (const made of [folder, spareFolder]) rmSync(made, { recursive: true, force: true });
});

/** An engine that takes what it is told when `work` is called, as one behind a queue does, and tells only changes. */
function stage() {
  const latch = openLatch(journal, clock, false);
  latch.tighten(FRESH);
  let known: Standing = FRESH;
  let waiting: (() => void) | undefined;
  const queue: Control[] = [];
  const troubles: string[] = [];
  const guard: Guard = startGuard({
    latch,
    spare: spareAt(spareFolder, "test", clock),
    now: clock.now,
    timers: {
      after(_, run) {
        waiting = run;
        return () => {
          waiting = undefined;
        };
      },
    },
    known: () => known,
    tell: (control) => void queue.push(control),
    trouble: (message) => void troubles.push(message),
  });
  return {
    guard,
    queue,
    troubles,
    poll: () => waiting?.(),
    isPolling: () => waiting !== undefined,
    /** The engine folds what waits, or one change that came from elsewhere. */
    work(change?: Control) {
      for (const control of change === undefined ? queue.splice(0) : [change]) {
        const before = known;
        known = transition(known, control, clock.now());
        if (known !== before) guard.follow(known);
      }
      return known.state;
    },
  };
}

test("a stop closes the door before the engine has heard of it, and is on disk", () => {
  const { guard, queue, work, poll, troubles } = stage();
  expect(guard.check()).toBeUndefined();
  expect([guard.kill("stop", "SIGUSR2"), troubles]).toEqual([undefined, []]);
  expect([guard.check(), openLatch(journal, clock, true).check()]).toEqual(["KILLED: stop", "KILLED: stop"]);
  // What is on disk needs no second place: there it would stop the next start once more.
  poll();
  expect(readdirSync(spareFolder)).toEqual([]);
  queue.splice(1);
  expect(queue).toEqual([{ kind: "kill", reason: "stop", by: "SIGUSR2" }]);
  guard.follow(FRESH);
  expect(guard.check()).toBe("KILLED: stop");
  expect(work()).toBe("KILLED");
});

test("a stop that cannot be written keeps the door shut for as long as the process lives, and says so", () => {
  const { guard, troubles, work } = stage();
  rmSync(folder, { recursive: true });
  guard.kill("stop", "SIGUSR2");
  expect(guard.check()).toBe("KILLED: stop");
  expect(work()).toBe("KILLED");
  expect(troubles[0]).toMatch(/cannot be written.*sends nothing more; it is kept beside the ledger of the key/);
});

test("a stop that cannot be written stops the next start, which takes it over from beside the ledger", () => {
  const { guard, work } = stage();
  rmSync(folder, { recursive: true });
  guard.kill("stop", "SIGUSR2");
  work();
  mkdirSync(folder);
  const [latch, spare] = [openLatch(journal, clock, false), spareAt(spareFolder, "test", clock)];
  expect([latch.check(), spare.takenOverBy(latch).ok, latch.check()]).toEqual([undefined, true, "KILLED: stop"]);
  expect(latch.standing()).toMatchObject({ by: "SIGUSR2", since: clock.now() });
  expect(readdirSync(spareFolder)).toEqual([]);
});

test("a stop beside the ledger stops a journal that is only looked at, and stays there for the key's own", () => {
  const spare = spareAt(spareFolder, "test", clock);
  const [own, other] = [openLatch(journal, clock, false), openLatch(`${journal}-other`, clock, false)];
  expect([spare.copiedTo(other).ok, other.check()]).toEqual([true, undefined]);
  expect(spare.put(transition(FRESH, { kind: "kill", reason: "stop", by: "SIGUSR2" }, clock.now()))).toBeUndefined();
  expect([spare.copiedTo(other).ok, other.check()]).toEqual([true, "KILLED: stop"]);
  expect([spare.takenOverBy(own).ok, own.check()]).toEqual([true, "KILLED: stop"]);
  expect(readdirSync(spareFolder)).toEqual([]);
});

test("what somebody else put beside the ledger stays there while stops of this process are written", () => {
  const { guard, work, poll } = stage();
  const spare = spareAt(spareFolder, "test", clock);
  spare.put(transition(FRESH, { kind: "kill", reason: "of another", by: "ann" }, clock.now()));
  guard.kill("stop", "SIGUSR2");
  work();
  poll();
  expect(spare.standing()).toMatchObject({ state: "KILLED", reason: "of another" });
});

test("a stop that cannot be written is kept beside the ledger each time, and taken from there when it is written", () => {
  const { guard, poll, work, troubles } = stage();
  const spare = spareAt(spareFolder, "test", clock);
  const away = `${folder}-away`;
  for (const _ of ["once", "and again"]) {
    renameSync(folder, away);
    guard.kill("stop", "SIGUSR2");
    expect(spare.standing().state).toBe("KILLED");
    renameSync(away, folder);
    expect(guard.standing()).toMatchObject({ state: "KILLED", by: "SIGUSR2" });
    poll();
    expect(readdirSync(spareFolder)).toEqual([]);
  }
  // What the engine came to is kept and told in the same way, and let go with whatever it comes to next.
  const told = troubles.length;
  renameSync(folder, away);
  work({ kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
  expect([spare.standing(), troubles.length]).toMatchObject([{ state: "HALTED" }, told + 1]);
  renameSync(away, folder);
  work({ kind: "halt", cause: "bug", reason: "a bug", wayOut: "pegbot resume" });
  expect(readdirSync(spareFolder)).toEqual([]);
});

test("a stop that can be written nowhere says so, and is written as soon as it can be", () => {
  const { guard, troubles, poll } = stage();
  rmSync(spareFolder, { recursive: true });
  renameSync(folder, `${folder}-away`);
  guard.kill("stop", "SIGUSR2");
  expect(troubles[0]).toMatch(/a restart would not know it unless the journal has it/);
  mkdirSync(spareFolder);
  poll();
  expect(
    spareAt(spareFolder, "test", clock).takenOverBy(openLatch(join(spareFolder, "x"), clock, false)),
  ).toMatchObject({
    value: { state: "KILLED" },
  });
  renameSync(`${folder}-away`, folder);
  poll();
  expect(openLatch(journal, clock, true).check()).toBe("KILLED: stop");
});

test("what the engine came to and could not be written shuts the door, and is written as soon as it can be", () => {
  const { guard, poll, work } = stage();
  rmSync(folder, { recursive: true });
  work({ kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
  mkdirSync(folder);
  openLatch(journal, clock, false).tighten(FRESH);
  expect([guard.check(), guard.standing().state]).toEqual(["HALTED: balances differ", "HALTED"]);
  poll();
  expect(openLatch(journal, clock, true).check()).toBe("HALTED: balances differ");
  expect(readdirSync(spareFolder)).toEqual([]);
});

test("a reduction that could not be written leaves the door to the engine, which knows of it", () => {
  const { guard, work } = stage();
  rmSync(folder, { recursive: true });
  expect(work({ kind: "reduce", cause: "heartbeat", reason: "no heartbeat", wayOut: "pegbot resume" })).toBe("REDUCED");
  mkdirSync(folder);
  openLatch(journal, clock, false).tighten(FRESH);
  expect([guard.check(), guard.standing().state]).toEqual([undefined, "REDUCED"]);
});

test("a stop that was written late is not written again over the resume of another process", () => {
  const { guard, poll, work } = stage();
  rmSync(folder, { recursive: true });
  const halt = { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" } as const;
  work(halt);
  mkdirSync(folder);
  openLatch(journal, clock, false).tighten(FRESH);
  poll();
  const latch = openLatch(journal, clock, true);
  expect(latch.resume("looked at it", "ben", FRESH)).toMatchObject({ value: { state: "ACTIVE" } });
  guard.follow(transition(FRESH, halt, clock.now()));
  expect(latch.standing().state).toBe("ACTIVE");
});

test("a stop that is put beside the ledger while another is taken over from there is taken over too", () => {
  const spare = spareAt(spareFolder, "test", clock);
  const latch = openLatch(journal, clock, false);
  const halted = transition(
    FRESH,
    { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" },
    clock.now(),
  );
  spare.put(halted);
  let taken = 0;
  const busy: Pick<LatchFile, "tighten"> = {
    tighten(standing) {
      const tightened = latch.tighten(standing);
      if (taken++ === 0) spare.put(transition(halted, { kind: "kill", reason: "stop", by: "ann" }, clock.now()));
      return tightened;
    },
  };
  expect(spare.takenOverBy(busy).ok).toBe(true);
  expect(latch.standing()).toMatchObject({ state: "KILLED", also: [{ reason: "balances differ" }] });
  expect(readdirSync(spareFolder)).toEqual([]);
});

test("a stop that comes beside the ledger as the disk fills up is put back there", () => {
  const spare = spareAt(spareFolder, "test", clock);
  const latch = openLatch(journal, clock, false);
  spare.put(transition(FRESH, { kind: "kill", reason: "stop", by: "ann" }, clock.now()));
  let writes = 0;
  const filling: Pick<LatchFile, "tighten"> = {
    tighten: (standing) => (writes++ === 0 ? latch.tighten(standing) : err("no space left")),
  };
  expect(spare.takenOverBy(filling)).toEqual(err("no space left"));
  expect([spare.standing().state, readdirSync(spareFolder)]).toEqual(["KILLED", ["stop-test.latch"]]);
  // And a file that somebody touched there goes once it stands in the latch.
  writeFileSync(join(spareFolder, "stop-test.KILL"), "");
  expect([spare.takenOverBy(latch).ok, readdirSync(spareFolder)]).toEqual([true, []]);
});

test("a stop beside the ledger stays there until it could be taken over", () => {
  const spare = spareAt(spareFolder, "test", clock);
  spare.put(transition(FRESH, { kind: "kill", reason: "stop", by: "SIGUSR2" }, clock.now()));
  expect(spare.takenOverBy(openLatch(join(folder, "gone", "pegbot.db"), clock, false)).ok).toBe(false);
  expect(spareAt(spareFolder, "test", clock).takenOverBy(openLatch(journal, clock, false))).toMatchObject({
    value: { state: "KILLED", reason: "stop" },
  });
});

test("a kill file is seen at the next look, told once, and latched", () => {
  const { guard, queue, poll, work } = stage();
  writeFileSync(killFilePath(journal), "from the desk");
  expect(guard.check()).toBe("KILLED: from the desk");
  poll();
  poll();
  expect(queue).toEqual([{ kind: "kill", reason: "from the desk", by: "kill file" }]);
  expect(work()).toBe("KILLED");
  rmSync(killFilePath(journal));
  expect(guard.check()).toBe("KILLED: from the desk");
});

test("what the engine comes to is latched, and a latch that disappears stops the engine", () => {
  const { guard, poll, work } = stage();
  work({ kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
  expect(openLatch(journal, clock, true).standing()).toMatchObject({ state: "HALTED", reason: "balances differ" });
  rmSync(latchPath(journal));
  poll();
  expect(work()).toBe("KILLED");
  expect(guard.check()).toMatch(/^KILLED: latch is missing/);
});

test("a resume of another process opens the door, and a quiet turn before it is journaled does not shut it again", () => {
  const { guard, queue, poll, work } = stage();
  guard.kill("stop", "SIGUSR2");
  work();
  const resume = { kind: "resume", reason: "looked at it", by: "ben" } as const;
  expect(openLatch(journal, clock, true).resume(resume.reason, resume.by, FRESH).ok).toBe(true);
  guard.follow(transition(FRESH, { kind: "kill", reason: "stop", by: "SIGUSR2" }, clock.now()));
  poll();
  expect(guard.check()).toBe("KILLED: stop");
  expect(work(resume)).toBe("ACTIVE");
  poll();
  expect([guard.check(), queue]).toEqual([undefined, []]);
});

test("a stop that is given twice is taken back by one resume", () => {
  const { guard, work } = stage();
  guard.kill("stop", "SIGUSR2");
  expect(work()).toBe("KILLED");
  guard.kill("stop at once", "api");
  expect(work()).toBe("KILLED");
  expect(openLatch(journal, clock, true).resume("looked at it", "ben", FRESH).ok).toBe(true);
  expect(work({ kind: "resume", reason: "looked at it", by: "ben" })).toBe("ACTIVE");
  expect(guard.check()).toBeUndefined();
});

test("a resume of a person's stop leaves the bot's own on disk and the door shut, and the next one opens it", () => {
  const { guard, poll, work, queue } = stage();
  guard.kill("stop", "SIGUSR2");
  work();
  work({ kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
  const resume = { kind: "resume", reason: "looked at it", by: "ben" } as const;
  expect(openLatch(journal, clock, true).resume(resume.reason, resume.by, FRESH).ok).toBe(true);
  expect([work(resume), guard.check()]).toEqual(["HALTED", "HALTED: balances differ"]);
  poll();
  expect(queue).toEqual([]);
  expect(openLatch(journal, clock, true).resume(resume.reason, resume.by, FRESH).ok).toBe(true);
  expect([work(resume), guard.check()]).toEqual(["ACTIVE", undefined]);
});

test("every stop in the files is told to an engine that knows another, each once", () => {
  const { queue, poll, work } = stage();
  work({ kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
  const other = openLatch(journal, clock, true);
  other.tighten(
    transition(FRESH, { kind: "halt", cause: "bug", reason: "a bug", wayOut: "pegbot resume" }, clock.now()),
  );
  other.kill("stop", "anna");
  poll();
  poll();
  expect(queue).toEqual([
    { kind: "kill", reason: "stop", by: "anna" },
    { kind: "halt", cause: "bug", reason: "a bug", wayOut: "pegbot resume" },
  ]);
  expect(work()).toBe("KILLED");
  poll();
  expect(queue).toEqual([]);
});

test("a second stop that comes while the first is being resumed keeps the door shut, though it is not written", () => {
  const { guard, work } = stage();
  guard.kill("stop", "SIGUSR2");
  work();
  expect(openLatch(journal, clock, true).resume("looked at it", "ben", FRESH).ok).toBe(true);
  rmSync(folder, { recursive: true });
  guard.kill("again", "api");
  expect(work({ kind: "resume", reason: "looked at it", by: "ben" })).toBe("ACTIVE");
  expect(guard.check()).toBe("KILLED: again");
});

test("an engine that halts again in the turn that hears of a resume shuts the door again", () => {
  const { guard, work } = stage();
  const halted = (at: number): Standing =>
    transition(
      FRESH,
      { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" },
      millis(at),
    );
  work({ kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" });
  expect(openLatch(journal, clock, true).resume("looked at it", "ben", FRESH).ok).toBe(true);
  expect(guard.check()).toBeUndefined();
  guard.follow(halted(clock.now() + 1_000));
  expect(guard.check()).toBe("HALTED: balances differ");
});

test("closing ends the looking", () => {
  const { guard, isPolling } = stage();
  expect(isPolling()).toBe(true);
  guard.close();
  expect(isPolling()).toBe(false);
});

test("no signal, no stop", () => {
  const signal = hearKillSignal();
  const heard: string[] = [];
  signal.arm((reason) => void heard.push(reason));
  signal.close();
  expect(heard).toEqual([]);
});

test("SIGUSR2 is kept until there is a switch to set, and heard again afterwards", async () => {
  const signal = hearKillSignal();
  try {
    const heard: string[] = [];
    const arrived = once(process, "SIGUSR2");
    process.kill(process.pid, "SIGUSR2");
    await arrived;
    signal.arm((reason, by) => void heard.push(`${by}: ${reason}`));
    expect(heard).toEqual(["SIGUSR2: SIGUSR2 was received"]);
    process.kill(process.pid, "SIGUSR2");
    await expect.poll(() => heard.length).toBe(2);
  } finally {
    signal.close();
  }
});
