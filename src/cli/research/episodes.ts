// `backtest` by episode: runs around each kind of event, on all cores. Finished runs are kept, so that the same command
// with other rates computes nothing anew.

import { resolve } from "node:path";
import {
  daysOf,
  type Episode,
  type EpisodeRun,
  episodesOf,
  issuersOf,
  type Rates,
  ratesOf,
  YEAR_DAYS,
} from "../../../backtest/episode/episodes.ts";
import { heldThrough, offeredIn, openingOf, type PolicyRates } from "../../../backtest/episode/offered.ts";
import {
  type ByEpisode,
  episodeReport,
  offeredText,
  wantedBps,
  yearsOf,
} from "../../../backtest/report/episode-report.ts";
import { nullForMissing } from "../../../backtest/report/export.ts";
import { canonicalDigest } from "../../../backtest/search/identity.ts";
import { storedRuns } from "../../../backtest/search/sweep.ts";
import type { Trial } from "../../../backtest/search/trial.ts";
import type { TrialResult } from "../../../backtest/search/trial-result.ts";
import type { Shell } from "../../app/shell.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { EVENT_KINDS, type EventKind } from "../../simulator/market/parameters.ts";
import { marketIn } from "../../simulator/market/scenario.ts";
import { isBuiltIn } from "../../strategy/built-in-names.ts";
import { configOf, FIRST_DAY, type PlanFlags } from "./plan.ts";
import { conclude, requireSearchPlaces, runSearch, type SearchPlaces } from "./runner.ts";
import { type BaseTrial, baseTrial, searchSettings } from "./search.ts";

export type EpisodeFlags = PlanFlags &
  SearchPlaces & {
    readonly seeds?: number;
    readonly rate: readonly string[];
    readonly against: readonly string[];
    readonly policyRate: readonly string[];
  };

/** 54 days, which two cores run in less than a minute at this cadence of quotes. */
const SEEDS = 3;
const QUOTES_MS = 4_000;
/** Assumed, in percent a year: central banks change them. */
const POLICY_RATES: PolicyRates = { CHF: 0, GBP: 3.75, USD: 3.75 };

export async function byEpisode(shell: Shell, given: EpisodeFlags): Promise<ExitCode> {
  const flags = { ...given, quotesEvery: given.quotesEvery ?? QUOTES_MS };
  requireSearchPlaces(flags);
  const signal = shell.stopSignal();
  const base = await baseTrial(shell, { ...flags, from: FIRST_DAY });
  const own = ratesOf(base.trial.market, issuersOf(base.trial));
  const rates = { ...own, ...ratesIn(flags.rate, base.trial) };
  if (daysOf(rates) >= YEAR_DAYS)
    throw usageFailure(`--rate: such events take ${Math.round(daysOf(rates))} days of a year, and leave no quiet one`);
  const kinds = EVENT_KINDS.filter((kind) => (own[kind] ?? 0) > 0 || (rates[kind] ?? 0) > 0);
  const { seeds = SEEDS } = flags;
  const other =
    flags.against.length === 0 ? undefined : await baseTrial(shell, { ...othersOf(flags), from: FIRST_DAY });
  const episodes = episodesOf(base.trial, kinds, seeds);
  const { options } = base;
  const symbols = options.traded ?? (options.limits.symbols as PairSymbol[]);
  const offered = offeredIn(episodes, symbols, wantedBps(options));
  shell.terminal.note(offeredText({ offered, options }));
  const ground = {
    ...base,
    ground: { ...base.ground, strategies: [...base.ground.strategies, ...(other?.ground.strategies ?? [])] },
  };
  return runSearch(shell, flags, signal, {
    ...{ what: "backtest", base: ground, total: episodes.length * (other === undefined ? 1 : 2) },
    specification: () => ({ runs: "by episode" }),
    async explore(parts, code) {
      const ofCode = (trial: Trial): Trial => ({ ...trial, code: canonicalDigest(code) });
      const its = other === undefined ? [] : episodesOf(other.trial, kinds, seeds);
      const all = [...episodes, ...its].map(({ trial }) => ofCode(trial));
      const runs = storedRuns(all.length, parts);
      if (!(await runs.run(all))) return undefined;
      const ranOf = (episode: Episode): EpisodeRun => ran(episode, runs.resultOf(ofCode(episode.trial)));
      return { runs: episodes.map(ranOf), its: its.map(ranOf) };
    },
    async finish({ runs, its }) {
      const against = other && { name: flags.against.join(" "), runs: its };
      const opening = openingOf(base.trial, { ...POLICY_RATES, ...policyIn(flags.policyRate) });
      const found: ByEpisode = { options, episodes, runs, rates, offered, opening, ...(against && { against }) };
      const told = conclude(shell, flags, episodeReport(found), () => json(found, base));
      const failed = [...runs, ...its].some(({ fault }) => fault !== undefined);
      return told === exitCode.done && failed ? exitCode.halted : told;
    },
  });
}

