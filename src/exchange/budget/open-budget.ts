// The way in: a budget on the ledger of a key, with every number a setting that has a default.

import { ok, type Result } from "../../domain/result.ts";
import { type BudgetSettings, budgetDefaults } from "./budget-settings.ts";
import { KeyBudget } from "./key-budget.ts";
import { type LeaseSettings, leaseDefaults } from "./key-ledger.ts";
import type { Member } from "./ledger-store.ts";
import { type LedgerPlace, type Machine, openLedger } from "./open-ledger.ts";
import { type PacingSettings, pacingDefaults } from "./pacing.ts";

export type BudgetOptions = {
  readonly place: LedgerPlace;
  readonly machine: Machine;
  /** Who we are: `instance` is drawn anew for every start. */
  readonly identity: Omit<Member, "since">;
  readonly pacing?: Partial<PacingSettings>;
  readonly lease?: Partial<LeaseSettings>;
  readonly budget?: Partial<BudgetSettings>;
};

export async function openBudget(options: BudgetOptions): Promise<Result<KeyBudget>> {
  const budget = { ...budgetDefaults, ...options.budget };
  const me: Member = { ...options.identity, since: options.machine.clock.now() };
  const ledger = await openLedger(options.place, me, options.machine, {
    pacing: { ...pacingDefaults, ...options.pacing },
    lease: { ...leaseDefaults, ...options.lease },
    lockedMsMax: budget.lockedMsMax,
  });
  return ledger.ok ? ok(new KeyBudget(ledger.value, options.machine, budget)) : ledger;
}
