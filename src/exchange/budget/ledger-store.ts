// The ledger's file: schema, transactions and rows, without rules. One row of state, one per process that uses the key,
// one per waiting process, one per environment; nothing grows. Only data that must survive a power cut waits for the
// disk.

import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openToRead } from "../../disk/open-to-read.ts";
import { inDatabase, isBusy, isCut, SQLITE, saidBy, sqliteCode } from "../../disk/sqlite-error.ts";
import type { Millis, Mono } from "../../domain/time.ts";
import type { LedgerCode, Nonce, WantClass } from "../port.ts";
import { createPrivateFile } from "./lock-file.ts";
import { freshPacing, type Pacing } from "./pacing.ts";

const schemaVersion = 3;
/** A statement waits this long for another process; the caller waits longer on a timer. */
const busyMs = 15;

/** A process that uses the key. */
export type Member = {
  readonly instance: string;
  readonly pid: number;
  /** The folder in which it was started. */
  readonly folder: string;
  readonly role: "bot" | "tool";
  readonly since: Millis;
  /** Its journal, once opened: only a process with an open journal may order, mint or register a rail. */
  readonly books?: Books;
  /** For a bot: its limits, by name. */
  readonly limits?: Readonly<Record<string, string>>;
};

export type Books = JournalBinding & { readonly environment: string };

/** The slot's holder and its lease. */
export type Holder = {
  readonly instance: string;
  readonly pid: number;
  readonly what: string;
  readonly since: Millis;
  /** When the holder passed its last check before the socket; absent while nothing was sent. */
  readonly sentAt?: Mono;
  /** After this the slot is taken away. */
  readonly deadline: Mono;
};

/** A waiting process's bid for the next slot. */
export type Bid = {
  readonly class: WantClass;
  /** Its want has waited 59 slots. */
  readonly isOverdue: boolean;
  /** When its want started waiting. */
  readonly since: Mono;
};

export type RivalBid = Bid & { readonly instance: string; readonly publishedAt: Mono };

/** The key's journal in one environment. */
export type JournalBinding = {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  readonly chainId: string;
};

export type LedgerState = {
  readonly boot: string;
  /** When this row was last written. */
  readonly markedAt: Mono;
  /** Slots granted so far. */
  readonly slot: number;
  /** On disk before it is used. */
  readonly lastNonce: Nonce | undefined;
  readonly pacing: Pacing;
  readonly venueOffsets: readonly number[];
  /** Our wall clock minus the venue's, at the last Date seen. */
  readonly skewMs: number | undefined;
  readonly holder: Holder | undefined;
  readonly bot: Member | undefined;
  /** The venue's environment in which the key was first used. */
  readonly environment?: string;
  /** The number of times that a journal of the key was opened, per environment. */
  readonly openings?: Readonly<Record<string, number>>;
};

export class LedgerStore {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #monotonic: () => Mono;
  readonly #file: string;

