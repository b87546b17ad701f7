// The European Central Bank's reference rates: the history file (a column per currency, newest first) and the series
// file of its data portal (SDMX CSV). One rate a day against EUR; crosses are quotients. A rate is published at about
// 16:00 Frankfurt time and gets that time here, because it was unknown before.

import { assetsOf } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { quoted } from "../../../src/domain/sanitise.ts";
import { Lines } from "../csv/lines.ts";
import type { ProblemLog } from "../problem.ts";
import { parseZone } from "../zone.ts";
import { aroundPrice, type Format, type Input, priceScale } from "./format.ts";

const PUBLISHED_MS = 16 * 3_600_000;
const NOT_QUOTED = new Set(["N/A", "", "NaN"]);
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const RATE = /^[0-9]+(?:\.[0-9]+)?$/;

type Row = { readonly line: number; readonly cells: readonly string[] };
/** Units of each currency for one EUR on a day. */
type Day = { line: number; readonly rates: Map<string, string> };

export const ecb: Format = {
  name: "ecb",
  title: "the European Central Bank's daily rates, as history zip or csv, or as SDMX csv",
  unit: "line",
  zone: "own",
  halfSpread: "allowed",
  takes: ["entry"],
  async read(input) {
    const [header, ...rows] = await readRows(input);
    if (header === undefined) return;
    const { base, quote } = assetsOf(input.declared.symbol);
    const days = header.cells.includes("OBS_VALUE")
      ? seriesDays(header, rows, input.log)
      : historyDays(header, rows, [base, quote], input.log);
    addDays(input, days, base, quote);
  },
};

async function readRows({ bytes, log }: Input): Promise<Row[]> {
  const rows: Row[] = [];
  const lines = new Lines(log);
  for await (const piece of lines.pieces(bytes())) {
    const text = new TextDecoder().decode(piece.bytes.subarray(piece.start, piece.end - 1));
    for (const line of text.split("\n"))
      rows.push({ line: lines.line++, cells: line.split(",").map((cell) => cell.trim()) });
  }
  log.requireNone();
  if (rows.length === 0) log.refuse("empty", "the file is empty");
  return rows;
}

/** A date, a column per currency, and an empty one at the end. */
function historyDays(header: Row, rows: readonly Row[], wanted: readonly string[], log: ProblemLog): Map<string, Day> {
  const columns = new Map(header.cells.map((name, i) => [name, i]));
  if (header.cells[0] !== "Date")
    log.refuse("columns", `the first column must be Date, was ${quoted(header.cells[0])}`, 1);
  const days = new Map<string, Day>();
  for (const { line, cells } of rows) {
    if (cells.length !== header.cells.length) {
      log.row("fields", line, () => `a row must have ${header.cells.length} fields, was ${cells.length}`);
      continue;
    }
    const rates = new Map<string, string>();
    for (const currency of wanted) {
      const column = columns.get(currency);
      if (currency === "EUR") continue;
      if (column === undefined) log.refuse("columns", `the file has no column ${currency}`, 1);
      rates.set(currency, cells[column] as string);
    }
    addDay(days, cells[0] as string, line, rates, log);
  }
  return days;
}

/** One row per currency and day. */
function seriesDays(header: Row, rows: readonly Row[], log: ProblemLog): Map<string, Day> {
  const at = (name: string): number => {
    const column = header.cells.indexOf(name);
    return column >= 0 ? column : log.refuse("columns", `the file has no column ${name}`, 1);
  };
  const [currency, against, date, value] = [at("CURRENCY"), at("CURRENCY_DENOM"), at("TIME_PERIOD"), at("OBS_VALUE")];
  const days = new Map<string, Day>();
  for (const { line, cells } of rows) {
    if (cells[against] !== "EUR" || cells[value] === undefined) {
      log.row("fields", line, () => `a row must be a rate against EUR, was ${quoted(cells.join(","), 80)}`);
      continue;
    }
    addDay(days, cells[date] as string, line, new Map([[cells[currency] as string, cells[value]]]), log);
  }
  return days;
}

function addDay(
  days: Map<string, Day>,
  date: string,
  line: number,
  rates: ReadonlyMap<string, string>,
  log: ProblemLog,
): void {
  if (!isDay(date)) {
    log.row("time", line, () => `a day must look like 2026-01-31, was ${quoted(date)}`);
    return;
  }
  const day = days.get(date) ?? { line, rates: new Map() };
  days.set(date, day);
  for (const [currency, rate] of rates) {
    if (day.rates.has(currency)) log.row("duplicate", line, () => `a second rate of ${currency} for ${date}`);
    else day.rates.set(currency, rate);
  }
}

/** Date.parse reads the 30th of February as the 2nd of March. */
function isDay(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Adds the days in order of time, whatever their order in the file. */
function addDays(input: Input, days: ReadonlyMap<string, Day>, base: string, quote: string): void {
  const { log, declared } = input;
  const intake = input.intake("quotes");
  const frankfurt = unwrap(parseZone("Europe/Berlin"));
  const around = aroundPrice(declared);
  const { per } = priceScale(declared);
  for (const [date, { line, rates }] of [...days].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const texts = [base, quote].map((currency) => (currency === "EUR" ? "1" : (rates.get(currency) ?? "")));
    if (texts.some((text) => NOT_QUOTED.has(text))) {
      log.count("absent", 1);
      continue;
    }
    const wrong = texts.find((text) => !RATE.test(text));
    if (wrong !== undefined) {
      log.row("number", line, () => `a rate must be a number, was ${quoted(wrong)}`);
      continue;
    }
    const [perBase, perQuote] = texts.map(Number) as [number, number];
    const [time] = frankfurt.toUtc(Date.parse(date) + PUBLISHED_MS);
    intake.add(line, time, ...around(perQuote / perBase / per));
  }
}