function ran({ kind, place, trial }: Episode, result: TrialResult): EpisodeRun {
  if (result.kind === "refused") throw plainFailure(`the bot did not start: ${result.reason}`);
  const { fills, orders, state, fault, limit, figures } = result;
  const over = figures.profitOverHolding ?? Number.NaN;
  const head = { kind, place, seed: trial.seed, from: trial.from, over, held: heldThrough(trial) };
  return { ...head, fills, orders, state, ...(fault && { fault }), ...(limit && { limit }) };
}

function json(found: ByEpisode, { trial }: BaseTrial): unknown {
  const { options, runs, rates, offered, opening, against } = found;
  const settings = searchSettings(trial, options);
  const { currency } = options.limits;
  return nullForMissing({
    settings,
    currency,
    opening,
    rates,
    offered,
    ...yearsOf(found),
    runs,
    against: against ?? null,
  });
}

/** `GBP=3.75`. */
function policyIn(given: readonly string[]): PolicyRates {
  return Object.fromEntries(
    given.map((text) => {
      const [, currency, rate] = /^([A-Z]{3})=(-?[0-9]{1,2}(?:\.[0-9]{1,4})?)$/.exec(text) ?? [];
      if (currency === undefined) throw usageFailure(`--policy-rate must look like GBP=3.75, was ${text.slice(0, 40)}`);
      return [currency, Number(rate)];
    }),
  );
}

/** `lesser=3`. */
function ratesIn(given: readonly string[], trial: Trial): Rates {
  const rates: Partial<Record<EventKind, number>> = {};
  for (const text of given) {
    const [, name, value] = /^([a-z-]+)=([0-9]{1,4}(?:\.[0-9]{1,6})?)$/.exec(text) ?? [];
    const kind = EVENT_KINDS.find((one) => one === name);
    if (kind === undefined)
      throw usageFailure(`--rate must look like lesser=3 (${EVENT_KINDS.join(", ")}), was ${text.slice(0, 40)}`);
    const isOfIssuer = !kind.startsWith("fx-") && kind !== "outage";
    if (isOfIssuer && issuersOf(trial).length === 0)
      throw usageFailure(`--rate ${kind}: the account holds no coin (--funds)`);
    rates[kind] = Number(value);
  }
  return rates;
}

/** A text with = is a parameter, another one a strategy, which does not share the parameters of the first. */
function othersOf(flags: EpisodeFlags): EpisodeFlags {
  const params = flags.against.filter((text) => text.includes("="));
  const [strategy, ...more] = flags.against.filter((text) => !text.includes("="));
  if (more.length > 0) throw usageFailure("--against takes one strategy, and parameters as name=value");
  if (strategy !== undefined)
    return { ...flags, strategy: isBuiltIn(strategy) ? strategy : resolve(strategy), param: params };
  const names = new Set(params.map((text) => text.split("=")[0]));
  return { ...flags, param: [...flags.param.filter((text) => !names.has(text.split("=")[0])), ...params] };
}

const ONE_STRETCH = [
  ...(["from", "to", "days", "as", "syntheticToo"] as const),
  ...(["halfSpreadBps", "trades", "export", "compare"] as const),
];

/** One stretch is chosen by a flag that needs one; and is what is left where there is no event, or payments have to be made. */
export async function isByEpisode(
  shell: Shell,
  flags: EpisodeFlags & Partial<Record<(typeof ONE_STRETCH)[number], unknown>>,
): Promise<boolean> {
  const stretch = flags.data === "synthetic" ? ONE_STRETCH.find((name) => flags[name] !== undefined) : "data";
  const asked = (["seeds", "rate", "against"] as const).find((name) => [flags[name] ?? []].flat().length > 0);
  if (stretch !== undefined && asked !== undefined)
    throw usageFailure(
      `--${asked} is for runs by episode, and --${stretch.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)} for one stretch: leave one out`,
    );
  if (stretch !== undefined) return false;
  if (asked !== undefined) return true;
  const { treasury, conversions } = await configOf(shell);
  const market = marketIn(flags.market);
  return (
    Object.keys({ ...treasury.targets, ...conversions }).length === 0 &&
    market.ok &&
    Object.keys(ratesOf(market.value, ["any"])).length > 0
  );
}
