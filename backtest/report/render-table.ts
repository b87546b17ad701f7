// A run in the terminal: what ran, equity as a sparkline, every figure on a line. Pure: lines out, nothing printed.

import { printable } from "../../src/domain/outside-text.ts";
import type { Figures } from "../figures.ts";
import type { RunRecord } from "../record/run-record.ts";
import { beliefText, isLittleBelieved } from "./belief-text.ts";
import { duration, minute, money, number } from "./format.ts";
import { holeText } from "./hole-text.ts";
import { ruleMeaning } from "./rule-meaning.ts";
import { type Line, summarise } from "./summary.ts";

export type TableOptions = {
  /** Columns of the terminal. */
  readonly width?: number;
  /** Colours a text by good and bad news; leave it out where colours are not wanted. */
  readonly paint?: (text: string, tone: "gain" | "loss") => string;
};

const INDENT = 2;
const SPARKS = "▁▂▃▄▅▆▇█";
const SPARK_WIDTH_MAX = 60;
/** Those that refused most. */
const RULES_SHOWN = 5;

export function renderTable(record: RunRecord, figures: Figures, { width = 100, paint }: TableOptions = {}): string[] {
  const { settings } = record;
  const refused = refusedLines(record);
  const groups = [
    ...summarise(figures, settings.currency),
    ...(refused.length === 0 ? [] : [{ title: "Refused proposals", lines: refused }]),
  ];
  const lines = groups.flatMap((group) => group.lines);
  const labelWidth = Math.max(...lines.map(({ label }) => label.length));
  const textWidth = Math.max(...lines.map(({ text }) => text.length));
  const row = ({ label, text, note, tone }: Line): string => {
    const value = text.padStart(textWidth);
    const start = `${" ".repeat(INDENT)}${label.padEnd(labelWidth)}  ${tone && paint ? paint(value, tone) : value}`;
    const room = width - INDENT - labelWidth - textWidth - 4;
    return note === undefined || room < 10 ? start : `${start}  ${cut(note, room)}`;
  };
  const span = `${minute(settings.from)} to ${minute(settings.to)} (${duration(settings.to - settings.from)})`;
  return [
    cut(printable(settings.title), width),
    cut(printable(`${settings.source} of ${settings.strategy}, ${span}`), width),
    cut(printable(settings.data), width),
    ...(record.references ?? [])
      .filter(isLittleBelieved)
      .flatMap((one) => wrapped(`reference ${printable(one.name)}: ${beliefText(one)}`, width)),
    ...(record.holes ?? []).flatMap((one) => wrapped(`holes in ${printable(one.name)}: ${holeText(one)}`, width)),
    "",
    ...sparkLines(record, width),
    ...groups.flatMap((group) => [group.title, ...group.lines.map(row)]),
  ];
}

/** They never became orders, so no other figure shows them. */
function refusedLines({ refusals }: RunRecord): Line[] {
  const rules = Object.entries(refusals).sort(([, one], [, other]) => other - one);
  const lineOf = (label: string, count: number, note?: string): Line => {
    return { label, text: number(count, 0), note, tone: undefined };
  };
  const rest = rules.slice(RULES_SHOWN);
  return [
    ...rules.slice(0, RULES_SHOWN).map(([rule, count]) => lineOf(`by ${printable(rule)}`, count, ruleMeaning(rule))),
    ...(rest.length === 0
      ? []
      : [
          lineOf(
            `by ${rest.length} other rules`,
            rest.reduce((sum, [, count]) => sum + count, 0),
          ),
        ]),
  ];
}

function sparkLines({ samples, settings }: RunRecord, width: number): string[] {
  const cells = Math.max(10, Math.min(SPARK_WIDTH_MAX, width - 45));
  const line = (name: string, column: Float64Array): string[] => {
    const values = column.filter((value) => Number.isFinite(value));
    const [first, last] = [values[0], values[values.length - 1]];
    if (first === undefined || last === undefined) return [];
    const ends = `${money(first, settings.currency)} to ${money(last, settings.currency)}`;
    return [cut(`${name.padEnd(8)} ${sparkline(values, cells)}  ${ends}`, width)];
  };
  const found = [...line("equity", samples.equity), ...line("holding", samples.benchmark)];
  return found.length === 0 ? [] : [...found, ""];
}

/** The mean of each part, between the lowest and the highest of them. */
export function sparkline(values: Float64Array, cells: number): string {
  const parts = Math.min(cells, values.length);
  const means = Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * values.length) / parts);
    const slice = values.subarray(from, Math.max(from + 1, Math.floor(((part + 1) * values.length) / parts)));
    return slice.reduce((sum, value) => sum + value, 0) / slice.length;
  });
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const level = (mean: number): number =>
    high > low ? Math.round(((mean - low) / (high - low)) * (SPARKS.length - 1)) : 3;
  return means.map((mean) => SPARKS[level(mean)]).join("");
}

/** On as many lines as it takes, the later ones indented. */
function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1] as string;
    const longer = last === "" ? word : `${last} ${word}`;
    if (longer.length <= width || last.trim() === "") lines[lines.length - 1] = longer;
    else lines.push(`${" ".repeat(INDENT)}${word}`);
  }
  return lines.map((line) => cut(line, width));
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
