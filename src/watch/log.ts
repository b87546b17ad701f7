// Log lines of the running bot: a sentence for people, and the same with its fields as one JSON object a line. Neither
// ever goes to stdout, which belongs to results.

import { type DestinationStream, pino } from "pino";
import { printable, printableJson } from "../domain/outside-text.ts";
import type { Clock } from "../domain/time.ts";

export type LogLine = {
  readonly level: "info" | "warn" | "error";
  /** Stable, for whoever searches: `order.filled`, `state`. */
  readonly event: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
};

export type Log = (line: LogLine) => void;

const LINE_MAX = 1_000;

/** `04:31:07  filled: ...`, UTC. */
export function createPlainLog(write: (line: string) => void, clock: Pick<Clock, "now">): Log {
  return ({ level, text }) => {
    const time = new Date(clock.now()).toISOString().slice(11, 19);
    write(`${time}  ${level === "info" ? "" : `${level}: `}${printable(text, LINE_MAX)}`);
  };
}

export function createJsonLog(destination: DestinationStream, clock: Pick<Clock, "now">): Log {
  const timestamp = (): string => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const level = { level: (label: string) => ({ level: label }) };
  // What others wrote is in the fields too; JSON's own escapes leave their values as they were.
  const harmless = { write: (line: string) => destination.write(printableJson(line)) };
  const logger = pino({ base: null, timestamp, formatters: level }, harmless);
  return ({ level, event, text, fields }) => logger[level]({ event, ...fields }, printable(text, LINE_MAX));
}
