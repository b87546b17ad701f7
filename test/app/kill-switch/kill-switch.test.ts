// The kill switch of a running process: memory, kill file, journal and engine are as strict as the strictest of them.

import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killFilePath, openKillFile } from "../../../src/app/kill-switch/kill-file.ts";
import { hearKillSignal, startKillSwitch } from "../../../src/app/kill-switch/kill-switch.ts";
import type { Control } from "../../../src/domain/event.ts";
import { millis } from "../../../src/domain/time.ts";
import { FRESH, type TradingState, transition } from "../../../src/risk/trading-state.ts";

const AT = millis(1_794_731_400_000);
const HALT = { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" } as const;
const RESUMED = { kind: "resume", reason: "looked at it", by: "ben" } as const;
let folder: string;
let journal: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-kill-switch-"));
  journal = join(folder, "pegbot.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An engine that takes what it is told when `work` is called, as one behind a queue does, and tells only changes. */
function stage() {
  let known: TradingState = FRESH;
  let waiting: (() => void) | undefined;
  const queue: Control[] = [];
  const troubles: string[] = [];
  const file = openKillFile(journal);
  const killSwitch = startKillSwitch({
    file,
    now: () => AT,
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
    killSwitch,
    file,
    queue,
    troubles,
    poll: () => waiting?.(),
    /** The engine folds what waits, or one change that came from elsewhere. */
    work(change?: Control) {
      for (const control of change === undefined ? queue.splice(0) : [change]) {
        const before = known;
        known = transition(known, control, AT);
        if (known !== before) killSwitch.follow(known);
      }
      return known.state;
    },
  };
}

test("a stop closes the door before the engine has heard of it, and is on disk", () => {
  const { killSwitch, queue, work, troubles } = stage();
  expect(killSwitch.check()).toBeUndefined();
  expect([killSwitch.kill("stop", "SIGUSR2"), troubles]).toEqual([undefined, []]);
  expect([killSwitch.check(), openKillFile(journal).check()]).toEqual(["HALTED: stop", "HALTED: stop"]);
  expect(queue).toEqual([{ kind: "kill", reason: "stop", by: "SIGUSR2" }]);
  killSwitch.follow(FRESH);
  expect(killSwitch.check()).toBe("HALTED: stop");
  expect(work()).toBe("HALTED");
});

test("a stop that the kill file does not take keeps the door shut, says so, and is written as soon as it can be", () => {
  const { killSwitch, troubles, poll } = stage();
  rmSync(folder, { recursive: true });
  expect(killSwitch.kill("stop", "SIGUSR2")).toMatch(/cannot be written.*sends nothing more/);
  expect([troubles.length, killSwitch.check()]).toEqual([1, "HALTED: stop"]);
  expect(killSwitch.unwritten()).toMatch(/only if the journal can be written/);
  mkdirSync(folder);
  poll();
  expect([openKillFile(journal).check(), killSwitch.unwritten()]).toEqual(["HALTED: stop", undefined]);
});

test("a stop that the journal has needs no kill file", () => {
  const { killSwitch, work } = stage();
  rmSync(folder, { recursive: true });
  killSwitch.kill("stop", "SIGUSR2");
  expect(work()).toBe("HALTED");
  expect([killSwitch.unwritten(), killSwitch.check()]).toEqual([undefined, "HALTED: stop"]);
});

test("a halt that the journal does not take shuts the door and goes to the kill file", () => {
  const { killSwitch, file } = stage();
  killSwitch.follow(transition(FRESH, HALT, AT), false);
  expect([killSwitch.check(), killSwitch.standing().state]).toEqual(["HALTED: balances differ", "HALTED"]);
  expect(file.standing()).toMatchObject({ reason: "balances differ", by: "bot" });
});

test("a halt that neither takes shuts the door, and is written as soon as it can be", () => {
  const { killSwitch, poll, troubles } = stage();
  rmSync(folder, { recursive: true });
  killSwitch.follow(transition(FRESH, HALT, AT), false);
  expect([killSwitch.check(), troubles.length]).toEqual(["HALTED: balances differ", 1]);
  expect(killSwitch.unwritten()).toMatch(/cannot be written/);
  mkdirSync(folder);
  poll();
  expect([openKillFile(journal).check(), killSwitch.unwritten()]).toEqual(["HALTED: balances differ", undefined]);
});

test("a reduction that the journal does not take leaves the door to the engine, which knows of it", () => {
  const { killSwitch } = stage();
  killSwitch.follow(transition(FRESH, { ...HALT, kind: "reduce" }, AT), false);
  expect([killSwitch.check(), killSwitch.standing().state, existsSync(killFilePath(journal))]).toEqual([
    undefined,
    "REDUCED",
    false,
  ]);
});

test("a halt of the engine shuts the door for what was approved before it, and writes no kill file", () => {
  const { killSwitch, work } = stage();
  work(HALT);
  expect([killSwitch.check(), existsSync(killFilePath(journal))]).toEqual(["HALTED: balances differ", false]);
  work(RESUMED);
  expect(killSwitch.check()).toBeUndefined();
});

test("a kill file is seen at the next look, told once, and taking it away is no way out then", () => {
  const { killSwitch, queue, poll, work } = stage();
  writeFileSync(killFilePath(journal), "from the office");
  expect(killSwitch.check()).toBe("HALTED: from the office");
  poll();
  poll();
  expect(queue).toEqual([{ kind: "kill", reason: "from the office", by: "kill file" }]);
  expect(work()).toBe("HALTED");
  rmSync(killFilePath(journal));
  expect(killSwitch.check()).toBe("HALTED: from the office");
});

test("a resume of another process opens the door when it is journaled, and not before", () => {
  const { killSwitch, file, queue, poll, work } = stage();
  killSwitch.kill("stop", "SIGUSR2");
  work();
  expect(file.remove().ok).toBe(true);
  poll();
  expect(killSwitch.check()).toBe("HALTED: stop");
  expect(work(RESUMED)).toBe("ACTIVE");
  poll();
  expect([killSwitch.check(), queue, existsSync(killFilePath(journal))]).toEqual([undefined, [], false]);
});

test("a stop that is given twice is taken back by one resume", () => {
  const { killSwitch, file, work } = stage();
  for (const reason of ["stop", "stop at once"]) {
    killSwitch.kill(reason, "api");
    expect(work()).toBe("HALTED");
  }
  file.remove();
  expect([work(RESUMED), killSwitch.check()]).toEqual(["ACTIVE", undefined]);
});

test("a resume of a person's stop leaves the bot's own and the door shut, and the next one opens it", () => {
  const { killSwitch, file, poll, work, queue } = stage();
  killSwitch.kill("stop", "SIGUSR2");
  work();
  work(HALT);
  file.remove();
  expect([work(RESUMED), killSwitch.check()]).toEqual(["HALTED", "HALTED: balances differ"]);
  poll();
  expect([queue, work(RESUMED), killSwitch.check()]).toEqual([[], "ACTIVE", undefined]);
});

test("a second stop that comes while the first is being resumed keeps the door shut, though it is not written", () => {
  const { killSwitch, work } = stage();
  killSwitch.kill("stop", "SIGUSR2");
  work();
  rmSync(folder, { recursive: true });
  killSwitch.kill("again", "api");
  expect(work(RESUMED)).toBe("ACTIVE");
  expect(killSwitch.check()).toBe("HALTED: again");
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
