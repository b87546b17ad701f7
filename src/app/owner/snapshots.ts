// The snapshot of a journal, stored next to it, and what a start says while it reads. A problem with a snapshot is
// logged, and the whole journal is read instead.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Belongs, type Records, type SnapshotParts, Snapshots } from "../../bot/snapshot.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import { readSnapshotFile, writeSnapshotFile } from "../../journal/file/snapshot-file.ts";
import type { Opening } from "../../journal/record.ts";
import type { Books } from "./open-books.ts";

export type SnapshotPlace = Pick<Books, "journal" | "path"> & { readonly config: Config };

type Say = (text: string) => void;

/** For an owner: begins at the snapshot, and writes the next. */
export function snapshotsOf({ journal, path, config }: SnapshotPlace, clock: Pick<Clock, "monotonic">, say: Say) {
  // Now, because files may be replaced while the process runs.
  codeDigest();
  const head = journal.head();
  return new Snapshots({
    ...snapshotIn({ path, config, opening: journal.opening, say }, journal),
    keep: (text) => writeSnapshotFile(path, text),
    progress: progressOf(head.ok ? head.value.sequence : 0, clock, say),
  });
}

type Place = { readonly path: string; readonly config: Config; readonly opening: Opening; readonly say: Say };

/** For a reader. */
export function snapshotIn({ path, config, opening, say }: Place, journal: Records): SnapshotParts {
  return { journal, find: () => readSnapshotFile(path), belongs: () => belongsTo(config, opening), say };
}

const SILENT_MS = 2_000;

/** Says nothing of a short read; then how much is read, and how long the rest takes, every two seconds. */
function progressOf(total: number, clock: Pick<Clock, "monotonic">, say: Say): (sequence: number) => void {
  let begun: { readonly at: number; readonly sequence: number } | undefined;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (sequence) => {
    const now = clock.monotonic();
    begun ??= { at: now, sequence };
    const { at, sequence: first } = begun;
    if (sequence >= total || sequence === first || now - Math.max(at, saidAt) < SILENT_MS) return;
    saidAt = now;
    const left = ((now - at) / (sequence - first)) * (total - sequence);
    say(`reading the journal: ${sequence} of ${total} records, about ${durationText(left)} left`);
  };
}

function belongsTo(config: Config, { chainId }: Opening): Belongs {
  const { currency, feeBpsMax } = limitsOf(config);
  return { code: codeDigest(), terms: `${currency}, ${feeBpsMax}`, chainId };
}

// Identifies the code that folds a journal by a digest of its files, because a checkout may differ from its commit. A
// snapshot made by other code is not used.

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** The rooms whose code folds accounts, orders and plans. */
const ROOMS = ["bot", "domain", "exchange", "execution", "journal", "market", "risk", "strategy", "treasury"];

let known: string | undefined;

/** First called soon after the start, because files may be replaced while the process runs. */
function codeDigest(): string {
  known ??= digestOf();
  return known;
}

function digestOf(): string {
  const digest = createHash("sha256").update(process.version);
  for (const room of ROOMS)
    for (const name of readdirSync(join(source, room), { recursive: true, encoding: "utf8" }).sort())
      if (/\.[jt]s$/.test(name)) digest.update(`\n${room}/${name}\n`).update(readFileSync(join(source, room, name)));
  return digest.digest("hex");
}
