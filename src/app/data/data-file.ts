// A data file named by a person: where it may be written, every problem with its line, and a summary of its contents.

import { existsSync } from "node:fs";
import { manifestPath } from "../../../backtest/data/manifest.ts";
import {
  OPEN_END,
  problemLine,
  REPEATED_HOUR,
  type Refusal,
  ROW_PROBLEMS,
  totalOf,
} from "../../../backtest/data/problem.ts";
import type { Survey } from "../../../backtest/data/survey/survey.ts";
import type { Result } from "../../domain/result.ts";
import { isFull } from "../../journal/file/sqlite-failure.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../command-failure.ts";
import type { Shell } from "../shell.ts";
import type { Terminal } from "../terminal/terminal.ts";

const SHOWN = 20;

/** Returns the data, or ends the command with exit code 2. `isConfigured`: a configuration names the file. */
export function usable<T>({ terminal }: Shell, path: string, result: Result<T, Refusal>, isConfigured = false): T {
  if (result.ok) return result.value;
  throw refused(terminal, path, result.error, isConfigured ? importInstead(result.error) : wayOut(result.error.counts));
}

function refused(
  terminal: Shell["terminal"],
  path: string,
  { problems, counts }: Refusal,
  next: string | undefined,
): CommandFailure {
  const total = totalOf(counts);
  const [only] = problems;
  if (total === 1 && only !== undefined) return usageFailure(problemLine(only), next);
  noteProblems(terminal, { problems, counts });
  return usageFailure(`${path} has ${total} problems: ${countsText(counts)}`, next);
}

/** Prints the rows of an import whose problem was explicitly tolerated. */
export function noteTolerated(terminal: Shell["terminal"], { problems, counts }: Refusal): void {
  const { [OPEN_END]: kept = 0, ...leftOut } = counts;
  if (totalOf(leftOut) > 0) {
    terminal.note("left out, as tolerated:");
    noteProblems(terminal, { problems: problems.filter(({ kind }) => kind !== OPEN_END), counts: leftOut });
  }
  if (kept > 0) {
    terminal.note("kept, as tolerated:");
    noteProblems(terminal, {
      problems: problems.filter(({ kind }) => kind === OPEN_END),
      counts: { [OPEN_END]: kept },
    });
  }
}

function noteProblems(terminal: Shell["terminal"], { problems, counts }: Refusal): void {
  const shown = problems.slice(0, SHOWN);
  for (const problem of shown) terminal.note(problemLine(problem));
  const more = totalOf(counts) - shown.length;
  if (more > 0) terminal.note(`... and ${more} more`);
}

/** `crossed 2, number 1`. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const texts = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  return texts.length === 0 ? "none" : texts.join(", ");
}

/** The bot has none of the options that the problems and their remedies name. */
function importInstead({ problems, counts }: Refusal): string | undefined {
  const namesOption = problems.some((problem) => /--[a-z]/.test(problemLine(problem)));
  return namesOption || wayOut(counts) !== undefined
    ? "a configuration has no such options: pegbot data import has them, and writes a file that needs none"
    : undefined;
}

function wayOut(counts: Refusal["counts"]): string | undefined {
  const kinds = Object.keys(counts);
  if (!kinds.every((kind) => (ROW_PROBLEMS as readonly string[]).includes(kind))) return undefined;
  const does = kinds.filter((kind) => kind !== OPEN_END).length > 0 ? "leaves such rows out" : "keeps the row";
  const but = does === "keeps the row" || !kinds.includes(OPEN_END) ? "" : ` (that of ${OPEN_END} is kept)`;
  return `docs/DATA.md says what each means; --tolerate ${kinds.join(",")} ${does}${but}`;
}

export function requireNew(path: string): void {
  for (const taken of [path, manifestPath(path)])
    if (existsSync(taken)) throw usageFailure(`${taken} exists already, and is never overwritten`);
}

/** A write error on a full disk does not name the file. */
export async function writingTo<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFull(error)) throw error;
    const said = `${path} could not be written (${(error as Error).message}), and nothing of it is left`;
    throw plainFailure(said, "free some disk space, or name another place with --out");
  }
}

export function isDataFile(path: string): boolean {
  return path.endsWith(".columns") || path.endsWith(".csv");
}

const LABEL = 12;

export function printSurvey(terminal: Terminal, path: string, digest: string, seen: Survey): void {
  const line = (name: string, text: string): void => terminal.print(`${name.padEnd(LABEL)}${text}`);
  line("file", path);
  line("sha256", digest);
  line("pair", `${seen.symbol}, ${seen.rows} ${seen.kind}${seen.intervalMs ? ` of ${spanText(seen.intervalMs)}` : ""}`);
  line("time", `${seen.from} to ${seen.to}`);
  const { stepMs } = seen;
  line("step", stepMs ? `median ${spanText(stepMs.median)}, longest ${spanText(stepMs.max)}` : "n/a");
  const { first, last, min, max } = seen.price;
  const isBars = seen.kind === "bars";
  const [begin, end, of] = isBars ? ["first open", "last close", ""] : ["first", "last", " (middles)"];
  line("price", `${begin} ${short(first)}, ${end} ${short(last)}, lowest ${short(min)}, highest ${short(max)}${of}`);
  if (seen.spreadBps !== undefined)
    line("spread", `median ${short(seen.spreadBps.median)} bp, widest ${short(seen.spreadBps.max)} bp`);
  line(
    isBars ? "volume" : "size",
    seen.size === undefined
      ? "unknown"
      : `median ${short(seen.size.median)}, unknown in ${(seen.size.unknownShare * 100).toFixed(1)} % of rows`,
  );
  const { volatilityPerYear } = seen;
  line("volatility", volatilityPerYear === undefined ? "n/a" : `${(volatilityPerYear * 100).toFixed(1)} % a year`);
  const { gaps } = seen;
  line("gaps", `${gaps.count} longer than ${spanText(gaps.limitMs)}, ${gaps.weekends} weekends`);
  for (const gap of gaps.longest) line("", `${gap.from} to ${gap.to} (${spanText(gap.ms)})`);
  const { [OPEN_END]: kept, [REPEATED_HOUR]: doubtful, ...leftOut } = seen.leftOut;
  line("left out", countsText(leftOut));
  if (kept !== undefined) line("kept", `${OPEN_END} ${kept}: the last row may have been cut`);
  if (doubtful !== undefined)
    line("kept", `${REPEATED_HOUR} ${doubtful}: rows of an hour that the clock showed twice, taken for the first`);
  for (const remark of seen.remarks) line("remark", remark);
}

function short(value: number): string {
  return String(Number(value.toPrecision(7)));
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
];

/** 90 s as 1.5m. */
function spanText(ms: number): string {
  const unit = UNITS.find(([size]) => ms >= size);
  return unit === undefined ? `${short(ms)}ms` : `${Number((ms / unit[0]).toFixed(2))}${unit[1]}`;
}
