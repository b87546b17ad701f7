// Checks the files on disk: the trading state, disk space for the journal, whether a bot would start with it, and the
// key's ledger. Without a journal nothing is reported about it.

import { dirname } from "node:path";
import { otherHost } from "../../app/bot/live-conditions.ts";
import type { CommandFailure } from "../../app/command-failure.ts";
import { type Explanation, type Finding, fine, problem, warning } from "../../app/finding.ts";
import { refusalOf } from "../../app/journal/journal-binding.ts";
import { inOtherCurrency, peekJournal } from "../../app/journal/peek-journal.ts";
import { openKillFile } from "../../app/kill-switch/kill-file.ts";
import { standingIn } from "../../app/kill-switch/stop-journal.ts";
import { timeAhead } from "../../bot/inbox/venue-clock.ts";
import type { Config } from "../../config/schema.ts";
import { freeBytes } from "../../disk/free-bytes.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { timeText } from "../../domain/time-text.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import { reserveOf, sizeOf } from "../../journal/file/files.ts";
import { RESERVE_BYTES } from "../../journal/file/reserve.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import { belongsToAnother } from "../../journal/open-journal.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { joined, stopsOf } from "../../risk/trading-state.ts";

export function checkBot(path: string): readonly Finding[] {
  const standing = peekJournal(path, (reader) => joined(openKillFile(path).standing(), standingIn(reader)));
  if (standing === undefined || standing.state === "ACTIVE") return [];
  const more = stopsOf(standing).length - 1;
  const others = more === 0 ? "" : `; and ${more} more`;
  const found = standing.state === "REDUCED" ? warning : problem;
  return [
    found("bot", `${standing.state}: ${standing.reason}${others} (pegbot status)`, `way out: ${standing.wayOut}`),
  ];
}

/** The reserve is already allocated; once it is spent, the same amount must be free before the bot decides again. */
export function checkRoom(path: string, free: (folder: string) => number | undefined = freeBytes): readonly Finding[] {
  const left = sizeOf(path) === undefined ? undefined : free(dirname(path));
  if (left === undefined || left >= RESERVE_BYTES) return [];
  const isKept = sizeOf(reserveOf(path)) !== undefined;
  const after = isKept ? "beside its reserve" : "its reserve is spent, and no bot decides or starts without one";
  const [has, needs] = [left, RESERVE_BYTES].map((bytes) => Math.floor(bytes / 2 ** 20));
  const cause = `the disk of journal ${path} has ${has} MiB left, less than ${needs} MiB; ${after}`;
  return [(isKept ? warning : problem)("disk", cause, "free some disk space there")];
}

/** Among this many records there is a step of any running bot, which gives the time of the books. */
const LOOKED_AT = 500;

function ofJournal(trouble: Explanation | undefined): readonly Finding[] {
  return trouble === undefined ? [] : [problem("journal", trouble.cause, trouble.next)];
}

export function checkCurrency(path: string, currency: string): readonly Finding[] {
  return ofJournal(inOtherCurrency(path, currency));
}

type Whose = { readonly environment: string; readonly account: string };

/** `whose`: the configured key and its environment. */
export function checkOwner(path: string, whose: Whose): readonly Finding[] {
  const other = peekJournal(path, ({ opening }) => belongsToAnother(opening, whose));
  return ofJournal(other && { ...other, cause: `journal ${path}: ${other.cause}: no bot starts with it` });
}

/**
 * With a journal other than the key's own, a bot would trade without the limits and doubts that the other one counts.
 */
export async function checkBound(key: Parameters<typeof refusalOf>[0], path: string): Promise<readonly Finding[]> {
  const chainId = peekJournal(path, ({ opening }) => opening.chainId);
  const refusal = await refusalOf(key, path, chainId);
  const { message: cause, next = "name the key's own in journal.path" } = refusal ?? {};
  return ofJournal(cause === undefined ? undefined : { cause, next });
}

/** A journal is bound to its venue's host: another host knows nothing of its requests. */
export function checkHost(config: Config): readonly Finding[] {
  return ofJournal(otherHost(config));
}

/** If the newest steps are ahead of this machine's clock, a bot orders nothing until their time has come. */
export function checkJournalTime(path: string, now: Millis): readonly Finding[] {
  const steps = peekJournal(path, (reader) =>
    newest(reader).filter(({ kind }) => kind === "step" || kind === "control"),
  );
  if (steps === undefined || steps.length === 0) return [];
  const cause = timeAhead(millis(Math.max(...steps.map(({ at }) => at))), now);
  return cause === undefined ? [] : [warning("journal", cause, "see there; nothing is lost meanwhile")];
}

