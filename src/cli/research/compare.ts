// Compares a backtest with a journal: the actual trades of a bot in the same time.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import { fromJournal } from "../../../backtest/record/from-journal.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import type { Comparison } from "../../../backtest/report/chart/spec.ts";
import { isJournalThere } from "../../app/journal/journal-there.ts";
import { problemLine, readable, readingFile } from "../../app/journal/open-reader.ts";
import { paperPlace } from "../../app/paper/paper-place.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { type CommandFailure, usageFailure } from "../../domain/command-failure.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Step } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { isoText } from "../../domain/time-text.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { readHead, type StateHead } from "../../simulator/state-file.ts";
import type { Span } from "./plan.ts";

type Samples = RunRecord["samples"];

const RATE_DECIMALS = 9;
/** Shown with every comparison: the sign of a day can differ. */
const WORTH =
  "coins at the lower of par and the bid that decisions knew, by those of the backtest where both saw the same prices";
const UNSEEN = "the backtest's synthetic prices are not those that its bot saw";

export type JournalExtent = Span & {
  readonly traded: readonly PairSymbol[];
  /** Strategies with state, and program versions, that the journal names. */
  readonly strategies: readonly string[];
  readonly versions: readonly string[];
};

/** The time from the first to the last step, with the pairs ordered in it. */
export function extentOfJournal(path: string): JournalExtent {
  return reading(path, (reader) => {
    let from = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    const traded = new Set<PairSymbol>();
    const strategies = new Set<string>();
    const versions = new Set<string>();
    for (const record of recordsOf(reader)) {
      if (record.kind === "state") strategies.add(record.strategy);
      if (record.kind === "opening" || record.kind === "started") versions.add(record.codeVersion);
      if (record.kind !== "step") continue;
      const { at, decisions } = record.step;
      from = Math.min(from, at);
      last = Math.max(last, at);
      for (const { verdict } of decisions) if (verdict.kind === "approved") traded.add(verdict.intent.symbol);
    }
    if (last < from) throw usageFailure(`journal ${path} has no step of a bot`);
    return {
      ...{ from: millis(from), to: millis(last + 1) },
      ...{ traded: [...traded], strategies: [...strategies], versions: [...versions] },
    };
  });
}

/**
 * Seed and market of the simulator inside a paper bot, whose account lies next to the journal; a market of recorded
 * prices does not use them.
 */
export function accountBeside(path: string): StateHead | undefined {
  const { state, market } = paperPlace(path);
  const head = existsSync(market) ? undefined : readHead(state);
  return head?.ok ? head.value : undefined;
}

/** Checked before a long run and not after it. */
export function requireOverlap(path: string, journal: Span, { from, to }: Span): void {
  if (journal.from < to && from < journal.to) return;
  throw nothingIn(path, { from, to });
}

/** Whether the backtest's prices are those of the paper account whose journal it is, recorded ones, or others. */
export type ComparedMarket = "same" | "recorded" | "other";

type Beside = {
  readonly backtest: RunRecord;
  readonly pars: ReadonlyMap<PairSymbol, number>;
  readonly market: ComparedMarket;
  readonly extent: JournalExtent;
};

export function journalBeside(path: string, { backtest, pars, market, extent }: Beside): Comparison {
  // Drops the settings that do not apply to a journal; whether its bot's prices were recorded is unknown.
  const { source: _, traceHash: __, seed: ___, recordedPairs: ____, cautions: _____, ...settings } = backtest.settings;
  const name = printable(basename(path), 60);
  const [versions, strategies] = [extent.versions.join(", "), extent.strategies.join(", ")];
  return reading(path, (reader) => {
    const record = fromJournal(() => stepsOf(reader), {
      ...settings,
      title: `what the bot of ${name} did`,
      codeVersion: versions,
      // A strategy without state is in no record.
      strategy: strategies || "a strategy that it does not name",
      params: {},
      data: [`journal ${name} of version ${versions}`, WORTH, ...(market === "other" ? [UNSEEN] : [])].join("; "),
      assumptions: [],
      pars,
      otherRate: rateIn(backtest.samples),
      // Rates in decisions may be old: on the same market both runs are valued equally at the same time.
      isOtherFirst: (asset) => market === "same" && isRatedThroughout(backtest.samples, asset),
    });
    if (record.samples.length === 0) throw unvalued(path, record);
    return { label: name, figures: computeFigures(record), record };
  });
}

/** Switching between two sources of a rate would make the value jump; a backtest has no rate of what it does not hold. */
function isRatedThroughout({ assets }: Samples, asset: Asset): boolean {
  return assets.find((one) => one.asset === asset)?.rate.every((rate) => rate > 0) ?? false;
}

/** The backtest's rate at that time, or the first one after it. */
function rateIn({ time, assets }: Samples): (asset: Asset, at: Millis) => string | undefined {
  const rates = new Map(assets.map(({ asset, rate }) => [asset, rate]));
  let place = 0;
  return (asset, at) => {
    const rate = rates.get(asset);
    // Steps come in order.
    while (place + 1 < time.length && (time[place + 1] as number) <= at) place++;
    const known = rate?.[place] ?? Number.NaN;
    return known > 0 && known < Number.POSITIVE_INFINITY ? known.toFixed(RATE_DECIMALS) : undefined;
  };
}

/** Nothing in that time, or nothing that is worth anything. */
function unvalued(path: string, { books, settings }: RunRecord): CommandFailure {
  const without = books.closing
    .flatMap(({ asset, amount, rate }) => (amount === "0" || rate ? [] : [asset]))
    .join(", ");
  if (without === "") return nothingIn(path, settings);
  return usageFailure(
    `neither the decisions of journal ${path} nor the backtest say what ${without} is worth in ${settings.currency}`,
    `--funds with ${without} makes the backtest value it`,
  );
}

function* stepsOf(reader: JournalReader): Generator<Step> {
  for (const record of recordsOf(reader)) if (record.kind === "step") yield record.step;
}

function* recordsOf(reader: JournalReader): Generator<JournalRecord> {
  for (const read of reader.after(0)) yield readable(read).entry.record;
}

function reading<T>(path: string, use: (reader: JournalReader) => T): T {
  if (!isJournalThere(path)) throw usageFailure(`there is no journal at ${path}`);
  return readingFile(path, () => {
    const opened = JournalReader.open(path);
    if (!opened.ok) throw usageFailure(problemLine(path, opened.error));
    try {
      return use(opened.value);
    } finally {
      opened.value.close();
    }
  });
}

const SHIFTED =
  "its bot traded on paper on a recording (market.source), which is played at the time of the bot and not at its own: without --data the backtest is of the journal's time, on other prices";

function nothingIn(path: string, { from, to }: Span): CommandFailure {
  const message = `journal ${path} has nothing between ${isoText(from)} and ${isoText(to)}`;
  return usageFailure(message, existsSync(paperPlace(path).market) ? SHIFTED : "--from and --to choose the time");
}
