// The file of a key: one owner at a time, nonces that rise and requests that are apart over deaths and reboots.

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { mono } from "../../../src/domain/time.ts";
import { type KeyBudget, openBudget } from "../../../src/exchange/budget/budget.ts";
import { budgetOn, fingerprint, optionsOf, temporaryFolder } from "./key-folder.ts";
import { createVirtualMachine } from "./virtual-machine.ts";

const place = (folder: string): string => join(folder, "keys", fingerprint);

function seen(budget: KeyBudget, machine: ReturnType<typeof createVirtualMachine>): void {
  budget.observe(machine.clock.now(), machine.clock.now());
}

/** What a death leaves: the file as it is, and its lock free. */
function dies(folder: string, budget: KeyBudget): void {
  const away = `${place(folder)}-copy`;
  rmSync(away, { recursive: true, force: true });
  mkdirSync(away, { mode: 0o700 });
  for (const part of ["key.db", "key.db-wal"])
    if (existsSync(join(place(folder), part)))
      writeFileSync(join(away, part), readFileSync(join(place(folder), part)), { mode: 0o600 });
  budget.close();
  rmSync(place(folder), { recursive: true });
  renameSync(away, place(folder));
}

test("the second owner of a key is refused while the first lives, and another key is not", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const first = await budgetOn(folder, machine);
  expect(await openBudget(optionsOf(folder, machine))).toMatchObject({ error: expect.stringMatching(/^key-held: /) });
  await budgetOn(folder, machine, { place: { stateFolder: folder, fingerprint: "another-key" } });
  first.close();
  await budgetOn(folder, machine);
});

test("who waits for a key gets it once its owner has ended, and gives up in time", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const first = await budgetOn(folder, machine);
  const waiting = openBudget({ ...optionsOf(folder, machine), patienceMs: 30_000 });
  await machine.pass(2_000);
  first.close();
  await machine.pass(300);
  const second = unwrap(await waiting);
  const late = openBudget({ ...optionsOf(folder, machine), patienceMs: 30_000 });
  await machine.pass(31_000);
  expect((await late).ok).toBe(false);
  second.close();
});

test("a nonce is on disk before it is used, and the next owner goes on above it, whatever its clock says", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const first = await budgetOn(folder, machine);
  seen(first, machine);
  const slot = unwrap(await first.take({ class: "order" }));
  const drawn = unwrap(slot.nonce());
  dies(folder, first);
  machine.clock.step(-3_600_000);
  const second = await budgetOn(folder, machine);
  seen(second, machine);
  const next = await second.take({ class: "order" });
  await machine.pass(3_000);
  expect(unwrap(unwrap(next).nonce())).toBeGreaterThan(drawn);
});

test("after a death in the middle of a request the next waits as its bytes may still arrive, and a second more after an answer", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const first = await budgetOn(folder, machine);
  expect(unwrap(await first.take({ class: "order" })).held()).toBe(true);
  dies(folder, first);
  const second = await budgetOn(folder, machine);
  const at = machine.clock.monotonic();
  expect(second.file.pacing.openAt).toBe(at + 1_500);
  await machine.pass(1_500);
  const slot = unwrap(await second.take({ class: "order" }));
  expect(slot.held()).toBe(true);
  slot.end({ kind: "answered", rateLimited: false });
  const answered = machine.clock.monotonic();
  dies(folder, second);
  const third = await budgetOn(folder, machine);
  expect(third.file.pacing.openAt).toBe(answered + 1_000);
});

test("after a reboot waits go on as if no time had passed, and the venue's time is asked for anew", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine("boot-1");
  await machine.pass(50_000);
  const first = await budgetOn(folder, machine);
  seen(first, machine);
  expect(unwrap(await first.take({ class: "order" })).held()).toBe(true);
  dies(folder, first);
  const rebooted = createVirtualMachine("boot-2");
  const second = await budgetOn(folder, rebooted);
  expect(second.needsVenueTime()).toBe(true);
  expect(second.file.pacing.openAt).toBeGreaterThanOrEqual(mono(2_000));
});

test("a rate-limit answer is known to the next owner", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const first = await budgetOn(folder, machine);
  const slot = unwrap(await first.take({ class: "quote" }));
  expect(slot.held()).toBe(true);
  slot.end({ kind: "answered", rateLimited: true });
  first.close();
  const second = await budgetOn(folder, machine);
  expect(second.file.status()).toMatchObject({ spacingMs: 2_000, slots: 1, rateLimitedMsAgo: [0] });
});

test("a key belongs to the environment of its first use, and a trial binds none", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  (await budgetOn(folder, machine, { environment: "test", isTrial: true })).close();
  (await budgetOn(folder, machine, { environment: "production" })).close();
  const other = await openBudget({ ...optionsOf(folder, machine), environment: "test" });
  expect(other).toMatchObject({ error: expect.stringMatching(/^other-environment: .* production, .* test/) });
  (await budgetOn(folder, machine)).close();
});

test("a folder that others may write to, a file of another version and a damaged one are refused by name", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const first = await budgetOn(folder, machine);
  expect(statSync(first.file.path).mode & 0o777).toBe(0o600);
  first.close();
  const refusal = async (): Promise<string> => {
    const opened = await openBudget(optionsOf(folder, machine));
    return opened.ok ? "opened" : opened.error;
  };
  chmodSync(place(folder), 0o777);
  expect(await refusal()).toContain("its folder must be this user's alone");
  chmodSync(place(folder), 0o700);
  const database = new DatabaseSync(first.file.path);
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(await refusal()).toMatch(/^key-newer: key file .*key\.db/);
  rmSync(`${first.file.path}-wal`, { force: true });
  writeFileSync(first.file.path, "this is no database");
  expect(await refusal()).toMatch(/^key-corrupt: .*move it away/);
});

test("a key whose file was moved while in use sends nothing more", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const budget = await budgetOn(folder, machine);
  seen(budget, machine);
  const slot = unwrap(await budget.take({ class: "order" }));
  renameSync(place(folder), `${place(folder)}-away`);
  expect([slot.nonce().ok, slot.held()]).toEqual([false, false]);
  slot.end({ kind: "unspent" });
  expect((await budget.take({ class: "order" })).ok).toBe(false);
});

test("the ledger of an earlier version is refused while its bot lives, and else left alone", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  mkdirSync(place(folder), { recursive: true, mode: 0o700 });
  for (const each of [folder, join(folder, "keys")]) chmodSync(each, 0o700);
  writeFileSync(join(place(folder), "ledger.db"), "of old", { mode: 0o600 });
  const lock = new DatabaseSync(join(place(folder), "bot.lock"));
  lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  expect(await openBudget(optionsOf(folder, machine))).toMatchObject({
    error: expect.stringMatching(/^key-held: .*earlier version/),
  });
  lock.close();
  await budgetOn(folder, machine);
  expect(readFileSync(join(place(folder), "ledger.db"), "utf8")).toBe("of old");
});
