// One offline page of a search: out-of-sample first, a map of any two parameters, the ranking, and whether it is luck.

import { namedGrounds } from "../assumption.ts";
import type { CheckRow } from "../search/overfitting-checks.ts";
import {
  achievedText,
  chosenInSample,
  countText,
  figureText,
  meanText,
  type RankedRow,
  rankText,
  setText,
  unitOf,
  unjudgedText,
  valueText,
} from "../search/ranking.ts";
import { compareAchieved, figureOf, type Objective } from "../search/search-terms.ts";
import type { JudgedRun } from "../search/sweep.ts";
import type { SweepPlan } from "../search/sweep-plan.ts";
import { binsFromZero, type Chart, chartOf } from "./chart/spec.ts";
import type { Line } from "./figure-lines.ts";
import { duration, minute, number, percent } from "./format.ts";
import { type Html, html, NOTHING, renderDocument } from "./html.ts";
import {
  beliefNotes,
  beliefRows,
  chartFigure,
  growthChart,
  headNotes,
  overfittingSection,
  pageHead,
  type Setting,
  settingsTable,
  tilesOf,
} from "./page-parts.ts";
import { parameterMap, parameterMapSection } from "./parameter-map.ts";

export type SweepPage = {
  readonly title: string;
  readonly plan: SweepPlan;
  readonly rows: readonly RankedRow[];
  readonly runs: number;
  /** How the choice stands against luck. */
  readonly checks: readonly CheckRow[];
  /** The run that judges the set which was chosen in-sample; undefined where there is none. */
  readonly judge: JudgedRun | undefined;
  /** What the prices leave open in favour of every set. */
  readonly cautions: readonly string[];
  readonly settings: readonly Setting[];
  readonly codeVersion: string;
};

/** More would make a page that no browser likes; the file of results has all. */
const RANKED_MAX = 1_000;
const MAPPED_MAX = 20_000;

/** What was searched, when, and what judges. */
export function sweepFacts({ plan, rows, runs }: Pick<SweepPage, "plan" | "rows" | "runs">): readonly string[] {
  const { base, search } = plan;
  return [
    `${search} search`,
    `${number(rows.length, 0)} parameter sets, ${number(runs, 0)} runs`,
    `${minute(base.from)} to ${minute(base.to)} (${duration(base.to - base.from)})`,
    splitText(plan),
    base.data.length === 0 ? "a synthetic market" : namedGrounds(base.data.map(({ name }) => name)).join(" and "),
    `seed ${base.seed}`,
  ];
}

export function renderSweep(page: SweepPage): string {
  const { title, plan, rows, checks, judge, cautions, settings, codeVersion } = page;
  const { objective } = plan;
  const judged = rows.filter((row) => row.judged !== null);
  const unjudged = unjudgedText(objective, rows);
  const map = parameterMap(plan, rows.slice(0, MAPPED_MAX));
  const references = judge?.references ?? [];
  const charts = [curve(objective, rows, judge), spread(objective, judged)];
  const facts = [...sweepFacts(page), `pegbot ${codeVersion}`];
  const body = html`${pageHead(title, facts, headNotes(unjudged === undefined ? cautions : [unjudged, ...cautions]), beliefNotes(references))}
${tiles(objective, rows, judged)}
${parameterMapSection(map)}
<h2>${unjudged === undefined ? "Ranking, out-of-sample first" : "Ranking, in-sample: nothing judges"}</h2>
${ranking(plan, rows)}
<h2>The chosen set, and how all are spread</h2>
<div class="grid">${charts.map(chartFigure)}</div>
${checks.length === 0 ? NOTHING : overfittingSection(checks)}
${settingsTable("Settings", [...beliefRows(references), ...settings])}
<footer>Parameters may be chosen by what is in-sample; what is out-of-sample was not seen by that choice. Who picks the first line of the ranking has chosen by what is out-of-sample, and has no judge left. Times are UTC. What the figures mean: docs/METRICS.md; how a sweep works: docs/SWEEP.md of pegbot ${codeVersion}.</footer>`;
  return renderDocument({ title, body, charts, modules: ["parameter-map"], data: map });
}

function splitText({ split }: SweepPlan): string {
  if (split.kind === "time") return `the last ${percent(split.share, 0)} of the time judge`;
  return `${split.count} other seed${split.count === 1 ? "" : "s"} judge${split.count === 1 ? "s" : ""}`;
}

