// `journal conversions`: what each conversion cost against the moment when it was asked for, in parts that sum to the whole, and
// what the ways not taken would have cost then; by currency and by route, for a month.

import { type Command, Option } from "commander";
import { JOURNAL_FILE, readable, withReader } from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { csvCell } from "../../domain/csv-cell.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { PlanLog } from "../../treasury/approval/plan-log.ts";
import { PARTS } from "../../treasury/conversion/cost.ts";
import { columns } from "../columns.ts";
import { ABOUT, conversionsPage, tablesOf } from "../conversion/page.ts";
import { type Row, rowsOf, sumsOf } from "../conversion/rows.ts";
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
  const { terminal } = shell;
  const tables = { conversions: rows, ...sumsOf(rows) };
  if (terminal.wantsJson) terminal.json({ environment, ...tables });
  else if (format === "csv")
    for (const line of [CSV, ...rows.flatMap(csvOf)]) terminal.print(line.map(csvCell).join(","));
  else if (format === "html") terminal.print(conversionsPage(environment, tables));
  else if (rows.length === 0) terminal.print("no conversion has begun");
  else {
    for (const { titles, cells } of tablesOf(tables)) {
      terminal.table(columns(...titles), cells);
      terminal.print();
    }
    terminal.hang("", ABOUT.replaceAll("\n", " "));
  }
  return exitCode.done;
}

const CSV = [
  ...["began", "id", "from", "to", "amount_left", "amount_arrived", "currency", "route", "value", "cost", ...PARTS],
  ...["against_par", "against_reference", "against_shown", "state"],
];

/** A line for each route, in cents that sum to those of the conversion. */
function csvOf({ at, id, from, to, left, arrived, currency, routes, state }: Row): string[][] {
  return routes.map(({ route, value, cost, againstPar, againstReference, againstShown, ...parts }, i) => [
    ...[new Date(at).toISOString(), id, from, to, ...(i === 0 ? [left, arrived] : ["", ""]), currency, route, value],
    ...[cost, ...PARTS.map((part) => parts[part]), againstPar, againstReference, againstShown, state],
  ]);
}
