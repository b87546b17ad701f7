// How a backtest names itself in its record.

import { pipelineDefaults } from "../src/bot/pipeline-settings.ts";
import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import { assumptionsOf } from "./assumption.ts";
import { cautionsOf } from "./caution.ts";
import type { BacktestOptions } from "./options.ts";
import type { RunSettings } from "./record/run-record.ts";
import { copiesAmong, followedBy, recordedPairs } from "./recording.ts";
import { number } from "./report/format.ts";
import { cadenceOf } from "./terms.ts";

const NAMED_MAX = 3;

/** For a title, of which more names would make a page: elsewhere it is said which they are. */
export function namedGrounds(names: readonly string[]): readonly string[] {
  return names.length > NAMED_MAX ? [`${names.length} recordings`] : names;
}

export function settingsOf(options: BacktestOptions): Omit<RunSettings, "traceHash"> {
  const { strategy, limits, seed, from, to, recordings, codeVersion } = options;
  const files = recordings.map(
    ({ name, role, digest, source }) =>
      `${name} (${source.symbol}, ${source.rows} rows, sha256 ${digest.slice(0, 12)}) as ${role}`,
  );
  const recorded = recordedPairs(recordings);
  const others = (options.traded ?? (limits.symbols as PairSymbol[])).filter((pair) => !recorded.includes(pair));
  const names = recordings.map(({ name }) => name);
  const grounds = [...namedGrounds(names), ...(others.length === 0 ? [] : ["a synthetic market"])];
  return {
    title: `${strategy.name} on ${grounds.join(", ")}`,
    recordedPairs: recorded,
    pairsWithoutData: (limits.symbols as PairSymbol[]).filter((pair) => options.traded?.includes(pair) === false),
    source: "backtest",
    strategy: strategy.name,
    params: (strategy.params ?? {}) as Readonly<Record<string, unknown>>,
    data: [
      ...files,
      ...copiesAmong(recordings).map(copiesText),
      ...followedBy(recordings).map(followedText),
      syntheticText(others, recorded.length > 0),
    ].join("; "),
    cautions: cautionsOf(options),
    ...(options.terms.quotesMs <= options.terms.paceMs ? {} : { cadence: cadenceText(options) }),
    seed,
    codeVersion,
    from,
    to,
    currency: limits.currency as Asset,
    riskFreeRate: 0,
    assumptions: assumptionsOf(options),
  };
}

/** What was tuned by this clock has another one live: a window is counted in values. */
function cadenceText({ terms, limits }: BacktestOptions): string {
  const { tickMs, referencesMs } = cadenceOf(pipelineDefaults, terms, limits);
  const [quotes, ticks, references] = [terms.quotesMs, tickMs, referencesMs].map((ms) => `${number(ms / 1_000, 1)} s`);
  return `quotes are read every ${quotes} at most, a timer comes every ${ticks}, synthetic references every ${references}: live each comes about once a second, so signals over a number of values span less time there; --quotes-every 1s is as live, and takes longer`;
}

function followedText({ rate, pair }: { readonly rate: PairSymbol; readonly pair: PairSymbol }): string {
  return `no ${rate} was recorded: references follow ${pair}, which is fair by construction`;
}

function copiesText({ symbol, names }: { readonly symbol: PairSymbol; readonly names: readonly string[] }): string {
  return `${names.join(" and ")} have the same rows: as references of ${symbol} they count as one source`;
}

/** `others`: pairs that are traded without a recording. */
function syntheticText(others: readonly PairSymbol[], isRecorded: boolean): string {
  if (others.length === 0) return "other pairs have synthetic prices and are not traded";
  return `${isRecorded ? `${others.join(", ")} on the ` : ""}synthetic market: coins return to par by construction`;
}
