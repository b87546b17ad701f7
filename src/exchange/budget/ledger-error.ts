// What can be wrong with a ledger file, named: each name tells the operator something else to do.

/** A file of a later version of this program. */
export class NewerLedger extends Error {
  override readonly name = "NewerLedger";
}

/** The code begins the text that a caller sees. */
type LedgerCode = "ledger-locked" | "ledger-corrupt" | "ledger-newer" | "ledger-full" | "ledger-failed";

const sqliteBusy = 5;
const sqliteLocked = 6;
const sqliteFull = 13;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** Another process is in the way at this moment: try again. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === sqliteBusy || code === sqliteLocked;
}

export function describeLedgerError(error: unknown, path: string): string {
  const cause = error instanceof Error ? error.message : String(error);
  const code = ledgerCode(error);
  return `${code}: key ledger ${path}: ${cause}${advice[code]}`;
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
  const code = primaryCode(error);
  if (code === sqliteCorrupt || code === sqliteNotADatabase) return "ledger-corrupt";
  return code === sqliteFull ? "ledger-full" : "ledger-failed";
}

/** node:sqlite puts SQLite's extended result code on the error. */
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
