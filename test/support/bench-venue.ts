// The venue's part for a strategy on its bench: it answers open orders, and tells balances as the books have them.

import type { Accounts } from "../../src/bot/accounts/accounts.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { StrategyBench } from "./strategy-bench.ts";

/** Answers what is open, if something is; true when it was. */
export function answered(bench: StrategyBench, answer: "fill" | "kill"): boolean {
  if ((bench.engine.context.accounts as Accounts).open.size === 0) return false;
  if (answer === "fill") bench.fill();
  else bench.reject();
  return true;
}

export function toldAsBooked(bench: StrategyBench): void {
  const accounts = bench.engine.context.accounts as Accounts;
  const balances = accounts.assets.map((asset) => {
    const available = accounts.settled(asset) ?? Money.zero(asset);
    return { asset, available, pending: undefined };
  });
  bench.send({ kind: "balances", balances, receivedAt: bench.now });
}

export function bookedOf(bench: StrategyBench, asset: string): number {
  return (bench.engine.context.accounts as Accounts).settled(asset as Asset)?.toNumber() ?? 0;
}
