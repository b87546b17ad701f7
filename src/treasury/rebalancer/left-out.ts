// Pots that plans leave outside their bands, for people to see: what is so at two looks in a row, and what comes and goes.

import type { PotName } from "../plan/pot.ts";
import type { LeftPot, QuickPlan } from "../plan/situation.ts";
import type { Hands } from "./steward.ts";

/** One that had a rate at so many looks in a row comes and goes no longer. */
const STEADY_LOOKS = 10;

/** `behind`: those that wait for a plan that people are asked about. */
type LookedOut = Pick<QuickPlan, "unvalued" | "waiting"> & { readonly behind?: readonly LeftPot[] };

export class LeftOut {
  #pots: readonly LeftPot[] = [];
  /** What the last look left out, in words. */
  #seen: ReadonlySet<string> = new Set();
  /** The last look waited for a pot that had no rate for the first time. */
  #isHeld = false;
  /** Pots that a look planned without, though they had a rate at the look before, and at how many looks since they had one. */
  readonly #unsteady = new Map<PotName, { readonly why: string; ratedLooks: number }>();
  #trouble = "";
  /** Pots that the last look left for later. */
  #behind: ReadonlySet<LeftPot> = new Set();

  get pots(): readonly LeftPot[] {
    return this.#pots;
  }

  /** Of this look. Whether it plans, or waits for the next one. */
  take({ unvalued, waiting, behind = [] }: LookedOut, hands: Hands): boolean {
    // Prices are missing for a moment at a start, and now and then: only what is so at two looks in a row is left out, and told.
    const all = [...unvalued, ...waiting, ...behind];
    const lasting = all.filter((one) => this.#seen.has(textOf(one)));
    this.#behind = new Set(behind);
    this.#seen = new Set(all.map(textOf));
    // One look in a row is waited for it: prices that come and go in turn hold no plan for good.
    const sudden = unvalued.filter((one) => !lasting.includes(one));
    this.#isHeld = !this.#isHeld && sudden.length > 0;
    this.#follow(unvalued, this.#isHeld ? [] : sudden);
    const others = Array.from(this.#unsteady, ([pot, { why }]): LeftPot => ({ pot, why }));
    this.#pots = [...lasting, ...others.filter(({ pot }) => lasting.every((one) => one.pot !== pot))];
    this.say(this.#pots.map(textOf).join("; "), hands);
    return !this.#isHeld;
  }

  /** What they waited for is begun. */
  forgetBehind(): void {
    this.#pots = this.#pots.filter((one) => !this.#behind.has(one));
  }

  /** The same trouble is said once. */
  say(trouble: string, hands: Hands): void {
    if (trouble !== "" && trouble !== this.#trouble) hands.note(`rebalancing: ${trouble}`);
    this.#trouble = trouble;
  }

  #follow(unvalued: readonly LeftPot[], without: readonly LeftPot[]): void {
    for (const [pot, known] of this.#unsteady) {
      known.ratedLooks = unvalued.some((one) => one.pot === pot) ? 0 : known.ratedLooks + 1;
      if (known.ratedLooks >= STEADY_LOOKS) this.#unsteady.delete(pot);
    }
    for (const { pot, why } of without)
      this.#unsteady.set(pot, { why: `${why} now and then, and plans are made without it`, ratedLooks: 0 });
  }
}

function textOf({ pot, why }: LeftPot): string {
  return `${pot} is left as it is: ${why}`;
}
