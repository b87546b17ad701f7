import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { openBudget } from "../../../src/exchange/budget/open.ts";
import { pacingDefaults } from "../../../src/exchange/budget/pacing.ts";
import { budgetOn, fingerprint, optionsOf, temporaryFolder } from "./ledger-folder.ts";
import { createVirtualMachine, noon } from "./virtual-machine.ts";

const ledgerOf = (folder: string) => join(folder, "keys", fingerprint, "ledger.db");
const answered = { kind: "answered", rateLimited: false } as const;

/** By another thread, which keeps the file for 200 ms from now on. */
async function locked(path: string): Promise<void> {
  const keep = `
    const { DatabaseSync } = require("node:sqlite");
    const { parentPort, workerData } = require("node:worker_threads");
    const file = new DatabaseSync(workerData);
    file.exec("BEGIN IMMEDIATE");
    parentPort.postMessage("locked");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    file.close();
  `;
  const worker = new Worker(keep, { eval: true, workerData: path });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, "message");
}

async function refusal(folder: string, machine = createVirtualMachine()) {
  const opened = openBudget(optionsOf(folder, machine));
  await machine.pass(10_000);
  const result = await opened;
  if (result.ok) result.value.close();
  return result.ok ? "opened" : result.error;
}

describe("a ledger", () => {
  test("and its folder can be read by their owner only", async () => {
    const folder = temporaryFolder();
    await budgetOn(folder, createVirtualMachine());
    const key = join(folder, "keys", fingerprint);
    expect(statSync(key).mode & 0o777).toBe(0o700);
    const files = readdirSync(key, { recursive: true, encoding: "utf8" }).filter((name) => name !== "live");
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const name of files) expect([name, statSync(join(key, name)).mode & 0o077]).toEqual([name, 0]);
  });

  test("that is damaged is refused by name", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "keys", fingerprint), { recursive: true });
    writeFileSync(ledgerOf(folder), "this is no database, and longer than a page header ".repeat(100), { mode: 0o600 });
    expect(await refusal(folder)).toMatch(
      /^ledger-corrupt: key ledger .*ledger\.db: file is not a database \(SQLite 26\); move it away/,
    );
  });

  test("whose row is damaged is refused by name", async () => {
    const folder = temporaryFolder();
    (await budgetOn(folder, createVirtualMachine())).close();
    const file = new DatabaseSync(ledgerOf(folder));
    file.exec(`UPDATE state SET body = '{"boot":'`);
    file.close();
    expect(await refusal(folder)).toMatch(/^ledger-corrupt: /);
  });

  test.for([
    [1, /^ledger-older: .*schema version is 1, this program reads 3 only; move it away while no pegbot runs: /],
    [9, /^ledger-newer: .*schema version is 9, this program reads 3 only; use the newer pegbot/],
  ] as const)("of version %s is refused by name", async ([version, words]) => {
    const folder = temporaryFolder();
    (await budgetOn(folder, createVirtualMachine())).close();
    const file = new DatabaseSync(ledgerOf(folder));
    file.exec(`PRAGMA user_version = ${version}`);
    file.close();
    expect(await refusal(folder)).toMatch(words);
  });

  test("that someone keeps locked is refused by name after 5 s, at the start and later", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const budget = await budgetOn(folder, machine);
    const file = new DatabaseSync(ledgerOf(folder));
    onTestFinished(() => file.close());
    file.exec("BEGIN IMMEDIATE");
    const waiting = budget.take({ class: "quote" });
    await machine.pass(6_000);
    expect(await waiting).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^ledger-locked: .*another process keeps it locked/),
    });
    expect(await refusal(folder)).toMatch(/^ledger-locked: /);
    file.exec("ROLLBACK");
    unwrap(await budget.take({ class: "quote" }));
  });

  test("knows how far our clock is ahead of the venue's, also after it was set and after the machine slept", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const budget = await budgetOn(folder, machine);
    const ahead = (): number => budget.ledger.aheadMs();
    expect(ahead()).toBe(0);
    budget.observe(millis(noon - 70_000), machine.clock.now());
    await machine.pass(5_000);
    expect(ahead()).toBe(70_000);
    // A sleep: the wall clock went on, the other one stood still.
    machine.clock.step(3_600_000);
    expect(ahead()).toBe(70_000);
    machine.clock.step(-3_600_000 - 70_000);
    expect(ahead()).toBe(0);
  });

  test("does not take an answer that came slowly for a clock of ours that is ahead", async () => {
    const machine = createVirtualMachine();
    const budget = await budgetOn(temporaryFolder(), machine);
    const skew = (): number | undefined => budget.ledger.status().skewMs;
    const hear = (ageMs: number): void => budget.observe(millis(machine.clock.now() - ageMs), machine.clock.now());
    hear(300);
    await machine.pass(20_000);
    hear(15_000);
    expect(skew()).toBe(300);
    // A clock that really is ahead is so by every answer, however slow.
    machine.clock.step(40_000);
    hear(40_000 + 15_000);
    expect(skew()).toBe(40_300);
    hear(40_000);
    expect(skew()).toBe(40_000);
    // Set right while no answer comes.
    machine.clock.step(-39_000);
    expect(skew()).toBe(1_000);
    machine.clock.step(-60_000);
    expect(skew()).toBe(0);
  });

  test("gets a Date that it was too busy for before the next nonce is drawn by it", async () => {
    const folder = temporaryFolder();
    const budget = await budgetOn(folder, createVirtualMachine());
    const slot = unwrap(await budget.take({ class: "other" }));
    const file = new DatabaseSync(ledgerOf(folder));
    onTestFinished(() => file.close());
    file.exec("BEGIN IMMEDIATE");
    budget.observe(millis(noon), millis(noon));
    file.exec("ROLLBACK");
    // No timer has run: nothing but the nonce itself can have written it.
    expect(unwrap(slot.nonce())).toBe(noon);
  });

  test("leaves the first slot that opens after a storm is over to anybody, also while it is not over yet", async () => {
    const machine = createVirtualMachine();
    const budget = await budgetOn(temporaryFolder(), machine);
    const { stormCount, limitedPauseMs, stormPauseMs, calmMs } = pacingDefaults;
    const answeredTo = async (rateLimited: boolean): Promise<void> => {
      const slot = unwrap(await budget.take({ class: "doubt" }));
      slot.held();
      slot.end({ ...answered, rateLimited });
    };
    const seen: boolean[] = [];
    const look = (): void => {
      budget.ledger.claim(({ doubtsOnly }) => {
        seen.push(doubtsOnly);
        return undefined;
      });
    };
    for (let i = 1; i < stormCount; i++) {
      await answeredTo(true);
      await machine.pass(limitedPauseMs);
    }
    await answeredTo(true);
    look();
    // Calm in a second: the answer now opens the next slot two seconds later.
    await machine.pass(stormPauseMs + calmMs - 1_000);
    await answeredTo(false);
    look();
    expect(seen).toEqual([true, false]);
  });

  test("locked at the last check means not sent", async () => {
    const folder = temporaryFolder();
    const budget = await budgetOn(folder, createVirtualMachine());
    budget.observe(millis(noon), millis(noon));
    const slot = unwrap(await budget.take({ class: "quote" }));
    const file = new DatabaseSync(ledgerOf(folder));
    file.exec("BEGIN IMMEDIATE");
    // Both wait on the event loop: 250 ms each, and not the 5 s of what waits on a timer. The better of two, on any machine.
    const triesMs = Array.from({ length: 2 }, () => {
      const began = performance.now();
      expect(slot.held()).toBe(false);
      return performance.now() - began;
    });
    expect(Math.min(...triesMs)).toBeLessThan(4_000);
    expect(slot.nonce()).toMatchObject({ ok: false, error: expect.stringMatching(/^ledger-locked: /) });
    file.close();
  });

  test("that another process leaves soon is waited for by a nonce and by the last check", async () => {
    const folder = temporaryFolder();
    // Patient beyond any pause of a busy machine: what is waited for is here the other one alone.
    const budget = await budgetOn(folder, createVirtualMachine(), { lease: { urgentMsMax: 30_000 } });
    budget.observe(millis(noon), millis(noon));
    const slot = unwrap(await budget.take({ class: "order" }));
    await locked(ledgerOf(folder));
    expect(slot.nonce()).toMatchObject({ ok: true });
    await locked(ledgerOf(folder));
    expect(slot.held()).toBe(true);
  });

  test("that is locked when a request ends hears of its end afterwards", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const budget = await budgetOn(folder, machine);
    const slot = unwrap(await budget.take({ class: "quote" }));
    expect(slot.held()).toBe(true);
    const file = new DatabaseSync(ledgerOf(folder));
    file.exec("BEGIN IMMEDIATE");
    slot.end({ ...answered, rateLimited: true });
    file.close();
    await machine.pass(100);
    const { holder, pacing } = budget.ledger.read();
    expect([holder, pacing.limitedAt.length]).toEqual([undefined, 1]);
  });

  test("tells a slot from an earlier one of the same process, which was taken away", async () => {
    const machine = createVirtualMachine();
    const { ledger } = await budgetOn(temporaryFolder(), machine);
    const since = machine.host.monotonic();
    const claimed = () => {
      const claim = ledger.claim(() => ({ isOverdue: false, since, class: "other", what: "a read" }));
      return claim.kind === "granted" ? claim.lease : expect.unreachable(claim.kind);
    };
    ledger.observe({ venueTime: millis(noon), receivedAt: millis(noon), at: since });
    const earlier = claimed();
    await machine.pass(8_100);
    const lease = claimed();
    expect([ledger.nonce(earlier).ok, ledger.beginSending(earlier)]).toEqual([false, false]);
    ledger.finish(earlier, answered, machine.host.monotonic());
    expect([ledger.nonce(lease).ok, ledger.beginSending(lease)]).toEqual([true, true]);
  });

  test("that breaks while it is open refuses by name instead of throwing", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const budget = await budgetOn(folder, machine);
    const file = new DatabaseSync(ledgerOf(folder));
    file.exec(`UPDATE state SET body = '{"boot":'`);
    file.close();
    expect(budget.needsVenueTime()).toBe(true);
    expect(await budget.take({ class: "quote" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^ledger-corrupt: /),
    });
    budget.observe(millis(noon), millis(noon));
    await machine.pass(1_000);
  });

  test("needs a fingerprint that cannot leave its folder", async () => {
    const machine = createVirtualMachine();
    const options = optionsOf(temporaryFolder(), machine);
    const place = { ...options.place, fingerprint: "../../elsewhere" };
    expect(await openBudget({ ...options, place })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^key fingerprint must be/),
    });
  });

  test("has one file for the lock of a process, and none beside it that could miss it", async () => {
    // SQLite's journal beside a lock that another process removes meanwhile is an I/O error.
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const options = optionsOf(folder, machine);
    const budget = unwrap(await openBudget(options));
    onTestFinished(() => budget.close());
    expect(readdirSync(join(folder, "keys", fingerprint, "live"))).toEqual([`${options.identity.instance}.lock`]);
  });

  test("leaves no lock file behind when its processes have closed", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    for (let i = 0; i < 3; i++) (await budgetOn(folder, machine)).close();
    expect(readdirSync(join(folder, "keys", fingerprint, "live"))).toEqual([]);
  });

  test("admits 64 processes and no more", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    for (let i = 0; i < 64; i++) await budgetOn(folder, machine);
    expect(await refusal(folder, machine)).toBe("ledger-crowded: 64 processes use the key, limit is 64");
  });
});

