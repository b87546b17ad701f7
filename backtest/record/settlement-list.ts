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
        fee: fee.toString(),
        feeAsset: fee.asset,
        feeRate: this.#rateOf(fee.asset),
        from: at,
        to: undefined,
        state: "in flight",
      });
      return;
    }
    const known = this.#known.get(id);
    if (known === undefined) return;
    if (report.kind === "returned") this.#known.set(id, { ...known, to: at, state: "rejected" });
    else if (report.kind === "arrived") this.#known.set(id, { ...known, to: at, state: "settled" });
    else if (report.kind === "told") this.#known.set(id, { ...known, state: stateOf(report.status) });
  }

  list(): readonly Settlement[] {
    return [...this.#known.values()];
  }
}

/** Coins that leave become fiat. */
function rampOf({ asset }: Money): Settlement["kind"] {
  return fiatOf(asset) === undefined ? "on-ramp" : "off-ramp";
}

function stateOf(status: string): Settlement["state"] {
  return isHeld(status) ? "held" : "in flight";
}
