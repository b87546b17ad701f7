// What a view may ask of the engine, at the engine's time.

import type { PairSymbol } from "../domain/asset.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Pricing } from "../market/fair.ts";
import type { BalanceView, FillView, OpenOrderView } from "../strategy/view.ts";
import { AccountSight, type KeptBack } from "./account-sight.ts";
import type { Sight } from "./cursor.ts";
import type { Fold } from "./fold.ts";

export class EngineSight implements Sight {
  readonly #fold: Fold;
  readonly pricing: Pricing;
  readonly #accounts: AccountSight;
  #listed: readonly Instrument[] = [];
  #listedFrom: ReadonlyMap<PairSymbol, Instrument> | undefined = undefined;

  constructor(fold: Fold, pricing: Pricing, kept: KeptBack) {
    this.#fold = fold;
    this.pricing = pricing;
    this.#accounts = new AccountSight(fold.accounts, kept);
    fold.onFill = (fill, at) => this.#accounts.remember(fill, at);
  }

  instrumentOf(symbol: string): Instrument | undefined {
    return this.#fold.instruments.get(symbol as PairSymbol);
  }

  get instruments(): readonly Instrument[] {
    if (this.#listedFrom !== this.#fold.instruments) {
      this.#listedFrom = this.#fold.instruments;
      this.#listed = Object.freeze([...this.#listedFrom.values()]);
    }
    return this.#listed;
  }

  balanceOf(asset: string): BalanceView | undefined {
    return this.#accounts.balanceOf(asset);
  }

  get balances(): readonly BalanceView[] {
    return this.#accounts.balances;
  }

  get fills(): readonly FillView[] {
    return this.#accounts.fills;
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#accounts.openOrders;
  }
}
