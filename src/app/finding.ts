// A finding of `doctor` or `rehearse`: a verdict, its cause and the next step. People see each as soon as it is known, with the next
// step below; --json prints one document at the end. Any text may come from outside, so it is sanitised.

import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import { printable } from "../domain/sanitise.ts";
import { displayWidth, type Style } from "../watch/text/screen-line.ts";
import { codePage } from "./code-page.ts";
import type { Terminal } from "./terminal/terminal.ts";

type Verdict = "ok" | "warning" | "problem" | "skipped" | "unknown";

export type Finding = {
  readonly check: string;
  readonly verdict: Verdict;
  readonly cause: string;
  /** Absent if there is nothing to do. */
  readonly next?: string;
  /** Configuration lines that belong to the next step. */
  readonly yaml?: readonly string[];
};

/** Cause and next step, without the check's name and verdict. */
export type Explanation = { readonly cause: string; readonly next: string };

function finding(verdict: Verdict) {
  return (check: string, cause: string, next?: string): Finding => ({
    ...{ check, verdict, cause },
    ...(next !== undefined && { next }),
  });
}

export const fine = finding("ok");
export const warning = finding("warning");
export const problem = finding("problem");
export const skipped = finding("skipped");
export const unknown = finding("unknown");

const CHECK_WIDTH = "configuration".length;
const VERDICT_WIDTH = "problem".length;
const INDENT = " ".repeat(CHECK_WIDTH + VERDICT_WIDTH + 4);
const TEXT_MAX = 1_000;
const STYLES: Readonly<Record<Verdict, Style>> = {
  ok: "green",
  warning: "yellow",
  problem: "red",
  skipped: "dim",
  unknown: "dim",
};

export interface Report {
  readonly findings: readonly Finding[];
  add(...findings: readonly Finding[]): void;
  /** Ends the report; the exit code follows from all findings together. `more`: further members of the document. */
  end(more?: object): ExitCode;
}

export function createReport(terminal: Terminal): Report {
  const all: Finding[] = [];
  const count = (verdict: Verdict): number => all.filter((finding) => finding.verdict === verdict).length;
  return {
    findings: all,
    add(...findings) {
      all.push(...findings);
      if (!terminal.wantsJson) for (const finding of findings) show(finding, terminal);
    },
    end(more) {
      const problems = count("problem");
      if (terminal.wantsJson) terminal.json({ ok: problems === 0, findings: all.map(plain), ...more });
      else terminal.print(`\n${counted(problems, "problem")}, ${counted(count("warning"), "warning")}`);
      return problems === 0 ? exitCode.done : exitCode.failed;
    },
  };
}

function show({ check, verdict, cause, next, yaml = [] }: Finding, terminal: Terminal): void {
  const mark = terminal.style(STYLES[verdict], verdict.padEnd(VERDICT_WIDTH));
  // A feed's name can have any length.
  const head = check.padEnd(CHECK_WIDTH);
  const indent = displayWidth(head) + INDENT.length - CHECK_WIDTH;
  terminal.hang(`${head}  ${mark}  `, printable(cause, TEXT_MAX), indent);
  if (next !== undefined) terminal.hang(`${INDENT}-> `, printable(next, TEXT_MAX));
  const page = verdict === "ok" ? undefined : codePage(cause);
  if (page !== undefined) terminal.hang(`${INDENT}-> `, `more: ${page}`);
  for (const line of yaml) terminal.print(`${INDENT}   ${printable(line, TEXT_MAX)}`);
}

function plain({ check, verdict, cause, next, yaml }: Finding): unknown {
  const page = verdict === "ok" ? undefined : codePage(cause);
  return { check, verdict, cause, next: next ?? null, ...(page && { page }), ...(yaml && { yaml: yaml.join("\n") }) };
}

/** `no problems`, `1 problem`. */
export function counted(count: number, what: string): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`;
}
