// The state per registered key between requests: the arrival of the last request, and the last accepted nonce.
// Unregistered keys are not stored, so they cannot fill the memory.

import type { Mono } from "../../domain/time.ts";

const NONCE_MAX = 2n ** 64n - 1n;

export class KeyGate {
  private readonly spacingMs: number;
  private readonly nonces: Map<string, string>;
  private readonly lastArrival = new Map<string, Mono>();

  /** `nonces`: the last one of each key, which the state file keeps. */
  constructor(spacingMs: number, nonces: Map<string, string> = new Map()) {
    this.spacingMs = spacingMs;
    this.nonces = nonces;
  }

  /** Counts the arrival, refused or not; false when it came too early. */
  arrive(key: string, at: Mono): boolean {
    const last = this.lastArrival.get(key);
    // A request with a slow body is checked after later arrivals, so the mark must never go back.
    this.lastArrival.set(key, last !== undefined && last > at ? last : at);
    return last === undefined || at - last >= this.spacingMs;
  }

  /** Uses up the nonce if it is higher than the last one. */
  spend(key: string, nonce: bigint): boolean {
    const last = this.nonces.get(key);
    if (last !== undefined && nonce <= BigInt(last)) return false;
    this.nonces.set(key, String(nonce));
    return true;
  }
}

/** A uint64 in decimal digits. */
export function parseNonce(text: string): bigint | undefined {
  if (!/^(0|[1-9][0-9]{0,19})$/.test(text)) return undefined;
  const nonce = BigInt(text);
  return nonce <= NONCE_MAX ? nonce : undefined;
}
