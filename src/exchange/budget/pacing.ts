// When the next request may leave: a pure function of how the earlier ones ended. Spacing counts from the answer, not
// from the send: the venue received the previous request before it answered, so two arrivals are never closer than
// that.

import { unreachable } from "../../domain/invariant.ts";
import { type Mono, mono } from "../../domain/time.ts";

export type PacingSettings = {
  readonly spacingMs: number;
  /** After an abandoned request, whose bytes may still arrive. */
  readonly abandonedMs: number;
  /** After the sender died: its socket closed with it, so its bytes are already on their way. */
  readonly diedMs: number;
  /** The pause after a rate-limit answer, before anything else is sent. */
  readonly limitedPauseMs: number;
  /**
   * Spacing is multiplied by this for `widenedMs` after a rate-limit answer, then returns to normal over `recoveryMs`.
   */
  readonly widenFactor: number;
  readonly widenedMs: number;
  readonly recoveryMs: number;
  /** This many rate-limit answers within `stormWindowMs` stop all sending for `stormPauseMs`. */
  readonly stormCount: number;
  readonly stormWindowMs: number;
  readonly stormPauseMs: number;
  /** How long after a storm, without another rate-limit answer, only doubt resolution may send. */
  readonly calmMs: number;
  /** A Retry-After is honoured up to this; one beyond `retryAfterMsSane` is ignored as nonsense. */
  readonly retryAfterMsMax: number;
  readonly retryAfterMsSane: number;
  /** One answer alone pauses for no longer than this: then a request probes, and only if its answer agrees is the longer pause kept. */
  readonly probeAfterMs: number;
};

export const pacingDefaults: PacingSettings = {
  spacingMs: 1_000,
  abandonedMs: 2_000,
  diedMs: 1_500,
  limitedPauseMs: 5_000,
  widenFactor: 2,
  widenedMs: 600_000,
  recoveryMs: 60_000,
  stormCount: 5,
  stormWindowMs: 60_000,
  stormPauseMs: 300_000,
  calmMs: 300_000,
  retryAfterMsMax: 600_000,
  retryAfterMsSane: 86_400_000,
  probeAfterMs: 60_000,
};

/** The Retry-After of an answer, with its HTTP status and the call that it answered. */
export type RetryAfter = { readonly ms: number; readonly status: number; readonly call: string };

/** Plain data for storage; all times are on one monotonic clock. */
export type Pacing = {
  /** No request leaves before this. */
  readonly openAt: Mono;
  /** The latest rate-limit answers, oldest first, at most `stormCount`. */
  readonly limitedAt: readonly Mono[];
  /** Until then only doubt resolution may send. */
  readonly calmAt: Mono | undefined;
  /** While the last answer is one that paused us for longer than a single rate-limit answer does; the slot after it probes. */
  readonly pause?: VenuePause | undefined;
};

/** Nothing is sent until then, because of this answer. */
export type VenuePause<Time extends number = Mono> = RetryAfter & { readonly until: Time };

type Draft = { -readonly [K in keyof Pacing]: Pacing[K] };

export function freshPacing(openAt: Mono): Pacing {
  return { openAt, limitedAt: [], calmAt: undefined };
}

/** How the request of a slot ended. */
export type SlotEnd =
  | { readonly kind: "answered"; readonly rateLimited: boolean; readonly retryAfter?: RetryAfter | undefined }
  /** The sender stopped waiting; the answer may still be on its way. */
  | { readonly kind: "abandoned" }
  /** Nothing was sent. */
  | { readonly kind: "unspent" };

/** How a slot ended, or that its holder died. */
export type PacedEnd = SlotEnd | { readonly kind: "died" };

