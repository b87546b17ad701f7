// Payments on their way to our own account: the list says when one has settled, the balances how many coins have come. A fee may
// be off what was paid; as long as it is a small part it is booked as one, and anything else differs and halts as usual.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { isFromOutside, type MovementReport } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import { wordOf } from "../../domain/venue-word.ts";
import { explainsAll, type Movement } from "../balance-vote.ts";
import { touches } from "../mint-cost.ts";
import { moverSets } from "../mover-sets.ts";
import type { Mover, Totals } from "../totals.ts";

type Coming = {
  readonly id: string;
  readonly comes: Money;
  /** When the list first called it settled. */
  readonly settledAt: Millis | undefined;
  /** The books have it as in flight. One that waits for its value is not booked, though the balances may show it. */
  readonly isBooked: boolean;
};

/** What a payment on its way to the account will bring: between all of it and all but a fee. */
export type Arriving = Movement & { readonly isSettled: boolean };

/** How much may be missing and still be a fee: a share of the payment, or a fixed amount, which of a small payment may be a larger share. */
const FEE_BPS_MAX = 100;
const FEE_FIXED_MAX = "50";
const FEE_FIXED_BPS_MAX = 1_000;

const NONE: readonly Mover[] = [];

export class Arrivals {
  readonly #coming = new Map<string, Coming>();

  take(id: string, report: MovementReport, at: Millis): void {
    const known = this.#coming.get(id);
    if (report.kind === "departed" && isFromOutside(report))
      this.#coming.set(id, { id, comes: report.comes, settledAt: undefined, isBooked: true });
    else if (report.kind === "corrected" && known !== undefined)
      this.#coming.set(id, { ...known, comes: report.comes });
    else if (report.kind === "arrived" || report.kind === "returned") this.#coming.delete(id);
    else if (report.kind === "told" && known !== undefined && wordOf(report.status) === "settled")
      this.#coming.set(id, { ...known, settledAt: known.settledAt ?? at });
  }

  /** A payment that is listed, and not booked before it has a value. `settledAt`: set once the list calls it settled. */
  unvalued(id: string, comes: Money, settledAt: Millis | undefined): void {
    this.#coming.set(id, { id, comes, settledAt, isBooked: false });
  }

  forget(id: string): void {
    this.#coming.delete(id);
  }

  movers(): readonly Mover[] {
    if (this.#coming.size === 0) return NONE;
    return Array.from(this.#coming.values(), ({ id, comes, settledAt }) => ({
      id,
      booked: false,
      isSettled: settledAt !== undefined,
      movements: [{ least: comes.minus(feeMaxOf(comes)), most: comes }],
    }));
  }

  /** Those of one asset. `isSettled`: the list says so. */
  of(asset: Asset): readonly Arriving[] {
    const all = [...this.#coming.values()].filter(({ comes }) => comes.asset === asset);
    return all.map(({ comes, settledAt }) => ({
      most: comes,
      least: comes.minus(feeMaxOf(comes)),
      isSettled: settledAt !== undefined,
    }));
  }

  /** The fee that was taken off a payment which the balances show, whatever the list calls it; undefined while that cannot be told. */
  feeOf(id: string, totals: Totals, movers: readonly Mover[]): Money | undefined {
    const one = this.#coming.get(id);
    return one && this.#come([one], totals, movers)?.fees.min(feeMaxOf(one.comes));
  }

  /** Settled payments that the balances show, with their fees. One that they do not show for `patienceMs` is booked in full: they differ then. */
  seen(
    totals: Totals,
    movers: readonly Mover[],
    now: Millis,
    patienceMs: number,
  ): readonly { readonly id: string; readonly fee: Money }[] {
    const settled = [...this.#coming.values()].filter(({ settledAt, isBooked }) => isBooked && settledAt !== undefined);
    const found: { readonly id: string; readonly fee: Money }[] = [];
    for (const asset of new Set(settled.map(({ comes }) => comes.asset))) {
      const group = settled.filter(({ comes }) => comes.asset === asset);
      const come = this.#come(group, totals, movers);
      // A payment that the list does not call settled may seem to be there by chance: with it nothing is called a fee.
      const isSure = come !== undefined && (come.count === group.length || come.fees.isZero());
      let fees = isSure ? come.fees : undefined;
      for (const { id, comes, settledAt = now } of group) {
        if (fees === undefined && now - settledAt < patienceMs) continue;
        // How the fees are spread over these payments makes no difference to the books.
        const most = feeMaxOf(comes);
        const fee: Money = fees === undefined ? Money.zero(asset) : fees.moreThan(most) ? most : fees;
        fees = fees?.minus(fee);
        found.push({ id, fee });
      }
    }
    return found;
  }

  /** How many payments have come, those that are not in the group too, and what is missing of them; undefined while that cannot be told. */
  #come(
    group: readonly Coming[],
    totals: Totals,
    movers: readonly Mover[],
  ): { readonly count: number; readonly fees: Money } | undefined {
    const asset = group[0]?.comes.asset;
    if (asset === undefined || totals.unknown.includes(asset)) return undefined;
    const near = movers.filter((one) => touches(one, asset));
    // A booked movement that the balances do not show yet would hide what came.
    if (near.some((one) => one.booked && !totals.moved.includes(one))) return undefined;
    const change = totals.differences.find((one) => one.asset === asset) ?? Money.zero(asset);
    const isOfGroup = ({ id }: Mover): boolean => group.some((one) => one.id === id);
    const doubts = near.filter(({ booked }) => !booked);
    const { likely, isPart } = moverSets(doubts);
    if (isPart) return undefined;
    const [only, another] = likely.filter((some) => explainsAll(some, [change]));
    // A payment that has not come, or perhaps not, must not pass for a fee of the others.
    if (only === undefined || another !== undefined || only.filter(isOfGroup).length < group.length) return undefined;
    const payments = only.flatMap(({ id }) => this.#coming.get(id) ?? []);
    const beside = only.filter(({ id }) => !this.#coming.has(id)).flatMap(({ movements }) => movements);
    const exact = beside.filter(({ least }) => least.asset === asset);
    if (exact.some(({ least, most }) => !least.equals(most))) return undefined;
    const expected = [...payments.map(({ comes }) => comes), ...exact.map(({ least }) => least)];
    return { count: payments.length, fees: Money.sum(expected, asset).minus(change) };
  }
}

/** What may be missing of a payment and still be its fee. */
export function feeMaxOf(comes: Money): Money {
  const fixed = Money.of(FEE_FIXED_MAX, comes.asset).min(comes.share(FEE_FIXED_BPS_MAX, "down"));
  return comes.share(FEE_BPS_MAX, "up").max(fixed);
}