  /** `boot`: undefined for who only looks. */
  constructor(path: string, monotonic: () => Mono, boot: string | undefined) {
    if (boot !== undefined) createPrivateFile(path);
    this.path = path;
    this.#monotonic = monotonic;
    this.#database = boot === undefined ? openToRead(path, busyMs) : new DatabaseSync(path, { timeout: busyMs });
    this.#file = fileAt(path);
    try {
      this.#prepare(boot);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** A file that cannot be checked counts as gone. */
  isInPlace(): boolean {
    try {
      return fileAt(this.path) === this.#file && !isCut(this.path);
    } catch {
      return false;
    }
  }

  /** Runs in one immediate transaction; `durable` if it must survive a power cut. */
  transact<T>(work: () => T, durability: "durable" | "quick" = "quick"): T {
    return inDatabase(this.path, () => {
      this.#requireWhole();
      this.#database.exec(durability === "durable" ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
      try {
        this.#database.exec("BEGIN IMMEDIATE");
        // SQLite keeps writing to a deleted file while the next process creates a new one: that would be two ledgers
        // and two slots.
        if (fileAt(this.path) !== this.#file)
          throw new Error("the file was moved or deleted while in use; start again");
        const value = work();
        this.#database.exec("COMMIT");
        return value;
      } finally {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      }
    });
  }

  /** While `work` runs, statements wait this long for another process and block the event loop. */
  urgently<T>(waitMsMax: number, work: () => T): T {
    this.#database.exec(`PRAGMA busy_timeout = ${waitMsMax}`);
    try {
      return work();
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    }
  }

  read(): LedgerState {
    this.#requireWhole();
    const row = this.#database.prepare("SELECT body FROM state WHERE id = 1").get();
    if (typeof row?.body !== "string") throw new Error("the row of state is missing");
    return JSON.parse(row.body) as LedgerState;
  }

  write(state: LedgerState): void {
    const body = JSON.stringify({ ...state, markedAt: this.#monotonic() });
    this.#database.prepare("UPDATE state SET body = ? WHERE id = 1").run(body);
  }

  members(): readonly Member[] {
    return this.#database
      .prepare("SELECT body FROM member")
      .all()
      .map((row) => JSON.parse(String(row.body)) as Member);
  }

  addMember(member: Member): void {
    this.#database.prepare("INSERT INTO member VALUES (?, ?)").run(member.instance, JSON.stringify(member));
  }

  changeMember(member: Member): void {
    this.#database
      .prepare("UPDATE member SET body = ? WHERE instance = ?")
      .run(JSON.stringify(member), member.instance);
  }

  removeMember(instance: string): void {
    this.#database.prepare("DELETE FROM member WHERE instance = ?").run(instance);
    this.removeBid(instance);
  }

  bids(): readonly RivalBid[] {
    return this.#database
      .prepare("SELECT body FROM bid")
      .all()
      .map((row) => JSON.parse(String(row.body)) as RivalBid);
  }

  putBid(bid: RivalBid): void {
    this.#database.prepare("INSERT OR REPLACE INTO bid VALUES (?, ?)").run(bid.instance, JSON.stringify(bid));
  }

  removeBid(instance: string): void {
    this.#database.prepare("DELETE FROM bid WHERE instance = ?").run(instance);
  }

  removeAllBids(): void {
    this.#database.exec("DELETE FROM bid");
  }

  journalOf(environment: string): JournalBinding | undefined {
    const row = this.#database.prepare("SELECT path, chain FROM journal WHERE environment = ?").get(environment);
    return row === undefined ? undefined : { path: String(row.path), chainId: String(row.chain) };
  }

  putJournal(environment: string, { path, chainId }: JournalBinding): void {
    this.#database.prepare("INSERT OR REPLACE INTO journal VALUES (?, ?, ?)").run(environment, path, chainId);
  }

  close(): void {
    if (!isCut(this.path)) this.#database.close();
  }

  #requireWhole(): void {
    if (isCut(this.path)) throw new Error("its -shm file was cut while in use; start again");
  }

  #prepare(boot: string | undefined): void {
    if (boot !== undefined) this.#database.exec("PRAGMA journal_mode = WAL");
    this.transact(() => {
      const version = Number(this.#database.prepare("PRAGMA user_version").get()?.user_version);
      if (version === 0 && boot !== undefined) this.#create(boot);
      else if (version !== schemaVersion) throw new OtherLedger(version, schemaVersion);
    }, "durable");
  }

  #create(boot: string): void {
    this.#database.exec(`
      CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT;
      CREATE TABLE member (instance TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
      CREATE TABLE bid (instance TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
      CREATE TABLE journal (environment TEXT PRIMARY KEY, path TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
      PRAGMA user_version = ${schemaVersion};
    `);
    const now = this.#monotonic();
    const state: LedgerState = {
      boot,
      markedAt: now,
      slot: 0,
      lastNonce: undefined,
      pacing: freshPacing(now),
      venueOffsets: [],
      skewMs: undefined,
      holder: undefined,
      bot: undefined,
    };
    this.#database.prepare("INSERT INTO state VALUES (1, ?)").run(JSON.stringify(state));
  }
}

/** The identity of the file that a path leads to now. */
function fileAt(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.dev} ${found.ino}`;
}

/** A ledger file of another version of pegbot. */
class OtherLedger extends Error {
  override readonly name = "OtherLedger";
  readonly code: "ledger-older" | "ledger-newer";

  constructor(version: number, known: number) {
    super(`schema version is ${version}, this program reads ${known} only`);
    this.code = version < known ? "ledger-older" : "ledger-newer";
  }
}

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

/** The texts of a budget begin with their code. */
export function ledgerCodeOf(text: string): LedgerCode | undefined {
  return (Object.keys(advice) as LedgerCode[]).find((code) => text.startsWith(`${code}: `));
}

function ledgerCode(error: unknown): LedgerCode {
  if (error instanceof OtherLedger) return error.code;
  if (error instanceof SyntaxError) return "ledger-corrupt";
  if (isBusy(error)) return "ledger-locked";
  const code = sqliteCode(error);
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase) return "ledger-corrupt";
  return code === SQLITE.full ? "ledger-full" : "ledger-failed";
}
