// Which journal belongs to a key, as its ledger remembers it.

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { absenceAt, bindJournal, canonicalPath, moveJournal } from "../../../src/app/journal/journal-binding.ts";
import { CommandFailure } from "../../../src/domain/command-failure.ts";
import type { KeyBudget } from "../../../src/exchange/budget/budget.ts";
import { budgetOn, temporaryFolder } from "../../exchange/budget/key-folder.ts";
import { createVirtualMachine } from "../../exchange/budget/virtual-machine.ts";

const CHAIN = "c0ffee00c0ffee00";
const keyOf = ({ file }: KeyBudget, environment = "test") => ({ file, environment });

function refusal(work: () => unknown): string {
  let error: unknown;
  try {
    work();
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof CommandFailure)) throw new Error(`a refusal was expected, was ${String(error)}`);
  expect(error.code).toBe(2);
  return `${error.message}; ${error.next}`;
}

test("the first journal of a key is its own from then on, for every process and after all have closed", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const first = await budgetOn(folder, machine);
  const path = join(folder, "a.db");
  expect(absenceAt(keyOf(first), path)).toBe("create");
  bindJournal(keyOf(first), path, CHAIN);
  first.close();
  const later = await budgetOn(folder, machine);
  expect(absenceAt(keyOf(later), path)).toBe("refuse");
});

test("another path, and another chain at the same path, are refused with the right one named", async () => {
  const folder = temporaryFolder();
  const key = keyOf(await budgetOn(folder, createVirtualMachine()));
  const path = join(folder, "a.db");
  bindJournal(key, path, CHAIN);
  const named = `that is ${canonicalPath(path)}, chain ${CHAIN}`;
  for (const work of [
    () => absenceAt(key, join(folder, "b.db")),
    () => bindJournal(key, join(folder, "b.db"), CHAIN),
    () => bindJournal(key, path, "deadbeefdeadbeef"),
  ]) {
    const said = refusal(work);
    expect(said).toContain(named);
    expect(said).toContain("pegbot adopt");
  }
  bindJournal(key, path, CHAIN);
});

test("a process with another ledger of the key is refused the journal, and is told the way out", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const path = join(folder, "a.db");
  const own = keyOf(await budgetOn(folder, machine));
  bindJournal(own, path, CHAIN);
  const other = keyOf(await budgetOn(temporaryFolder(), machine));
  for (const work of [() => absenceAt(other, path), () => bindJournal(other, path, CHAIN)]) {
    const said = refusal(work);
    expect(said).toContain(`belongs to the key file ${canonicalPath(own.file.path)}`);
    expect(said).toContain(`delete ${path}.ledger while no pegbot runs`);
  }
  bindJournal(own, path, CHAIN);
  rmSync(`${path}.ledger`);
  bindJournal(other, path, CHAIN);
  expect(refusal(() => absenceAt(own, path))).toContain(canonicalPath(other.file.path));
});

test("a paper account moves with its folder, so its journal names no ledger", async () => {
  const [folder, machine] = [temporaryFolder(), createVirtualMachine()];
  const path = join(folder, "a.db");
  bindJournal({ ...keyOf(await budgetOn(folder, machine)), hasAccountBeside: true }, path, CHAIN);
  const other = { ...keyOf(await budgetOn(temporaryFolder(), machine)), hasAccountBeside: true };
  bindJournal(other, path, CHAIN);
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
  bindJournal(key, here, CHAIN);
  renameSync(first, second);
  symlinkSync(second, first);
  expect(absenceAt(key, here)).toBe("refuse");
  refusal(() => bindJournal(key, here, "deadbeefdeadbeef"));
  bindJournal(key, here, CHAIN);
  expect(key.file.journalOf("test")).toEqual({ path: canonicalPath(there), chainId: CHAIN });
  renameSync(second, third);
  const account = { ...key, hasAccountBeside: true };
  refusal(() => absenceAt(key, elsewhere));
  refusal(() => bindJournal(account, elsewhere, "deadbeefdeadbeef"));
  refusal(() => absenceAt(account, join(folder, "nothing.db")));
  expect(absenceAt(account, elsewhere)).toBe("refuse");
  bindJournal(account, elsewhere, CHAIN);
  cpSync(third, second, { recursive: true });
  for (const work of [() => absenceAt(account, there), () => bindJournal(account, there, CHAIN)]) refusal(work);
});

test("environments of one key have journals of their own, and adopt moves one of them", async () => {
  const folder = temporaryFolder();
  const budget = await budgetOn(folder, createVirtualMachine());
  bindJournal(keyOf(budget), join(folder, "a.db"), CHAIN);
  bindJournal(keyOf(budget, "production"), join(folder, "b.db"), CHAIN);
  moveJournal(keyOf(budget), join(folder, "c.db"), "deadbeefdeadbeef");
  bindJournal(keyOf(budget), join(folder, "c.db"), "deadbeefdeadbeef");
  bindJournal(keyOf(budget, "production"), join(folder, "b.db"), CHAIN);
  refusal(() => bindJournal(keyOf(budget), join(folder, "a.db"), CHAIN));
});
