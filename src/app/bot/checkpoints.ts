// Checkpoints of a journal on disk: beside it, made by a start that had much to read, and used by whoever reads it next with the
// very same code. What is wrong with one is said, and everything is read as if there were none.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Belongs, type Checkpoint, checkpointText, readCheckpoint } from "../../bot/journaled-core/checkpoint.ts";
import type { Checkpoints } from "../../bot/journaled-core/restore.ts";
import type { Config } from "../../config/schema.ts";
import { removeLeftovers } from "../../disk/fresh-file.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { readCheckpointFile, writeCheckpointFile } from "../../journal/file/checkpoint-file.ts";
import { checkpointOf } from "../../journal/file/files.ts";
import type { Opening } from "../../journal/record.ts";
import type { Books } from "../compose.ts";
import { limitsOf } from "./core-of.ts";

/** So many records take some seconds: fewer are read again each time. */
const WORTH = 200_000;
/** 10,000 orders have to have ended after it: these are more, because some are open, and some are mints. */
export const INTENTS = 12_000;

export type CheckpointPlace = Pick<Books, "journal" | "path"> & { readonly config: Config };

type Say = (text: string) => void;

/** For a start: it makes another one where it had to read much. */
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

/** Says what came of it. Made before anything is read: the code is what it was when the process began. What one that was killed had half written goes. */
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

/** For a command: it uses a checkpoint that is there, and makes none. */
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

/** What fails here costs time and nothing else. */
function attempt<T>(work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (error) {
    return err(errorMessage(error));
  }
}

// Which code folds a journal: a digest of its own files, because a checkout may differ from its commit. What was kept by other code
// is not used.

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** The rooms that books, orders and plans are folded in. */
const ROOMS = ["bot", "domain", "exchange", "execution", "journal", "market", "risk", "strategy", "treasury"];

let known: string | undefined;

/** To be called first soon after the start: files may be exchanged under a process that runs. */
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
