// The durable record as the rest of the bot sees it: append-only, with one writer. A
// failed write is an error value; the bot turns it into a halt, because a request that is not in the journal must not
// be sent.

import type { Result } from "../domain/result.ts";
import type { Entry, JournalRecord, Opening } from "./record.ts";

export type Head = { readonly sequence: number; readonly hash: string };

/** Each code requires a different action of the operator; the message states it. */
export type JournalCode =
  /** It is open for writing elsewhere, or locked. */
  | "journal-locked"
  /** The disk is full; nothing was written. */
  | "journal-full"
  /** A write or sync failed: the state on disk is unknown until the next start verifies it. */
  | "journal-suspect"
  /** The path no longer leads to the opened file. */
  | "journal-moved"
  | "journal-damaged"
  /** The file belongs to another environment or account, or is not a journal. */
  | "journal-foreign"
  | "journal-older"
  | "journal-newer"
  /** A required journal does not exist. */
  | "journal-missing"
  /** There is no journal, and none can be created at its path. */
  | "journal-unmade"
  /** Users other than the owner may read the file. */
  | "journal-exposed"
  | "journal-unwritable";

export type JournalError = { readonly code: JournalCode; readonly message: string };

export type Receipt = { readonly head: Head };

export type Decided<T> = { readonly records: readonly JournalRecord[]; readonly value: T };

export interface Journal {
  readonly opening: Opening;
  /** The instance id of this process, on every entry it writes. */
  readonly writer: string;
  /** Writes facts. All records or none; on disk when it returns. */
  append(records: readonly JournalRecord[]): Promise<Result<Receipt, JournalError>>;
  /**
   * Writes a request that is about to be sent: synchronous and on disk when it returns, because the request leaves next
   * and cannot wait for a timer.
   */
  announce(records: readonly JournalRecord[]): Result<Head, JournalError>;
  /**
   * Makes a decision and writes its records in one transaction. `decide` is called at most once.
   */
  transact<T>(decide: () => Decided<T>): Promise<Result<T, JournalError>>;
  /** The entries after a sequence, each chained to the one before. */
  read(after: number, most: number): Result<readonly Entry[], JournalError>;
  head(): Result<Head, JournalError>;
  close(): void;
}
