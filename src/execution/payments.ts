// Payments on rails of ours, as the venue lists them. A rail moves no money, its payments do: on the way to a bank coins leave
// the account when a payment begins, and its fiat is in flight until it has arrived there. What goes from outside to a wallet
// outside never was on the account, and is nobody's entry here.

import { hasSettled } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { MovementEvent, MovementReport } from "../domain/movement.ts";
import { isRejected, type RailIntent } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import type { Payment } from "../exchange/port.ts";
import { type MovementTold, toldOfMovement } from "./movement-report.ts";

const PREFIX = "payment:";

export class Payments {
  readonly #told = new Map<string, MovementTold>();

  /** A step of the journal. */
  fold({ id, report }: MovementEvent): void {
    if (id.startsWith(PREFIX)) this.#told.set(id, toldOfMovement(report, this.#told.get(id)));
  }

  /** What the engine has not heard yet. `railOf`: the rail of ours under the venue's id. */
  see(
    rows: readonly Payment[],
    railOf: (railId: string) => RailIntent | undefined,
    receivedAt: Millis,
  ): readonly MovementEvent[] {
    return rows.flatMap((row) => {
      const rail = row.railId === undefined ? undefined : railOf(row.railId);
      if (rail === undefined || row.paymentId === undefined) return [];
      const id = `${PREFIX}${row.paymentId}`;
      return reportsOf(row, rail, this.#told.get(id)).map((report): MovementEvent => {
        this.#told.set(id, toldOfMovement(report, this.#told.get(id)));
        return { kind: "movement", id, report, receivedAt };
      });
    });
  }
}

function reportsOf(
  { amount, status }: Payment,
  { type, asset, currency }: RailIntent,
  told: MovementTold | undefined,
): readonly MovementReport[] {
  const isOver = told?.stage === "arrived" || told?.stage === "returned";
  const isRefused = isRejected({ status });
  // Without its amount in coins nothing can be booked: the balances show a difference, and a person is asked.
  if (type !== "StablecoinToFiat" || amount === undefined || amount.asset !== asset || isOver) return [];
  if (isRefused && told === undefined) return [];
  const comes = Money.of(String(amount), currency);
  const reports: MovementReport[] = [];
  if (told === undefined)
    reports.push({ kind: "departed", door: "payment", spent: amount, fee: Money.zero(asset), comes });
  if (status !== told?.status) reports.push({ kind: "told", status, reason: undefined });
  // Its coins are back or never left: if they are not, the balances say so. In flight they would be owned twice.
  if (isRefused) reports.push({ kind: "returned", reason: "the payment was rejected" });
  if (hasSettled({ status })) reports.push({ kind: "arrived", at: "outside" });
  return reports;
}
