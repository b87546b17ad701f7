// What there is of each asset, worked out when it is asked for and kept until something of that asset moves: an order, a
// trade or a movement concerns two assets, and nothing of the others is summed again.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Ledger } from "./ledger.ts";
import type { Movements } from "./movements.ts";
import type { OpenOrders } from "./open-orders.ts";

/** Of one asset. The amounts hold as long as `isFresh`; whoever keeps a figure asks `fresh` for it first. */
export type Figure = {
  readonly asset: Asset;
  readonly none: Money;
  /** Counts what moved of it. */
  version: number;
  isFresh: boolean;
  /** On account and in flight. */
  held: Money | undefined;
  /** The same for signals; nothing where it is not known. */
  heldFloat: number;
  /** What would be held if everything came that may come. */
  atMost: Money | undefined;
  /** Count how often each of the two became another: who follows them keeps the count, and no amount. */
  heldVersion: number;
  atMostVersion: number;
  /** What may leave at most. */
  leaving: Money;
  /** No open order and no movement brings or takes any of it. */
  isIdle: boolean;
  /** What people put in. */
  placed: Money;
  adopted: Money | undefined;
  spendable: Money | undefined;
  /** By which list of balances that is, while nothing moved. */
  spendableAt: number;
  /** Where the ledger has it; undefined before its first entry. */
  row: ReturnType<Ledger["row"]>;
};

type Parts = { readonly ledger: Ledger; readonly open: OpenOrders; readonly movements: Movements };

const NEVER = -1;

export class Figures {
  readonly #parts: Parts;
  readonly #figures = new Map<Asset, Figure>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Always the same object for an asset. */
  of(asset: Asset): Figure {
    return this.fresh(this.#figures.get(asset) ?? this.#added(asset));
  }

  fresh(figure: Figure): Figure {
    if (!figure.isFresh) this.#work(figure);
    return figure;
  }

  touch(asset: Asset): void {
    const figure = this.#figures.get(asset);
    if (figure === undefined) return;
    figure.version++;
    figure.isFresh = false;
  }

  touchAll(): void {
    for (const asset of this.#figures.keys()) this.touch(asset);
  }

  #added(asset: Asset): Figure {
    const none = Money.zero(asset);
    const figure: Figure = {
      asset,
      none,
      version: 0,
      isFresh: false,
      held: undefined,
      heldFloat: 0,
      atMost: undefined,
      heldVersion: 0,
      atMostVersion: 0,
      leaving: none,
      isIdle: false,
      placed: none,
      adopted: undefined,
      spendable: undefined,
      spendableAt: NEVER,
      row: undefined,
    };
    this.#figures.set(asset, figure);
    return figure;
  }

  #work(figure: Figure): void {
    const { asset } = figure;
    const { ledger, open, movements } = this.#parts;
    figure.row ??= ledger.row(asset);
    const { row } = figure;
    const settled = row?.holdings;
    const inFlight = row?.inFlight;
    let leaving = figure.none;
    let coming = figure.none;
    if (open.size > 0) {
      leaving = open.leaving(asset);
      coming = open.coming(asset);
    }
    if (movements.isTied) {
      leaving = leaving.plus(movements.leaving(asset));
      coming = coming.plus(movements.coming(asset));
    }
    const held = inFlight === undefined || settled === undefined ? (settled ?? inFlight) : settled.plus(inFlight);
    const atMost = coming === figure.none ? held : held?.plus(coming);
    if (held !== figure.held) {
      figure.held = held;
      figure.heldFloat = held === undefined ? 0 : held.toNumber();
      figure.heldVersion++;
    }
    if (atMost !== figure.atMost) {
      figure.atMost = atMost;
      figure.atMostVersion++;
    }
    if (leaving !== figure.leaving) figure.leaving = leaving;
    // Nothing of it is negative, so that no two amounts can cancel out: what is nothing has not been added to.
    figure.isIdle = leaving === figure.none && coming === figure.none;
    const adopted = row?.adopted;
    if (adopted !== figure.adopted) {
      if (adopted !== undefined) figure.placed = adopted.negated();
      figure.adopted = adopted;
    }
    figure.spendableAt = NEVER;
    figure.isFresh = true;
  }
}
