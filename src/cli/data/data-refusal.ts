// Data that cannot be used, for people: the first problems with file, line and reason, then how many there are of each kind.

import { OPEN_END, problemLine, type Refusal, ROW_PROBLEMS, totalOf } from "../../../backtest/data/problem.ts";
import type { Result } from "../../domain/result.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

const SHOWN = 20;

/** The data, or the end of the command with exit code 2. `isConfigured`: the file is named by a configuration. */
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
  if (total === 1 && only !== undefined) return new CommandFailure(exitCode.usage, problemLine(only), next);
  noteProblems(terminal, { problems, counts });
  return new CommandFailure(exitCode.usage, `${path} has ${total} problems: ${countsText(counts)}`, next);
}

/** Rows of an import with a problem that was tolerated by name. */
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

/** The bot takes none of the options that the problems and their way out name. */
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
