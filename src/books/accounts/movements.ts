// Approved mints and payments that have not ended. They are first reserved, both ways like an order, and then in
// transit: gone from our holdings, not yet in any balance, and still ours.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Flight, MovementReport } from "../../domain/movement.ts";
import type { Reserved } from "../../domain/reservation.ts";

type Departure = Extract<MovementReport, { kind: "departed" }>;

export class Movements {
  readonly #tied = new Map<string, Reserved>();
  readonly #flights = new Map<string, Flight>();

  constructor(saved: SavedMovements = NONE) {
    for (const [id, tied] of saved.tied) this.tie(id, tied);
    for (const flight of saved.flights) this.#flights.set(flight.id, flight);
  }

  /** Approved, outcome unknown. */
  tied(): IterableIterator<Reserved> {
    return this.#tied.values();
  }

  flights(): IterableIterator<Flight> {
    return this.#flights.values();
  }

  flight(id: string): Flight | undefined {
    return this.#flights.get(id);
  }

  tie(id: string, tied: Reserved): void {
    this.#tied.set(id, tied);
  }

  /** True if a reservation existed under this id. */
  untie(id: string): boolean {
    return this.#tied.delete(id);
  }

  depart(
    id: string,
    { door, spent, fee, comes }: Departure,
    { since, feeValue }: Pick<Flight, "since" | "feeValue">,
  ): void {
    this.#flights.set(id, { id, door, spent, fee, feeValue, comes, since, status: undefined, reason: undefined });
  }

  tell(id: string, status: string, reason: string | undefined): void {
    const flight = this.#flights.get(id);
    if (flight !== undefined) this.#flights.set(id, { ...flight, status, reason });
  }

  arrive(id: string): Flight | undefined {
    const flight = this.#flights.get(id);
    this.#flights.delete(id);
    return flight;
  }

  leaving(asset: Asset): Money {
    return sumOf(this.#tied, ({ leaves }) => leaves, asset);
  }

  coming(asset: Asset): Money {
    return sumOf(this.#tied, ({ comes }) => comes, asset);
  }

  save(): SavedMovements {
    return { tied: [...this.#tied], flights: [...this.#flights.values()] };
  }
}

export type SavedMovements = {
  readonly tied: readonly (readonly [id: string, tied: Reserved])[];
  readonly flights: readonly Flight[];
};

const NONE: SavedMovements = { tied: [], flights: [] };

function sumOf(tied: ReadonlyMap<string, Reserved>, amountOf: (one: Reserved) => Money, asset: Asset): Money {
  let sum = Money.zero(asset);
  for (const one of tied.values()) {
    const amount = amountOf(one);
    if (amount.asset === asset) sum = sum.plus(amount);
  }
  return sum;
}
