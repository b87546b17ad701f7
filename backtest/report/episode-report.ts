// The report of runs by episode: a year with its interval, which kind of event earns or loses it, and every run.

import { assumptionsOf } from "../assumption.ts";
import {
  DAYS,
  type Episode,
  type EpisodeRun,
  KIND_TEXTS,
  type Rates,
  YEAR_DAYS,
  type Year,
  yearOf,
} from "../episode/episodes.ts";
import type { Offered, Opening } from "../episode/offered.ts";
import { type Estimate, studentT } from "../metric/statistics.ts";
import type { BacktestOptions } from "../options.ts";
import { countText } from "../search/ranking.ts";
import { type Line, NOT_AVAILABLE } from "./figure-lines.ts";
import { counted, minute, money, number, percent, signed } from "./format.ts";
import { columnsOf, type Report, type Table, type YearData } from "./report.ts";

export type ByEpisode = {
  readonly options: BacktestOptions;
  readonly episodes: readonly Episode[];
  readonly runs: readonly EpisodeRun[];
  readonly rates: Rates;
  readonly offered: readonly Offered[];
  readonly opening: readonly Opening[];
  /** The strategy or set that it is compared with, and its runs of the same seeds. */
  readonly against?: { readonly name: string; readonly runs: readonly EpisodeRun[] };
};

export function yearsOf({ runs, rates, against }: ByEpisode): { readonly year: Year; readonly difference?: Year } {
  const year = yearOf(runs, rates);
  return against === undefined ? { year } : { year, difference: yearOf(runs, rates, against.runs) };
}

export function episodeReport(found: ByEpisode): Report {
  const { options, runs, against } = found;
  const { strategy, market, seed, codeVersion } = options;
  const seeds = new Set(runs.map(({ place }) => place)).size;
  const set = Object.entries((strategy.params ?? {}) as object).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  return {
    title: `A year of ${strategy.name}, by episode`,
    facts: [
      `a synthetic market (${market.name})`,
      `${counted(runs.length, "run")} of 2 to 4 days`,
      `seeds ${seed} to ${seed + seeds - 1}`,
      ...(against === undefined ? [] : [`against ${against.name}`]),
      `pegbot ${codeVersion}`,
    ],
    notes: [offeredText(found), ...stoppedTexts(runs)],
    parts: [
      { kind: "tiles", lines: tilesOf(found) },
      yearTable(found),
      runTable(found),
      {
        kind: "settings",
        title: "Assumptions and settings",
        rows: [...assumptionsOf(options), { name: "parameters", value: set.join(", ") || "none" }],
      },
    ],
    footer: `A year is the profit over holding of quiet days, and of each kind of event what it adds to them, times how often it comes. Intervals of 95 % are of this expectation over the seeds (Student's t), not of a single year. Every run begins with the opening account and an ACTIVE bot. How it is worked out: docs/guides/backtest.md of pegbot ${codeVersion}.`,
  };
}

function tilesOf(found: ByEpisode): readonly Line[] {
  const { opening, options, against } = found;
  const worth = opening.reduce((sum, one) => sum + one.worth, 0);
  const cash = opening.reduce((sum, one) => sum + one.cash, 0);
  const currency = String(options.limits.currency);
  const { year, difference } = yearsOf(found);
  const share = (value: number): string => signed(percent(value / worth, 3));
  const line = (label: string, estimate: Estimate): Line => ({
    label,
    text: Number.isFinite(estimate.mean) ? signed(money(estimate.mean, currency)) : NOT_AVAILABLE,
    note: `${share(estimate.mean)} of ${money(worth, currency)}; 95 %: ${intervalText(estimate)}`,
    tone: estimate.low > 0 ? "gain" : estimate.high < 0 ? "loss" : undefined,
  });
  return [
    line("a year, over holding", year.all),
    ...(difference === undefined ? [] : [line(`more than ${against?.name}`, difference.all)]),
    {
      label: "events take from the opening coins",
      text: signed(money(year.held, currency)),
      note: `${share(year.held)} a year, whatever the strategy does`,
      tone: year.held < 0 ? "loss" : undefined,
    },
    {
      label: "cash at the policy rate",
      text: signed(money(cash, currency)),
      note: `${share(cash)}: ${opening.map((one) => `${one.asset} ${number(one.cash, 0)}`).join(", ")}; coins and currencies at the venue pay none`,
    },
  ];
}

function intervalText({ mean, low, high }: Estimate): string {
  if (!Number.isFinite(low)) return NOT_AVAILABLE;
  return low === high
    ? `${signed(number(mean, 0))} in every seed`
    : `${signed(number(low, 0))} to ${signed(number(high, 0))}`;
}

