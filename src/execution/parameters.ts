// The parameters of the protocol: settings with their defaults, the query schedules, and what the settings come to once
// publication delays and equity are known. No setting releases a mint or a rail without a person.

import type { Asset } from "../domain/asset.ts";
import type { Money } from "../domain/money/money.ts";
import { type Mono, mono } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import { hasHappened, KIND_RULES, type Moment, type MoneyKind, type MoneyRequest, type Witness } from "./request.ts";

export type Schedule = {
  /** Milliseconds since the start, ascending. */
  readonly atMs: readonly number[];
  readonly afterwards: readonly { readonly everyMs: number; readonly untilMs: number }[];
};

export type Settings = {
  readonly windowMsMin: number;
  /** The window is at least this multiple of the slowest recent publication. */
  readonly windowPerDelay: number;
  readonly negatives: number;
  /** A request worth more than this part of equity is not released without a person. */
  readonly releaseBpsMax: number;
  /** At most three releases a day until this many orders have been acknowledged. */
  readonly acknowledgedMin: number;
  readonly escalateAfterMs: number;
  /**
   * Without a fence the venue is queried again after this long, or after a tenth of the time since the first query,
   * whichever is later.
   */
  readonly fenceRetryMs: number;
  readonly fenceRetryMsMax: number;
  /** A round that takes longer counts as lost. */
  readonly lookMsMax: number;
  /** Balances show a booking within this time; the limits of the balance check follow from it. */
  readonly balancesMsMax: number;
  readonly looks: Readonly<Record<MoneyKind, Schedule>>;
  /** The schedule for requests that happened and are settling. */
  readonly follow: Schedule;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SLOW: Schedule = {
  atMs: [0],
  afterwards: [
    { everyMs: MINUTE, untilMs: 10 * MINUTE },
    { everyMs: 5 * MINUTE, untilMs: 6 * HOUR },
    { everyMs: 15 * MINUTE, untilMs: 7 * DAY },
  ],
};

export const DEFAULT_SETTINGS: Settings = {
  windowMsMin: 120 * SECOND,
  windowPerDelay: 10,
  negatives: 3,
  releaseBpsMax: 100,
  acknowledgedMin: 200,
  escalateAfterMs: 15 * MINUTE,
  fenceRetryMs: 5 * SECOND,
  fenceRetryMsMax: 15 * MINUTE,
  lookMsMax: 90 * SECOND,
  balancesMsMax: 120 * SECOND,
  looks: {
    order: {
      atMs: [0, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
      afterwards: [{ everyMs: 15 * MINUTE, untilMs: DAY }],
    },
    mint: SLOW,
    rail: SLOW,
  },
  follow: {
    atMs: [5 * SECOND, 15 * SECOND, 30 * SECOND],
    afterwards: [
      { everyMs: MINUTE, untilMs: 10 * MINUTE },
      { everyMs: 5 * MINUTE, untilMs: DAY },
      { everyMs: 15 * MINUTE, untilMs: Number.POSITIVE_INFINITY },
    ],
  },
};

/** Whether an absent request may be released without a person now. */
export type Release =
  | { readonly kind: "up-to"; readonly value: Money }
  /** Equity has no price now; a later round decides. */
  | { readonly kind: "awaits-equity" }
  | { readonly kind: "person"; readonly why: string };

/** What has been measured and released so far. */
export type Measured = {
  readonly slowestMs: number;
  readonly acknowledged: number;
  /** Releases without a person on this UTC day. */
  readonly releasedToday: number;
  /** Trades, orders and balances have all shown one of our fills. */
  readonly hasShownFill: boolean;
  /** A released order filled late, and no person has resumed since. */
  readonly hasLateFill: boolean;
};

export type Parameters = Omit<Settings, "windowMsMin" | "windowPerDelay" | "releaseBpsMax" | "acknowledgedMin"> & {
  readonly windowMs: number;
  /** The slowest publication seen. */
  readonly publishedMs: number;
  readonly release: Release;
};

const RELEASES_A_DAY_MAX = 3;
/** The assumed publication delay of a venue that has hardly been measured. */
export const PUBLISHED_MS_MIN = 30 * SECOND;

/** `orderMax`: the limit on the value of one order, if there is one. */
export function parametersOf(
  settings: Settings,
  measured: Measured,
  { equity, orderMax }: { readonly equity: Money | undefined; readonly orderMax: Money | undefined },
): Parameters {
  const { windowMsMin, windowPerDelay, releaseBpsMax, acknowledgedMin, ...rest } = settings;
  const windowMs = Math.max(windowMsMin, windowPerDelay * measured.slowestMs);
  const share = equity?.share(releaseBpsMax, "down");
  const why = personNeeded(measured, acknowledgedMin);
  const release: Release =
    why !== undefined
      ? { kind: "person", why }
      : share === undefined
        ? { kind: "awaits-equity" }
        : { kind: "up-to", value: orderMax?.asset === share.asset ? share.min(orderMax) : share };
  return { ...rest, windowMs, publishedMs: measured.slowestMs, release };
}

function personNeeded(measured: Measured, acknowledgedMin: number): string | undefined {
  const { acknowledged, releasedToday, hasShownFill, hasLateFill } = measured;
  if (hasLateFill) return "a released order filled after all, and no one has resumed since";
  if (!hasShownFill) return "trades, orders and balances have not shown a fill of this account yet";
  if (acknowledged < acknowledgedMin && releasedToday >= RELEASES_A_DAY_MAX)
    return `${RELEASES_A_DAY_MAX} releases a day are the most until ${acknowledgedMin} orders are acknowledged`;
  return undefined;
}

/** The first query time after `lastMs`, both counted from the start; undefined after the last query. */
function nextQuery({ atMs, afterwards }: Schedule, lastMs: number | undefined): number | undefined {
  if (lastMs === undefined) return atMs[0] ?? afterwards[0]?.everyMs;
  for (const ms of atMs) if (ms > lastMs) return ms;
  for (const { everyMs, untilMs } of afterwards) if (lastMs < untilMs) return lastMs + everyMs;
  return undefined;
}

// Polling for evidence about one request: when the next round is due, which one is outstanding, and for how long it has been; and
// which lists cannot be read. It is not journaled and begins anew after a restart, but the window counts from the journaled fence.

export type Poll = {
  readonly from: Mono;
  /** The number of the current round; answers to earlier ones are dropped. */
  readonly round: number;
  readonly askedAt: Mono | undefined;
  readonly isOpen: boolean;
  /** When this process saw or inherited the fence. */
  readonly fencedAt: Mono | undefined;
  /** How old the fence was then. */
  readonly fencedForMs: number;
  /** The lists of the open round that were not answered, and when they are asked again. */
  readonly missing?: readonly Witness[] | undefined;
  readonly againAt?: Mono | undefined;
};

/** Read from the journal, and not taken over yet: nothing is due. */
export const ELSEWHERE: Poll = Object.freeze({
  from: mono(Number.POSITIVE_INFINITY),
  round: 0,
  askedAt: undefined,
  isOpen: false,
  fencedAt: undefined,
  fencedForMs: 0,
});

export function pollFrom(now: Mono, round = 0, fencedAt?: Mono, fencedForMs = 0): Poll {
  return { from: now, round, askedAt: undefined, isOpen: false, fencedAt, fencedForMs };
}

/** When the round was asked, counted from the fence: by the monotonic clock, and across restarts by the wall clock, capped by the venue's. */
export function askedMs({ askedAt, fencedAt, fencedForMs }: Poll): number {
  return askedAt === undefined || fencedAt === undefined ? 0 : fencedForMs + (askedAt - fencedAt);
}

/** The request happened and is settling. */
export function isFollowed({ kind, state }: Pick<MoneyRequest, "kind" | "state">): boolean {
  return hasHappened(state) && KIND_RULES[kind].followed.length > 0;
}

/** Whether history is queried for this request. */
export function isPolled(request: Pick<MoneyRequest, "kind" | "state">): boolean {
  return request.state.kind === "accepted" || request.state.kind === "unknown" || isFollowed(request);
}

/** Before the fence only the fence is needed; after a definite answer only the deciding list. */
export function witnessesOf(request: Pick<MoneyRequest, "kind" | "state">): readonly Witness[] {
  const { kind, state } = request;
  const { witnesses, followed } = KIND_RULES[kind];
  if (isFollowed(request)) return followed;
  return state.kind === "unknown" && state.fence !== undefined ? witnesses : [witnesses[0]];
}

/** By the wall clock across restarts; by the monotonic clock if the wall clock was set back. */
export function ageMs({ state }: Pick<MoneyRequest, "state">, { from }: Poll, { at, mono }: Moment): number {
  const since = state.kind === "accepted" || state.kind === "unknown" ? state.since : at;
  return Math.max(at - since, mono - from);
}

export function isOutstanding({ isOpen, askedAt }: Poll, now: Mono, { lookMsMax }: Parameters): boolean {
  return isOpen && askedAt !== undefined && now - askedAt < lookMsMax;
}

export function isDue(request: MoneyRequest, poll: Poll, now: Mono, parameters: Parameters): boolean {
  if (!isPolled(request) || isOutstanding(poll, now, parameters)) return false;
  const at = dueAt(request, poll, parameters);
  return at !== undefined && now >= at;
}

function dueAt(request: MoneyRequest, poll: Poll, parameters: Parameters): number | undefined {
  const { kind, state } = request;
  const { askedAt, from, fencedAt, fencedForMs } = poll;
  if (state.kind === "unknown" && state.fence === undefined) return retryAt(poll, parameters);
  const start = state.kind === "unknown" ? (fencedAt ?? from) : from;
  const lastMs = askedAt === undefined ? undefined : askedAt - start;
  const next = nextQuery(isFollowed(request) ? parameters.follow : parameters.looks[kind], lastMs);
  // One round begins exactly when publication must be over, and decides about absence.
  const windowMs = parameters.windowMs - fencedForMs;
  const isBefore = state.kind === "unknown" && lastMs !== undefined && lastMs < windowMs;
  const nextMs = isBefore ? Math.min(next ?? windowMs, windowMs) : next;
  return nextMs === undefined ? undefined : start + nextMs;
}

/**
 * Retries become rarer, so that a venue that is down for hours is not queried every few seconds; any other read fences
 * as well.
 */
function retryAt({ askedAt, from }: Poll, { fenceRetryMs, fenceRetryMsMax }: Parameters): number {
  if (askedAt === undefined) return from;
  return askedAt + Math.min(Math.max(fenceRetryMs, (askedAt - from) / 10), fenceRetryMsMax);
}

type Failing = {
  readonly since: Mono;
  readonly code: string;
  readonly times: number;
  readonly message: string | undefined;
};

/** Supply changes have one list for each coin. */
export type List = { readonly witness: Witness; readonly asset?: Asset | undefined };

/** The lists that the books rest on. */
export const ESSENTIAL: readonly Witness[] = ["balances", "trades", "orders"];

/**
 * Lists that cannot be read, and since when. While a list that confirms bookings is unreadable, nothing more is sent.
 */
export class UnreadLists {
  private readonly failing = new Map<string, Failing>();

  /** Returns how many times in a row it has failed in this way. */
  failed(list: List, code: string, at: Mono, message?: string): number {
    const key = this.nameOf(list);
    const before = this.failing.get(key);
    const times = before?.code === code ? before.times + 1 : 1;
    this.failing.set(key, { since: before?.since ?? at, code, times, message });
    return times;
  }

  answered(list: List): void {
    if (this.failing.size > 0) this.failing.delete(this.nameOf(list));
  }

  has(list: List): boolean {
    return this.failing.has(this.nameOf(list));
  }

  isFor(list: List, forMs: number, now: Mono): boolean {
    if (this.failing.size === 0) return false;
    const failing = this.failing.get(this.nameOf(list));
    return failing !== undefined && now - failing.since >= forMs;
  }

  /** Why nothing may be sent, if so. */
  reason(afterMs: number, now: Mono): string | undefined {
    const witness = ESSENTIAL.find((one) => this.isFor({ witness: one }, afterMs, now));
    if (witness === undefined) return undefined;
    const { code, message } = this.failing.get(witness) ?? {};
    const why = code === "unreadable" && message !== undefined ? `: ${message}` : "";
    return `the venue's ${witness} cannot be read for ${durationText(afterMs)} or more${why}`;
  }

  nameOf({ witness, asset }: List): string {
    return witness === "supply-changes" ? `supply changes${asset === undefined ? "" : ` of ${asset}`}` : witness;
  }
}