function tiles(objective: Objective, rows: readonly RankedRow[], judged: readonly RankedRow[]): Html {
  const [first] = judged;
  const chosen = chosenInSample(objective, rows);
  const known = judged.filter((row) => row.outOfSample !== null && row.inSample !== null);
  const gains = judged.filter((row) => (row.judged?.figures.profitOverHolding ?? 0) > 0).length;
  const stopped = judged.filter((row) => row.judged?.states.some((state) => state !== "ACTIVE")).length;
  const tile = (label: string, text: string, note?: string): Line => ({ label, text, note });
  return tilesOf([
    tile(
      `best ${objective} out-of-sample`,
      achievedText(objective, first?.outOfSample ?? null),
      first && setText(first.values),
    ),
    tile(
      "the best in-sample has there",
      achievedText(objective, chosen?.outOfSample ?? null),
      chosen === undefined ? "" : setText(chosen.values),
    ),
    tile("and had in-sample", achievedText(objective, chosen?.inSample ?? null), chosen && setText(chosen.values)),
    tile("its rank out-of-sample", (chosen && rankText(chosen, rows)) ?? "n/a"),
    tile("chosen", chosen === undefined ? "n/a" : setText(chosen.values)),
    tile("ranks agree", rankAgreement(objective, known), "Spearman's correlation of ranks in-sample and out-of-sample"),
    tile(
      "better than holding",
      `${number(gains, 0)} of ${number(judged.length, 0)}`,
      "out-of-sample, by profit over holding",
    ),
    tile(
      "stopped trading",
      `${number(stopped, 0)} of ${number(judged.length, 0)}`,
      "a limit halted the bot, or the strategy failed",
    ),
  ]);
}

/** One: who was good stayed good. Around zero: the choice was worth nothing. */
function rankAgreement(objective: Objective, rows: readonly RankedRow[]): string {
  if (rows.length < 5) return "n/a";
  const ranksBy = (of: (row: RankedRow) => number | null): Map<RankedRow, number> =>
    new Map([...rows].sort((one, other) => compareAchieved(objective, of(one), of(other))).map((row, i) => [row, i]));
  const [one, other] = [ranksBy((row) => row.inSample), ranksBy((row) => row.outOfSample)];
  const apart = rows.reduce((sum, row) => sum + ((one.get(row) as number) - (other.get(row) as number)) ** 2, 0);
  const n = rows.length;
  return number(1 - (6 * apart) / (n * (n * n - 1)), 2);
}

function ranking({ axes, objective }: SweepPlan, rows: readonly RankedRow[]): Html {
  const names = axes.map(({ name }) => name);
  const titles = [
    "rank",
    ...names,
    `${objective} out-of-sample`,
    "in-sample",
    "net profit",
    "over holding",
    "Sharpe",
    "drawdown",
    "fills",
    "orders",
    "state",
  ];
  const cells = (row: RankedRow): readonly string[] => [
    String(row.rank),
    ...names.map((name) => valueText(row.values[name])),
    row.judged === null ? `left after round ${row.rounds}` : achievedText(objective, row.outOfSample),
    achievedText(objective, row.inSample),
    ...(["netProfit", "profitOverHolding", "sharpe", "drawdown"] as const).map((name) =>
      figureText(name, row.judged?.figures[name]),
    ),
    countText(row.judged?.fills ?? 0),
    countText(row.judged?.orders ?? 0),
    [...new Set(row.judged?.states ?? [])].join(", "),
  ];
  const shown = rows.slice(0, RANKED_MAX);
  const body = shown.map((row) => html`<tr>${cells(row).map((text) => html`<td class="n">${text}</td>`)}</tr>`);
  const rest = rows.length - shown.length;
  const mean = meanText(rows);
  return html`<div class="scroll" data-ranking="yes"><table><thead><tr>${titles.map((text) => html`<th class="n" scope="col">${text}</th>`)}</tr></thead><tbody>${body}</tbody></table></div>
${rest > 0 ? html`<p class="note">and ${number(rest, 0)} more, in the file of results</p>` : NOTHING}${mean === undefined ? NOTHING : html`<p class="note">${mean}</p>`}`;
}

function curve(objective: Objective, rows: readonly RankedRow[], judge: JudgedRun | undefined): Chart {
  const chosen = chosenInSample(objective, rows);
  const set = chosen === undefined ? "" : `: ${setText(chosen.values)}`;
  return growthChart(
    {
      title: "Equity of the set that was chosen in-sample",
      note: `growth out-of-sample, in the first run that judges it, beside the same account left alone${set}`,
      missing: "no set could be chosen, or its run was refused",
    },
    judge?.series,
  );
}

const BINS = 20;

function spread(objective: Objective, judged: readonly RankedRow[]): Chart {
  const note = `how many parameter sets have how much ${objective}; zero counts with what lies above it`;
  const head = { id: "spread", title: "Out-of-sample", note, size: "wide" } as const;
  const values = judged.flatMap(({ outOfSample }) => (outOfSample === null ? [] : [outOfSample]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length < 3 || !(high > low))
    return chartOf(head, "fewer than 3 parameter sets have the figure, or all have the same");
  const bins = binsFromZero(values, (high - low) / BINS);
  return chartOf(head, { kind: "histogram", unit: unitOf(figureOf(objective)), ...bins });
}
