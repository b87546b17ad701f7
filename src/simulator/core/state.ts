// The whole venue as plain JSON data: what the server writes to a file and a test compares byte by byte.

import { invariant } from "../../domain/invariant.ts";
import type { RandomState } from "../../domain/random.ts";
import type { Millis } from "../../domain/time.ts";
import type { AccountState } from "./account.ts";
import type { DealerState } from "./dealer.ts";
import type { LedgerState } from "./ledger.ts";
import type { OrderDeskState } from "./order-desk.ts";
import { fromPlain, toPlain } from "./plain.ts";
import type { Pair } from "./record.ts";
import type { VenueFaults } from "./settings.ts";

/** Good for JSON; opaque to everybody else. */
export type VenueState = { readonly version: 1; readonly [part: string]: unknown };

export type VenueParticulars = {
  readonly chance: Readonly<Record<string, RandomState>>;
  readonly ledger: LedgerState;
  readonly accounts: readonly AccountState[];
  readonly pairs: readonly Pair[];
  readonly faults: VenueFaults;
  readonly dealer: DealerState;
  readonly orders: OrderDeskState;
  readonly venueTime: Millis;
  readonly settlementTime: Millis;
};

const VERSION = 1;

export function saveState(particulars: VenueParticulars): VenueState {
  return { version: VERSION, ...(toPlain(particulars) as Record<string, unknown>) };
}

export function loadState(state: VenueState): VenueParticulars {
  invariant(state.version === VERSION, `state of the venue must be of version ${VERSION}, was ${state.version}`);
  return fromPlain(state) as VenueParticulars;
}
