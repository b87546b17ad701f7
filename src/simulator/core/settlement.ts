// How long money takes: a log-normal time around the median, within bounds, on the settlement clock.

import { type Millis, millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { Chance } from "./chance.ts";
import type { VenueSettings } from "./settings.ts";

export function settlesAt(chance: Chance, settings: VenueSettings, from: Millis): Millis {
  const { medianMs, sigma, minMs, maxMs } = settings.settlement;
  const takes = medianMs * Math.exp(sigma * chance.normal("settlement"));
  return millis(from + Math.round(Math.min(maxMs, Math.max(minMs, takes))));
}

type Settling = { readonly status: "pending" | "held" | "settled"; readonly settlesAt: Millis };
type Accounts = Iterable<Account>;

/** The earliest time at which something may settle; what is held waits for a person. */
export function nextSettlement(accounts: Accounts, rowsOf: (account: Account) => readonly Settling[]): number {
  let due = Number.POSITIVE_INFINITY;
  for (const account of accounts)
    for (const row of rowsOf(account)) if (row.status === "pending") due = Math.min(due, row.settlesAt);
  return due;
}

/** Settles all that is due by then, account by account, in the order in which it was begun. */
export function settleDue<R extends Settling>(
  accounts: Accounts,
  rowsOf: (account: Account) => R[],
  by: Millis,
  settle: (account: Account, row: R) => void,
): void {
  for (const account of accounts) {
    const rows = rowsOf(account);
    rows.forEach((row, index) => {
      if (row.status !== "pending" || row.settlesAt > by) return;
      settle(account, row);
      rows[index] = { ...row, status: "settled" };
    });
  }
}
