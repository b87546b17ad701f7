// Runs around events: of each kind of event one run a seed with exactly one of it, and one with none, all of the same
// seeds. A year is put together from them by rates, which are not part of any run, so that another rate needs no new one.

import { DAY_MS, type Millis, millis } from "../../src/domain/time.ts";
import {
  EVENT_KINDS,
  type EventKind,
  type MarketParameters,
  type Staged,
} from "../../src/simulator/market/parameters.ts";
import { type Estimate, estimated, mean } from "../metric/statistics.ts";
import type { Trial } from "../search/trial.ts";
import type { RanTrial } from "../search/trial-result.ts";

export type Kind = EventKind | "quiet";
/** Events a year. */
export type Rates = Readonly<Partial<Record<EventKind, number>>>;

export const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  quiet: "quiet days",
  lesser: "lesser de-peg",
  flash: "flash de-peg",
  "bank-weekend": "bank weekend",
  end: "end of the issuer",
  "fx-jump": "jump of currencies",
  "fx-crash": "crash of currencies",
  outage: "outage",
};

/** Long enough for the event and what follows from it. */
export const DAYS: Readonly<Record<Kind, number>> = {
  ...{ quiet: 2, lesser: 2, flash: 2, "bank-weekend": 4, end: 2 },
  ...{ "fx-jump": 2, "fx-crash": 2, outage: 2 },
};

export const YEAR_DAYS = 365.25;
const HOUR_MS = DAY_MS / 24;
const WEEK_HOURS = 168;
/** The bot runs for this long before the event. */
const LEAD_MS = 3 * HOUR_MS;
/** Of a week that begins on a Monday: until currencies close, and when banks do. */
const OPEN_HOURS = 117;
const FRIDAY_EVENING_MS = (4 * 24 + 21) * HOUR_MS;
/** Multiples of it, modulo one, are spread evenly however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export type Episode = {
  readonly kind: Kind;
  /** Of the seeds, from 0. */
  readonly place: number;
  readonly trial: Trial;
};

/** How often the market has each kind of event, over the issuers of these coins. */
export function ratesOf({ stress, fx, venue, references }: MarketParameters, issuers: readonly string[]): Rates {
  const moving = Object.values(references).filter((one) => one.kind === "fiat" && one.volatilityPerYear > 0).length;
  // Half of the jumps hit one currency, half all of them.
  const streams = (1 + moving) / 2;
  const rates: Required<Rates> = {
    lesser: stress.lesserPerYear * issuers.length,
    flash: stress.flashesPerYear * issuers.length,
    "bank-weekend": stress.collapsesPerYear * issuers.length,
    end: stress.endsPerYear * issuers.length,
    "fx-jump": fx.jumpsPerYear * streams,
    "fx-crash": fx.crashesPerYear * streams,
    outage: (venue.outagesPerWeek * YEAR_DAYS) / 7,
  };
  return Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate > 0));
}

/** Of the coins that the account has at the start. */
export function issuersOf({ funds, market }: Pick<Trial, "funds" | "market">): readonly string[] {
  const held = Object.keys(funds).flatMap((asset) => market.pegs[asset]?.issuer ?? []);
  return [...new Set(held)];
}

/** `base` begins on a Monday. Runs of one place have one seed. */
export function episodesOf(base: Trial, kinds: readonly EventKind[], seeds: number): readonly Episode[] {
  const all: readonly Kind[] = ["quiet", ...EVENT_KINDS.filter((kind) => kinds.includes(kind))];
  return Array.from({ length: seeds }, (_, place) =>
    all.map((kind) => ({ kind, place, trial: trialOf(base, kind, place) })),
  ).flat();
}

function trialOf(base: Trial, kind: Kind, place: number): Trial {
  const at = timeOf(base.from, kind, place);
  const from = millis(at - LEAD_MS);
  const to = millis(from + DAYS[kind] * DAY_MS);
  return { ...base, seed: base.seed + place, from, to, market: marketOf(base, kind, place, at) };
}