/** Records that exist only after the venue accepted a signed request of the key. */
const TAKEN: ReadonlySet<JournalRecord["kind"]> = new Set(["adoption", "fenced", "evidence", "settled"]);

/** When the venue last accepted the key, according to these records. */
export function lastTaken(records: readonly JournalRecord[]): Millis | undefined {
  const times = records.flatMap(({ kind, at }) => (TAKEN.has(kind) && at !== undefined ? [at] : []));
  return times.length === 0 ? undefined : millis(Math.max(...times));
}

/** From the newest records of this key's journal. */
export function keyTakenAt(path: string, whose: Whose): Millis | undefined {
  return peekJournal(path, (reader) =>
    belongsToAnother(reader.opening, whose) === undefined ? lastTaken(newest(reader)) : undefined,
  );
}

/** Up to the first unreadable record. */
function newest(reader: JournalReader): readonly JournalRecord[] {
  const records: JournalRecord[] = [];
  for (const read of reader.after(Math.max(0, reader.head().sequence - LOOKED_AT))) {
    if (!read.ok) break;
    records.push(read.value.entry.record);
  }
  return records;
}

/** Longer than any request takes. */
const HELD_MS_MAX = 30_000;
const NONCE_AHEAD_MS_MAX = 2_000;
const COMPLAINT_MS_MAX = 600_000;

export function checkLedger(status: LedgerStatus, now: Millis): Finding {
  const told = facts(status, now).join("; ");
  const trouble = troubleOf(status, now);
  return trouble === undefined ? fine("ledger", told) : warning("ledger", `${trouble.cause}; ${told}`, trouble.next);
}

export function brokenLedger({ message, next }: CommandFailure): Finding {
  const keep = "see docs/BUDGET.md, and never delete the ledger of a key that is in use: it keeps the last nonce";
  return problem("ledger", message, next ?? keep);
}

function facts(status: LedgerStatus, now: Millis): string[] {
  const { holder, paused, bot, members, waiting, spacingMs, lastNonce } = status;
  const others = Math.max(0, members.length - 1);
  return [
    holder === undefined
      ? `the slot ${paused === undefined ? "is free" : `opens at ${timeText(paused.until)}`}`
      : `process ${holder.pid} has the slot since ${new Date(holder.since).toISOString()} for ${holder.what}`,
    ...(waiting.length === 0
      ? []
      : [`waiting: ${waiting.map((bid) => `process ${bid.pid ?? "unknown"} (${bid.class})`).join(", ")}`]),
    bot === undefined ? "no bot runs" : `bot is process ${bot.pid} in ${bot.folder}`,
    others === 1 ? "1 other program uses the key" : `${others} other programs use the key`,
    `${Math.round(spacingMs)} ms between requests`,
    lastNonce === undefined ? "no nonce was ever drawn" : `last nonce ${agoText(now - lastNonce)}`,
  ];
}

function agoText(ms: number): string {
  return ms >= 0 ? `${secondsText(ms)} ago` : `${secondsText(-ms)} ahead of this machine's clock`;
}

function secondsText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function troubleOf(status: LedgerStatus, now: Millis): Explanation | undefined {
  const { holder, lastNonce, rateLimitedMsAgo } = status;
  if (status.doubtsOnly)
    return {
      cause: "after a storm of rate-limit answers only orders in doubt may ask",
      next: "find who else uses the key, outside this user and machine; then wait a few minutes",
    };
  if (holder !== undefined && now - holder.since > HELD_MS_MAX)
    return {
      cause: `process ${holder.pid} has held the slot for ${secondsText(now - holder.since)}`,
      next: "its lease runs out by itself; see what that process does",
    };
  if (lastNonce !== undefined && lastNonce - now > NONCE_AHEAD_MS_MAX)
    return {
      cause: "the last nonce is ahead of this machine's clock",
      next: "correct the clock; if it is right, the key is usable again once that time has come",
    };
  const latest = rateLimitedMsAgo.at(-1);
  if (latest === undefined || latest >= COMPLAINT_MS_MAX) return undefined;
  return {
    cause: `the venue complained of the pace ${agoText(latest)}`,
    next: "another program uses the key on another machine or under another user: give it a key of its own",
  };
}
