// What to do after a read, good or failed: how long to wait, and whether the venue still counts as reachable. Pure;
// requests that move money are never repeated and have no policy.

import type { Random } from "../domain/random.ts";
import { type Mono, mono } from "../domain/time.ts";
import type { Failure } from "./port.ts";

const WAIT_MS_FIRST = 1_000;
const WAIT_MS_MAX = 60_000;
/** After a certificate or an address that was refused: asking again soon changes nothing. */
const DISTRUST_MS = 60_000;
const UNAUTHORIZED_WAIT_MS = 2_000;
const FAILURES_MAX = 10;
const REDUCED_AFTER_MS = 180_000;
const HALTED_AFTER_MS = 900_000;

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
export function waitMs(failures: number, failure: Failure, random: Random): number {
  if (DISTRUST.has(failure.code)) return DISTRUST_MS;
  if (failure.code === "unauthorized" && failures <= 1) return UNAUTHORIZED_WAIT_MS;
  const doublings = Math.min(Math.max(failures - 1, 0), 30);
  return random.next() * Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** doublings);
}

export function reachability(health: ReadHealth, now: Mono): Reachability {
  if (health.unauthorized >= 2) return "auth-lost";
  const silence = mono(now - health.goodAt);
  if (silence >= HALTED_AFTER_MS) return "halted";
  return health.failures >= FAILURES_MAX || silence >= REDUCED_AFTER_MS ? "reduced" : "good";
}
