// The state of the bot, and who may change it. The bot itself only ever makes it stricter; a person halts and resumes.
// Nothing else leads back: no restart, no time that passes, and no end of a person's stop ends one of the bot's own.

import type { Control, Halt } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import { printable } from "../domain/sanitise.ts";
import type { Command, RiskState } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import { type Millis, millis } from "../domain/time.ts";

/** A state with the reason for it and the command that leads out. */
export type Stop = {
  readonly state: RiskState;
  readonly reason: string;
  readonly wayOut: string;
  readonly by: string;
  readonly since: Millis;
  /** Of every stop; absent in ACTIVE. */
  readonly cause?: StopCause | undefined;
  /** As in a halt. */
  readonly subject?: string | undefined;
  readonly finding?: string | undefined;
};

/** What makes a stop the same as another. */
export type About = Pick<Stop, "reason" | "cause" | "subject" | "finding">;

/** The strictest state with its first reason: that is the cause, later ones are mostly its effects. */
export type TradingState = Stop & {
  /** Everything else that stands: further reasons, and beneath a person's stop those of the bot. The strictest first. */
  readonly also: readonly Stop[];
};

export const RESUME = 'pegbot resume --reason "..."';

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

/** What follows from a change; the same object when nothing does. */
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

/** Both at once: every stop of the one and every stop of the other; the same object when the other adds nothing. */
export function joined(one: TradingState, other: TradingState): TradingState {
  return stopsOf(other).reduce(stopped, one);
}

/** The strictest first; none in ACTIVE. */
export function stopsOf(tradingState: TradingState): readonly Stop[] {
  if (tradingState.state === "ACTIVE") return NOTHING;
  const { also, ...first } = tradingState;
  return [first, ...also];
}

/** Of a person's stops, and of the bot's own, each: a cause that comes in ever new words must not fill a disk. */
export const STOPS_MAX = 8;

/** Whether it adds nothing: it stands, or a stricter one for the same cause, or as many that are as strict. */
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

/** A person's stop ends alone: what the bot itself came to was not what this resume is about. */
function resumed(from: TradingState, reason: string, by: string, at: Millis): TradingState {
  // Without a reason nobody has decided anything, and in ACTIVE there is nothing to decide.
  if (reason.trim() === "" || from.state === "ACTIVE") return from;
  const beneath = isPersons(from) ? from.also.filter((stop) => !isPersons(stop)) : NOTHING;
  if (beneath.length > 0) return stateOf(beneath);
  return { state: "ACTIVE", reason: readable(reason), wayOut: "", by, since: at, also: NOTHING };
}

function stateOf([first = FRESH, ...also]: readonly Stop[]): TradingState {
  return { ...first, also };
}

/** The same cause, told again with other figures, is no news, unless more is known of it. */
function covers(known: Stop, stop: Stop): boolean {
  return replaces(known, stop) && saysAll(known, stop);
}

/** One that became stricter, or of which more is known, takes the place of what stood for the same cause. */
function replaces(stop: Stop, known: Stop): boolean {
  if (isPersons(known) !== isPersons(stop) || isStricter(known.state, stop.state)) return false;
  return isSameStop(known, stop);
}

/** A person's stop stands above the bot's own, and ends alone. */
export function isPersons({ cause }: Pick<Stop, "cause">): boolean {
  return cause === "person";
}

function rankOf(stop: Stop): number {
  return STRICTNESS[stop.state] + (isPersons(stop) ? 1 : 0);
}

/** The same stop, and all that is known of it. */
function saysAll(known: About, stop: About): boolean {
  return isSameStop(known, stop) && (stop.finding === undefined || stop.finding === known.finding);
}

export function isSameStop(one: About, other: About): boolean {
  return one.cause === other.cause && subjectOf(one) === subjectOf(other);
}

/** One text for each stop and what is known of it. */
export function keyOf(stop: About): string {
  return `${stop.cause}: ${subjectOf(stop)}: ${stop.finding ?? ""}`;
}

function subjectOf({ subject, reason }: About): string {
  return subject ?? withoutFigures(reason);
}

// Numbers that stand alone are figures; within a word they are part of an id, and that is another subject.
const FIGURE = /(?<![\w-])-?\d[\d.]*(?![\w-])/g;

/** The same for the same error, whatever it counted. */
export function withoutFigures(reason: string): string {
  return reason.replace(FIGURE, "#");
}

const REASON_MAX = 400;
const SUBJECT_MAX = 200;

/** As it is shown, kept and compared: the same however often it is taken through a file. The journal has all of it. */
function readable(reason: string, max = REASON_MAX): string {
  const text = printable(reason.trim(), max);
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`.toWellFormed();
}

/** Ids of the venue may be part of them. */
function bounded({ subject, finding, ...stop }: Stop): Stop {
  return {
    ...stop,
    ...(subject === undefined ? {} : { subject: readable(subject, SUBJECT_MAX) }),
    ...(finding === undefined ? {} : { finding: readable(finding, SUBJECT_MAX) }),
  };
}
