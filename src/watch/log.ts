// The log of the running bot, written by pino: one JSON object per line, or a readable sentence on a terminal. Never on
// stdout, which is for results.

import { pino } from "pino";
import { printable, printableJson } from "../domain/sanitise.ts";
import type { Clock } from "../domain/time.ts";

export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogLine = {
  readonly level: LogLevel;
  /** A stable name to search for: `order.filled`, `state`. */
  readonly event: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
};

export type Log = (line: LogLine) => void;

const LINE_MAX = 1_000;

export type LogSettings = {
  /** Lines below this level are left out. */
  readonly level: LogLevel;
  readonly isPretty: boolean;
};

export function createLog(
  write: (line: string) => void,
  clock: Pick<Clock, "now">,
  { level, isPretty }: LogSettings,
): Log {
  const timestamp = (): string => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const formatters = { level: (label: string) => ({ level: label }) };
  // Fields contain text from outside too; JSON escapes keep their values unchanged.
  const destination = { write: (line: string) => write(isPretty ? prettyLine(line) : printableJson(line.trimEnd())) };
  const logger = pino({ base: null, level, timestamp, formatters }, destination);
  return ({ level, event, text, fields }) => logger[level]({ event, ...fields }, printable(text, LINE_MAX));
}

/** `04:31:07  warn: ...`, UTC. */
export function prettyLine(line: string): string {
  const { time, level, msg } = JSON.parse(line);
  return `${time.slice(11, 19)}  ${level === "info" ? "" : `${level}: `}${msg}`;
}
