// Checkpoints of a journal, stored next to it. A start that had to read much makes one; the next reader uses it if it
// runs the very same code. A problem with a checkpoint is logged, and the whole journal is read instead.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Belongs, type Checkpoint, checkpointText, readCheckpoint } from "../../bot/journaled-core/checkpoint.ts";
import type { Checkpoints } from "../../bot/journaled-core/restore.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { removeLeftovers } from "../../disk/fresh-file.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { readCheckpointFile, writeCheckpointFile } from "../../journal/file/checkpoint-file.ts";
import { checkpointOf } from "../../journal/file/files.ts";
import type { Opening } from "../../journal/record.ts";
import type { Books } from "../compose.ts";

/** Reading this many records takes some seconds; for fewer no checkpoint is made. */
const WORTH = 200_000;
/**
 * At least 10,000 orders must have ended after the checkpoint; the number of intents is higher because some are open
 * and some are mints.
 */
export const INTENTS = 12_000;

export type CheckpointPlace = Pick<Books, "journal" | "path"> & { readonly config: Config };

type Say = (text: string) => void;

/** For a start: uses a checkpoint, and makes a new one if it had to read much. */
export function checkpointsOf(place: CheckpointPlace, say: Say): Checkpoints {
  const { journal, path, config } = place;
  const keep = checkpointKeeper({ path, config, opening: journal.opening });
  return {
    ...checkpointFound(place, say),
    keep(checkpoint) {
      const kept = keep(checkpoint);
      say(kept.ok ? kept.value : kept.error);
    },
    due(after) {
      const head = journal.head();
      if (!head.ok || head.value.sequence - after < WORTH) return head.ok ? ok(undefined) : head;
      const from = journal.lastIntents(INTENTS);
      return from.ok && (from.value ?? 0) <= after ? ok(undefined) : from;
    },
  };
}

/**
 * Returns a function that writes a checkpoint and reports the result. Called before anything is read, so that the code
 * digest is that of the process start. Removes the half-written checkpoint of a killed process.
 */
export function checkpointKeeper({
  path,
  config,
  opening,
}: Omit<Finding, "hashAt">): (checkpoint: Checkpoint) => Result<string> {
  attempt(() => removeLeftovers(checkpointOf(path)));
  const belongs = attempt(() => belongsTo(config, opening));
  return (checkpoint) => {
    const { base, proof } = checkpoint;
    const kept = belongs.ok
      ? attempt(() => writeCheckpointFile(path, checkpointText(checkpoint, belongs.value)))
      : belongs;
    return kept.ok
      ? ok(
          `a checkpoint at record ${base.sequence} of ${proof.sequence} is kept: status and the next start begin there`,
        )
      : err(`no checkpoint is kept: ${kept.error}`);
  };
}

/** For a command: uses an existing checkpoint and makes none. */
export function checkpointFound({ journal, path, config }: CheckpointPlace, say: Say): Checkpoints {
  const hashAt = (sequence: number): string | undefined => {
    const found = journal.read(sequence - 1, 1);
    return found.ok ? found.value.find((entry) => entry.sequence === sequence)?.hash : undefined;
  };
  return {
    find: () => findCheckpoint({ path, config, opening: journal.opening, hashAt }, say),
    begin: (head) => journal.caughtUp(head),
    due: () => ok(undefined),
    keep: () => {},
    say,
  };
}

type Finding = {
  readonly path: string;
  readonly config: Config;
  readonly opening: Opening;
  /** The hash of the journal's record with this number. */
  readonly hashAt: (sequence: number) => string | undefined;
};

export function findCheckpoint({ path, config, opening, hashAt }: Finding, say: Say): Checkpoint | undefined {
  const read = attempt(() => {
    const text = readCheckpointFile(path);
    return text?.ok ? readCheckpoint(text.value, belongsTo(config, opening), hashAt) : text;
  });
  const found = read.ok ? read.value : read;
  if (found === undefined) return undefined;
  if (found.ok) return found.value;
  say(`${checkpointOf(path)} is left alone, everything is read: ${found.error}`);
  return undefined;
}

function belongsTo(config: Config, { chainId }: Opening): Belongs {
  const { currency, feeBpsMax } = limitsOf(config);
  return { code: codeDigest(), terms: `${currency}, ${feeBpsMax}`, chainId };
}

/** A failure here costs only time. */
function attempt<T>(work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (error) {
    return err(errorMessage(error));
  }
}

// Identifies the code that folds a journal by a digest of its files, because a checkout may differ from its commit. A
// checkpoint made by other code is not used.

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
