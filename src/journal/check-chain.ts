// Walks a hash chain and checks that the sequence has no gap, that each hash matches, and that each record can be
// decoded.

import type { Head } from "./journal.ts";
import type { Entry } from "./record.ts";
import { chainedHash, readEntry } from "./text/entry-text.ts";
import { type Problem, problem } from "./verdict.ts";

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
