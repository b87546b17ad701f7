// An Exchange with backoff: a read that failed waits before it requests a slot again, and the failures of all reads
// give the venue's reachability. Requests that move money pass through unchanged.

import type { Random } from "../domain/random.ts";
import { type Clock, type Millis, type Mono, mono, type Timers } from "../domain/time.ts";
import type { Exchange, Failure, KeyCode, Reading, Want } from "./port.ts";

export interface BackoffExchange extends Exchange {
  reachability(): Reachability;
  /** The error of the key's file that kept the last read from being sent; undefined once a read was sent again. */
  keyTrouble(): KeyTrouble | undefined;
  /**
   * The time since the last good answer, or since the start, and the last failure; undefined if no read has failed
   * since.
   */
  silence(): Silence | undefined;
  /** Reads that wait in backoff end as dropped. */
  close(): void;
}

export type KeyTrouble = { readonly code: KeyCode; readonly text: string };

/** `code` is that of the last failure. */
export type Silence = { readonly since: Millis; readonly ms: number; readonly code: string };

export type BackoffParts = { readonly clock: Clock; readonly timers: Timers; readonly random: Random };

export function withBackoff(exchange: Exchange, parts: BackoffParts): BackoffExchange {
  const { read, ...backoff } = createBackoff(parts);
  return {
    assets: (want) => read("assets", want, () => exchange.assets(want)),
    pairs: (want) => read("pairs", want, () => exchange.pairs(want)),
    quotes: (want) => read("quotes", want, () => exchange.quotes(want)),
    balances: (want) => read("balances", want, () => exchange.balances(want)),
    orders: (want) => read("orders", want, () => exchange.orders(want)),
    trades: (want) => read("trades", want, () => exchange.trades(want)),
    rails: (want) => read("rails", want, () => exchange.rails(want)),
    payments: (want) => read("payments", want, () => exchange.payments(want)),
    supplyChanges: (asset, want) => read("supplyChanges", want, () => exchange.supplyChanges(asset, want)),
    withdrawAddresses: (want) => read("withdrawAddresses", want, () => exchange.withdrawAddresses(want)),
    depositAddress: (asset, blockchain, want) =>
      read("depositAddress", want, () => exchange.depositAddress(asset, blockchain, want)),
    addOrder: (order, want) => exchange.addOrder(order, want),
    mintTokens: (mint, want) => exchange.mintTokens(mint, want),
    addPaymentRail: (rail, want) => exchange.addPaymentRail(rail, want),
    ...backoff,
  };
}

interface Backoff extends Omit<BackoffExchange, keyof Exchange> {
  read<T>(call: string, want: Want, ask: () => Promise<Reading<T>>): Promise<Reading<T>>;
}

/** A backoff for each failing call, and the health of all of them. */
function createBackoff({ clock, timers, random }: BackoffParts): Backoff {
  const rests = new Map<string, { failures: number; until: Mono }>();
  const resting = new Set<() => void>();
  /** Waiters that share a request receive the same reading object; it counts as one success or one failure. */
  const counted = new WeakSet<object>();
  let health = goodHealth(clock.monotonic());
  let goodSince = clock.now();
  let failedBy: string | undefined;
  let keyTrouble: KeyTrouble | undefined;
  let closed = false;

  async function read<T>(call: string, want: Want, ask: () => Promise<Reading<T>>): Promise<Reading<T>> {
    const until = rests.get(call)?.until ?? mono(0);
    if (want.deadline !== undefined && want.deadline < until && clock.monotonic() < until)
      return { kind: "dropped", reason: `${call} failed and backs off beyond the deadline` };
    await rest(until);
    if (closed) return { kind: "dropped", reason: "the exchange was closed" };
    const reading = await ask();
    if (counted.has(reading)) return reading;
    counted.add(reading);
    count(call, reading);
    return reading;
  }

  function count(call: string, reading: Reading<unknown>): void {
    if (reading.kind !== "dropped") keyTrouble = undefined;
    else if (reading.code !== undefined) keyTrouble = { code: reading.code, text: reading.reason };
    if (reading.kind === "read") {
      health = afterSuccess(health, clock.monotonic(), reading.nonce !== undefined);
      goodSince = clock.now();
      failedBy = undefined;
      rests.delete(call);
    } else if (reading.kind === "failed") {
      failedBy = reading.failure.code;
      health = afterFailure(health, reading.failure);
      const failures = (rests.get(call)?.failures ?? 0) + 1;
      const pause = waitMs(failures, reading.failure, random);
      rests.set(call, { failures, until: mono(clock.monotonic() + pause) });
    }
  }

  async function rest(until: Mono): Promise<void> {
    // Timers may fire slightly early; the clock decides.
    while (!closed && clock.monotonic() < until)
      await new Promise<void>((resolve) => {
        const cancel = timers.after(Math.max(1, until - clock.monotonic()), end);
        function end(): void {
          cancel();
          resting.delete(end);
          resolve();
        }
        resting.add(end);
      });
  }

  return {
    read,
    keyTrouble: () => keyTrouble,
    silence: () =>
      failedBy === undefined ? undefined : { since: goodSince, ms: clock.monotonic() - health.goodAt, code: failedBy },
    reachability: () => reachability(health, clock.monotonic()),
    close() {
      closed = true;
      for (const end of [...resting]) end();
    },
  };
}

const WAIT_MS_FIRST = 1_000;
const WAIT_MS_MAX = 60_000;
/** After a refused certificate or address, which a quick retry would not change. */
const DISTRUST_MS = 60_000;
const UNAUTHORIZED_WAIT_MS = 2_000;
const FAILURES_MAX = 10;
const REDUCED_AFTER_MS = 180_000;
const HALTED_AFTER_MS = 900_000;

/** Per process: a new one starts as if the venue had just answered, and sends nothing before it has read everything. */
export type ReadHealth = {
  readonly failures: number;
  /** Refused signatures since the last accepted one. */
  readonly unauthorized: number;
  /** The last good answer, or the start. */
  readonly goodAt: Mono;
};

export type Reachability =
  | "good"
  /** No new orders. */
  | "reduced"
  | "halted"
  /**
   * The key is refused: it is used elsewhere, the nonce store was lost, or the profile is wrong. A person must check.
   */
  | "auth-lost";

const DISTRUST: ReadonlySet<string> = new Set(["tls", "address-refused"]);
/** These failures never reached the venue, so they say nothing about its health. */
const OURS: ReadonlySet<string> = new Set(["busy", "refused", "late", "no-nonce", "invalid"]);

export function goodHealth(now: Mono): ReadHealth {
  return { failures: 0, unauthorized: 0, goodAt: now };
}

/** An unsigned answer shows that the venue is reachable, and nothing about the key. */
function afterSuccess(health: ReadHealth, now: Mono, signed: boolean): ReadHealth {
  return { ...goodHealth(now), unauthorized: signed ? 0 : health.unauthorized };
}

export function afterFailure(health: ReadHealth, failure: Failure): ReadHealth {
  if (OURS.has(failure.code)) return health;
  const unauthorized = health.unauthorized + (failure.code === "unauthorized" ? 1 : 0);
  return { ...health, failures: health.failures + 1, unauthorized };
}

/**
 * The wait before the same call is repeated, after `failures` of it in a row. Full jitter over a doubling span, so that
 * two programs that failed together do not return together.
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