describe("after a reboot", () => {
  test.each([
    ["boot-1", "boot-2"],
    ["unknown", "unknown"],
  ])(
    "from %s to %s nobody holds the slot, 2 s pass, the venue's time is unknown, and nonces go on",
    async (...boots) => {
      const [bootBefore, bootAfter] = boots;
      const folder = temporaryFolder();
      const before = createVirtualMachine(bootBefore);
      const first = await budgetOn(folder, before);
      await before.pass(50_000);
      first.observe(before.clock.now(), before.clock.now());
      const slot = unwrap(await first.take({ class: "order" }));
      const last = unwrap(slot.nonce());
      slot.held();
      // What waited then waits no more.
      void first.take({ class: "doubt" });

      const after = createVirtualMachine(bootAfter);
      after.clock.step(-3_600_000);
      const second = await budgetOn(folder, after);
      expect(second.needsVenueTime()).toBe(true);
      let openAt: number | undefined;
      const next = second.take({ class: "quote" });
      void next.then(() => {
        openAt = after.clock.monotonic();
      });
      await after.pass(3_000);
      expect(openAt).toBe(2_000);
      second.observe(millis(noon + 60_000), after.clock.now());
      const taken = unwrap(await next);
      expect(unwrap(taken.nonce())).toBe(last + 1);
      // It was one reboot: whoever joins next takes the slot from nobody.
      await budgetOn(folder, after);
      expect(taken.held()).toBe(true);
    },
  );

  test("that came as a power cut, no nonce is used again: each is on the disk before it is used", async () => {
    const machine = createVirtualMachine();
    const budget = await budgetOn(temporaryFolder(), machine);
    budget.observe(machine.clock.now(), machine.clock.now());
    const slot = unwrap(await budget.take({ class: "order" }));
    const { exec } = DatabaseSync.prototype;
    onTestFinished(() => {
      DatabaseSync.prototype.exec = exec;
    });
    const said: string[] = [];
    DatabaseSync.prototype.exec = function (sql) {
      said.push(sql);
      exec.call(this, sql);
    };
    for (let i = 0; i < 2; i++) {
      said.length = 0;
      unwrap(slot.nonce());
      expect(said).toContain("COMMIT");
      expect(said.findLast((sql) => sql.startsWith("PRAGMA synchronous"))).toBe("PRAGMA synchronous = FULL");
    }
  });

  test("a pause after a rate limit goes on for as long as was left of it", async () => {
    const folder = temporaryFolder();
    const before = createVirtualMachine("boot-1");
    const first = await budgetOn(folder, before);
    const slot = unwrap(await first.take({ class: "order" }));
    slot.end({ kind: "answered", rateLimited: true, retryAfter: { ms: 45_000, status: 429, call: "quotes" } });
    const after = createVirtualMachine("boot-2");
    const second = await budgetOn(folder, after);
    let openAt: number | undefined;
    void second.take({ class: "quote" }).then(() => {
      openAt = after.clock.monotonic();
    });
    const until = after.clock.now() + 45_000;
    expect(second.ledger.status().paused).toEqual({ until, ms: 45_000, status: 429, call: "quotes" });
    await after.pass(50_000);
    expect(openAt).toBe(45_000);
    expect(second.ledger.status().paused).toBeUndefined();
  });
});

