// The problems that a journal file can have, each with its own name because each has a different remedy.

export type DamageKind =
  /** SQLite cannot read the file's pages. */
  | "corrupt-file"
  /** A hash does not match its text and the hash before it. */
  | "changed-record"
  /** A gap in the middle. */
  | "missing-record"
  /** The chain is valid, but this version cannot decode the text. */
  | "unreadable-record"
  /** The anchor names a later record: the file was truncated, or is an older copy. */
  | "missing-tail"
  /** The same, and the last writer's -wal file is gone. */
  | "missing-wal"
  /** The anchor has another hash for that record: the chain was truncated and rewritten. */
  | "anchor-mismatch"
  | "anchor-missing"
  | "anchor-damaged";

export type Refusal =
  | "foreign-file"
  /** The file has a trigger, view, table or index that is not the journal's own. */
  | "foreign-part"
  /** Written by another version of pegbot, with other tables or records. */
  | "older-schema"
  | "newer-schema";

export type Problem = {
  readonly kind: DamageKind | Refusal;
  /** The sequence of the record concerned. */
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

/** The remedy for each kind. */
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
