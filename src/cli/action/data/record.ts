// `data record`: what a configuration's feeds say, and what its venue quotes, written down for later backtests. The venue's
// quotes are bought with slots of the key like everybody's; nothing here can order. At its end the tables become columns
// with manifests; after a crash the tables themselves can be read.

import { randomInt } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FORMATS } from "../../../../backtest/data/format/formats.ts";
import { importData } from "../../../../backtest/data/import-data.ts";
import { type RecordedTable, Recorder } from "../../../../backtest/data/recorder.ts";
import type { Config } from "../../../config/schema.ts";
import { createFolder } from "../../../disk/create-folder.ts";
import { printable } from "../../../domain/outside-text.ts";
import type { Quote } from "../../../domain/quote.ts";
import { createRandom } from "../../../domain/random.ts";
import { thrownText } from "../../../domain/thrown-text.ts";
import { isFull } from "../../../journal/file/sqlite-failure.ts";
import { type Closing, createClosing } from "../../bot/closing.ts";
import { recordOpener } from "../../bot/open-record.ts";
import { referencesOf } from "../../bot/price/references.ts";
import { CommandFailure, orFail } from "../../command-failure.ts";
import { botConfig } from "../../config/bot-config.ts";
import { venueAddress } from "../../config/venue-address.ts";
import { countsText } from "../../data/data-refusal.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { openExchange } from "../../key/open-exchange.ts";
import type { Shell } from "../../shell.ts";
import { systemTimers } from "../../system/system-timers.ts";
import type { Column } from "../../terminal/table.ts";

export type RecordFlags = {
  readonly out: string;
  readonly duration?: number;
  readonly every: number;
  readonly venue: boolean;
  readonly json?: true;
};

const FLUSH_MS = 1_000;
/** Where nothing is asked. */
const NOWHERE = new URL("http://127.0.0.1/");
const COLUMNS: readonly Column[] = [
  { title: "source" },
  { title: "pair" },
  { title: "rows", align: "right" },
  { title: "left out" },
  { title: "file" },
];

export async function record(shell: Shell, flags: RecordFlags): Promise<ExitCode> {
  const stop = shell.stopSignal();
  const config = botConfig(shell);
  orFail(createFolder(flags.out));
  requireEmpty(flags.out);
  const closing = createClosing();
  const recorder = new Recorder(flags.out, (text) => shell.terminal.note(text));
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

/** In words of a recording, which the same command does not go on with. */
function endedBy(error: unknown, out: string): unknown {
  if (isFull(error))
    return new CommandFailure(
      exitCode.failed,
      `${thrownText(error)}: the recording ends, and what was on disk of it stays in ${out}, in whole rows`,
      "free some disk space and record into another folder",
    );
  if (error instanceof Error && "code" in error && error.code === "EEXIST")
    return new CommandFailure(
      exitCode.usage,
      `another recording has begun in ${out} meanwhile: nothing is overwritten`,
      "name another folder with --out",
    );
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
  // What a subscriber throws would be nobody's.
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
  // Before the first price comes: a person may have to open the key, and nobody would hear what is broken meanwhile.
  const connection = venue ? await openExchange(shell, config, { isPatient: true }) : undefined;
  if (connection !== undefined) closing.add(() => connection.close());
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
  if (connection === undefined) return Promise.race([flushing, broken]);
  const begun = clock.monotonic();
  const asked = { readings: 0, failed: 0 };
  const tell = toldOnce((reason) => note("venue", reason));
  const asking = repeated(every, ended, async () => {
    const reading = await connection.exchange.quotes({ class: "quote" });
    if (reading.kind === "read") {
      asked.readings += 1;
      tell(undefined);
      for (const quote of reading.value) take(quote);
    } else if (reading.kind === "failed") {
      asked.failed += 1;
      tell(`${reading.failure.code}: ${reading.failure.message}`);
    }
  });
  await Promise.race([Promise.all([flushing, asking]), broken]);
  const few = fewReadings(asked, clock.monotonic() - begun, every);
  if (few !== undefined) terminal.note(few);
}

/** A venue that is away for a night is one line and not one a second; as of feeds, another reason is told once it came twice in a row. */
export function toldOnce(tell: (reason: string | undefined) => void): (reason: string | undefined) => void {
  let told: string | undefined;
  let last: string | undefined;
  return (reason) => {
    const isNews = reason === undefined || told === undefined || reason === last;
    last = reason;
    if (!isNews || reason === told) return;
    told = reason;
    tell(reason);
  };
}

type Asked = { readonly readings: number; readonly failed: number };

/** Half of what was asked for is what a slow venue may cost; less is somebody else's gain, or failures that were told. */
export function fewReadings({ readings, failed }: Asked, tookMs: number, everyMs: number): string | undefined {
  const wanted = Math.floor(tookMs / everyMs);
  if (wanted < 4 || readings * 2 >= wanted) return undefined;
  const rate = readings === 0 ? "none came" : `one in ${(tookMs / readings / 1_000).toFixed(1)} s`;
  const why =
    (readings + failed) * 2 >= wanted
      ? `${failed} failed, as told above`
      : "each needs a second of the key, and orders and looks of a bot that runs beside it go first; record with a key of its own, or ask for fewer";
  return (
    `venue: ${readings} readings in ${Math.round(tookMs / 1_000)} s, ${rate}, where --every asked for one in ` +
    `${everyMs / 1_000} s (${wanted}): ${why}`
  );
}

/** Again and again with a pause after each, until it is over. */
async function repeated(pauseMs: number, ended: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!ended.aborted) {
    await work();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        ended.removeEventListener("abort", done);
        resolve();
      };
      const cancel = systemTimers.after(pauseMs, done);
      ended.addEventListener("abort", done);
      if (ended.aborted) done();
    });
  }
}

function requireEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new CommandFailure(exitCode.usage, `--out ${folder} must be a new or an empty folder: nothing is overwritten`);
}

async function finish(shell: Shell, { out, json }: RecordFlags, tables: readonly RecordedTable[]): Promise<ExitCode> {
  const { terminal } = shell;
  const kept: (RecordedTable & { readonly file: string | undefined })[] = [];
  for (const each of tables) kept.push({ ...each, file: each.rows > 0 ? await asColumns(shell, each) : undefined });
  const isKept = kept.some(({ file }) => file !== undefined);
  // Of nothing the table still says what was left out; the one value of --json is why there is none.
  if (json && isKept)
    terminal.json(kept.map(({ file, source, symbol, rows, leftOut }) => ({ file, source, symbol, rows, leftOut })));
  else {
    const cells = kept.map(({ file, source, symbol, rows, leftOut }) => [
      ...[source, symbol, String(rows), countsText(leftOut)],
      file ?? "none",
    ]);
    terminal.table(COLUMNS, cells);
  }
  if (isKept) return exitCode.done;
  throw new CommandFailure(exitCode.failed, `nothing was heard that can be kept, and ${join(out, "")} stays empty`);
}

/** The table is removed once its columns are whole and on disk. */
async function asColumns(shell: Shell, { path, source, symbol, leftOut }: RecordedTable): Promise<string> {
  const file = path.replace(/\.csv$/, ".columns");
  const provenance = {
    origin: `recorded by pegbot from ${source}`,
    licence: "not stated",
    at: shell.clock.now(),
  };
  const result = await importData({ path, format: FORMATS.csv, declared: { symbol }, leftOut }, file, provenance);
  if (!result.ok) {
    shell.terminal.note(`${path} stays a table: ${printable(JSON.stringify(result.error), 400)}`);
    return path;
  }
  rmSync(path);
  return file;
}
