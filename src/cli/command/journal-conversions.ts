// `journal conversions`: what each conversion cost at fair value, and what the other ways would have cost when it was asked for.

import { type Command, Option } from "commander";
import { JOURNAL_FILE, readable, withReader } from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { amountText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { csvCell } from "../../domain/csv-cell.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { Money } from "../../domain/money/money.ts";
import { durationText } from "../../domain/time-text.ts";
import { contentOf } from "../../treasury/approval/plan-content.ts";
import { isEnd, type LoggedPlan, PlanLog } from "../../treasury/approval/plan-log.ts";
import { movedSoFar } from "../../treasury/conversion/purse.ts";
import { columns } from "../columns.ts";
import { month } from "../option/values.ts";
import type { Period } from "./journal-books.ts";

const FORMATS = ["table", "csv", "html"] as const;
type Options = {
  readonly month?: Period;
  readonly format: (typeof FORMATS)[number];
  readonly journal?: string;
};

export function defineConversions(command: Command, run: Run): void {
  command
    .option("--month <month>", "those that began in it: 2026-01", month)
    .addOption(new Option("--format <name>", "to stdout").choices(FORMATS).default("table"))
    .option("--journal <file>", JOURNAL_FILE)
    .action((options: Options) => run((shell) => showConversions(shell, options)));
}

export function showConversions(shell: Shell, { month: period, format, journal }: Options): ExitCode {
  const [environment, log] = withReader(
    shell,
    (reader) => {
      const plans = new PlanLog(Number.POSITIVE_INFINITY);
      for (const read of reader.telling(0)) plans.fold(readable(read).entry);
      return [reader.opening.environment, plans] as const;
    },
    journal,
  );
  const rows = rowsOf(log, period);
  const routes = [...Map.groupBy(rows, ({ from, to, currency }) => `${from} to ${to}, in ${currency}`)];
  const sums = routes.map(([route, own]) => sumOf(route, own));
  const { terminal } = shell;
  if (terminal.wantsJson) terminal.json({ environment, conversions: rows, sums });
  else if (format === "table") {
    terminal.table(columns(...TITLES.map((title, i) => (i > 3 ? `>${title}` : title))), rows.map(cellsOf));
    terminal.print();
    terminal.table(columns(...SUMS), sums.map(sumCells));
  } else if (format === "csv")
    for (const line of [TITLES, ...rows.map(cellsOf)]) terminal.print(line.map(csvCell).join(","));
  else terminal.print(pageOf(environment, rows.map(cellsOf), sums.map(sumCells)));
  return exitCode.done;
}

type Row = NonNullable<ReturnType<typeof rowIn>>;

export function rowsOf(log: PlanLog, { from, to }: Partial<Period> = {}): readonly Row[] {
  const rows = log.all().flatMap((known) => rowIn(known) ?? []);
  return rows.filter(({ at }) => at >= (from ?? 0) && (to === undefined || at < to));
}

function rowIn(known: LoggedPlan) {
  const { plan, progress } = known;
  const { conversion, currency, ways = [], atOnceBps } = contentOf(plan);
  const moved = movedSoFar(known);
  const at = progress.find(({ state }) => state === "begun")?.at;
  if (conversion === undefined || moved === undefined || at === undefined) return undefined;
  const { from, to } = conversion;
  const end = progress.find(isEnd);
  const bps = bpsOf(moved.lost, moved.value);
  return {
    ...{ id: plan.id, at, from, to, left: moved.left, arrived: moved.arrived, currency },
    ...{ value: String(moved.value), lost: String(moved.lost), bps },
    /** An order at the price shown when it was asked for, whatever its size. */
    atOnceBps,
    saved: atOnceBps === undefined ? undefined : String(saved(moved.value, moved.lost, atOnceBps)),
    tookMs: (end?.at ?? at) - at,
    state: end?.state ?? "under way",
    ways,
  };
}

function saved(value: Money, lost: Money, bps: number): Money {
  return Money.of(((value.toNumber() * bps) / 1e4).toFixed(2), value.asset).minus(lost);
}

function bpsOf(lost: Money, value: Money): number {
  return value.isZero() ? 0 : (lost.toNumber() / value.toNumber()) * 1e4;
}

function sumOf(route: string, rows: readonly Row[]) {
  const currency = rows[0]?.currency as Asset;
  const sum = (field: "value" | "lost" | "saved"): Money =>
    Money.sum(
      rows.flatMap((row) => (row[field] === undefined ? [] : [Money.of(row[field], currency)])),
      currency,
    );
  const [value, lost] = [sum("value"), sum("lost")];
  return {
    route,
    count: rows.length,
    value: String(value),
    lost: String(lost),
    bps: bpsOf(lost, value),
    saved: String(sum("saved")),
  };
}

const TITLES = [
  "began",
  "id",
  "from",
  "to",
  "left",
  "arrived",
  "value",
  "lost",
  "bp",
  "at once bp",
  "saved",
  "took",
  "end",
];
const SUMS = ["route", ">conversions", ">value", ">lost", ">bp", ">saved"];

function cellsOf(row: Row): string[] {
  const { at, id, from, to, left, arrived, value, lost, bps, atOnceBps, saved, tookMs, state } = row;
  const amounts = [left, arrived, value, lost].map((amount) => amountText(amount));
  const against = [bps.toFixed(1), atOnceBps?.toFixed(1) ?? "", saved === undefined ? "" : amountText(saved)];
  return [new Date(at).toISOString().slice(0, 16), id, from, to, ...amounts, ...against, durationText(tookMs), state];
}

function sumCells({ route, count, value, lost, bps, saved }: ReturnType<typeof sumOf>): string[] {
  return [route, String(count), amountText(value), amountText(lost), bps.toFixed(1), amountText(saved)];
}

const STYLE = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em}
table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}td,th{padding:.3em .8em;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}
td:first-child,th:first-child{text-align:left}th{font-weight:600}`;

function pageOf(environment: string, rows: readonly string[][], sums: readonly string[][]): string {
  const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const table = (titles: readonly string[], cells: readonly string[][]): string => {
    const row = (of: readonly string[], tag: string): string =>
      `<tr>${of.map((cell) => `<${tag}>${escaped(cell.replace(/^>/, ""))}</${tag}>`).join("")}</tr>`;
    return `<table>${row(titles, "th")}${cells.map((one) => row(one, "td")).join("\n")}</table>`;
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Conversions</title>
<style>${STYLE}</style><h1>Conversions</h1><p>${escaped(environment)}. Lost is against fair value, fees included; saved is against all of it by orders at the prices shown when it was asked for.</p>
${table(SUMS, sums)}
${table(TITLES, rows)}</html>`;
}
