// Settlement times, log-normal around the median within bounds, on the settlement clock; and the settlement itself.

import { type Millis, millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { Chance } from "./chance.ts";
import type { Moment } from "./record.ts";
import type { VenueSettings } from "./settings.ts";

export function settlesAt(chance: Chance, settings: VenueSettings, from: Millis): Millis {
  const { medianMs, sigma, minMs, maxMs } = settings.settlement;
  const takes = medianMs * Math.exp(sigma * chance.normal("settlement"));
  const takesMs = Math.round(Math.min(maxMs, Math.max(minMs, takes)));
  const { bankHours, heldShare, heldMinMs, heldMaxMs } = settings.operation;
  const heldMs = chance.delayMs("settlement-held", { chance: heldShare, minMs: heldMinMs, maxMs: heldMaxMs });
  return millis(bankHours ? inBankHours(from + heldMs, takesMs) : from + heldMs + takesMs);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPENS = 7 * HOUR;
const CLOSES = 17 * HOUR;

/** The end of a period that passes only on working days from 07:00 to 17:00 UTC. */
function inBankHours(from: number, takesMs: number): number {
  let left = takesMs;
  for (let day = Math.floor(from / DAY); ; day++) {
    // 1970-01-01 was a Thursday.
    const weekday = (day + 4) % 7;
    if (weekday === 0 || weekday === 6) continue;
    const start = Math.max(from, day * DAY + OPENS);
    const open = Math.max(0, day * DAY + CLOSES - start);
    if (left <= open) return start + left;
    left -= open;
  }
}

/** Why compliance holds a mint or a rail, in the words of the interface. */
export const MINT_HOLDS = ["Travel Rule timeout", "sanctions hit", "EDD required"] as const;
export const RAIL_HOLDS = ["AML review", "sanctions review", "Travel Rule review"] as const;

/** The fields of a row that is held for this reason, or released; a string if the reason is for other rows. */
export function heldOrPending(
  held: boolean,
  reasons: readonly string[],
  reason = reasons[0],
): { readonly status: "held" | "pending"; readonly reason: string | undefined } | string {
  if (!held) return { status: "pending", reason: undefined };
  if (!reasons.includes(reason ?? "")) return `reason must be ${reasons.join(", ")}, was ${reason}`;
  return { status: "held", reason };
}

type Row = { readonly status: "pending" | "held" | "settled"; readonly settlesAt: Millis };

/** Rows of one kind that wait for settlement, across all accounts. */
export interface Settling {
  /** Settles everything due by then, account by account, in the order of creation. */
  advance(moment: Moment): void;
  begun(row: Row): void;
  /** Call after rows were held or released. */
  changed(): void;
}

export function createSettling<R extends Row>(
  accounts: ReadonlyMap<string, Account>,
  rowsOf: (account: Account) => R[],
  settle: (account: Account, row: R, at: Millis) => void,
  isStopped: (account: Account, row: R, at: Millis) => boolean = () => false,
): Settling {
  let nextDue = nextSettlement(accounts, rowsOf);
  const changed = (): void => {
    nextDue = nextSettlement(accounts, rowsOf);
  };
  return {
    advance({ settlement, venue }) {
      if (settlement < nextDue) return;
      for (const account of accounts.values()) {
        const rows = rowsOf(account);
        rows.forEach((row, index) => {
          if (row.status !== "pending" || row.settlesAt > settlement) return;
          if (isStopped(account, row, venue)) {
            rows[index] = { ...row, settlesAt: millis(settlement + HOUR) };
            return;
          }
          settle(account, row, venue);
          rows[index] = { ...row, status: "settled" };
        });
      }
      changed();
    },
    begun({ status, settlesAt }) {
      if (status === "pending") nextDue = Math.min(nextDue, settlesAt);
    },
    changed,
  };
}

/** The earliest time at which a row may settle; held rows wait for a person. */
function nextSettlement(accounts: ReadonlyMap<string, Account>, rowsOf: (account: Account) => readonly Row[]): number {
  let due = Number.POSITIVE_INFINITY;
  for (const account of accounts.values())
    for (const row of rowsOf(account)) if (row.status === "pending") due = Math.min(due, row.settlesAt);
  return due;
}
