// A data file named by a person: every problem with its line, where it may be written, and a summary of its contents.

import { existsSync } from "node:fs";
import { manifestPath } from "../../../backtest/data/manifest.ts";
import { type Memory, type OpenedData, openData } from "../../../backtest/data/open-data.ts";
import { problemLine, type Refusal, TOLERABLE } from "../../../backtest/data/problem.ts";
import type { Summary } from "../../../backtest/data/summary.ts";
import { duration } from "../../../backtest/report/format.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import type { Result } from "../../domain/result.ts";
import { isFull } from "../../journal/file/sqlite-failure.ts";
import { counted } from "../finding.ts";
import type { Shell } from "../shell.ts";
import type { Terminal } from "../terminal/terminal.ts";

const SHOWN = 20;

/** Reads column files, or ends the command with exit code 2. */
export function openDataFiles(shell: Shell, path: string, memory: Memory = "stream"): readonly OpenedData[] {
  return usable(shell, path, openData(path, memory));
}

/** Returns the data, or ends the command with exit code 2. */
export function usable<T>({ terminal }: Shell, path: string, result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  const { problems, counts } = result.error;
  const kinds = Object.keys(counts);
  const next = kinds.every((kind) => (TOLERABLE as readonly string[]).includes(kind))
    ? `docs/guides/data.md says what each means; --tolerate ${kinds.join(",")} leaves such rows out`
    : undefined;
  const [only] = problems;
  if (totalOf(counts) === 1 && only !== undefined) throw usageFailure(problemLine(only), next);
  noteProblems(terminal, result.error);
  throw usageFailure(`${path} has ${counted(totalOf(counts), "problem")}: ${countsText(counts)}`, next);
}

export function noteProblems(terminal: Shell["terminal"], { problems, counts }: Refusal): void {
  const shown = problems.slice(0, SHOWN);
  for (const problem of shown) terminal.note(problemLine(problem));
  const more = totalOf(counts) - shown.length;
  if (more > 0) terminal.note(`... and ${more} more`);
}

export function totalOf(counts: Refusal["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** `crossed 2, number 1`. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const texts = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  return texts.length === 0 ? "none" : texts.join(", ");
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

export function printSummary(terminal: Terminal, path: string, digest: string, seen: Summary, manifest?: string): void {
  const line = (name: string, text: string): void => terminal.print(`${name.padEnd(12)}${text}`);
  line("file", path);
  line("sha256", digest);
  line(
    "pair",
    `${seen.symbol}, ${seen.rows} ${seen.kind}${seen.kind === "bars" ? ` of ${duration(seen.intervalMs)}` : ""}`,
  );
  line("time", `${seen.from} to ${seen.to}`);
  line("step", duration(seen.stepMs));
  const { first, last, min, max } = seen.price;
  line("price", `first ${short(first)}, last ${short(last)}, lowest ${short(min)}, highest ${short(max)}`);
  const { gaps } = seen;
  line("gaps", `${gaps.count} longer than ${duration(gaps.limitMs)}, ${counted(gaps.weekends, "weekend")}`);
  for (const gap of gaps.longest) line("", `${gap.from} to ${gap.to} (${duration(gap.ms)})`);
  line("left out", countsText(seen.leftOut));
  if (manifest !== undefined) line("manifest", manifest);
}

function short(value: number): string {
  return String(Number(value.toPrecision(7)));
}
