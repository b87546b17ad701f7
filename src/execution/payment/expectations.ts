// Payments that are to come on rails of ours: what a plan or a person wants to be paid, and since when. On the way out the coins
// are tied up until then, on the way in nothing is; a payment ends the waiting, or a person does.

import { Money, type Quantity } from "../../domain/money/money.ts";
import type { MovementEvent } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import type { Submission } from "../submission.ts";

export type Expectation = {
  readonly id: string;
  /** The submission whose rail it is paid on. */
  readonly rail: string;
  /** Fiat on the way in, coins on the way out. */
  readonly pays: Money;
  /** What leaves the account; zero on the way in. */
  readonly leaves: Money;
  readonly comes: Money;
  readonly since: Millis;
};

/** A rail on which nothing was paid so far. */
export type Awaited = {
  /** The id of the payment that is to come, or of the rail where none is named. */
  readonly id: string;
  readonly rail: string;
  readonly pays: Money | undefined;
  readonly since: Millis;
};

/** A payment that a person said does not come. */
export type GivenUp = { readonly rail: string; readonly at: Millis; readonly reason: string };

const PREFIX = "expected:";
/** How the reason of an expectation begins that a person gave up, in the journal too. */
export const GIVEN_UP_BY = "given up by ";

export class Expectations {
  readonly #open = new Map<string, Expectation>();
  readonly #counts = new Map<string, number>();
  readonly #givenUp = new Map<string, GivenUp>();

  fold({ id, report, receivedAt }: MovementEvent): void {
    if (!id.startsWith(PREFIX)) return;
    if (report.kind === "released") this.#ended(id, report.reason, receivedAt);
    if (report.kind !== "reserved" || report.rail === undefined || report.pays === undefined) return;
    const { rail, pays, leaves, comes } = report;
    this.#counts.set(rail, this.#count(rail) + 1);
    this.#open.set(id, { id, rail, pays, leaves, comes, since: receivedAt });
  }

  #ended(id: string, reason: string, at: Millis): void {
    const rail = this.#open.get(id)?.rail;
    this.#open.delete(id);
    if (rail === undefined) return;
    if (reason.startsWith(GIVEN_UP_BY)) this.#givenUp.set(rail, { rail, at, reason });
    else this.#givenUp.delete(rail);
  }

  /** The last one of each rail on which no payment came since. */
  givenUp(): IterableIterator<GivenUp> {
    return this.#givenUp.values();
  }

  all(): IterableIterator<Expectation> {
    return this.#open.values();
  }

  get(id: string): Expectation | undefined {
    return this.#open.get(id);
  }

  /** The oldest first. */
  on(rail: string): readonly Expectation[] {
    return [...this.#open.values()].filter((one) => one.rail === rail);
  }

  expect(
    { id: rail, request }: Pick<Submission<"rail">, "id" | "request">,
    amount: Quantity,
    receivedAt: Millis,
  ): MovementEvent {
    const { type, asset, currency } = request;
    const isOut = type === "StablecoinToFiat";
    const pays = amount.of(isOut ? asset : currency);
    const leaves = isOut ? pays : Money.zero(currency);
    const comes = amount.of(isOut ? currency : asset);
    const report = { kind: "reserved", door: "payment", leaves, comes, rail, pays } as const;
    return this.#take({ kind: "movement", id: `${PREFIX}${rail}:${this.#count(rail) + 1}`, report, receivedAt });
  }

  end(id: string, reason: string, receivedAt: Millis): MovementEvent {
    return this.#take({ kind: "movement", id, report: { kind: "released", reason }, receivedAt });
  }

  #take(event: MovementEvent): MovementEvent {
    this.fold(event);
    return event;
  }

  #count(rail: string): number {
    return this.#counts.get(rail) ?? 0;
  }
}
