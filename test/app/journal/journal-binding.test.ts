// Which journal belongs to a key, as its ledger remembers it.

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import {
  absenceAt,
  bindJournal,
  canonicalPath,
  moveJournal,
  requireNobodyElsewhere,
} from "../../../src/app/journal/journal-binding.ts";
import { CommandFailure } from "../../../src/domain/command-failure.ts";
import type { KeyBudget } from "../../../src/exchange/budget/budget.ts";
import { budgetOn, fingerprint, optionsOf, temporaryFolder } from "../../exchange/budget/ledger-folder.ts";
import { createVirtualMachine } from "../../exchange/budget/virtual-machine.ts";

const CHAIN = "c0ffee00c0ffee00";
const keyOf = ({ ledger }: KeyBudget, environment = "test") => ({ ledger, environment });

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CommandFailure)) throw new Error(`a refusal was expected, was ${String(error)}`);
  expect(error.code).toBe(2);
  return `${error.message}; ${error.next}`;
}

test("the first journal of a key is its own from then on, for every process and after all have closed", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const first = await budgetOn(folder, machine);
  const path = join(folder, "a.db");
  expect(await absenceAt(keyOf(first), path)).toBe("create");
  await bindJournal(keyOf(first), path, CHAIN);
  await bindJournal(keyOf(await budgetOn(folder, machine)), path, CHAIN);
  first.close();
  const later = await budgetOn(folder, machine);
  expect(await absenceAt(keyOf(later), path)).toBe("refuse");
});

test("the limits of a process stay known when it binds its journal, and its journal when it tells its limits", async () => {
  const folder = temporaryFolder();
  const budget = await budgetOn(folder, createVirtualMachine());
  const path = join(folder, "a.db");
  const bind = (): Promise<void> => bindJournal(keyOf(budget), path, CHAIN);
  await bind();
  budget.ledger.showLimits({ ordersPerDayMax: "9" });
  await bind();
  expect(budget.ledger.status().members).toMatchObject([
    { limits: { ordersPerDayMax: "9" }, books: { path: canonicalPath(path), chainId: CHAIN } },
  ]);
});

test("another path, and another chain at the same path, are refused with the right one named", async () => {
  const folder = temporaryFolder();
  const key = keyOf(await budgetOn(folder, createVirtualMachine()));
  const path = join(folder, "a.db");
  await bindJournal(key, path, CHAIN);
  const named = `that is ${canonicalPath(path)}, chain ${CHAIN}`;
  for (const work of [
    () => absenceAt(key, join(folder, "b.db")),
    () => bindJournal(key, join(folder, "b.db"), CHAIN),
    () => bindJournal(key, path, "deadbeefdeadbeef"),
  ]) {
    const said = await refusal(work());
    expect(said).toContain(named);
    expect(said).toContain("pegbot adopt");
  }
  await bindJournal(key, path, CHAIN);
});

test("a process with another ledger of the key is refused the journal, and is told the way out", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const path = join(folder, "a.db");
  const own = keyOf(await budgetOn(folder, machine));
  await bindJournal(own, path, CHAIN);
  const other = keyOf(await budgetOn(temporaryFolder(), machine));
  for (const work of [
    () => absenceAt(other, path),
    () => bindJournal(other, path, CHAIN),
    () => requireNobodyElsewhere(other, path),
  ]) {
    const said = await refusal(work());
    expect(said).toContain(`belongs to the key ledger ${canonicalPath(own.ledger.path)}`);
    expect(said).toContain(`delete ${path}.ledger while no pegbot runs`);
  }
  await bindJournal(own, path, CHAIN);
  rmSync(`${path}.ledger`);
  await bindJournal(other, path, CHAIN);
  expect(await refusal(absenceAt(own, path))).toContain(canonicalPath(other.ledger.path));
});

test("a paper account moves with its folder, so its journal names no ledger", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const path = join(folder, "a.db");
  await bindJournal({ ...keyOf(await budgetOn(folder, machine)), hasAccountBeside: true }, path, CHAIN);
  const other = { ...keyOf(await budgetOn(temporaryFolder(), machine)), hasAccountBeside: true };
  await bindJournal(other, path, CHAIN);
});

