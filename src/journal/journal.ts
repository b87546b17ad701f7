// The durable record as the rest of the bot sees it: append-only, in one order for every process that writes to it. What
// cannot be written is an error value; the bot turns it into a halt, because what is not in the journal must not be sent.

import type { Result } from "../domain/result.ts";
import type { Entry, JournalRecord, Opening } from "./record.ts";

export type Head = { readonly sequence: number; readonly hash: string };

/** Each name tells the operator something else to do; the message says what. */
export type JournalCode =
  /** Another process kept it locked for longer than the bound. */
  | "journal-locked"
  /** Another process wrote about what was to be announced: nothing was written. */
  | "journal-overtaken"
  /** No room: nothing was written. */
  | "journal-full"
  /** A write or sync failed: what is on disk is unknown until the next start verifies it. */
  | "journal-suspect"
  /** The file at the path is no longer the one that was opened. */
  | "journal-moved"
  | "journal-damaged"
  /** It belongs to another environment or account, or is no journal. */
  | "journal-foreign"
  | "journal-older"
  | "journal-newer"
  /** Not there, where it must be. */
  | "journal-missing"
  /** There is none, and none can be made at its place. */
  | "journal-unmade"
  /** Others than its owner may read it. */
  | "journal-exposed"
  | "journal-unwritable";

export type JournalError = { readonly code: JournalCode; readonly message: string };

export type Receipt = {
  readonly head: Head;
  /** `spent`: it was written into the reserve, and the disk is full. Time to halt. */
  readonly reserve: "kept" | "spent";
};

export type Decided<T> = { readonly records: readonly JournalRecord[]; readonly value: T };

export interface Journal {
  readonly opening: Opening;
  /** The instance of this process, on every entry it writes. */
  readonly writer: string;
  /** Facts: what happened is written whatever others wrote meanwhile. All of them or none, and on disk when it returns. */
  append(records: readonly JournalRecord[]): Promise<Result<Receipt, JournalError>>;
  /**
   * What is about to be done: on disk before it returns, because the request leaves next and cannot wait for a timer. A
   * locked file is waited for a quarter of a second; it never goes into the reserve, and fails if others wrote about it meanwhile.
   */
  announce(records: readonly JournalRecord[]): Result<Head, JournalError>;
  /**
   * A decision: no other process writes between what `decide` is shown and what it records. It is shown what others wrote
   * since the last `news` or `transact` (catch up by `news` first: reading much keeps others waiting), and is called once
   * at most.
   */
  transact<T>(decide: (news: readonly Entry[]) => Decided<T>): Promise<Result<T, JournalError>>;
  /** What others wrote and was not handed out yet, oldest first; from the beginning at first. At most `most` records are looked at. */
  news(most?: number): Result<readonly Entry[], JournalError>;
  /** Any part of it, by whomever, after a sequence. */
  read(after: number, most: number): Result<readonly Entry[], JournalError>;
  head(): Result<Head, JournalError>;
  close(): void;
}
