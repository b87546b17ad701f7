// A state folder of its own for each test, and budgets on it, one after the other: each stands for a process.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { type BudgetOptions, type KeyBudget, openBudget } from "../../../src/exchange/budget/budget.ts";
import type { Machine } from "../../../src/exchange/budget/host-clock.ts";

export const fingerprint = "0123456789abcdef";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-budget-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function optionsOf(stateFolder: string, machine: Machine): BudgetOptions {
  return { place: { stateFolder, fingerprint }, machine, patienceMs: 0 };
}

export async function budgetOn(
  stateFolder: string,
  machine: Machine,
  settings: Partial<BudgetOptions> = {},
): Promise<KeyBudget> {
  const budget = unwrap(await openBudget({ ...optionsOf(stateFolder, machine), ...settings }));
  onTestFinished(() => budget.close());
  return budget;
}
