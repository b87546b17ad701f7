// What the service remembers of each registered key between requests: when its last request arrived, and its last
// accepted nonce. Only registered keys are remembered, so that unknown keys cannot fill the memory.

import type { Mono } from "../../domain/time.ts";

export type PaceRules = {
  /** Arrivals of one key closer than this are refused. */
  readonly spacingMs: number;
  /** A refused arrival starts the wait anew; else only accepted ones count. */
  readonly refusedCount: boolean;
};

const NONCE_MAX = 2n ** 64n - 1n;

export class KeyGate {
  private readonly rules: PaceRules;
  private readonly lastArrival = new Map<string, Mono>();
  private readonly lastNonce = new Map<string, bigint>();

  constructor(rules: PaceRules) {
    this.rules = rules;
  }

  /** Counts the arrival; false when it came too soon. */
  arrive(key: string, at: Mono): boolean {
    const last = this.lastArrival.get(key);
    const accepted = last === undefined || at - last >= this.rules.spacingMs;
    // A body that was long on its way is checked after requests that arrived later: the mark never goes back.
    if (accepted || this.rules.refusedCount) this.lastArrival.set(key, last !== undefined && last > at ? last : at);
    return accepted;
  }

  /** Uses the nonce up when it is higher than the last one. */
  spend(key: string, nonce: bigint): boolean {
    const last = this.lastNonce.get(key);
    if (last !== undefined && nonce <= last) return false;
    this.lastNonce.set(key, nonce);
    return true;
  }
}

/** A uint64 in plain digits. */
export function parseNonce(text: string): bigint | undefined {
  if (!/^(0|[1-9][0-9]{0,19})$/.test(text)) return undefined;
  const nonce = BigInt(text);
  return nonce <= NONCE_MAX ? nonce : undefined;
}