test("a journal whose folder was moved is the same one behind a link, and as a whole account; a copy of it never is", async () => {
  const folder = temporaryFolder();
  const key = keyOf(await budgetOn(folder, createVirtualMachine()));
  const [first, second, third] = ["first", "second", "third"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const [here, there, elsewhere] = [first, second, third].map((place) => join(place, "a.db")) as [
    string,
    string,
    string,
  ];
  mkdirSync(first);
  writeFileSync(here, "");
  await bindJournal(key, here, CHAIN);
  renameSync(first, second);
  symlinkSync(second, first);
  expect(await absenceAt(key, here)).toBe("refuse");
  await refusal(bindJournal(key, here, "deadbeefdeadbeef"));
  await bindJournal(key, here, CHAIN);
  expect(key.ledger.journalOf("test")).toEqual({ path: canonicalPath(there), chainId: CHAIN });
  renameSync(second, third);
  const account = { ...key, hasAccountBeside: true };
  await refusal(absenceAt(key, elsewhere));
  await refusal(bindJournal(account, elsewhere, "deadbeefdeadbeef"));
  await refusal(absenceAt(account, join(folder, "nothing.db")));
  expect(await absenceAt(account, elsewhere)).toBe("refuse");
  await bindJournal(account, elsewhere, CHAIN);
  cpSync(third, second, { recursive: true });
  for (const work of [() => absenceAt(account, there), () => bindJournal(account, there, CHAIN)]) await refusal(work());
});

test("environments of one key have journals of their own, and adopt moves one of them", async () => {
  const folder = temporaryFolder();
  const budget = await budgetOn(folder, createVirtualMachine());
  await bindJournal(keyOf(budget), join(folder, "a.db"), CHAIN);
  await bindJournal(keyOf(budget, "production"), join(folder, "b.db"), CHAIN);
  await moveJournal(keyOf(budget), join(folder, "c.db"), "deadbeefdeadbeef");
  await bindJournal(keyOf(budget), join(folder, "c.db"), "deadbeefdeadbeef");
  await bindJournal(keyOf(budget, "production"), join(folder, "b.db"), CHAIN);
  await refusal(bindJournal(keyOf(budget), join(folder, "a.db"), CHAIN));
});

test("a running bot keeps its journal: adopt moves the binding only once that bot has ended", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const bot = await budgetOn(folder, machine, optionsOf(folder, machine, "bot"));
  await bindJournal(keyOf(bot), join(folder, "a.db"), CHAIN);
  const person = keyOf(await budgetOn(folder, machine));
  const moved = () => moveJournal(person, join(folder, "b.db"), "deadbeefdeadbeef");
  await expect(moved()).rejects.toMatchObject({
    code: 1,
    message: expect.stringMatching(/^a bot, process \d+, started in .* uses this key with another journal, .*a\.db; /),
  });
  // Beside the bot, in its own books, a difference may be taken over.
  await moveJournal(person, join(folder, "a.db"), CHAIN);
  await bindJournal(person, join(folder, "a.db"), CHAIN);
  bot.close();
  await moved();
  await bindJournal(person, join(folder, "b.db"), "deadbeefdeadbeef");
});

test("a bot that starts after adopt has looked keeps its journal all the same", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const path = join(folder, "a.db");
  const person = keyOf(await budgetOn(folder, machine));
  await bindJournal(person, path, CHAIN);
  const other = { path: join(folder, "b.db"), chainId: "deadbeefdeadbeef" };
  await requireNobodyElsewhere(person, other.path);
  const bot = await budgetOn(folder, machine, optionsOf(folder, machine, "bot"));
  // What is left to be done is one transaction, which looks for itself.
  expect(person.ledger.moveJournal("test", other)).toMatchObject({ journal: { path: canonicalPath(path) } });
  await bindJournal(keyOf(bot), path, CHAIN);
});

