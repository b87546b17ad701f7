// Polling for evidence about one request: when the next round is due, which one is outstanding, and for how long it has been; and
// which lists cannot be read. It is not journaled: windows begin anew after a restart.

import type { Asset } from "../domain/asset.ts";
import { type Mono, mono } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import { KIND_RULES, nextQuery, type Parameters } from "./parameters.ts";
import { hasHappened, type Moment, type MoneyRequest, type Witness } from "./request.ts";

export type Poll = {
  readonly from: Mono;
  /** Counts the rounds; answers to any but the last are dropped. */
  readonly round: number;
  readonly askedAt: Mono | undefined;
  readonly isOpen: boolean;
  /** When this process saw or inherited the fence. */
  readonly fencedAt: Mono | undefined;
};

/** Polled by another process, or by this one before it read its journal: nothing is due and no window over. */
export const ELSEWHERE: Poll = Object.freeze({
  from: mono(Number.POSITIVE_INFINITY),
  round: 0,
  askedAt: undefined,
  isOpen: false,
  fencedAt: undefined,
});

export function pollFrom(now: Mono, round = 0, fencedAt?: Mono): Poll {
  return { from: now, round, askedAt: undefined, isOpen: false, fencedAt };
}

/** It happened, and settling takes its time. */
export function isFollowed({ kind, state }: Pick<MoneyRequest, "kind" | "state">): boolean {
  return hasHappened(state) && KIND_RULES[kind].followed.length > 0;
}

/** History is queried for it. */
export function isPolled(request: Pick<MoneyRequest, "kind" | "state">): boolean {
  return request.state.kind === "accepted" || request.state.kind === "unknown" || isFollowed(request);
}

/** Without a fence only the fence matters, and an answered request needs only the list that decides. */
export function witnessesOf(request: Pick<MoneyRequest, "kind" | "state">): readonly Witness[] {
  const { kind, state } = request;
  const { witnesses, followed } = KIND_RULES[kind];
  if (isFollowed(request)) return followed;
  return state.kind === "unknown" && state.fence !== undefined ? witnesses : [witnesses[0]];
}

/** By the wall clock over restarts, by the monotonic one where the wall clock was set back. */
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
  const { askedAt, from, fencedAt } = poll;
  if (state.kind === "unknown" && state.fence === undefined) return retryAt(poll, parameters);
  const start = state.kind === "unknown" ? (fencedAt ?? from) : from;
  const lastMs = askedAt === undefined ? undefined : askedAt - start;
  const next = nextQuery(isFollowed(request) ? parameters.follow : parameters.looks[kind], lastMs);
  // One round begins when publication must be over, so that absence is decided then.
  const { windowMs } = parameters;
  const isBefore = state.kind === "unknown" && lastMs !== undefined && lastMs < windowMs;
  const nextMs = isBefore ? Math.min(next ?? windowMs, windowMs) : next;
  return nextMs === undefined ? undefined : start + nextMs;
}

/** Ever more seldom: a venue that is away for hours is not queried every few seconds, and any other read fences as well. */
function retryAt({ askedAt, from }: Poll, { fenceRetryMs, fenceRetryMsMax }: Parameters): number {
  if (askedAt === undefined) return from;
  return askedAt + Math.min(Math.max(fenceRetryMs, (askedAt - from) / 10), fenceRetryMsMax);
}

type Failing = { readonly since: Mono; readonly code: string; readonly times: number };

/** Of supply changes there is one list for each coin. */
export type List = { readonly witness: Witness; readonly asset?: Asset | undefined };

/** The lists that the books rest on. */
export const ESSENTIAL: readonly Witness[] = ["balances", "trades", "orders"];

/** Which lists cannot be read, and since when: bookings that no list can confirm are not followed by more. */
export class UnreadLists {
  private readonly failing = new Map<string, Failing>();

  /** How often in a row it has failed in this way. */
  failed(list: List, code: string, at: Mono): number {
    const key = this.nameOf(list);
    const before = this.failing.get(key);
    const times = before?.code === code ? before.times + 1 : 1;
    this.failing.set(key, { since: before?.since ?? at, code, times });
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

  /** Why nothing may be sent. */
  reason(afterMs: number, now: Mono): string | undefined {
    const witness = ESSENTIAL.find((one) => this.isFor({ witness: one }, afterMs, now));
    return witness && `the venue's ${witness} cannot be read for ${durationText(afterMs)} or more`;
  }

  nameOf({ witness, asset }: List): string {
    return witness === "supply-changes" ? `supply changes${asset === undefined ? "" : ` of ${asset}`}` : witness;
  }
}
