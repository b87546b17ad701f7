// How often a process that waits for a slot looks.

export type BudgetSettings = {
  /** While another process has the slot: how often we look whether it ended, */
  readonly pollMs: number;
  /** and whether it still lives. */
  readonly probeMs: number;
  /** At least so often a waiting process shows what its best want is worth now. */
  readonly refreshMs: number;
  /** A ledger that stays busy for longer refuses everything that waits. */
  readonly lockedMsMax: number;
};

export const budgetDefaults: BudgetSettings = { pollMs: 50, probeMs: 100, refreshMs: 200, lockedMsMax: 5_000 };
