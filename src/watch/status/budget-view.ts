// The key's budget as it is shown: how much of its slots was used in the last minute, and who waits for one.

import type { Clock, Mono } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { ShownBudget } from "../status.ts";

/** Reading the key's ledger is a transaction that others wait for. */
const BUDGET_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;

type BudgetParts = { readonly ledger: () => LedgerStatus | undefined; readonly clock: Clock };

/** The ledger is looked at once a second at most. */
export function createBudgetGlass({ ledger, clock }: BudgetParts): () => ShownBudget | undefined {
  const samples: { at: Mono; slots: number }[] = [];
  let shown: ShownBudget | undefined;
  let lookedAt: Mono | undefined;
  return () => {
    const now = clock.monotonic();
    if (lookedAt !== undefined && now - lookedAt < BUDGET_EVERY_MS) return shown;
    lookedAt = now;
    const status = ledger();
    if (status === undefined) return undefined;
    samples.push({ at: now, slots: status.slots });
    while (samples.length > 1 && now - (samples[0]?.at ?? now) > MINUTE_MS) samples.shift();
    const [first] = samples;
    const elapsedMs = first === undefined ? 0 : now - first.at;
    const could = elapsedMs / status.spacingMs;
    shown = {
      slots: status.slots,
      usedBps:
        could < 5 || first === undefined
          ? undefined
          : Math.min(10_000, Math.round(((status.slots - first.slots) / could) * 1e4)),
      spacingMs: status.spacingMs,
      waiting: status.waiting.map((want) => want.class),
      rateLimited: status.rateLimitedMsAgo.filter((ms) => ms < 10 * MINUTE_MS).length,
      doubtsOnly: status.doubtsOnly,
      skewMs: status.skewMs,
    };
    return shown;
  };
}