function timeOf(monday: Millis, kind: Kind, place: number): Millis {
  if (kind === "bank-weekend" && place % 2 === 0) return millis(monday + FRIDAY_EVENING_MS);
  const hours = kind === "fx-jump" || kind === "fx-crash" ? OPEN_HOURS : WEEK_HOURS;
  return millis(monday + Math.floor((((place + 1) * GOLDEN) % 1) * hours) * HOUR_MS);
}

function marketOf(base: Trial, kind: Kind, place: number, at: Millis): MarketParameters {
  const { market } = base;
  const issuers = issuersOf(base);
  const venue = { ...market.venue, outagesPerWeek: 0, outageAt: kind === "outage" ? at : 0 };
  const staged: Staged =
    kind === "quiet" || kind === "outage"
      ? { issuers }
      : { issuers, event: { kind, at, of: whose(market, kind, place, issuers) } };
  return { ...market, venue, staged };
}

function whose({ references }: MarketParameters, kind: EventKind, place: number, issuers: readonly string[]): string {
  const moving = Object.entries(references).flatMap(([name, one]) =>
    one.kind === "fiat" && one.volatilityPerYear > 0 ? [name] : [],
  );
  const hit = kind === "fx-jump" || kind === "fx-crash" ? ["all", ...moving] : issuers;
  return hit[place % hit.length] as string;
}

export type EpisodeRun = Pick<RanTrial, "fills" | "orders" | "state" | "fault" | "limit"> & {
  readonly kind: Kind;
  readonly place: number;
  readonly seed: number;
  readonly from: Millis;
  /** Profit over holding; NaN where it is not known. */
  readonly over: number;
  /** What the event took from the opening coins, by their prices at the end with and without it. */
  readonly held: number;
};

export type YearRow = {
  readonly kind: Kind;
  /** A year; for quiet days their number. */
  readonly rate: number;
  /** Over holding: of one event, beyond what quiet days would have earned, or of one quiet day. */
  readonly each: Estimate;
  readonly year: Estimate;
  /** What a year of such events takes from the opening coins. */
  readonly held: number;
  readonly fills: number;
};

export type Year = { readonly rows: readonly YearRow[]; readonly all: Estimate; readonly held: number };

/** `less`: other runs of the same seeds, whose profit is taken off each. */
export function yearOf(runs: readonly EpisodeRun[], rates: Rates, less?: readonly EpisodeRun[]): Year {
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  const of = (kind: Kind): readonly EpisodeRun[] => runs.filter((run) => run.kind === kind);
  const other = new Map(less?.map((run) => [`${run.kind} ${run.place}`, run.over]));
  const overs = (kind: Kind): number[] =>
    of(kind).map(({ place, over }) => over - (less === undefined ? 0 : (other.get(`${kind} ${place}`) ?? Number.NaN)));
  const quiet = overs("quiet").map((over) => over / DAYS.quiet);
  const eventDays = kinds.reduce((sum, kind) => sum + (kind === "quiet" ? 0 : (rates[kind] ?? 0) * DAYS[kind]), 0);
  const total = quiet.map((day) => day * YEAR_DAYS);
  const rows = kinds.map((kind): YearRow => {
    const rate = kind === "quiet" ? YEAR_DAYS : (rates[kind] ?? 0);
    const each =
      kind === "quiet" ? quiet : overs(kind).map((over, place) => over - DAYS[kind] * (quiet[place] as number));
    if (kind !== "quiet")
      for (const [place, one] of each.entries()) total[place] = (total[place] as number) + rate * one;
    const held = rate * mean(of(kind).map((run) => run.held));
    const row = { kind, held, each: estimated(each), year: estimated(each.map((one) => one * rate)) };
    return {
      ...row,
      rate: kind === "quiet" ? YEAR_DAYS - eventDays : rate,
      fills: mean(of(kind).map(({ fills }) => fills)),
    };
  });
  return { rows, all: estimated(total), held: rows.reduce((sum, { held }) => sum + held, 0) };
}

/** Of the parts of the market that these rates leave no time for. */
export function daysOf(rates: Rates): number {
  return Object.entries(rates).reduce((sum, [kind, rate]) => sum + rate * DAYS[kind as EventKind], 0);
}
