// What can be wrong with a ledger file, named: each name tells the operator something else to do.

import { isBusy, SQLITE, saidBy, sqliteCode } from "../../disk/sqlite-error.ts";

/** A file of a later version of this program. */
export class NewerLedger extends Error {
  override readonly name = "NewerLedger";
}

/** The code begins the text that a caller sees. */
type LedgerCode = "ledger-locked" | "ledger-corrupt" | "ledger-newer" | "ledger-full" | "ledger-failed";

export function describeLedgerError(error: unknown, path: string): string {
  const code = ledgerCode(error);
  return `${code}: key ledger ${path}: ${saidBy(error)}${advice[code]}`;
}

const advice: Readonly<Record<LedgerCode, string>> = {
  "ledger-locked": "; another process keeps it locked",
  "ledger-corrupt":
    "; move it away while no pegbot runs: a new one starts from the venue's clock, which no earlier nonce is ahead of",
  "ledger-newer": "",
  "ledger-full": "; free some disk space",
  "ledger-failed": "",
};

function ledgerCode(error: unknown): LedgerCode {
  if (error instanceof NewerLedger) return "ledger-newer";
  if (error instanceof SyntaxError) return "ledger-corrupt";
  if (isBusy(error)) return "ledger-locked";
  const code = sqliteCode(error);
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase) return "ledger-corrupt";
  return code === SQLITE.full ? "ledger-full" : "ledger-failed";
}
