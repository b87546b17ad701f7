// A way for money from one pot to another, as the planner sees it: whole lots, from a minimum to a maximum, what each takes
// and brings, and how long it takes to arrive. What it is called at the venue is carried along for whoever goes through.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { RailRequest } from "../../domain/rail.ts";
import type { PotName } from "./pot.ts";
import type { Exclusive } from "./program.ts";

export type Door = {
  /** Names it in a plan, once: `buy VCHF/CHF 2`. */
  readonly name: string;
  readonly way: Way;
  readonly from: PotName;
  readonly to: PotName;
  readonly lot: Quantity;
  /** The smallest and the largest step, in lots. */
  readonly min: number;
  readonly max: number;
  /** What one lot takes, fees included. */
  readonly takes: Money;
  readonly brings: Money;
  /** Off what is brought, once: a network fee. */
  readonly keeps: Money;
  /** So much less may arrive, and is then not taken either: a mint is made recognisable by a little less. */
  readonly short: Money;
  /** Until it can be spent. */
  readonly arrivesMs: number;
  /** What is on its way gains or loses against the currency of the limits meanwhile. */
  readonly isExposed: boolean;
  readonly exclusive: Exclusive | undefined;
};

export type Way =
  | { readonly kind: "order"; readonly symbol: PairSymbol; readonly side: Side; readonly limit: Price }
  /** With the most that its fee may be, of the quantity: a configuration may be changed before it is sent. */
  | {
      readonly kind: "mint";
      readonly asset: Asset;
      readonly chain: string;
      readonly feeBpsMax: number;
      /** A wallet of ours that the coins go to; absent: the account. */
      readonly to?: string | undefined;
      /** Sent as it stands, and not made recognisable by a little less. */
      readonly isExact?: true | undefined;
    }
  /** By the name of its template in the configuration, with what decides where money ends up: a template may be changed. */
  | {
      readonly kind: "on-ramp" | "off-ramp";
      readonly template: string;
      readonly asset: Asset;
      readonly chain?: string | undefined;
      /** The wallet or bank account that it leads to. */
      readonly to?: string | undefined;
      readonly memo?: string | undefined;
      /** Of one that a person wants: just this is registered, and nothing is to be paid on it yet. */
      readonly registers?: Registration | undefined;
    };

export type Registration = {
  /** What is registered, to the letter. */
  readonly rail: RailRequest;
  /** What is paid on it comes onto the account. */
  readonly toAccount: boolean;
  /** A second one of the same content is meant. */
  readonly isAnother: boolean;
};

export type DoorKind = Way["kind"];

/** A door that exists and cannot be used now, and why. */
export type ClosedDoor = {
  readonly name: string;
  readonly kind: DoorKind;
  readonly reason: string;
  /** Of an order that is closed for now: it would help a pot that has too much of the one, or too little of the other. */
  readonly leads?: { readonly from: Asset; readonly to: Asset };
};
