// A state folder of its own for each test, and budgets on it: several of them stand for several processes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import type { KeyBudget } from "../../../src/exchange/budget/budget.ts";
import type { Machine } from "../../../src/exchange/budget/host-clock.ts";
import { type BudgetOptions, openBudget } from "../../../src/exchange/budget/open.ts";

export const fingerprint = "0123456789abcdef";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-budget-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let instances = 0;

export function optionsOf(stateFolder: string, machine: Machine, role: "bot" | "tool" = "tool"): BudgetOptions {
  instances += 1;
  return {
    place: { stateFolder, fingerprint },
    machine,
    identity: { instance: `i${process.pid}x${instances}`, pid: 1_000 + instances, folder: "/somewhere", role },
  };
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