describe("a process of the key", () => {
  test("is gone once it has closed, and one that never was is gone too", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const mine = await budgetOn(folder, machine);
    const options = optionsOf(folder, machine);
    const other = unwrap(await openBudget(options));
    const { instance } = options.identity;
    expect(mine.ledger.isGone(instance)).toBe(false);
    other.close();
    expect(mine.ledger.isGone(instance)).toBe(true);
    for (const name of ["never0here", "../../bot", ""]) expect(mine.ledger.isGone(name), name).toBe(true);
    expect(other.ledger.isGone(instance)).toBe(false);
  });

  test("is not known to be gone while its lock cannot be looked at", async () => {
    const folder = temporaryFolder();
    const mine = await budgetOn(folder, createVirtualMachine());
    mkdirSync(join(folder, "keys", fingerprint, "live", "hidden1.lock"));
    expect(mine.ledger.isGone("hidden1")).toBe(false);
  });

  test("is not known to be gone by one whose ledger was moved away: the locks there are not those it knows", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const mine = await budgetOn(folder, machine);
    const options = optionsOf(folder, machine);
    const other = unwrap(await openBudget(options));
    onTestFinished(() => other.close());
    const { instance } = options.identity;
    const key = join(folder, "keys", fingerprint);
    renameSync(key, `${key}-old`);
    expect([mine.ledger.isGone(instance), mine.ledger.isGone("never0here")]).toEqual([false, false]);
    await budgetOn(folder, machine);
    expect(mine.ledger.isGone(instance)).toBe(false);
  });
});

