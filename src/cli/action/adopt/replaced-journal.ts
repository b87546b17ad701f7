// The journal that the key has so far, where `adopt` would put another in its place: how it stands and what only it knows. Its
// stop goes with the key, so that nobody takes a person's stop off the bot by naming another file.

import { isSameFile } from "../../../app/journal/journal-binding.ts";
import { isJournalThere } from "../../../app/journal/journal-there.ts";
import { readingFile } from "../../../app/journal/open-reader.ts";
import { openKillFile } from "../../../app/kill-switch/kill-file.ts";
import type { Shell } from "../../../app/shell.ts";
import type { Config } from "../../../config/schema.ts";
import { printable } from "../../../domain/outside-text.ts";
import { err } from "../../../domain/result.ts";
import { thrownText } from "../../../domain/thrown-text.ts";
import { utcText } from "../../../domain/time-text.ts";
import type { JournalBinding } from "../../../exchange/budget/ledger-store.ts";
import { FRESH, joined, type Standing, stopsOf } from "../../../risk/standing.ts";
import { openIds, type Status } from "../../../watch/status.ts";
import { seenStatus } from "../status.ts";

export type ReplacedJournal = JournalBinding & {
  readonly standing: Standing;
  /** How far it goes, or why that cannot be told. */
  readonly extent: string;
  /** Submissions, plans and payments that are not done. */
  readonly open: readonly string[];
};

export function lookAtReplaced(shell: Shell, config: Config, known: JournalBinding): ReplacedJournal {
  // At the same path lies this one now; the kill file there is the one that it has anyway.
  if (isSameFile(known.path, config.journal.path)) return { ...known, ...GONE, standing: FRESH };
  try {
    if (!isJournalThere(known.path)) return { ...known, ...GONE, standing: stoppedAt(known) };
    const { standing, journal, recordedAt, damage, ...report } = readAt(shell, config, known.path);
    const last = recordedAt === undefined ? "" : `, the last of ${utcText(recordedAt)}`;
    const harm = damage === undefined ? "" : `; ${damage.message}`;
    return { ...known, standing, extent: `${journal.records ?? "?"} records${last}${harm}`, open: openIds(report) };
  } catch (error) {
    // Whatever is wrong with it, a disk that fails too: that is often why another takes its place.
    return { ...known, extent: `cannot be read: ${thrownText(error)}`, open: [], standing: stoppedAt(known) };
  }
}

const GONE = { extent: "it is gone", open: [] } as const;

/** As `status` there would say it; who uses the key was looked at before. */
function readAt(shell: Shell, config: Config, path: string): Status {
  const there = { ...config, journal: { ...config.journal, path } };
  return readingFile(path, () => seenStatus(shell, there, { asked: err("not asked"), told: undefined }));
}

/** A journal that is gone may have left its kill file behind. */
function stoppedAt({ path }: JournalBinding): Standing {
  return openKillFile(path).standing();
}

/** With what came while a person was asked: somebody may have stopped it meanwhile. */
export function stopNow(config: Config, replaced: ReplacedJournal): Standing {
  const { path, standing } = replaced;
  return isSameFile(path, config.journal.path) ? standing : joined(standing, stoppedAt(replaced));
}

export function replacedLines({ path, chainId, extent, open, standing }: ReplacedJournal): readonly string[] {
  const stops = stopsOf(standing).map(
    ({ state, since, by, reason }) =>
      `  ${state} since ${utcText(since)}, by ${printable(by)}: ${printable(reason)}; it goes with the key`,
  );
  return [
    `replaces ${path}, chain ${chainId}, the journal of this key so far: ${extent}`,
    ...stops,
    ...(open.length === 0
      ? []
      : [`  open in it: ${open.join(", ")}; what this one does not know of that, nobody looks for any more`]),
    "  what only it knows counts no more: records, figures of the day and from the peak, doubts, plans, the strategy's state",
  ];
}

export function plainReplaced({ path, chainId, extent, open, standing: { state, reason } }: ReplacedJournal): object {
  return { path, chainId, extent, state, reason, open };
}
