// Reconciles the bookings with the bot's books, to the last digit: opening plus all bookings equals holdings, and the
// profit of all bookings equals the profit of the positions.

import type { Accounts } from "../../books/accounts/accounts.ts";
import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Booking, Leg, Place } from "./bookings.ts";

export type AssetTotals = {
  readonly asset: Asset;
  readonly opening: Money;
  /**
   * Without the opening. Money in transit counts once, at its departure and not again when it arrives on the account.
   */
  readonly came: Money;
  readonly went: Money;
  readonly fees: Money;
  readonly realised: Money;
  readonly onAccount: Money;
  readonly inFlight: Money;
};

type Sums = { opening: Money; came: Money; went: Money; fees: Money; realised: Money; places: Record<Place, Money> };

export class Totals {
  readonly #sums = new Map<Asset, Sums>();
  /** Profit from before the period. */
  readonly #earlier = new Map<Asset, Money>();

  /** `before`: the accounts at the start of a period; its bookings begin with the holdings. */
  constructor(before?: Accounts) {
    for (const asset of before?.ledger.assets() ?? [])
      this.#earlier.set(asset, before?.profit.realised(asset) ?? Money.zero(asset));
  }

  take({ kind, came, went, fee, trade }: Booking): void {
    const again = arrivedOf(came, went);
    if (came !== undefined) {
      const sums = this.#of(came.amount.asset);
      if (kind === "opening") sums.opening = sums.opening.plus(came.amount);
      else sums.came = sums.came.plus(again === undefined ? came.amount : came.amount.minus(again));
      put(sums, came, came.amount);
    }
    if (went !== undefined) {
      const sums = this.#of(went.amount.asset);
      sums.went = sums.went.plus(again === undefined ? went.amount : went.amount.minus(again));
      put(sums, went, went.amount.negated());
    }
    if (fee !== undefined) {
      const sums = this.#of(fee.amount.asset);
      sums.fees = sums.fees.plus(fee.amount);
      put(sums, fee, fee.amount.negated());
    }
    if (trade?.realised === undefined) return;
    const sums = this.#of(trade.realised.asset);
    sums.realised = sums.realised.plus(trade.realised);
  }

  assets(accounts: Accounts): readonly AssetTotals[] {
    const assets = new Set([...accounts.ledger.assets(), ...this.#sums.keys()]);
    return [...assets].sort().map((asset) => {
      const { places, ...sums } = this.#of(asset);
      const onAccount = accounts.settled(asset) ?? Money.zero(asset);
      return { asset, ...sums, onAccount, inFlight: accounts.inFlight(asset) };
    });
  }

  /** One sentence per difference; empty if all agree. */
  differences(accounts: Accounts): readonly string[] {
    const found: string[] = [];
    const compare = (what: string, sum: Money, told: Money): void => {
      if (!sum.equals(told))
        found.push(
          `${what}: the bookings come to ${sum} ${sum.asset}, the books say ${told} ${told.asset}, a difference of ${told.minus(sum)}`,
        );
    };
    for (const { asset, onAccount, inFlight } of this.assets(accounts)) {
      const { places, realised } = this.#of(asset);
      compare(`${asset} on account`, places.account, onAccount);
      compare(`${asset} in flight`, places["in flight"], inFlight);
      const earlier = this.#earlier.get(asset) ?? Money.zero(asset);
      compare(`${asset} realised`, realised.plus(earlier), accounts.profit.realised(asset));
    }
    return found;
  }

  #of(asset: Asset): Sums {
    const known = this.#sums.get(asset);
    if (known !== undefined) return known;
    const none = Money.zero(asset);
    const places = { account: none, "in flight": none };
    const sums = { opening: none, came: none, went: none, fees: none, realised: none, places };
    this.#sums.set(asset, sums);
    return sums;
  }
}

/** The amount that only changed its place: it was counted when it departed. */
function arrivedOf(came: Leg | undefined, went: Leg | undefined): Money | undefined {
  if (came === undefined || went === undefined || came.amount.asset !== went.amount.asset) return undefined;
  return came.amount.minus(went.amount).isPositive() ? went.amount : came.amount;
}

function put({ places }: Sums, { place }: Leg, amount: Money): void {
  places[place] = places[place].plus(amount);
}
