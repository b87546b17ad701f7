// The venue as a library, known to users as "pegbot/venue": one object with its calls, which keeps pace, nonce and the
// at-most-once protocol of a key. What it is made of is loaded when it is opened.

import type { KeySource } from "../exchange/key/load.ts";
import { type Venue, VenueError, type VenueOptions } from "./contract.ts";

export type { Balance } from "../domain/balance.ts";
export type { Instrument } from "../domain/instrument.ts";
export type { MintRecord } from "../domain/mint.ts";
export type { Money, Price, Quantity } from "../domain/money/money.ts";
export type { Fill } from "../domain/order.ts";
export type { Quote } from "../domain/quote.ts";
export type { Rail } from "../domain/rail.ts";
export type {
  ListedAsset,
  OrderRecord,
  Payment,
  RailRecord,
  SupplyChange,
  TradeRecord,
  WithdrawAddress,
} from "../exchange/port.ts";
export type * from "./contract.ts";
export type { KeySource };
export { VenueError };

/** A PEM file that only its owner can read. */
export function fileKey(path: string): KeySource {
  return { kind: "file", path };
}

/** The process becomes the owner of the key: beside another one it throws `key-owned`. */
export async function createVenue(options: VenueOptions): Promise<Venue> {
  const { openLibrary } = await import("./open-library.ts");
  return openLibrary(options);
}
