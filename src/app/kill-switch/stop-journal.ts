// The journal of a bot as `halt`, `resume` and `status` need it: only the state, folded from whatever changed it. No engine,
// no key, no venue, so that a stop is seen and lifted even where nothing else works.

import { randomUUID } from "node:crypto";
import { pause } from "../../domain/pause.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { Clock, Timers } from "../../domain/time.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { BRIEFLY } from "../../journal/file/inspect.ts";
import type { Head, JournalError } from "../../journal/journal.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { Entry, Opening } from "../../journal/record.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { FRESH, type TradingState, transition } from "../../risk/trading-state.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../command-failure.ts";
import { isJournalThere } from "../journal/journal-there.ts";
import { problemLine, readable, readingFile } from "../journal/open-reader.ts";
import { newInstance } from "../key/join-budget.ts";
import type { Shell } from "../shell.ts";
import { machineClock } from "../system/system-clock.ts";
import { machineTimers, systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";

export class StandingFold {
  standing: TradingState;

  constructor(standing: TradingState = FRESH) {
    this.standing = standing;
  }

  take({ record }: Pick<Entry, "record">): void {
    if (record.kind === "control") this.standing = transition(this.standing, record.control, record.at);
    if (record.kind !== "step") return;
    const { event, commands, at } = record.step;
    if (event.kind === "control") this.standing = transition(this.standing, event.control, at);
    for (const command of commands)
      if (command.kind === "state") this.standing = transition(this.standing, command, at);
  }
}

/** The state by a journal that is only read. */
export function standingIn(reader: JournalReader): TradingState {
  const fold = new StandingFold();
  for (const read of reader.telling(0)) fold.take(readable(read).entry);
  return fold.standing;
}

/** Whose journal lies there; a failure when there is none, because then it is the wrong folder. */
export function requireOpening(path: string): { readonly opening: Opening } {
  if (!isJournalThere(path)) throw noJournal(path);
  return readingFile(path, () => {
    const opened = JournalReader.open(path);
    if (!opened.ok) throw plainFailure(problemLine(path, opened.error), WAY_OUT[opened.error.kind]);
    const { opening } = opened.value;
    opened.value.close();
    return { opening };
  });
}

/** Where its anchor still lies there was one, and whoever runs with it does not end because its name is gone. */
function noJournal(path: string): CommandFailure {
  const anchor = anchorOf(path);
  if (isJournalThere(anchor))
    return usageFailure(
      `the journal ${path} is gone, and ${anchor} is there: it was moved or deleted, and a bot may still run with it`,
      "end that bot (not by SIGKILL) and bring the journal back",
    );
  return usageFailure(
    `there is no journal at ${path}, so no bot of this configuration`,
    "name the bot's own configuration with --config, or run this in the folder it was started in",
  );
}

/** For writing, as what it is: whoever it belongs to, it is the one that lies there. Verified is what a start verifies. */
export function openAsItIs(
  { clock }: Pick<Shell, "clock">,
  path: string,
  { environment, account }: Opening,
): SqliteJournal {
  const opened = openJournal({
    path,
    environment,
    account,
    writer: newInstance(),
    codeVersion: versionText(),
    absent: "refuse",
    newChainId: randomUUID,
    machine: journalTime(clock),
    settings: BRIEFLY,
  });
  if (!opened.ok) throw plainFailure(opened.error.message);
  return opened.value;
}

/** One of these is in the text of whatever the fold above takes: a control, of whomever, or a state that an engine came to. */
export const STANDING_WORDS: readonly string[] = ['"kind":"control"', '"kind":"state","state":'];

/** A bot whose API asks continues between two stretches. */
const STRETCH = 5_000;

/** Takes what has one of the words in its text, of records after this one: a journal of weeks has few such among a million. */
export async function searchOn(
  journal: Pick<SqliteJournal, "head" | "search">,
  words: readonly string[],
  from: number,
  take: (entry: Entry) => void,
): Promise<Result<Head, JournalError>> {
  const head = journal.head();
  if (!head.ok) return head;
  const last = head.value.sequence;
  for (let after = from; after < last; after += STRETCH) {
    const found = journal.search(words, after, Math.min(after + STRETCH, last));
    if (!found.ok) return found;
    for (const entry of found.value) take(entry);
    await pause(systemTimers, 0);
  }
  return head;
}

/** The state of everything that is there; afterwards only younger records are news. `also` takes what has other words too. */
export async function foldedSoFar(
  journal: SqliteJournal,
  words: readonly string[] = [],
  also: (entry: Entry) => void = () => {},
): Promise<Result<StandingFold, JournalError>> {
  const fold = new StandingFold();
  const head = await searchOn(journal, [...STANDING_WORDS, ...words], 0, (entry) => {
    fold.take(entry);
    also(entry);
  });
  if (!head.ok) return head;
  const caught = journal.caughtUp(head.value);
  return caught.ok ? ok(fold) : caught;
}

// The time of a journal: its records are of the clock that the process lives by, but it waits for other processes by the machine's
// own. Disks and whoever holds a lock are no faster where a test lets our clock run fast.

export function journalTime({ now }: Pick<Clock, "now">): { readonly clock: Clock; readonly timers: Timers } {
  return { clock: { now, monotonic: machineClock.monotonic }, timers: machineTimers };
}
