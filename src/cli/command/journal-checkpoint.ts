// `journal checkpoint`: makes a new checkpoint for a journal that a bot may be writing to. A start makes one
// automatically; this command is for a bot that runs for weeks, so that `status` need not read all of its records. It
// changes nothing in the journal.

import type { Command } from "commander";
import { checkpointKeeper, findCheckpoint, INTENTS } from "../../app/bot/checkpoints.ts";
import { coreOf } from "../../app/bot/core-of.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { withReader } from "../../app/journal/open-reader.ts";
import { newInstance } from "../../app/key/join-budget.ts";
import type { Run, Shell } from "../../app/shell.ts";
import type { MakeTradingCore } from "../../bot/journaled-core/checkpoint.ts";
import { type Checkpoints, restoreFrom } from "../../bot/journaled-core/restore.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import { createTradingCore } from "../../bot/trading-core/create-trading-core.ts";
import type { Config } from "../../config/schema.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Head, Journal, JournalError } from "../../journal/journal.ts";
import type { JournalReader, StoredEntry } from "../../journal/journal-reader.ts";
import type { Entry } from "../../journal/record.ts";
import { chainedHash, GENESIS } from "../../journal/text/entry-text.ts";

export function defineCheckpoint(command: Command, run: Run): void {
  command.action(() => run(checkpointJournal));
}

type CheckpointOptions = {
  /** The number of intents since the last checkpoint from which a new one is made. */
  readonly intents?: number;
  /** For tests: a trading core that keeps fewer orders. */
  readonly make?: MakeTradingCore;
};

export function checkpointJournal(shell: Shell, options: CheckpointOptions = {}): ExitCode {
  const config = botConfig(shell);
  const { intents = INTENTS, make = tradingCoreOf(config) } = options;
  const { path } = config.journal;
  return withReader(shell, (reader) => {
    const { terminal } = shell;
    const said: string[] = [];
    const say = (text: string): void => {
      said.push(text);
      terminal.print(text);
    };
    /** The record at which reading begins from now on; undefined without a new checkpoint. */
    let record: number | undefined;
    let failure: string | undefined;
    const done = (): ExitCode => {
      if (terminal.wantsJson) terminal.json({ path, record: record ?? null, said });
      return exitCode.done;
    };
    const belonging = { path, config, opening: reader.opening };
    const keeper = checkpointKeeper(belonging);
    const keep: Checkpoints["keep"] = (checkpoint) => {
      const kept = keeper(checkpoint);
      if (!kept.ok) {
        failure = kept.error;
        return;
      }
      record = checkpoint.base.sequence;
      say(kept.value);
    };
    const found = findCheckpoint({ ...belonging, hashAt: (sequence) => reader.hashAt(sequence) }, say);
    const from = reader.lastIntents(intents) ?? 0;
    if (from <= (found?.base.sequence ?? 0)) {
      say(`no checkpoint is made: ${intents} orders must have come since the last one`);
      return done();
    }
    const source = new ChainedReader(reader);
    const begin: Checkpoints["begin"] = (head) => {
      source.seen = head;
      return ok(undefined);
    };
    const restored = restoreFrom(make, source, { find: () => found, begin, due: () => ok(from), keep, say });
    if (!restored.ok) throw plainFailure(`journal ${path}: ${restored.error.message}`);
    if (failure !== undefined) throw plainFailure(failure, NEXT);
    return done();
  });
}

const NEXT =
  "the journal is as it was: see that its folder has space and takes new files, then start the same command again";

function tradingCoreOf(config: Config): MakeTradingCore {
  const makeCore = coreOf(config, newInstance());
  return (saved) => createTradingCore(makeCore(IDLE, saved), { safePointMs: Number.POSITIVE_INFINITY });
}

/** Checks that each record chains to the previous one. */
class ChainedReader implements Pick<Journal, "news" | "read"> {
  readonly #reader: JournalReader;
  seen: Head = { sequence: 0, hash: GENESIS };

  constructor(reader: JournalReader) {
    this.#reader = reader;
  }

  news(most: number = Number.MAX_SAFE_INTEGER): Result<readonly Entry[], JournalError> {
    return this.#entries(this.seen.sequence, most, ({ entry: { sequence, hash }, text }) => {
      if (sequence !== this.seen.sequence + 1 || chainedHash(this.seen.hash, text) !== hash) return false;
      this.seen = { sequence, hash };
      return true;
    });
  }

  read(after: number, most: number): Result<readonly Entry[], JournalError> {
    return this.#entries(after, most, () => true);
  }

  #entries(
    after: number,
    most: number,
    follows: (stored: StoredEntry) => boolean,
  ): Result<readonly Entry[], JournalError> {
    const entries: Entry[] = [];
    for (const read of this.#reader.after(after)) {
      if (!read.ok) return damaged(read.error);
      const { entry } = read.value;
      if (!follows(read.value))
        return damaged(`record ${entry.sequence} does not follow from the one before: run pegbot journal verify`);
      entries.push(entry);
      if (entries.length >= most) break;
    }
    return ok(entries);
  }
}

function damaged(message: string): Result<never, JournalError> {
  return err({ code: "journal-damaged", message });
}
