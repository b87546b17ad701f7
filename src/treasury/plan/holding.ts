// The places of our money: `VCHF` and `CHF` are balances at the venue, `VCHF@ETH` is one of our wallets on a chain,
// `CHF@BANK` is a bank account. A plan moves money from holding to holding.

import { amountText } from "../../domain/amount-text.ts";
import { type Asset, parseAsset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { unwrap } from "../../domain/result.ts";

declare const holdingBrand: unique symbol;
export type HoldingName = string & { readonly [holdingBrand]: true };

/** The place name of a bank account. */
export const BANK = "BANK";

/** Holdings at the venue have no place. */
export function holdingOf(asset: Asset, place?: string): HoldingName {
  return (place === undefined ? asset : `${asset}@${place}`) as HoldingName;
}

export function assetOf(holding: HoldingName): Asset {
  return unwrap(parseAsset(holding.split("@")[0]));
}

export function isAtVenue(holding: HoldingName): boolean {
  return !holding.includes("@");
}

export type HoldingState = {
  readonly holding: HoldingName;
  /** Spendable now. */
  readonly available: Money;
  /** Ours, but not spendable: reserved by open orders, or the reserve that is never spent. */
  readonly bound: Money;
  readonly inFlight: readonly Arrival[];
};

/** In transit to the holding. Counted as arriving, so that it is not requested twice; never spent. */
export type Arrival = {
  readonly amount: Money;
  readonly what: string;
};

/** The range in which a holding should end; either edge may be missing. */
export type Band = Edges & {
  readonly holding: HoldingName;
  /** The configured band, set if the holding left it and is brought back to its target. */
  readonly left?: Edges | undefined;
  /** No step for it loses more. */
  readonly costBpsMax?: number | undefined;
};

type Edges = { readonly low: Money | undefined; readonly high: Money | undefined };

/** The configured edges. */
export function edgesOf({ low, high, left = { low, high } }: Band): Edges {
  return left;
}

/** `250,000 to 400,000`; empty without a band. */
export function bandText(band: Band | undefined): string {
  if (band === undefined) return "";
  const { low, high } = edgesOf(band);
  const back = band.left === undefined ? "" : `, back to ${edgeText(band.low)}`;
  return `${edgeText(low)} to ${edgeText(high)}${back}`;
}

export function bandHolds(amount: Money, band: Band | undefined): string {
  return `has ${amountText(String(amount))}, its band is ${bandText(band)}`;
}

function edgeText(edge: Money | undefined): string {
  return edge === undefined ? "any" : amountText(String(edge), 0).replace(/\.$/, "");
}

export function stateOf(holding: HoldingName, holdings: readonly HoldingState[]): HoldingState {
  const zero = Money.zero(assetOf(holding));
  return holdings.find((state) => state.holding === holding) ?? { holding, available: zero, bound: zero, inFlight: [] };
}

/** The available amount plus reserved money and money in transit. */
export function expected({ holding, available, bound, inFlight }: HoldingState): Money {
  return Money.sum([available, bound, ...inFlight.map(({ amount }) => amount)], assetOf(holding));
}

function missing(amount: Money, band: Band | undefined): Money {
  if (band?.low !== undefined && amount.lessThan(band.low)) return band.low.minus(amount);
  if (band?.high !== undefined && amount.moreThan(band.high)) return amount.minus(band.high);
  return Money.zero(amount.asset);
}

export type Move = { readonly holding: HoldingName; readonly amount: Money };

export type HoldingChange = {
  readonly holding: HoldingName;
  readonly state: HoldingState;
  readonly band: Band | undefined;
  /** Including reserved money and money in transit. */
  readonly before: Money;
  readonly after: Money;
  /** The distance beyond the band; zero inside it. */
  readonly missingBefore: Money;
  readonly missingAfter: Money;
};

/** Every holding that has a band or is moved. */
export function holdingsAfter(
  moves: readonly Move[],
  { holdings, bands }: { readonly holdings: readonly HoldingState[]; readonly bands: readonly Band[] },
): readonly HoldingChange[] {
  const names = new Set([...bands, ...moves].map(({ holding }) => holding));
  return Array.from(names, (holding) => {
    const band = bands.find((one) => one.holding === holding);
    const state = stateOf(holding, holdings);
    const before = expected(state);
    const after = moves.reduce((sum, move) => (move.holding === holding ? sum.plus(move.amount) : sum), before);
    const misses = { missingBefore: missing(before, band), missingAfter: missing(after, band) };
    return { holding, state, band, before, after, ...misses };
  });
}
