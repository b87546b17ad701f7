// What an inspection can find wrong with a journal file, by remedy: a kind is what a person does next, the message says
// what was found.

import type { Head } from "./journal.ts";
import type { Entry } from "./record.ts";
import { chainedHash, readEntry } from "./text/entry-text.ts";

export type Problem = {
  readonly kind: /** Its pages, a record, the chain or its end are not as they were written. */
    | "broken"
    /** The anchor is not there or unreadable, so that a cut of the journal would not show. */
    | "anchor-lost"
    | "foreign-file"
    /** Written by another version of pegbot, with other tables or records. */
    | "older-schema"
    | "newer-schema";
  /** The sequence of the first record concerned. */
  readonly sequence: number | undefined;
  readonly message: string;
};

export function problem(kind: Problem["kind"], message: string, sequence?: number): Problem {
  return { kind, message, sequence };
}

const ANEW =
  "move the journal and its -wal, -shm and .anchor files to another folder: then pegbot adopt begins anew from the venue's books";

export const WAY_OUT: Readonly<Record<Problem["kind"], string>> = {
  broken: `bring back the journal with the -wal and .anchor files that belong to it, or restore a backup made by pegbot journal backup (docs/operate/maintain.md#restoring); without one, ${ANEW}`,
  "anchor-lost": `bring back the .anchor file that belongs to it, or restore a backup made by pegbot journal backup; if both are gone for good, ${ANEW}`,
  "foreign-file": "name another file in journal.path",
  "older-schema": `close what is open with the checkout that wrote it and end its bot, then ${ANEW} (docs/operate/journal.md#versions)`,
  "newer-schema": "use the newer pegbot",
};

/** Such as `broken at record 5: record 5 does not hash to what is stored with it`. */
export function problemText({ kind, sequence, message }: Problem): string {
  return `${kind}${sequence === undefined ? "" : ` at record ${sequence}`}: ${message}`;
}

type Link = { readonly sequence: number; readonly entry: string; readonly hash: string };

/** The entry that follows `before`, or the problem with it. */
function checkLink(before: Head, { sequence, entry, hash }: Link): Entry | Problem {
  const expected = before.sequence + 1;
  if (sequence !== expected)
    return problem("broken", `record ${expected} is missing: the next one is ${sequence}`, expected);
  if (chainedHash(before.hash, entry) !== hash)
    return problem("broken", `record ${sequence} does not hash to what is stored with it`, sequence);
  const read = readEntry(sequence, entry, hash);
  return read.ok
    ? read.value
    : problem("broken", `this version cannot read record ${sequence}: ${read.error}`, sequence);
}

/** Returns the head of the chain, or the first problem. `visit` receives every entry on the way. */
export function checkChain(
  before: Head,
  links: Iterable<Link>,
  visit: (entry: Entry) => void = () => {},
): Head | Problem {
  let head = before;
  for (const link of links) {
    const checked = checkLink(head, link);
    if ("message" in checked) return checked;
    visit(checked);
    head = { sequence: checked.sequence, hash: checked.hash };
  }
  return head;
}