test("a command that is at work keeps its journal: adopt moves the binding only once it has ended", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const order = await budgetOn(folder, machine);
  const balances = await budgetOn(folder, machine);
  const person = keyOf(await budgetOn(folder, machine));
  await requireNobodyElsewhere(person, join(folder, "b.db"));
  await bindJournal(keyOf(order), join(folder, "a.db"), CHAIN);
  const refused = {
    code: 1,
    message: expect.stringMatching(/^a command, process \d+, .* uses this key with another journal, .*a\.db; /),
    next: expect.stringContaining("adopt again"),
  };
  await expect(requireNobodyElsewhere(person, join(folder, "b.db"))).rejects.toMatchObject(refused);
  await expect(moveJournal(person, join(folder, "b.db"), "deadbeefdeadbeef")).rejects.toMatchObject(refused);
  await expect(moveJournal(person, join(folder, "a.db"), "deadbeefdeadbeef")).rejects.toMatchObject({
    message: expect.stringMatching(/^a command, .* uses this key with the journal that was at .*a\.db before; /),
  });
  // In its own books a difference may be taken over beside it, and what only reads is nobody's trouble.
  await moveJournal(person, join(folder, "a.db"), CHAIN);
  order.close();
  await requireNobodyElsewhere(person, join(folder, "b.db"));
  await moveJournal(person, join(folder, "b.db"), "deadbeefdeadbeef");
  balances.close();
});

test("what a command did with the other journal while adopt looked at the account is not overlooked", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const earlier = await budgetOn(folder, machine);
  await bindJournal(keyOf(earlier), join(folder, "a.db"), CHAIN);
  earlier.close();
  const person = keyOf(await budgetOn(folder, machine));
  await requireNobodyElsewhere(person, join(folder, "b.db"));
  const order = await budgetOn(folder, machine);
  await bindJournal(keyOf(order), join(folder, "a.db"), CHAIN);
  order.close();
  const moved = () => moveJournal(person, join(folder, "b.db"), "deadbeefdeadbeef");
  await expect(moved()).rejects.toMatchObject({
    code: 1,
    message: expect.stringMatching(/^a process that has ended used this key with another journal, .*a\.db; /),
    next: expect.stringContaining("adopt again"),
  });
  await requireNobodyElsewhere(person, join(folder, "b.db"));
  await moved();
});

test("who works in another environment is no reason to keep a journal, once it is known which that is", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const person = keyOf(await budgetOn(folder, machine), "paper");
  await bindJournal(person, join(folder, "a.db"), CHAIN);
  const bot = await budgetOn(folder, machine, optionsOf(folder, machine, "bot"));
  await expect(requireNobodyElsewhere(person, join(folder, "b.db"))).rejects.toMatchObject({ code: 1 });
  await bindJournal(keyOf(bot, "production"), join(folder, "live.db"), CHAIN);
  await requireNobodyElsewhere(person, join(folder, "b.db"));
  await moveJournal(person, join(folder, "b.db"), "deadbeefdeadbeef");
  expect(await refusal(bindJournal(person, join(folder, "a.db"), CHAIN))).toContain("b.db");
});

test("a file is the same by every name that leads to it", async () => {
  const folder = temporaryFolder();
  const key = keyOf(await budgetOn(folder, createVirtualMachine()));
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  await bindJournal(key, join(folder, "link", "a.db"), CHAIN);
  await bindJournal(key, join(folder, "real", ".", "a.db"), CHAIN);
  writeFileSync(join(folder, "real", "a.db"), "");
  expect(await absenceAt(key, join(folder, "link", "a.db"))).toBe("refuse");
});

test("a ledger that another process keeps busy is waited for, and named when that takes too long", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const budget = await budgetOn(folder, machine);
  const file = new DatabaseSync(join(folder, "keys", fingerprint, "ledger.db"));
  file.exec("BEGIN IMMEDIATE");
  let waits = 0;
  const timers = {
    after(_: number, run: () => void) {
      if (++waits === 3) file.exec("ROLLBACK");
      queueMicrotask(run);
      return () => {};
    },
  };
  await bindJournal({ ...keyOf(budget), timers }, join(folder, "a.db"), CHAIN);
  file.close();
  expect(waits).toBe(3);
});
