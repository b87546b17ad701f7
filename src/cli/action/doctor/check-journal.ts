// What a bot would make of the journal that is there: it does not start where that is another key's or host's or
// counts in another currency than the limits, and where the time of the newest steps is ahead of this machine's clock it orders nothing until that has come.

import { timeAhead } from "../../../bot/inbox/time-ahead.ts";
import type { Config } from "../../../config/schema.ts";
import { type Millis, millis } from "../../../domain/time.ts";
import type { JournalReader } from "../../../journal/journal-reader.ts";
import { belongsToAnother } from "../../../journal/open-journal.ts";
import type { JournalRecord } from "../../../journal/record.ts";
import { otherHost } from "../../bot/live-conditions.ts";
import { type KeyJournal, refusalOf } from "../../journal/journal-binding.ts";
import { inOtherCurrency, peekJournal } from "../../journal/peek-journal.ts";
import type { Finding } from "./finding.ts";

const check = "journal";

/** Among so many there is a step of any bot that runs: books keep the time of their newest. */
const LOOKED_AT = 500;

export function checkCurrency(path: string, currency: string): readonly Finding[] {
  const other = inOtherCurrency(path, currency);
  return other === undefined ? [] : [{ check, verdict: "problem", ...other }];
}

/** `whose`: the key that the configuration names, and where it is used. */
export function checkOwner(path: string, whose: { environment: string; account: string }): readonly Finding[] {
  const other = peekJournal(path, ({ opening }) => belongsToAnother(opening, whose));
  return other === undefined
    ? []
    : [
        {
          check,
          verdict: "problem",
          cause: `journal ${path}: ${other.cause}: no bot starts with it`,
          next: other.next,
        },
      ];
}

/** Beside the key's own journal a bot would trade with limits and doubts that nobody counts. */
export async function checkBound(key: KeyJournal, path: string): Promise<readonly Finding[]> {
  const chainId = peekJournal(path, ({ opening }) => opening.chainId);
  const refusal = await refusalOf(key, path, chainId);
  if (refusal === undefined) return [];
  const { message: cause, next = "name the key's own in journal.path" } = refusal;
  return [{ check, verdict: "problem", cause, next }];
}

/** Another host is asked about nothing of this journal. */
export function checkHost(config: Config): readonly Finding[] {
  const other = otherHost(config);
  return other === undefined ? [] : [{ check, verdict: "problem", ...other }];
}

export function checkJournalTime(path: string, now: Millis): readonly Finding[] {
  const newest = peekJournal(path, newestStep);
  const cause = newest === undefined ? undefined : timeAhead(newest, now);
  if (cause === undefined) return [];
  return [{ check, verdict: "warning", cause, next: "see there; nothing is lost meanwhile" }];
}

/** What is in a journal only after the venue has answered a signed request as one of its key. */
const TAKEN: ReadonlySet<JournalRecord["kind"]> = new Set(["adoption", "fenced", "evidence", "settled"]);

/** When the venue last took the key, as far as these show it. */
export function lastTaken(records: Iterable<JournalRecord>): Millis | undefined {
  let last: Millis | undefined;
  for (const record of records)
    if (TAKEN.has(record.kind) && record.at !== undefined && (last === undefined || record.at > last)) last = record.at;
  return last;
}

/** By the newest records of this key's journal. */
export function keyTakenAt(path: string, whose: { environment: string; account: string }): Millis | undefined {
  return peekJournal(path, (reader) => {
    if (belongsToAnother(reader.opening, whose) !== undefined) return undefined;
    return lastTaken(newest(reader));
  });
}

function* newest(reader: JournalReader): Generator<JournalRecord> {
  for (const read of reader.after(Math.max(0, reader.head().sequence - LOOKED_AT))) {
    if (!read.ok) return;
    yield read.value.entry.record;
  }
}

function newestStep(reader: JournalReader): Millis | undefined {
  let newest = Number.NEGATIVE_INFINITY;
  for (const read of reader.after(Math.max(0, reader.head().sequence - LOOKED_AT))) {
    if (!read.ok) return undefined;
    const { record } = read.value.entry;
    if (record.kind === "step" || record.kind === "control") newest = Math.max(newest, record.at);
  }
  return millis(newest);
}
