// The trading state and its transitions. The bot only makes it stricter; a person halts and resumes. Nothing else leads
// back: no restart, no elapsed time, and ending a person's stop does not end one of the bot's.

import type { Control, Halt } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import { printable } from "../domain/sanitise.ts";
import type { Command, RiskState } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import { type Millis, millis } from "../domain/time.ts";

/** A state with its reason and the command that leads out. */
export type Stop = {
  readonly state: RiskState;
  readonly reason: string;
  readonly wayOut: string;
  readonly by: string;
  readonly since: Millis;
  /** The cause of a stop; absent in ACTIVE. */
  readonly cause?: StopCause | undefined;
  /** As in a halt. */
  readonly subject?: string | undefined;
  readonly finding?: string | undefined;
};

/** The fields that identify a stop. */
export type About = Pick<Stop, "reason" | "cause" | "subject" | "finding">;

/** The strictest state with its first reason, which is the cause; later ones are mostly its effects. */
export type TradingState = Stop & {
  /** All other stops in force: further reasons, and the bot's own below a person's stop. The strictest first. */
  readonly also: readonly Stop[];
};

export const RESUME = 'pegbot resume --reason "..."';
/** Resuming a bot with the same code would halt it again within a second. */
export const MEND = `mend the strategy, start the bot again, then ${RESUME}`;

const NOTHING: readonly Stop[] = Object.freeze([]);

export const FRESH: TradingState = Object.freeze({
  state: "ACTIVE",
  reason: "",
  wayOut: "",
  by: "bot",
  since: millis(0),
  also: NOTHING,
});

const STRICTNESS: Readonly<Record<RiskState, number>> = { ACTIVE: 0, REDUCED: 1, HALTED: 2 };

export function isStricter(state: RiskState, than: RiskState): boolean {
  return STRICTNESS[state] > STRICTNESS[than];
}

/** The state after a change; the same object if nothing changes. */
export function transition(
  from: TradingState,
  change: Control | Extract<Command, { kind: "state" }>,
  at: Millis,
): TradingState {
  switch (change.kind) {
    case "kill":
      return stopped(from, personsStop(change, at));
    case "halt":
      return stopped(from, botsStop("HALTED", change, at));
    case "reduce":
      return stopped(from, botsStop("REDUCED", change, at));
    case "state":
      return stopped(from, botsStop(change.state, change, at));
    case "resume":
      return resumed(from, change.reason, change.by, at);
    case "heartbeat":
    case "limits":
      return from;
    default:
      return unreachable(change);
  }
}

function personsStop({ reason, by }: Extract<Control, { kind: "kill" }>, since: Millis): Stop {
  return { state: "HALTED", reason, wayOut: RESUME, by, since, cause: "person" };
}

function botsStop(state: RiskState, { reason, wayOut, cause, subject, finding }: Halt, since: Millis): Stop {
  const about = { ...(subject === undefined ? {} : { subject }), ...(finding === undefined ? {} : { finding }) };
  return { state, reason, wayOut, by: "bot", since, cause, ...about };
}

/** All stops of both; the same object if the other adds none. */
export function joined(one: TradingState, other: TradingState): TradingState {
  return stopsOf(other).reduce(stopped, one);
}

/** The strictest first; none in ACTIVE. */
export function stopsOf(tradingState: TradingState): readonly Stop[] {
  if (tradingState.state === "ACTIVE") return NOTHING;
  const { also, ...first } = tradingState;
  return [first, ...also];
}

/**
 * The maximum number of a person's stops, and of the bot's own: a cause with ever new wording must not fill the disk.
 */
export const STOPS_MAX = 8;

/** Whether the stop adds nothing: it is in force, or a stricter one for the same cause, or the maximum number is. */
export function isStanding(stop: Stop, tradingState: TradingState): boolean {
  const peers = stopsOf(tradingState).filter((known) => isPersons(known) === isPersons(stop));
  if (peers.some((known) => covers(known, stop))) return true;
  return peers.length >= STOPS_MAX && peers.some(({ state }) => !isStricter(stop.state, state));
}

function stopped(from: TradingState, { reason, ...rest }: Stop): TradingState {
  const stop = bounded({ ...rest, reason: readable(reason) });
  if (stop.state === "ACTIVE" || isStanding(stop, from)) return from;
  const others = stopsOf(from).filter((known) => !replaces(stop, known));
  const place = others.findIndex((known) => rankOf(stop) > rankOf(known));
  return stateOf(others.toSpliced(place === -1 ? others.length : place, 0, stop));
}

/** A person's stop ends alone; this resume does not cover the bot's own stops. */
function resumed(from: TradingState, reason: string, by: string, at: Millis): TradingState {
  // A resume without a reason, or in ACTIVE, changes nothing.
  if (reason.trim() === "" || from.state === "ACTIVE") return from;
  const beneath = isPersons(from) ? from.also.filter((stop) => !isPersons(stop)) : NOTHING;
  if (beneath.length > 0) return stateOf(beneath);
  return { state: "ACTIVE", reason: readable(reason), wayOut: "", by, since: at, also: NOTHING };
}

function stateOf([first = FRESH, ...also]: readonly Stop[]): TradingState {
  return { ...first, also };
}

/** The same cause with other figures is not new, unless it has more findings. */
function covers(known: Stop, stop: Stop): boolean {
  return replaces(known, stop) && saysAll(known, stop);
}

/** A stricter stop, or one with more findings, replaces the earlier stop of the same cause. */
function replaces(stop: Stop, known: Stop): boolean {
  if (isPersons(known) !== isPersons(stop) || isStricter(known.state, stop.state)) return false;
  return isSameStop(known, stop);
}

/** A person's stop ranks above the bot's own and ends alone. */
export function isPersons({ cause }: Pick<Stop, "cause">): boolean {
  return cause === "person";
}

function rankOf(stop: Stop): number {
  return STRICTNESS[stop.state] + (isPersons(stop) ? 1 : 0);
}

/** The same stop with all its findings. */
function saysAll(known: About, stop: About): boolean {
  return isSameStop(known, stop) && (stop.finding === undefined || stop.finding === known.finding);
}

function isSameStop(one: About, other: About): boolean {
  return one.cause === other.cause && subjectOf(one) === subjectOf(other);
}

/** A unique key of a stop and its findings. */
export function keyOf(stop: About): string {
  return `${stop.cause}: ${subjectOf(stop)}: ${stop.finding ?? ""}`;
}

function subjectOf({ subject, reason }: About): string {
  return subject ?? withoutFigures(reason);
}

// Numbers that stand alone are figures; a number within a word is part of an id, which is another subject.
const FIGURE = /(?<![\w-])-?\d(?:[\d.,]*\d)?(?![\w-])/g;

/** Equal for the same error, whatever it counted. */
export function withoutFigures(reason: string): string {
  return reason.replace(FIGURE, "#");
}

const REASON_MAX = 400;
const SUBJECT_MAX = 200;

/** The reason as it is shown, stored and compared; stable through files. The journal has the full text. */
function readable(reason: string, max = REASON_MAX): string {
  const text = printable(reason.trim(), max);
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`.toWellFormed();
}

/** They may contain ids of the venue. */
function bounded({ subject, finding, ...stop }: Stop): Stop {
  return {
    ...stop,
    ...(subject === undefined ? {} : { subject: readable(subject, SUBJECT_MAX) }),
    ...(finding === undefined ? {} : { finding: readable(finding, SUBJECT_MAX) }),
  };
}
