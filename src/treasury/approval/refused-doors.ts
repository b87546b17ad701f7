// Doors that refused the last time that a plan went through them, with nothing moved, and those of a plan that a person declined.
// They are left alone for a while, longer each time: what the venue or a limit refuses now it mostly refuses a minute later too.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { ContentStep } from "./plan-content.ts";

export type RefusedDoor = {
  readonly door:
    | { readonly kind: "mint"; readonly asset: Asset; readonly chain: string }
    | { readonly kind: "order"; readonly symbol: PairSymbol }
    | { readonly kind: "rail"; readonly template: string };
  /** The first and the last time in a row. */
  readonly since: Millis;
  readonly at: Millis;
  readonly times: number;
  /** Not used by a plan of the bot before. */
  readonly until: Millis;
  readonly reason: string;
  /** A person said no to it, the last time. */
  readonly isDeclined?: true | undefined;
};

const MINUTE_MS = 60_000;
/** After the first time, the second and so on; then always the last. */
const PAUSES: Readonly<Record<RefusedDoor["door"]["kind"], readonly number[]>> = {
  // A mint takes hours: what is missing (a document, a limit of the day) is seldom there within minutes.
  mint: [15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, 960 * MINUTE_MS, 1_440 * MINUTE_MS],
  // What the venue said of a rail it says again, and its template is closed for good: these are the limits and the network.
  rail: [15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, 960 * MINUTE_MS, 1_440 * MINUTE_MS],
  // A price moves on; orders that are killed every minute use up the orders of a day.
  order: [2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS],
};

/** A person who has said no is not asked the same again within minutes. */
const DECLINED_PAUSES: readonly number[] = [60 * MINUTE_MS, 240 * MINUTE_MS, 960 * MINUTE_MS, 1_440 * MINUTE_MS];

/** A person's no counts by itself: what the venue refused before makes it no longer. */
type Resting = { readonly shown: RefusedDoor; readonly refusals: number; readonly noes: number };
type Last = Pick<RefusedDoor, "reason" | "at" | "isDeclined">;

export class RefusedDoors {
  readonly #doors = new Map<string, Resting>();

  refused({ way }: ContentStep, reason: string, at: Millis): void {
    const door = doorOf(way);
    const { refusals = 0, noes = 0 } = this.#doors.get(keyOf(door)) ?? {};
    const shown = this.#rested(door, PAUSES[door.kind], refusals, { reason, at });
    this.#doors.set(keyOf(door), { shown, refusals: refusals + 1, noes });
  }

  /** All of them at once: several steps of one pair are one door. */
  declined(steps: readonly ContentStep[], reason: string, at: Millis): void {
    const doors = new Map(steps.map(({ way }) => [keyOf(doorOf(way)), doorOf(way)]));
    for (const [key, door] of doors) {
      const { refusals = 0, noes = 0 } = this.#doors.get(key) ?? {};
      const shown = this.#rested(door, DECLINED_PAUSES, noes, { reason, at, isDeclined: true });
      this.#doors.set(key, { shown, refusals, noes: noes + 1 });
    }
  }

  #rested(door: RefusedDoor["door"], pauses: readonly number[], times: number, last: Last): RefusedDoor {
    const before = this.#doors.get(keyOf(door))?.shown;
    const until = millis(last.at + (pauses[Math.min(times, pauses.length - 1)] ?? 0));
    // A person's plan does not wait: that it is refused ends no longer rest.
    if (before !== undefined && before.until > until) return before;
    return { door, since: before?.since ?? last.at, times: times + 1, until, ...last };
  }

  passed({ way }: ContentStep): void {
    this.#doors.delete(keyOf(doorOf(way)));
  }

  /** `mintedSince`: whether anybody has minted the coin since then, which ends it. */
  heldBack(now: Millis, mintedSince: (asset: Asset, at: Millis) => boolean): readonly RefusedDoor[] {
    return Array.from(this.#doors.values(), ({ shown }) => shown).filter(
      ({ door, at, until }) => now < until && !(door.kind === "mint" && mintedSince(door.asset, at)),
    );
  }
}

function doorOf(way: ContentStep["way"]): RefusedDoor["door"] {
  switch (way.kind) {
    case "order":
      return { kind: "order", symbol: way.symbol };
    case "mint":
      return { kind: "mint", asset: way.asset, chain: way.chain };
    default:
      return { kind: "rail", template: way.template };
  }
}

function keyOf(door: RefusedDoor["door"]): string {
  return JSON.stringify(door);
}