test("a key belongs to the environment of its first use: the other one is refused, paper never", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const joined = async (environment: string | undefined, isTrial = false): Promise<string> => {
    const opened = await openBudget({ ...optionsOf(folder, machine), environment, isTrial });
    if (!opened.ok) return opened.error;
    opened.value.close();
    return "joined";
  };
  // As doctor asks, which is run to find a wrong environment.
  expect(await joined("production", true)).toBe("joined");
  expect([await joined(undefined), await joined("test"), await joined(undefined)]).toEqual(Array(3).fill("joined"));
  expect(await joined("production")).toMatch(/^other-environment: .* belongs to environment test, .* is production/);
  expect(await joined("production", true)).toMatch(/^other-environment: /);
  expect(await joined("test")).toBe("joined");
});

describe("a second bot", () => {
  test("on the same key is refused, and told who holds it", async () => {
    const folder = temporaryFolder();
    const machine = createVirtualMachine();
    const options = optionsOf(folder, machine, "bot");
    const first = unwrap(await openBudget(options));
    const second = await openBudget(optionsOf(folder, machine, "bot"));
    expect(second).toEqual({
      ok: false,
      error: `second-bot: a bot already runs on this key: process ${options.identity.pid} since 2026-01-05T12:00:00.000Z, started in /somewhere`,
    });
    const tool = await budgetOn(folder, machine);
    tool.close();
    first.close();
    unwrap(await openBudget(optionsOf(folder, machine, "bot"))).close();
  });
});

