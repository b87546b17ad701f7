// What to do after a read, good or failed: how long to wait, and whether the venue still counts as reachable. Pure;
// requests that move money are never repeated and have no policy.

import type { Random } from "../domain/random.ts";
import { type Mono, mono } from "../domain/time.ts";
import type { Failure } from "./port.ts";

export type ReadPolicySettings = {
  readonly waitMsFirst: number;
  readonly waitMsMax: number;
  /** After a certificate or an address that was refused: asking again soon changes nothing. */
  readonly distrustMs: number;
  readonly unauthorizedWaitMs: number;
  readonly failuresMax: number;
  readonly reducedAfterMs: number;
  readonly haltedAfterMs: number;
};

export const readPolicyDefaults: ReadPolicySettings = {
  waitMsFirst: 1_000,
  waitMsMax: 60_000,
  distrustMs: 60_000,
  unauthorizedWaitMs: 2_000,
  failuresMax: 10,
  reducedAfterMs: 180_000,
  haltedAfterMs: 900_000,
};

/** Of one process: a new one begins as if the venue had just answered, and sends nothing before it has read everything. */
export type ReadHealth = {
  readonly failures: number;
  /** Refusals of the signature since one was last taken. */
  readonly unauthorized: number;
  /** The last good answer, or the start. */
  readonly goodAt: Mono;
};

export type Reachability =
  | "good"
  /** No new orders. */
  | "reduced"
  | "halted"
  /** The key is refused: another user of it, a lost nonce store, or a wrong profile. A person must look. */
  | "auth-lost";

const DISTRUST: ReadonlySet<string> = new Set(["tls", "address-refused"]);
/** Nothing was asked of the venue, so nothing is learnt about it. */
const OURS: ReadonlySet<string> = new Set(["busy", "refused", "late", "no-nonce", "invalid"]);

export function goodHealth(now: Mono): ReadHealth {
  return { failures: 0, unauthorized: 0, goodAt: now };
}

/** An unsigned answer shows that the venue is there, and nothing about the key. */
export function afterSuccess(health: ReadHealth, now: Mono, signed: boolean): ReadHealth {
  return { ...goodHealth(now), unauthorized: signed ? 0 : health.unauthorized };
}

export function afterFailure(health: ReadHealth, failure: Failure): ReadHealth {
  if (OURS.has(failure.code)) return health;
  const unauthorized = health.unauthorized + (failure.code === "unauthorized" ? 1 : 0);
  return { ...health, failures: health.failures + 1, unauthorized };
}

/**
 * Before the same call is made again, after so many failures of it in a row. Full jitter over a doubling span, so that
 * two programs that failed together do not come back together.
 */
export function waitMs(failures: number, failure: Failure, random: Random, settings = readPolicyDefaults): number {
  if (DISTRUST.has(failure.code)) return settings.distrustMs;
  if (failure.code === "unauthorized" && failures <= 1) return settings.unauthorizedWaitMs;
  const doublings = Math.min(Math.max(failures - 1, 0), 30);
  return random.next() * Math.min(settings.waitMsMax, settings.waitMsFirst * 2 ** doublings);
}

export function reachability(health: ReadHealth, now: Mono, settings = readPolicyDefaults): Reachability {
  if (health.unauthorized >= 2) return "auth-lost";
  const silence = mono(now - health.goodAt);
  if (silence >= settings.haltedAfterMs) return "halted";
  return health.failures >= settings.failuresMax || silence >= settings.reducedAfterMs ? "reduced" : "good";
}