/** The pacing after a request ended at `at`. */
export function paceAfter(pacing: Pacing, end: PacedEnd, at: Mono, settings: PacingSettings): Pacing {
  const paced: Draft = { ...pacing };
  switch (end.kind) {
    case "unspent":
      break;
    case "abandoned":
      postpone(paced, at + Math.max(settings.abandonedMs, spacingMs(paced, at, settings)));
      break;
    case "died":
      postpone(paced, at + Math.max(settings.diedMs, spacingMs(paced, at, settings)));
      break;
    case "answered":
      if (end.rateLimited) limit(paced, at, settings);
      postpone(paced, at + spacingMs(paced, at, settings));
      // Only an answer to what was sent after the pause ends it, or agrees with it.
      if (pacing.pause !== undefined && at >= pacing.pause.until) paced.pause = undefined;
      if (end.retryAfter !== undefined) pause(paced, end.retryAfter, at, { before: pacing.pause, settings });
      break;
    default:
      unreachable(end);
  }
  return paced;
}

/** After a storm of rate-limit answers only doubt resolution may send, until the key has calmed down. */
export function doubtsOnly(pacing: Pacing, now: Mono): boolean {
  return pacing.calmAt !== undefined && now < pacing.calmAt;
}

/** Milliseconds between requests now: the base, widened after a rate-limit answer, then back to normal. */
export function spacingMs(pacing: Pacing, now: Mono, settings: PacingSettings): number {
  const last = pacing.limitedAt.at(-1);
  if (last === undefined) return settings.spacingMs;
  const extra = settings.widenFactor - 1;
  if (doubtsOnly(pacing, now)) return settings.spacingMs * (1 + extra);
  const recovering = now - last - settings.widenedMs;
  if (recovering <= 0) return settings.spacingMs * (1 + extra);
  return settings.spacingMs * (1 + extra * Math.max(0, 1 - recovering / settings.recoveryMs));
}

/** The same pacing on another clock, as after a reboot: the time `from` becomes `to`, as if no time had passed. */
export function rebasePacing(pacing: Pacing, from: Mono, to: Mono): Pacing {
  const shift = to - from;
  return {
    ...pacing,
    openAt: mono(pacing.openAt + shift),
    limitedAt: pacing.limitedAt.map((at) => mono(at + shift)),
    calmAt: pacing.calmAt === undefined ? undefined : mono(pacing.calmAt + shift),
    pause: pacing.pause && { ...pacing.pause, until: mono(pacing.pause.until + shift) },
  };
}

/** Never earlier than it was. */
function postpone(pacing: Draft, openAt: number): void {
  if (openAt > pacing.openAt) pacing.openAt = mono(openAt);
}

function limit(pacing: Draft, at: Mono, settings: PacingSettings): void {
  const limitedAt = [...pacing.limitedAt, at].slice(-settings.stormCount);
  const first = limitedAt[0] ?? at;
  const storm = limitedAt.length >= settings.stormCount && at - first <= settings.stormWindowMs;
  const isCalming = storm || doubtsOnly(pacing, at);
  postpone(pacing, at + (storm ? settings.stormPauseMs : settings.limitedPauseMs));
  if (isCalming) pacing.calmAt = mono(Math.max(pacing.calmAt ?? pacing.openAt, pacing.openAt + settings.calmMs));
  // A storm counts once: the next one needs as many new answers.
  pacing.limitedAt = storm ? [at] : limitedAt;
}

type Paused = { readonly before: VenuePause | undefined; readonly settings: PacingSettings };

function pause(pacing: Draft, asked: RetryAfter, at: Mono, { before, settings }: Paused): void {
  const { limitedPauseMs, probeAfterMs, retryAfterMsMax, retryAfterMsSane } = settings;
  if (!(asked.ms > 0) || asked.ms > retryAfterMsSane) return;
  const isAgreed = before !== undefined && before.ms > probeAfterMs && at >= before.until;
  const ms = Math.min(asked.ms, isAgreed ? retryAfterMsMax : probeAfterMs);
  postpone(pacing, at + ms);
  if (ms > limitedPauseMs && pacing.openAt === at + ms) pacing.pause = { ...asked, until: pacing.openAt };
}
