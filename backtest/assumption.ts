// Every chosen assumption behind a backtest, as text for the report.

import { isDeepStrictEqual } from "node:util";
import { pipelineDefaults } from "../src/bot/pipeline-settings.ts";
import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import type { ScenarioName } from "../src/domain/scenario.ts";
import type { Limits } from "../src/risk/limits.ts";
import { paperLimits } from "../src/risk/paper-limits.ts";
import { DEFAULT_SETTINGS } from "../src/simulator/core/settings.ts";
import { SCENARIOS } from "../src/simulator/market/parameters.ts";
import type { ReferenceFeedParameters } from "../src/simulator/market/reference.ts";
import { cautionsOf, recordedSources, type Sources, shownBy, standsAlone } from "./caution.ts";
import { type BacktestOptions, cadenceOf, latencyOf, PAYERS } from "./options.ts";
import type { Assumption, RunSettings } from "./record/run-record.ts";
import { followedBy, type Recording, recordedPairs } from "./recording.ts";
import { number, percent } from "./report/format.ts";

const DEMO_CAVEAT =
  "coins stray from par and return by construction, and nothing reacts to our trades: it shows how the bot behaves, not what it would earn";
const CAVEAT =
  "currencies as measured, coins, dealer and venue mostly assumed: docs/guides/market.md names the source of each value";

export function assumptionsOf(options: BacktestOptions): Assumption[] {
  const { terms, limits, par, funds, protocol, market, recordings, references } = options;
  const { decisionMs, paceMs, quotesMs, feeBps, publicationMs } = terms;
  const { tickMs, polls, referencesMs } = cadenceOf(pipelineDefaults, terms, limits, market);
  const { medianMs, sigma, minMs, maxMs } = latencyOf(options);
  const { name } = market;
  const feeds = [
    ...references.map(referenceText),
    ...recordings.filter(({ role }) => role === "reference").map(feedText),
    ...recordedSources(options).filter(standsAlone).map(aloneText),
  ];
  const rows = {
    "synthetic market": `${name}: ${name === SCENARIOS.demo.name ? DEMO_CAVEAT : CAVEAT}`,
    "funds at the start": Object.entries(funds)
      .map(([asset, amount]) => `${amount} ${asset}`)
      .join(", "),
    network: `one way ${medianMs} ms in the median, log-normal (sigma ${sigma}), ${minMs} to ${maxMs} ms, drawn from the seed`,
    "decision latency":
      decisionMs === 0
        ? "none beyond the wait for a slot"
        : `${decisionMs} ms from a decision to when its order may have a slot`,
    pace: `one request at a time, ${paceMs} ms from an answer to the next`,
    "cadence of quotes": quotesMs === 0 ? "every slot that nothing better wants" : `at most every ${quotesMs} ms`,
    "cadence of the bot": `time passes every ${tickMs} ms, balances are read every ${polls.balancesMs} ms and after fills, histories every ${polls.historiesMs} ms, synthetic references are looked at every ${referencesMs} ms`,
    slots: "by class, as the bot spends them: orders, confirmations, balances, quotes, the rest",
    orders:
      "Fill-or-Kill at the venue's price on arrival, by price and by the size on show then; any size where none was recorded",
    fee: `${feeBps} bp of the quote leg`,
    publication: publicationMs === 0 ? "trades are listed at once" : `trades are listed within ${publicationMs} ms`,
    "venue prices": venueText(options),
    "pairs traded": (options.traded ?? limits.symbols).join(", "),
    "reference feeds": feeds.join("; ") || "none",
    "par as a source":
      each(Object.fromEntries(par), ({ bandBps }: { bandBps: number }) => `within ${bandBps} bp`) || "nowhere",
    worth:
      "as the bot's own equity: coins at the lower of par and the best known bid, currencies at their rate; inventory at the end is not sold",
    "own influence":
      "what is taken from a size on show is gone until sizes are drawn anew; where no size was recorded nothing is",
    "mints and rails": treasuryText(options),
    doubts: `looked into for ${protocol.windowMsMin} ms at least, a person after ${protocol.escalateAfterMs} ms`,
  };
  return [
    ...Object.entries(rows).map(([name, value]) => ({ name, value })),
    ...marketRows(market),
    ...limitRows(limits),
  ];
}

/** Every parameter of the synthetic market, as `--market` takes it. */
function marketRows(tree: object, place = "market "): Assumption[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? marketRows(value, `${place}${name}.`)
      : [{ name: `${place}${name}`, value: String(value) }],
  );
}

function each<T>(rows: Readonly<Record<string, T>>, text: (row: T) => string): string {
  return Object.entries(rows)
    .map(([name, row]) => `${name} ${text(row)}`)
    .join(", ");
}

function treasuryText({ rebalancer, market: { venue } }: BacktestOptions): string {
  const { onRampMs, offRampMs } = PAYERS;
  if (rebalancer === undefined) return "none: the bot only trades";
  const { medianMs, sigma, minMs, maxMs } = DEFAULT_SETTINGS.settlement;
  const hours = (ms: number): string => `${ms / 3_600_000} h`;
  const held = `${venue.bankHours ? ", in bank hours" : ""}${venue.heldShare > 0 ? `, ${percent(venue.heldShare, 0)} held for days` : ""}`;
  return `they settle in ${hours(medianMs)} in the median, log-normal (sigma ${sigma}), ${hours(minMs)} to ${hours(maxMs)}, drawn from the seed${held}; what is to be paid on a rail is paid in full, from a bank after ${hours(onRampMs)}, to one after ${hours(offRampMs)}; plans that need an approval are not carried out`;
}

