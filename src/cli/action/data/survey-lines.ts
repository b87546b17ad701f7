// What is in a data file, as lines of a report.

import { OPEN_END, REPEATED_HOUR } from "../../../../backtest/data/problem.ts";
import type { Survey } from "../../../../backtest/data/survey/survey.ts";
import { countsText } from "../../data/data-refusal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

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
