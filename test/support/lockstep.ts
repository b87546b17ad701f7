// Lockstep with the usual account, start and network.

import { type Lockstep, openLockstep as open } from "../../src/app/parity/lockstep.ts";
import { createRandom } from "../../src/domain/random.ts";
import { millis } from "../../src/domain/time.ts";
import { createLatency } from "../../src/simulator/latency.ts";
import { testSigner } from "./wire.ts";

type Options = Pick<Parameters<typeof open>[0], "seed" | "simulator"> & Partial<Parameters<typeof open>[0]>;

/** A Monday noon: every market is open. */
export const START = millis(Date.UTC(2026, 5, 1, 12));
export const FUNDS = { CHF: "1000000", GBP: "500000", VCHF: "100000", VGBP: "100000", USDC: "100000" };

export function openLockstep(options: Options): Promise<Lockstep> {
  const latency = createLatency(createRandom(options.seed).fork("network"));
  return open({ start: START, funds: FUNDS, latency, signer: testSigner(), ...options });
}
