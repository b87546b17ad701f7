// Local time to UTC. A zone is declared, never guessed: UTC, a fixed offset such as UTC-5, or a name such as
// Europe/Zurich with its clock changes: an hour that does not exist is refused, one that occurs twice has two answers.

import { err, ok, type Result } from "../../src/domain/result.ts";
import { quoted } from "../../src/domain/sanitise.ts";
import { type ProblemLog, REPEATED_HOUR } from "./problem.ts";

export interface Zone {
  readonly name: string;
  /**
   * UTC milliseconds of a local time given as if it were UTC; NaN where the clock skipped it. Two different values
   * where the clock shows it twice, equal ones elsewhere; the list is reused for the next answer.
   */
  toUtc(local: number): Instants;
}

type Instants = readonly [first: number, second: number];

const FIXED = /^UTC(?:([+-])([0-9]{1,2})(?::([0-9]{2}))?)?$/;
const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const DAY = 24 * HOUR;

export const UTC: Zone = offsetZone("UTC", 0);
/** New York's winter time, all year. */
export const UTC_MINUS_5: Zone = offsetZone("UTC-5", -5 * HOUR);
const RULE = "a time zone must be UTC, an offset such as UTC-5, or a name such as Europe/Zurich";

export function parseZone(text: string): Result<Zone> {
  const fixed = FIXED.exec(text);
  if (fixed) return fixedZone(text, fixed);
  // Short names mean several zones, and the runtime picks one of them: BST for Bangladesh, AST for Alaska.
  if (!text.includes("/")) return err(`${RULE}, was "${text}"`);
  try {
    return ok(namedZone(text));
  } catch {
    return err(`${RULE}, was "${text}"`);
  }
}

function fixedZone(name: string, [, sign, hours = "0", minutes = "0"]: RegExpExecArray): Result<Zone> {
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000);
  if (Math.abs(offset) > 14 * HOUR || Number(minutes) > 59)
    return err(`an offset must lie within 14 hours of UTC, was ${name}`);
  return ok(offsetZone(name, offset));
}

function offsetZone(name: string, offset: number): Zone {
  const instants: [number, number] = [0, 0];
  return {
    name,
    toUtc(local) {
      instants[0] = instants[1] = local - offset;
      return instants;
    },
  };
}

function namedZone(name: string): Zone {
  const offsetAt = offsets(name);
  let quarter = Number.NaN;
  let early = 0;
  let late = 0;
  const instants: [number, number] = [0, 0];
  return {
    name,
    toUtc(local) {
      // Clocks change at full quarters of an hour: the offset at the start of a quarter holds for all of it.
      const start = Math.floor(local / QUARTER) * QUARTER;
      if (start !== quarter) {
        [early, late] = candidates(start, offsetAt);
        quarter = start;
      }
      instants[0] = local - early;
      instants[1] = local - late;
      return instants;
    },
  };
}

/** The offsets under which this local time exists, the one with the earlier UTC first; NaN twice when there is none. */
function candidates(local: number, offsetAt: (utc: number) => number): [number, number] {
  const around = new Set([offsetAt(local - DAY), offsetAt(local + DAY)]);
  const valid = [...around].filter((offset) => offsetAt(local - offset) === offset).sort((a, b) => b - a);
  const [early = Number.NaN, late = early] = valid;
  return [early, late];
}

function offsets(name: string): (utc: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return (utc) => {
    const part = format.formatToParts(utc).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const match = /^GMT(?:([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?$/.exec(part);
    const [, sign, hours = "0", minutes = "0", seconds = "0"] = match ?? [];
    const size = Number(hours) * HOUR + Number(minutes) * 60_000 + Number(seconds) * 1_000;
    return sign === "-" ? -size : size;
  };
}

/** Returned instead of a time when the problem is already in the log. No time in a file has this value. */
export const REPORTED = Number.NEGATIVE_INFINITY;

/** UTC of a time without a zone, with its place and its text for messages. */
export type ClockReader = (local: number, place: number, text: () => string) => number;

/** `noZone`: the end of the refusal's message where no zone was declared. */
export function clockReader(
  zone: Zone | undefined,
  kind: "quotes" | "bars",
  log: ProblemLog,
  noZone = "and none was declared (--zone does)",
): ClockReader {
  const clock = zone && new WallClock(zone, kind, log);
  return (local, place, text) => {
    if (clock === undefined) return log.refuse("zone", `time ${quoted(text())} has no zone, ${noZone}`, place);
    const time = clock.toUtc(local);
    if (!Number.isNaN(time)) return time;
    log.row("time", place, () => `time ${quoted(text())} does not exist in ${zone?.name}: the clock leapt over it`);
    return REPORTED;
  };
}

// The local times of a file, row after row. For an hour that the clock shows twice, the order of the rows decides;
// where they never go back they may belong to either, are taken for the first, and are counted.

class WallClock {
  private readonly zone: Zone;
  private readonly log: ProblemLog;
  /** Two bars cannot open at the same time; two quotes can arrive in the same millisecond. */
  private readonly stepMsMin: number;
  private last = Number.NEGATIVE_INFINITY;
  private lastStep = 0;
  /** Rows of an hour that occurs twice, none of which was identified as the second. */
  private doubtful = 0;

  constructor(zone: Zone, kind: "quotes" | "bars", log: ProblemLog) {
    this.zone = zone;
    this.log = log;
    this.stepMsMin = kind === "bars" ? 1 : 0;
  }

  /** UTC, or NaN where the clock skipped the local time. */
  toUtc(local: number): number {
    const [first, second] = this.zone.toUtc(local);
    if (Number.isNaN(first)) return first;
    let time = first;
    if (second !== first) {
      // Rows an hour apart show the same clock time twice; for quotes in quick succession it is the same millisecond.
      const isAgain = first === this.last && this.lastStep >= second - first;
      if (first < this.last + this.stepMsMin || isAgain) time = second;
      this.count(time === first);
    } else this.doubtful = 0;
    this.lastStep = Number.isFinite(this.last) ? time - this.last : 0;
    this.last = time;
    return time;
  }

  private count(isFirst: boolean): void {
    this.log.count(REPEATED_HOUR, isFirst ? 1 : -this.doubtful);
    this.doubtful = isFirst ? this.doubtful + 1 : 0;
  }
}
