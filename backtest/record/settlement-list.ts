// Mints and payments of a run, from the steps that moved them: when each left, what it carried and cost, and how far it came.

import type { Asset } from "../../src/domain/asset.ts";
import { fiatOf } from "../../src/domain/coin.ts";
import type { Money } from "../../src/domain/money/money.ts";
import type { MovementEvent } from "../../src/domain/movement.ts";
import type { Millis } from "../../src/domain/time.ts";
import { isHeld } from "../../src/domain/venue-word.ts";
import type { Settlement } from "./run-record.ts";

export class SettlementList {
  readonly #known = new Map<string, Settlement>();
  readonly #rateOf: (asset: Asset) => string | undefined;

  constructor(rateOf: (asset: Asset) => string | undefined) {
    this.#rateOf = rateOf;
  }

  take({ id, report }: MovementEvent, at: Millis): void {
    if (report.kind === "departed") {
      const { spent, fee, comes } = report;
      this.#known.set(id, {
        kind: report.door === "mint" ? "mint" : rampOf(spent),
        id,
        asset: comes.asset,
        amount: comes.toString(),
        fees: this.#fees(fee, at),
        from: at,
        to: undefined,
        state: "in flight",
      });
      return;
    }
    const known = this.#known.get(id);
    if (known === undefined) return;
    // Given back is all of it, fee included.
    if (report.kind === "returned") this.#known.set(id, { ...known, fees: [], to: at, state: "rejected" });
    else if (report.kind === "arrived") {
      const fees = [...known.fees, ...this.#fees(report.fee, at)];
      this.#known.set(id, { ...known, fees, to: at, state: "settled" });
    } else if (report.kind === "told") this.#known.set(id, { ...known, state: stateOf(report.status) });
  }

  /** Those that were on their way then or later. */
  list(from: Millis): readonly Settlement[] {
    return [...this.#known.values()].filter(({ to }) => to === undefined || to >= from);
  }

  #fees(fee: Money | undefined, at: Millis): Settlement["fees"] {
    if (fee === undefined || fee.isZero()) return [];
    return [{ at, amount: fee.toString(), asset: fee.asset, rate: this.#rateOf(fee.asset) }];
  }
}

/** Coins that leave become fiat. */
function rampOf({ asset }: Money): Settlement["kind"] {
  return fiatOf(asset) === undefined ? "on-ramp" : "off-ramp";
}

function stateOf(status: string): Settlement["state"] {
  return isHeld(status) ? "held" : "in flight";
}
