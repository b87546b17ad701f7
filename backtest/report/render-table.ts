// A run as text for a terminal: head, sparklines, figures, pairs, and refusals.

import { printable } from "../../src/domain/sanitise.ts";
import type { Figures } from "../metric/figures.ts";
import { pairFigures } from "../metric/trades.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Line, summarise } from "./figure-lines.ts";
import { basisPoints, duration, minute, money, number } from "./format.ts";
import { cappedRows, endedText, figureCautions, holeText, refusedText, runNotes } from "./run-text.ts";

export type TableOptions = {
  /** Columns of the screen; longer lines are wrapped. Without it lines are not wrapped. */
  readonly width?: number | undefined;
  /** Colours a text as good or bad news; leave it out for plain text. */
  readonly paint?: (text: string, tone: "gain" | "loss") => string;
};

const INDENT = 2;
/** A note with less room than this next to its figure goes below it. */
const NOTE_WIDTH_MIN = 24;
const SPARKS = "▁▂▃▄▅▆▇█";
const SPARK_WIDTH_MAX = 60;
/** The rules with the most refusals. */
const RULES_SHOWN = 5;
/** The reason of a halt has at most 400 characters, and may be escaped. */
const ENDED_MAX = 3_000;
/** A folder of recordings is listed with names and digests, followed by the synthetic parts. */
const DATA_MAX = 5_000;

export function renderTable(
  record: RunRecord,
  figures: Figures,
  { width = Number.POSITIVE_INFINITY, paint = plain }: TableOptions = {},
): string[] {
  const { settings } = record;
  const refused = refusedLines(record);
  const capped = cappedLines(record);
  const pairs = pairLines(record);
  const groups = [
    ...summarise(figures, settings.currency),
    ...(pairs.length === 0 ? [] : [{ title: "Pairs, by fills", lines: pairs }]),
    ...(refused.length === 0 ? [] : [{ title: "Refused proposals", lines: refused }]),
    ...(capped.length === 0 ? [] : [{ title: "Orders made smaller", lines: capped }]),
  ];
  const row = rowsOf(
    groups.flatMap((group) => group.lines),
    width,
    paint,
  );
  const span = `${minute(settings.from)} to ${minute(settings.to)} (${duration(settings.to - settings.from)})`;
  const ended = endedText(record);
  return [
    ...(ended === undefined ? [] : wrapped(printable(ended, ENDED_MAX), width).map((line) => paint(line, "loss"))),
    ...wrapped(printable(settings.title), width),
    ...wrapped(printable(`${settings.source} of ${settings.strategy}, ${span}`), width),
    ...wrapped(printable(settings.data, DATA_MAX), width),
    ...(settings.banner === undefined ? [] : wrapped(settings.banner, width)),
    ...[...(settings.cautions ?? []), ...figureCautions(figures)].flatMap((text) =>
      wrapped(printable(text, DATA_MAX), width),
    ),
    ...(settings.cadence === undefined ? [] : wrapped(settings.cadence, width)),
    ...(record.holes ?? []).flatMap((one) => wrapped(`holes in ${printable(one.name)}: ${holeText(one)}`, width)),
    ...runNotes(record).flatMap((text) => wrapped(text, width)),
    "",
    ...sparkLines(record, width),
    ...groups.flatMap((group) => [group.title, ...group.lines.flatMap(row)]),
  ];
}

function plain(text: string): string {
  return text;
}

type Paint = NonNullable<TableOptions["paint"]>;

/** Label, figure and note in columns, each as wide as its widest text. */
function rowsOf(lines: readonly Line[], width: number, paint: Paint): (line: Line) => string[] {
  const labelWidth = Math.max(...lines.map(({ label }) => label.length));
  const textWidth = Math.max(...lines.map(({ text }) => text.length));
  const column = INDENT + labelWidth + 2 + textWidth + 2;
  const isBeside = width - column >= NOTE_WIDTH_MIN;
  return ({ label, text, note, tone }) => {
    const value = text.padStart(textWidth);
    const start = `${blanks(INDENT)}${label.padEnd(labelWidth)}  ${tone === undefined ? value : paint(value, tone)}`;
    if (note === undefined || note === "") return [start];
    if (!isBeside) return [start, ...wrapped(note, width - 2 * INDENT, 0).map((line) => blanks(2 * INDENT) + line)];
    const [first = "", ...more] = wrapped(note, width - column, 0);
    return [`${start}  ${first}`, ...more.map((line) => blanks(column) + line)];
  };
}

function pairLines(record: RunRecord): Line[] {
  const { currency } = record.settings;
  return pairFigures(record).map(({ symbol, prices, fills, capturedBps, captured }) => ({
    label: symbol,
    text: number(fills, 0),
    note: [
      ...(prices === undefined ? [] : [prices]),
      ...(capturedBps === undefined ? [] : [`edge captured ${money(captured, currency)}, ${basisPoints(capturedBps)}`]),
    ].join(", "),
  }));
}

/** Refused proposals never became orders, so no other figure shows them. */
function refusedLines(record: RunRecord): Line[] {
  const rules = Object.entries(record.refusals).sort(([, one], [, other]) => other - one);
  const lineOf = (label: string, count: number, note?: string): Line => {
    return { label, text: number(count, 0), note };
  };
  // A line "and one more" would take as much room as that one.
  const shown = rules.length === RULES_SHOWN + 1 ? rules.length : RULES_SHOWN;
  const rest = rules.slice(shown);
  return [
    ...rules.slice(0, shown).map(([rule, count]) => lineOf(`by ${printable(rule)}`, count, refusedText(record, rule))),
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

function cappedLines(record: RunRecord): Line[] {
  return cappedRows(record).map(({ rule, orders, text }) => {
    return { label: `by ${printable(rule)}`, text: number(orders, 0), note: text };
  });
}

function sparkLines({ samples, settings }: RunRecord, width: number): string[] {
  const cells = Math.max(10, Math.min(SPARK_WIDTH_MAX, width - 45));
  const line = (name: string, column: Float64Array): string[] => {
    const values = column.filter((value) => Number.isFinite(value));
    const [first, last] = [values[0], column.at(-1)];
    if (first === undefined || last === undefined) return [];
    const ends = `${money(first, settings.currency)} to ${Number.isFinite(last) ? money(last, settings.currency) : "n/a"}`;
    return wrapped(`${name.padEnd(8)} ${sparkline(values, cells)}  ${ends}`, width);
  };
  const found = [...line("equity", samples.equity), ...line("holding", samples.benchmark)];
  return found.length === 0 ? [] : [...found, ""];
}

/** The mean of each part, scaled between the lowest and the highest mean. */
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

/** Wraps text, indenting later lines; a word longer than a line is broken. */
function wrapped(text: string, width: number, indent = INDENT): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  const room = Math.max(1, width - indent);
  let rest = text;
  for (let most = width; rest.length > most; most = room) {
    const blank = rest.lastIndexOf(" ", most);
    const end = blank > 0 ? blank : most;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== "") lines.push(rest);
  return lines.map((line, place) => (place === 0 ? line : blanks(indent) + line));
}

function blanks(count: number): string {
  return " ".repeat(count);
}