function venueText({ recordings, seed, from, to }: BacktestOptions): string {
  const own = recordings
    .filter(({ role }) => role === "venue")
    .map((recording) => recordedText(recording, shownBy(recording, { from, to }).unsized));
  const synthetic = `synthetic, seed ${seed}`;
  return own.length === 0 ? synthetic : `${own.join("; ")}; others ${synthetic}`;
}

function recordedText({ source, halfSpreadBps }: Recording, unsized: number): string {
  const sizes = unsized === 0 ? "" : unsized === 1 ? ", any size" : ", any size where a row has none";
  if (source.kind === "quotes")
    return `${source.symbol} as recorded, each price until the next${sizes}; closed where rows are missing for longer than usual`;
  return `${source.symbol}: the open of a bar until it closes, closed where a bar is missing, half spread ${halfSpreadBps} bp, any size; a bar is known when it closes`;
}

function feedText({ name, source, halfSpreadBps }: Recording): string {
  if (source.kind === "quotes") return `${name}: each row at its time`;
  return `${name}: each bar's close when it closes, half spread ${halfSpreadBps} bp`;
}

function aloneText({ symbol, recorded }: Sources): string {
  return recorded === 1
    ? `${symbol} as recorded and by no synthetic feed`
    : `${symbol} as recorded and by no synthetic feed, its rate in the middle of the ${recorded}`;
}

function referenceText({ name, intervalMs, delayMs, noiseBps, halfSpreadBps }: ReferenceFeedParameters): string {
  return `${name}: every ${intervalMs} ms, ${delayMs} ms late, noise ${noiseBps} bp, half spread ${halfSpreadBps} bp`;
}

function limitRows(limits: Limits): Assumption[] {
  return Object.entries(limits).map(([name, value]) => {
    const [own, usual] = [limitText(value), limitText(paperLimits[name as keyof Limits])];
    return { name: `limit ${name}`, value: own === usual ? own : `${own}; of the paper limits ${usual}` };
  });
}

function limitText(value: unknown): string {
  if (value === undefined) return "none";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return String(value);
  return each(value as Readonly<Record<string, unknown>>, String);
}

// The name of a backtest in its record.

const NAMED_MAX = 3;

/** For a title, where more names would take too much room: the data line lists them. */
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
  const grounds = [
    ...namedGrounds(names),
    ...(others.length === 0 ? [] : [`a synthetic market (${options.market.name})`]),
  ];
  return {
    title: `${strategy.name} on ${grounds.join(", ")}`,
    recordedPairs: recorded,
    pairsWithoutData: (limits.symbols as PairSymbol[]).filter((pair) => options.traded?.includes(pair) === false),
    strategy: strategy.name,
    params: (strategy.params ?? {}) as Readonly<Record<string, unknown>>,
    data: [...files, ...followedBy(recordings).map(followedText), syntheticText(others, recorded.length > 0)].join(
      "; ",
    ),
    ...(others.length === 0 ? {} : { banner: bannerText(options) }),
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

/** Results of a synthetic market are no forecast, and must not be taken for one. */
function bannerText({ market, seed }: BacktestOptions): string {
  const { name } = market;
  const isChanged = !isDeepStrictEqual(market, SCENARIOS[name as ScenarioName]);
  const where = `synthetic prices: scenario ${name}${isChanged ? ", with parameters changed" : ""}, seed ${seed}`;
  if (name === "demo")
    return `${where}. It swings across par and reacts to nothing: it shows how the bot works, and no result follows from it`;
  return `${where}. Currencies are fitted to measured rates; assumed until a recording at the venue replaces them: deviations from par, the issuer's floor, spreads, sizes, shown against executable prices, last look, impact, the dealer's cap, latency and outages (docs/guides/market.md)`;
}

/** Parameters tuned at this cadence meet another one live, since windows are counted in values. */
function cadenceText({ terms, limits, market }: BacktestOptions): string {
  const { tickMs, referencesMs } = cadenceOf(pipelineDefaults, terms, limits, market);
  const [quotes, ticks, references] = [terms.quotesMs, tickMs, referencesMs].map((ms) => `${number(ms / 1_000, 1)} s`);
  return `quotes are read every ${quotes} at most, a timer comes every ${ticks}, synthetic references every ${references}: live each comes about once a second, so signals over a number of values span less time there; without --quotes-every it is as live`;
}

function followedText({ rate, pair }: { readonly rate: PairSymbol; readonly pair: PairSymbol }): string {
  return `no ${rate} was recorded: references follow ${pair}, which is fair by construction`;
}

/** `others`: pairs that are traded without a recording. */
function syntheticText(others: readonly PairSymbol[], isRecorded: boolean): string {
  if (others.length === 0) return "other pairs have synthetic prices and are not traded";
  return `${isRecorded ? `${others.join(", ")} on the ` : ""}synthetic market: coins return to par by construction`;
}
