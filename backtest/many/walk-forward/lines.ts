// A walk forward as people read it, on a terminal and on a page: what judges comes first, then the windows.

import type { Figure } from "../../metric/basis/figure.ts";
import { counted, day, duration, minute, money, number, percent, signed } from "../../report/format.ts";
import { SIGNIFICANT } from "../overfit-rows.ts";
import { figureOf, type Objective } from "../sweep/objective.ts";
import { shortText } from "../sweep/text.ts";
import type { WalkForwardOutcome, WindowRow } from "./outcome.ts";
import { hasBoth } from "./stitch.ts";

export type Line = {
  readonly label: string;
  readonly text: string;
  readonly note?: string;
  readonly tone?: "gain" | "loss";
};

export function outcomeLines(outcome: WalkForwardOutcome): readonly Line[] {
  const { figures, currency, profitOverHolding, fills, rows, gained } = outcome;
  const traded = rows.filter(({ values }) => values !== undefined).length;
  return [
    lineOf("Sharpe over holding", figures.sharpeOverHolding, (value) => number(value, 2), isGain),
    lineOf(
      "chance that it is above 0",
      figures.probabilisticSharpe,
      (value) => percent(value, 1),
      (value) => (value >= SIGNIFICANT ? "gain" : undefined),
    ),
    {
      label: "profit over holding",
      text: signed(money(profitOverHolding, currency)),
      note: `${gained} of ${counted(traded, "window")} gained`,
      ...toned(isGain(profitOverHolding)),
    },
    lineOf("return", figures.totalReturn, (value) => signed(percent(value, 3)), isGain),
    lineOf("return of holding", figures.holdingReturn, (value) => signed(percent(value, 3))),
    lineOf("deepest drawdown", figures.drawdown, ({ size }) => percent(size, 3)),
    { label: "fills", text: number(fills, 0) },
    decayLine(outcome),
  ];
}

/** What is left of the figure that was chosen by. */
function decayLine({ efficiency, objective, isPerDay, rows }: WalkForwardOutcome): Line {
  const both = rows.filter(hasBoth).length;
  const which = `the ${both} of ${counted(rows.length, "window")} that ${both === 1 ? "has" : "have"} it on both sides`;
  const over = both === rows.length ? "all windows" : which;
  const note = `of ${objective}${isPerDay ? " a day" : ""} in-sample, over ${over}`;
  if (efficiency.kind !== "known") return { label: "kept out-of-sample", text: "n/a", note: efficiency.reason };
  const { value } = efficiency;
  return { label: "kept out-of-sample", text: percent(value, 0), note, ...toned(value < 0.5 ? "loss" : undefined) };
}

export const WINDOW_COLUMNS = [
  "test",
  "out-of-sample",
  "in-sample",
  "kept",
  "chosen",
  "deflated",
  "neighbours",
  "over holding",
  "fills",
];

export function windowCells(row: WindowRow, { objective, currency }: WalkForwardOutcome): readonly string[] {
  const { window, values, outOfSample, inSample, checks, profitOverHolding, fills } = row;
  if (values === undefined || checks === undefined) return [spanText(window.test), "n/a", "n/a", "n/a", row.state];
  const { deflated, neighbourhood } = checks;
  return [
    spanText(window.test),
    achievedText(objective, outOfSample),
    achievedText(objective, inSample),
    keptText(row),
    valuesText(values) + apartText(row),
    deflated.kind === "known" ? percent(deflated.value.chance, 1) : "n/a",
    neighbourhood.kind === "known" ? percent(neighbourhood.value.kept, 0) : "n/a",
    profitOverHolding === null ? "n/a" : money(profitOverHolding, currency),
    number(fills, 0),
  ];
}

function apartText({ state, lateMs }: WindowRow): string {
  const texts = [
    ...(state === "ACTIVE" ? [] : [state]),
    ...(lateMs === undefined ? [] : [`books opened ${duration(lateMs)} late`]),
  ];
  return texts.length === 0 ? "" : ` (${texts.join("; ")})`;
}

/** Why no window has a figure of its own, where that is so. */
export function windowsNote({ rows, objective }: Pick<WalkForwardOutcome, "rows" | "objective">): string | undefined {
  const [first] = rows;
  const short = first && shortText(objective, first.window.test.to - first.window.test.from);
  return short && `out-of-sample of a window by itself is n/a: ${short}; all of them together are judged as one`;
}

function valuesText(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

/** Dates alone where both ends are midnights. */
export function spanText({ from, to }: WindowRow["window"]["test"]): string {
  const text = from % 86_400_000 === 0 && to % 86_400_000 === 0 ? day : minute;
  return `${text(from)} to ${text(to)}`;
}

function keptText({ inSample, outOfSample }: WindowRow): string {
  return inSample === null || outOfSample === null || !(inSample > 0) ? "n/a" : percent(outOfSample / inSample, 0);
}

function achievedText(objective: Objective, value: number | null): string {
  if (value === null) return "n/a";
  switch (figureOf(objective)) {
    case "totalReturn":
    case "drawdown":
    case "edgeCaptured":
      return percent(value, 3);
    default:
      return number(value, 2);
  }
}

function lineOf<T>(
  label: string,
  figure: Figure<T>,
  say: (value: T) => string,
  tone: (value: T) => Line["tone"] = () => undefined,
): Line {
  if (figure.kind !== "known") return { label, text: "n/a", note: figure.reason };
  return { label, text: say(figure.value), ...toned(tone(figure.value)) };
}

function isGain(value: number): Line["tone"] {
  return value > 0 ? "gain" : value < 0 ? "loss" : undefined;
}

function toned(tone: Line["tone"]): Pick<Line, "tone"> {
  return tone === undefined ? {} : { tone };
}
