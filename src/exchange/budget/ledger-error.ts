// What can be wrong with a ledger file, named: each name tells the operator something else to do.

import { isBusy, SQLITE, saidBy, sqliteCode } from "../../disk/sqlite-error.ts";

/** A file of another version of this program. */
export class OtherLedger extends Error {
  override readonly name = "OtherLedger";
  readonly code: "ledger-older" | "ledger-newer";

  constructor(version: number, known: number) {
    super(`schema version is ${version}, this program reads ${known} only`);
    this.code = version < known ? "ledger-older" : "ledger-newer";
  }
}

/** The code begins the text that a caller sees. */
type LedgerCode = OtherLedger["code"] | "ledger-locked" | "ledger-corrupt" | "ledger-full" | "ledger-failed";

export function describeLedgerError(error: unknown, path: string): string {
  const code = ledgerCode(error);
  return `${code}: key ledger ${path}: ${saidBy(error)}${advice[code]}`;
}

const ANEW =
  "; move it away while no pegbot runs: a new one starts from the venue's clock, which no earlier nonce is ahead of";

const advice: Readonly<Record<LedgerCode, string>> = {
  "ledger-locked": "; another process keeps it locked",
  "ledger-corrupt": ANEW,
  "ledger-older": ANEW,
  "ledger-newer": "; use the newer pegbot",
  "ledger-full": "; free some disk space",
  "ledger-failed": "",
};

function ledgerCode(error: unknown): LedgerCode {
  if (error instanceof OtherLedger) return error.code;
  if (error instanceof SyntaxError) return "ledger-corrupt";
  if (isBusy(error)) return "ledger-locked";
  const code = sqliteCode(error);
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase) return "ledger-corrupt";
  return code === SQLITE.full ? "ledger-full" : "ledger-failed";
}
