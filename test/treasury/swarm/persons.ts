// What persons do in a life: they mint, pay on rails, order by hand and answer the bot's plans, one thing at a time.

import type { Config } from "../../../src/config/schema.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import type { Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { RailRow } from "../../../src/simulator/core/record.ts";
import type { Life } from "../../support/crash-journal.ts";
import { approving } from "../rebalance-world.ts";
import { type Command, KEY, recordsOf, type TreasuryWorld } from "../world.ts";

export class Persons {
  readonly #world: TreasuryWorld;
  readonly #config: Config;
  readonly #random: Random;
  readonly #note: (line: string) => void;
  #command: Command | undefined;
  payments = 0;

  constructor(world: TreasuryWorld, config: Config, random: Random, note: (line: string) => void) {
    this.#world = world;
    this.#config = config;
    this.#random = random;
    this.#note = note;
  }

  /** Of whoever is doing something. */
  get life(): Life | undefined {
    return this.#command?.life;
  }

  mint(): void {
    if (this.#isBusy()) return;
    const quantity = `${this.#random.integer(2_000, 20_000)}.${String(this.#random.integer(1, 999_999)).padStart(6, "0")}`;
    const to = this.#random.next() < 0.2 ? { to: "safe" } : {};
    this.#command = this.#world.mint({ quantity, exact: true, ...to }, { config: this.#config });
    this.#note(`mint ${quantity}`);
  }

  order(): void {
    if (this.#isBusy()) return;
    const side = this.#random.next() < 0.5 ? "buy" : "sell";
    const isHopeless = this.#random.next() < 0.2;
    const price = side === "buy" ? (isHopeless ? "0.98" : "1.02") : isHopeless ? "1.02" : "0.98";
    const quantity = String(this.#random.integer(200, 3_000));
    this.#command = this.#world.order({ side, quantity, price }, { config: this.#config });
    this.#note(`order ${side} ${quantity}`);
  }

  /** The newest plan that waits for somebody. */
  approve(): void {
    const plan = recordsOf(this.#world, "plan").findLast(({ persons }) => persons > 0);
    if (plan === undefined || this.#isBusy()) return;
    this.#command = approving(this.#world, this.#config, plan.id);
    this.#note(`approve ${plan.id}`);
  }

  /** On a rail that works; without one, one is registered. */
  pay(): void {
    // Nobody pays on a rail of which it is not known yet that it is there.
    const known = JSON.stringify(this.#world.records().filter(({ kind }) => kind === "outcome" || kind === "evidence"));
    const working = this.#rails().filter(({ railId, status }) => status === "pending" && known.includes(railId));
    const chosen = working[this.#random.integer(0, Math.max(0, working.length - 1))];
    if (chosen === undefined || this.#random.next() < 0.1) {
      this.#register(working.length > 0);
      return;
    }
    const amount = Quantity.of(String(this.#random.integer(50, 5_000)));
    if (this.#world.venue.venue.pay(chosen.railId, amount, this.#world.moment()).ok) this.payments += 1;
    this.#note(`paid ${amount} on ${chosen.railId}`);
  }

  #register(another: boolean): void {
    if (this.#isBusy()) return;
    const direction = this.#random.next() < 0.5 ? "on" : "off";
    const template = direction === "on" ? "vchf-home" : "vchf-out";
    this.#command = this.#world.rail(direction, template, { another }, { config: this.#config });
    this.#note(`rail ${direction}`);
  }

  #rails(): readonly RailRow[] {
    return unwrap(this.#world.venue.venue.rails(KEY, this.#world.moment()));
  }

  #isBusy(): boolean {
    const finished = this.#command?.finished;
    if (finished !== undefined) this.#note(`person: ${finished.code} ${finished.stderr}`);
    return this.#command !== undefined && finished === undefined && this.#command.life.isAlive;
  }
}