function yearTable(found: ByEpisode): Table {
  const { runs, rates, against } = found;
  const { year, difference } = yearsOf(found);
  const plain = (value: number): string => (Number.isFinite(value) ? signed(number(value, 0)) : NOT_AVAILABLE);
  const rows = year.rows.map(({ kind, rate, each, year: own, held, fills }, place) => [
    ...[KIND_TEXTS[kind], number(rate, 2), countText(fills), plain(each.mean), plain(own.mean), intervalText(own)],
    ...(difference === undefined ? [] : [plain((difference.rows[place] as Year["rows"][number]).year.mean)]),
    plain(held),
  ]);
  const all = ["a year", "", "", "", plain(year.all.mean), intervalText(year.all)];
  const more = against === undefined ? [] : [`>more than ${against.name}`];
  return {
    kind: "table",
    title: "Which event earns or loses it",
    columns: columnsOf(
      "",
      ">a year",
      ">fills a run",
      ">each",
      ">a year, over holding",
      ">95 %",
      ...more,
      ">taken from coins",
    ),
    rows: [...rows, [...all, ...(difference === undefined ? [] : [plain(difference.all.mean)]), plain(year.held)]],
    shown: rows.length + 1,
    year: yearData(runs, rates, against?.runs),
  };
}

function yearData(runs: readonly EpisodeRun[], rates: Rates, less?: readonly EpisodeRun[]): YearData {
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  const of = (some: readonly EpisodeRun[], kind: EpisodeRun["kind"]) => some.filter((run) => run.kind === kind);
  const known = (some: readonly EpisodeRun[]) => some.map(({ over }) => (Number.isFinite(over) ? over : null));
  const rows = kinds.map((kind) => {
    const own = of(runs, kind);
    return {
      ...{ rate: kind === "quiet" ? 0 : (rates[kind] ?? 0), days: DAYS[kind], overs: known(own) },
      ...(less === undefined ? {} : { less: known(of(less, kind)) }),
      held: own.reduce((sum, { held }) => sum + held, 0) / own.length,
    };
  });
  return { rows, yearDays: YEAR_DAYS, t: studentT(of(runs, "quiet").length - 1) };
}

/** Why a run may have no trade: what the prices offer to any strategy. */
export function offeredText({ offered, options }: Pick<ByEpisode, "offered" | "options">): string {
  const wanted = wantedBps(options);
  const some = offered.filter(({ hours }) => hours > 0);
  const named = some.map(({ kind, hours, bestBps }) => {
    const each = kind === "quiet" ? `${number(hours / DAYS.quiet, 1)} h a day` : `${number(hours, 1)} h`;
    return `${KIND_TEXTS[kind]} ${each}, up to ${number(bestBps, 0)} bp`;
  });
  const what = `prices better than fair by more than ${number(wanted, 1)} bp`;
  const none = offered.filter(({ hours }) => hours === 0).map(({ kind }) => KIND_TEXTS[kind]);
  const rest = none.length === 0 ? "" : `; none: ${none.join(", ")}`;
  return some.length === 0 ? `the market has no ${what}` : `${what}: ${named.join("; ")}${rest}`;
}

/** What a strategy asks for beyond fair, where it has a parameter of this name, and the fee. */
export function wantedBps({ strategy, terms }: Pick<BacktestOptions, "strategy" | "terms">): number {
  const { edgeBps } = (strategy.params ?? {}) as { readonly edgeBps?: unknown };
  return (typeof edgeBps === "number" ? edgeBps : 0) + terms.feeBps;
}

function stoppedTexts(runs: readonly EpisodeRun[]): readonly string[] {
  const failed = runs.find(({ fault }) => fault !== undefined);
  const halted = runs.filter(({ state }) => state === "HALTED");
  const kinds = [...new Set(halted.map(({ kind, limit = "a fault" }) => `${KIND_TEXTS[kind]}: ${limit}`))];
  return [
    ...(failed === undefined
      ? []
      : [`a run failed (${KIND_TEXTS[failed.kind]}, seed ${failed.seed}): ${failed.fault}`]),
    ...(halted.length === 0
      ? []
      : [
          `${halted.length} of ${runs.length} runs ended HALTED (${kinds.join(", ")}): nothing was traded from then on. docs/reference/codes.md has each rule`,
        ]),
  ];
}

function runTable({ runs, options }: ByEpisode): Table {
  const currency = String(options.limits.currency);
  const rows = runs.map(({ kind, seed, from, over, held, fills, orders, state, limit = "" }) => [
    ...[KIND_TEXTS[kind], String(seed), minute(from), String(DAYS[kind])],
    Number.isFinite(over) ? signed(money(over, currency)) : NOT_AVAILABLE,
    ...[signed(money(Math.round(held * 100) / 100, currency)), countText(fills), countText(orders)],
    `${state} ${limit}`.trim(),
  ]);
  return {
    ...{ kind: "table", title: "Runs", rows },
    columns: columnsOf(
      "kind",
      ">seed",
      "from",
      ">days",
      ">over holding",
      ">taken from coins",
      ">fills",
      ">orders",
      "ended",
    ),
  };
}
