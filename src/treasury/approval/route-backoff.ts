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

/** A person's no counts and rests by itself: what the venue refused before or since makes it neither longer nor shorter. */
type Resting = { readonly refused?: RefusedDoor; readonly declined?: RefusedDoor };
type Last = Pick<RefusedDoor, "reason" | "at" | "isDeclined">;

export class RefusedDoors {
  readonly #doors = new Map<string, Resting>();

  refused({ way }: ContentStep, reason: string, at: Millis): void {
    const door = doorOf(way);
    const known = this.#doors.get(keyOf(door));
    const refused = rested(door, PAUSES[door.kind], known?.refused, { reason, at });
    this.#doors.set(keyOf(door), { ...known, refused });
  }

  /** All of them at once: several steps of one pair are one door. */
  declined(steps: readonly ContentStep[], reason: string, at: Millis): void {
    const doors = new Map(steps.map(({ way }) => [keyOf(doorOf(way)), doorOf(way)]));
    for (const [key, door] of doors) {
      const known = this.#doors.get(key);
      const declined = rested(door, DECLINED_PAUSES, known?.declined, { reason, at, isDeclined: true });
      this.#doors.set(key, { ...known, declined });
    }
  }

  passed({ way }: ContentStep): void {
    this.#doors.delete(keyOf(doorOf(way)));
  }

  /** `mintedSince`: whether anybody has minted the coin since then, which ends it. */
  heldBack(now: Millis, mintedSince: (asset: Asset, at: Millis) => boolean): readonly RefusedDoor[] {
    const isHeld = ({ door, at, until }: RefusedDoor): boolean =>
      now < until && !(door.kind === "mint" && mintedSince(door.asset, at));
    return [...this.#doors.values()].flatMap(({ refused, declined }) => {
      const [one, other] = [declined, refused].filter((each) => each !== undefined && isHeld(each));
      // The one that ends later says until when.
      return (other !== undefined && one !== undefined && other.until > one.until ? other : one) ?? [];
    });
  }
}

function rested(
  door: RefusedDoor["door"],
  pauses: readonly number[],
  before: RefusedDoor | undefined,
  last: Last,
): RefusedDoor {
  const { since = last.at, times = 0 } = before ?? {};
  const until = millis(last.at + (pauses[Math.min(times, pauses.length - 1)] ?? 0));
  return { door, since, times: times + 1, until, ...last };
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