test("shows who holds the budget, since when and what for, who waits, and which bot owns the key", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const botOptions = optionsOf(folder, machine, "bot");
  const bot = unwrap(await openBudget(botOptions));
  onTestFinished(() => bot.close());
  const toolOptions = optionsOf(folder, machine);
  const tool = unwrap(await openBudget(toolOptions));
  onTestFinished(() => tool.close());
  await machine.pass(700);
  unwrap(await tool.take({ class: "balance" }));
  void bot.take({ class: "doubt" });
  await machine.pass(10);
  expect(bot.ledger.status()).toMatchObject({
    holder: { pid: toolOptions.identity.pid, since: noon + 700, what: "balance" },
    bot: { pid: botOptions.identity.pid, since: noon, folder: "/somewhere" },
    members: [{ role: "bot" }, { role: "tool" }],
    waiting: [{ pid: botOptions.identity.pid, class: "doubt" }],
    spacingMs: 1_000,
    doubtsOnly: false,
    rateLimitedMsAgo: [],
    slots: 1,
  });
  bot.close();
  expect(tool.ledger.status()).toMatchObject({ bot: undefined, members: [{ role: "tool" }], waiting: [] });
});

test("a slot that was answered opens the next one a second later, also after a restart", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const first = await budgetOn(folder, machine);
  const slot = unwrap(await first.take({ class: "quote" }));
  slot.held();
  slot.end(answered);
  first.close();
  const second = await budgetOn(folder, machine);
  let openAt: number | undefined;
  void second.take({ class: "quote" }).then(() => {
    openAt = machine.clock.monotonic();
  });
  await machine.pass(2_000);
  expect(openAt).toBe(1_000);
});
