// The venue's part for a strategy on its bench: it answers open orders, and may tell balances later than the fill.

import type { Accounts } from "../../src/books/accounts/accounts.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { asBooked, fillAtLimit, type StrategyBench } from "./strategy-bench.ts";

/** Answers what is open, if something is; true when it was. */
export function answered(bench: StrategyBench, answer: "fill" | "kill"): boolean {
  if (accountsOf(bench).open.size === 0) return false;
  if (answer === "fill") bench.fill();
  else bench.kill();
  return true;
}

/** A fill of the oldest order, and no balances after it. */
export function filledUntold(bench: StrategyBench): void {
  for (const { intent } of [...accountsOf(bench).open.values()].slice(0, 1)) {
    const report = { kind: "filled", fill: fillAtLimit(intent), confirmed: true } as const;
    bench.send({ kind: "report", clientOrderId: intent.clientOrderId, report, receivedAt: bench.now });
  }
}

export function toldAsBooked(bench: StrategyBench): void {
  bench.send({ kind: "balances", balances: asBooked(accountsOf(bench)), receivedAt: bench.now });
}

export function bookedOf(bench: StrategyBench, asset: string): number {
  return (
    accountsOf(bench)
      .settled(asset as Asset)
      ?.toNumber() ?? 0
  );
}

function accountsOf({ engine }: StrategyBench): Accounts {
  return engine.books.accounts as Accounts;
}
