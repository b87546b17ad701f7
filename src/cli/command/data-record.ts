// `data record`: records the configured feeds and the venue's quotes for later backtests. Next to a bot it takes what the
// bot reads; alone it uses slots of the key, and nothing here can order. At the end the tables become columns with manifests; after a crash the tables
// remain readable.

import { randomInt } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { importData } from "../../../backtest/data/import-data.ts";
import { type RecordedTable, Recorder } from "../../../backtest/data/recorder.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { venueAddress } from "../../app/config/venue-address.ts";
import { countsText } from "../../app/data/data-file.ts";
import { recordOpener } from "../../app/data/open-record.ts";
import { referencesOf } from "../../app/feeds/references.ts";
import { openExchange } from "../../app/key/open-exchange.ts";
import { askedOwner } from "../../app/owner/ask-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Closing, createClosing } from "../../app/system/closing.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import type { Config } from "../../config/schema.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { VENUE } from "../../domain/coin.ts";
import { orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { pauseOrStop } from "../../domain/pause.ts";
import type { Quote } from "../../domain/quote.ts";
import { createRandom } from "../../domain/random.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import { isFull } from "../../journal/file/sqlite-failure.ts";
import { quotes as operation } from "../../operation/quotes.ts";
import { columns } from "../columns.ts";
import { duration, runDuration } from "../option/values.ts";

export function defineRecord(command: Command, run: Run): void {
  command
    .requiredOption("--out <folder>", "a new or empty folder; one folder in it per source, one file per pair")
    .option("--duration <time>", "end after this long, for example 8h; otherwise with Ctrl-C", runDuration)
    .option(
      "--every <time>",
      "pause between two readings of the venue's quotes; without a bot each costs a slot",
      duration,
      1_000,
    )
    .option("--no-venue", "reference feeds only: no key is opened and no slot is spent")
    .action((flags: RecordFlags) => run((shell) => record(shell, flags)));
}

type RecordFlags = {
  readonly out: string;
  readonly duration?: number;
  readonly every: number;
  readonly venue: boolean;
};

const FLUSH_MS = 1_000;
/** The base address if the venue is not asked. */
const NOWHERE = new URL("http://127.0.0.1/");
const COLUMNS = columns("source", "pair", ">rows", "left out", "file");

async function record(shell: Shell, flags: RecordFlags): Promise<ExitCode> {
  const stop = shell.stopSignal();
  const config = botConfig(shell);
  orFail(createFolder(flags.out));
  requireEmpty(flags.out);
  const closing = createClosing();
  const recorder = new Recorder(flags.out);
  const over = new AbortController();
  if (flags.duration !== undefined) closing.add(systemTimers.after(flags.duration, () => over.abort()));
  const ended = AbortSignal.any([stop, over.signal]);
  let failure: unknown;
  try {
    await watch(shell, config, { ...flags, recorder, ended, closing });
  } catch (error) {
    failure = error;
    over.abort();
  } finally {
    await closing.all();
  }
  try {
    const tables = recorder.close();
    if (failure !== undefined) throw failure;
    return await finish(shell, flags, tables);
  } catch (error) {
    throw endedBy(failure ?? error, flags.out);
  }
}

/** Rewords an error for a recording; the same command cannot continue one. */
function endedBy(error: unknown, out: string): unknown {
  if (isFull(error))
    return plainFailure(
      `${errorMessage(error)}: the recording ends, and what was on disk of it stays in ${out}, in whole rows`,
      "free some disk space and record into another folder",
    );
  if (error instanceof Error && "code" in error && error.code === "EEXIST")
    return usageFailure(`another recording has begun in ${out} meanwhile: nothing is overwritten`);
  return error;
}

type Watch = Pick<RecordFlags, "every" | "venue" | "out"> & {
  readonly recorder: Recorder;
  readonly ended: AbortSignal;
  readonly closing: Closing;
};

async function watch(
  shell: Shell,
  config: Config,
  { every, venue, out, recorder, ended, closing }: Watch,
): Promise<void> {
  const { clock, terminal } = shell;
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // Nothing would catch an error that a subscriber throws.
  const take = (quote: Quote): void => {
    try {
      recorder.take(quote);
    } catch (error) {
      reject(error);
    }
  };
  const note = (name: string, reason: string | undefined): void =>
    terminal.note(`${name}: ${reason === undefined ? "answers again" : printable(reason)}`);
  const isAlone = !venue && config.market.references.length > 0;
  const base = isAlone ? NOWHERE : venueAddress(config);
  // Opened before the first price: the key may need a passphrase, and errors of feeds would go unnoticed during the
  // prompt.
  const read = venue ? await venueReader(shell, config, closing) : undefined;
  const references = referencesOf(config, {
    base,
    clock,
    random: createRandom(randomInt(2 ** 47)),
    openRecord: recordOpener(shell),
    onTrouble: note,
  }).subscribe(take);
  closing.add(() => references.unsubscribe());
  terminal.note(`recording to ${out}; Ctrl-C ends it`);
  const flushing = repeated(FLUSH_MS, ended, () => Promise.resolve(recorder.flush()));
  if (read === undefined) return Promise.race([flushing, broken]);
  let isAway = false;
  const asking = repeated(every, ended, async () => {
    const found = await read();
    if (found === undefined) return;
    const isNow = typeof found === "string";
    // A long outage of the venue is noted once and not every second.
    if (isNow !== isAway) note("venue", isNow ? found : undefined);
    isAway = isNow;
    if (typeof found !== "string") for (const quote of found) take(quote);
  });
  await Promise.race([Promise.all([flushing, asking]), broken]);
}

/** Quotes, or why there are none; undefined if the budget refused to ask. */
type ReadQuotes = () => Promise<readonly Quote[] | string | undefined>;

/** Next to an owner of the key the quotes that it reads are taken; without one this process is the owner. */
async function venueReader(shell: Shell, config: Config, closing: Closing): Promise<ReadQuotes> {
  const heard = new Map<string, Millis>();
  const ofOwner = async (): Promise<readonly Quote[] | undefined> =>
    (await askedOwner<{ readonly quotes: readonly Quote[] }>(shell, operation, undefined))?.quotes.filter(
      ({ source, symbol, receivedAt }) => {
        const isNew = source === VENUE && heard.get(symbol) !== receivedAt;
        if (isNew) heard.set(symbol, receivedAt);
        return isNew;
      },
    );
  if ((await ofOwner()) !== undefined)
    return () => ofOwner().then((found) => found ?? "the owner of the key has ended", errorMessage);
  const connection = await openExchange(shell, config);
  closing.add(() => connection.close());
  return async () => {
    const reading = await connection.exchange.quotes({ class: "quote" });
    if (reading.kind === "read") return reading.value;
    return reading.kind === "failed" ? `${reading.failure.code}: ${reading.failure.message}` : undefined;
  };
}

/** Repeats with a pause after each run, until it is stopped. */
async function repeated(pauseMs: number, ended: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!ended.aborted) {
    await work();
    if (!ended.aborted) await pauseOrStop(systemTimers, pauseMs, ended);
  }
}

function requireEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw usageFailure(`--out ${folder} must be a new or an empty folder: nothing is overwritten`);
}

async function finish(shell: Shell, { out }: RecordFlags, tables: readonly RecordedTable[]): Promise<ExitCode> {
  const { terminal } = shell;
  const kept: (RecordedTable & { readonly file: string | undefined })[] = [];
  for (const each of tables) kept.push({ ...each, file: each.rows > 0 ? await asColumns(shell, each) : undefined });
  const isKept = kept.some(({ file }) => file !== undefined);
  // The table shows the rows left out even if nothing was recorded; with --json the one value is then the error.
  if (terminal.wantsJson && isKept)
    terminal.json(kept.map(({ file, source, symbol, rows, leftOut }) => ({ file, source, symbol, rows, leftOut })));
  else {
    const cells = kept.map(({ file, source, symbol, rows, leftOut }) => [
      ...[source, symbol, String(rows), countsText(leftOut)],
      file ?? "none",
    ]);
    terminal.table(COLUMNS, cells);
  }
  if (isKept) return exitCode.done;
  throw plainFailure(`no usable price arrived, and ${join(out, "")} stays empty`);
}

/** The table is removed after its columns are complete and on disk. */
async function asColumns(shell: Shell, { path, source, symbol, leftOut }: RecordedTable): Promise<string> {
  const file = path.replace(/\.csv$/, ".columns");
  const provenance = {
    origin: `recorded by pegbot from ${source}`,
    licence: "not stated",
    at: shell.clock.now(),
  };
  const result = await importData({ path, symbol, declared: {}, leftOut }, file, provenance);
  if (!result.ok) {
    shell.terminal.note(`${path} stays a table: ${printable(JSON.stringify(result.error), 400)}`);
    return path;
  }
  rmSync(path);
  return file;
}
