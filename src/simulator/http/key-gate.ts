// The state per registered key between requests: the arrival of the last request, and the last accepted nonce.
// Unregistered keys are not stored, so they cannot fill the memory.

import type { Mono } from "../../domain/time.ts";

export type PaceRules = {
  /** Arrivals of one key that are closer than this are refused. */
  readonly spacingMs: number;
  /** A refused arrival restarts the wait; otherwise only accepted ones count. */
  readonly refusedCount: boolean;
};

export const PACE: PaceRules = { spacingMs: 1_000, refusedCount: true };
const NONCE_MAX = 2n ** 64n - 1n;

export class KeyGate {
  private readonly rules: PaceRules;
  private readonly lastArrival = new Map<string, Mono>();
  private readonly lastNonce = new Map<string, bigint>();

  constructor(rules: PaceRules) {
    this.rules = rules;
  }

  /** Counts the arrival; false when it came too early. */
  arrive(key: string, at: Mono): boolean {
    const last = this.lastArrival.get(key);
    const accepted = last === undefined || at - last >= this.rules.spacingMs;
    // A request with a slow body is checked after later arrivals, so the mark must never go back.
    if (accepted || this.rules.refusedCount) this.lastArrival.set(key, last !== undefined && last > at ? last : at);
    return accepted;
  }

  /** Uses up the nonce if it is higher than the last one. */
  spend(key: string, nonce: bigint): boolean {
    const last = this.lastNonce.get(key);
    if (last !== undefined && nonce <= last) return false;
    this.lastNonce.set(key, nonce);
    return true;
  }
}

/** A uint64 in decimal digits. */
export function parseNonce(text: string): bigint | undefined {
  if (!/^(0|[1-9][0-9]{0,19})$/.test(text)) return undefined;
  const nonce = BigInt(text);
  return nonce <= NONCE_MAX ? nonce : undefined;
}
