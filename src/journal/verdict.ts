// What can be wrong with a journal file, each under a name of its own, because each has another way out.

export type DamageKind =
  /** SQLite cannot read its own pages. */
  | "corrupt-file"
  /** A hash does not fit its text and the hash before. */
  | "changed-record"
  /** A gap in the middle. */
  | "missing-record"
  /** The chain holds, but this version cannot make sense of the text. */
  | "unreadable-record"
  /** The anchor knows a later record: the file was cut, or is an older copy. */
  | "missing-tail"
  /** As before, and the -wal file that the last writer left is gone. */
  | "missing-wal"
  /** The anchor knows another record in that place: the chain was cut and written anew. */
  | "anchor-mismatch"
  | "anchor-missing"
  | "anchor-damaged";

export type Refusal =
  | "foreign-file"
  /** It has a trigger, a view, a table or an index that is not the journal's own. */
  | "foreign-part"
  /** Tables or records of another version of pegbot. */
  | "older-schema"
  | "newer-schema";

export type Problem = {
  readonly kind: DamageKind | Refusal;
  /** The record it is about. */
  readonly sequence: number | undefined;
  readonly message: string;
};

export function problem(kind: Problem["kind"], message: string, sequence?: number): Problem {
  return { kind, message, sequence };
}

const ANEW =
  "move the journal and its -wal, -shm and .anchor files to another folder: then pegbot adopt begins anew from the venue's books";

const NO_ANCHOR =
  "bring back the .anchor file that belongs to it; if that is gone for good and the journal was not cut by your knowledge, " +
  `pegbot journal anchor makes a new one; if in doubt, ${ANEW}`;

/** What is left to do, by kind. */
export const WAY_OUT: Readonly<Record<Problem["kind"], string>> = {
  "corrupt-file": "restore journal and anchor from one backup",
  "changed-record": "restore journal and anchor from one backup",
  "missing-record": "restore journal and anchor from one backup",
  "unreadable-record": "use the version of pegbot that wrote it",
  "missing-tail": "bring back the newest copy of the journal with its -wal file",
  "missing-wal": "bring back the -wal file that belongs to it",
  "anchor-mismatch": "bring back the journal that belongs to this anchor",
  "anchor-missing": NO_ANCHOR,
  "anchor-damaged": NO_ANCHOR,
  "foreign-file": "name another file in journal.path",
  "foreign-part":
    "restore journal and anchor from one backup; or take out what was put there (DROP in sqlite3, while no pegbot runs) and run " +
    "pegbot journal verify: what was written meanwhile may be missing",
  "older-schema": `close what is open with the checkout that wrote it and end its bot, then ${ANEW} (docs/JOURNAL.md, Versions)`,
  "newer-schema": "use the newer pegbot",
};
