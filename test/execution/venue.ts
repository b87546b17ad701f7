// A venue for random lives of orders: it loses requests and answers, executes late, and publishes later still, all within
// the bounds that the protocol assumes. What really happened is known here, and only here.

import { Money } from "../../src/domain/money/money.ts";
import type { Random } from "../../src/domain/random.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import { tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

export type Landing = { readonly id: string; readonly shownAt: number; readonly movedAt: number };

export class Venue {
  readonly landings: Landing[] = [];
  /** Sent, not arrived: can still happen until a later request is accepted. */
  readonly onTheWay = new Set<string>();
  readonly #random: Random;
  /** Publication takes up to so many seconds. */
  readonly #delayMax: number;

  constructor(random: Random, delayMax = 10) {
    this.#random = random;
    this.#delayMax = delayMax;
  }

  chance(share: number): boolean {
    return this.#random.next() < share;
  }

  landed(id: string): boolean {
    return this.landings.some((landing) => landing.id === id);
  }

  /** Executes or refuses; whether anybody hears of it is another matter. */
  arrive(id: string, now: number): boolean {
    this.onTheWay.delete(id);
    if (!this.chance(0.6)) return false;
    const shownAt = now + this.#random.next() * this.#delayMax;
    this.landings.push({ id, shownAt, movedAt: now + this.#random.next() * this.#delayMax });
    return true;
  }

  /** A signed request is accepted: what was sent before it and has not arrived never will. */
  accept(): void {
    this.onTheWay.clear();
  }

  trades(now: number): readonly TradeRecord[] {
    return this.landings.filter(({ shownAt }) => shownAt <= now).map(({ id }) => tradeOf(id));
  }

  /** Opened with 100,000 CHF; each fill buys 100 VCHF for 100.05. */
  balances(now: number): Readonly<Record<string, string>> {
    const moved = this.landings.filter(({ movedAt }) => movedAt <= now).length;
    const spent = Money.ofSteps(10_005 * moved, 2, CHF);
    return {
      CHF: Money.of("100000", CHF).minus(spent).toString(),
      VCHF: Money.ofSteps(100 * moved, 0, VCHF).toString(),
    };
  }
}
