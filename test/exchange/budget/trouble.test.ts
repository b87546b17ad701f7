// What must hold when something is wrong: a holder that wakes late, a clock that stands still, a ledger that is taken
// away.

import { chmodSync, existsSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { leaseDefaults } from "../../../src/exchange/budget/ledger.ts";
import { openBudget } from "../../../src/exchange/budget/open.ts";
import { transportDefaults } from "../../../src/exchange/wire/transport.ts";
import { budgetOn, fingerprint, optionsOf, temporaryFolder } from "./ledger-folder.ts";
import { createVirtualMachine } from "./virtual-machine.ts";

const _answered = { kind: "answered", rateLimited: false } as const;

async function slotAlone() {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const budget = await budgetOn(folder, machine);
  budget.observe(machine.clock.now(), machine.clock.now());
  const slot = unwrap(await budget.take({ class: "order" }));
  unwrap(slot.nonce());
  return { machine, folder, budget, slot };
}

test("a holder that wakes after its 8 s does not send, also when nobody else took the slot", async () => {
  const { machine, slot } = await slotAlone();
  machine.clock.advance(leaseDefaults.prepareMs + 1);
  expect(slot.held()).toBe(false);
});

test("a holder in time does, up to the last moment", async () => {
  const { machine, slot } = await slotAlone();
  machine.clock.advance(leaseDefaults.prepareMs);
  expect(slot.held()).toBe(true);
});

test("a lease outlasts the slowest connection, and from the write the slowest answer", () => {
  expect(leaseDefaults.prepareMs).toBeGreaterThan(transportDefaults.connectMsMax + 1_000);
  expect(leaseDefaults.answerMs).toBeGreaterThan(transportDefaults.answerMsMax + 1_000);
  // A write that is as late as it may be still has most of the lease before it.
  expect(leaseDefaults.answerMs).toBeGreaterThan(4 * transportDefaults.writeMsMax);
  expect(leaseDefaults.urgentMsMax).toBeLessThan(transportDefaults.writeMsMax / 4);
});

test("INV-08 while the wall clock stands still, every nonce is one more, whichever process draws it", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const start = machine.clock.now();
  const drawn: number[] = [];
  for (let i = 0; i < 12; i++) {
    // Each in a process of its own: what one drew is known to the next only through the ledger.
    const budget = await budgetOn(folder, machine);
    budget.observe(start, start);
    const slot = unwrap(await budget.take({ class: "other" }));
    drawn.push(unwrap(slot.nonce()), unwrap(slot.nonce()));
    slot.end({ kind: "unspent" });
    budget.close();
  }
  expect(drawn).toEqual(Array.from({ length: 24 }, (_, i) => start + i));
});

test.each([
  ["the state folder", ""],
  ["the folder of the key", `keys/${fingerprint}`],
  ["the folder of locks", `keys/${fingerprint}/live`],
])("%s that others can write to is refused, with what to do", async (_, name) => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  (await budgetOn(folder, machine)).close();
  // Also where nobody can take away what is there: he can put there what is not.
  for (const mode of [0o777, 0o1777]) {
    chmodSync(join(folder, name), mode);
    expect(await openBudget(optionsOf(folder, machine))).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^ledger-failed: .*must be this user's alone, and .* can be changed by every user of this machine \(mode [01]777\): .*run pegbot as the user of the bot.*chmod 700 .*XDG_STATE_HOME$/,
      ),
    });
  }
  chmodSync(join(folder, name), 0o755);
  await budgetOn(folder, machine);
});

test("a ledger whose files give others access is refused, with what to do", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  (await budgetOn(folder, machine)).close();
  const file = join(folder, "keys", fingerprint, "ledger.db");
  chmodSync(file, 0o640);
  const error = `ledger-failed: key ledger ${file}: the mode of ${file} must be 600, was 640: chmod 600 ${file}`;
  expect(await openBudget(optionsOf(folder, machine))).toEqual({ ok: false, error });
});

test("a link in the place of a ledger or of the bot's lock is not followed", async () => {
  const machine = createVirtualMachine();
  for (const name of ["ledger.db", "bot.lock"]) {
    const folder = temporaryFolder();
    const key = join(folder, "keys", fingerprint);
    requireFolder(key, 0o700);
    symlinkSync(join(folder, "elsewhere"), join(key, name));
    expect(await openBudget(optionsOf(folder, machine, "bot"))).toMatchObject({
      ok: false,
      error: expect.stringContaining(`${name} must be a regular file, was a link`),
    });
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  }
});

test.each([
  ["deleted", (key: string) => rmSync(key, { recursive: true })],
  ["moved away", (key: string) => renameSync(key, `${key}-old`)],
])("a ledger that is %s while in use is used no more: its successor has the only slot", async (_, take) => {
  const { machine, folder, budget, slot } = await slotAlone();
  take(join(folder, "keys", fingerprint));
  const successor = await budgetOn(folder, machine);
  const other = unwrap(await successor.take({ class: "order" }));
  expect(other.held()).toBe(true);
  expect(slot.held()).toBe(false);
  expect(slot.nonce()).toMatchObject({ ok: false, error: expect.stringMatching(/^ledger-failed: .*moved or deleted/) });
  slot.end({ kind: "unspent" });
  expect(await budget.take({ class: "doubt" })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^ledger-failed: .*moved or deleted/),
  });
  expect(other.held()).toBe(true);
});
