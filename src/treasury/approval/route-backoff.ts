// Route backoff: after a refusal that moved nothing, or a person's decline, the bot's plans avoid the route for a while, longer
// each time. What the venue or a limit refuses now it mostly refuses a minute later too.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { ContentStep } from "./plan-content.ts";

export type RefusedRoute = {
  readonly route:
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
  /** Declined by a person. */
  readonly isDeclined?: true | undefined;
};

const SLOW: readonly number[] = [15, 60, 240, 960, 1_440];
/** Minutes after the first time, the second and so on; then always the last. */
const PAUSES: Readonly<Record<RefusedRoute["route"]["kind"], readonly number[]>> = {
  // What is missing for a mint (a document, a limit of the day) is seldom there within minutes.
  mint: SLOW,
  rail: SLOW,
  // A price moves on; orders that do not fill every minute use up the orders of a day.
  order: [2, 5, 15, 60],
};
const DECLINED_PAUSES: readonly number[] = [60, 240, 960, 1_440];

export class RouteBackoff {
  /** A decline counts and pauses by itself: refusals of the venue make it neither longer nor shorter. */
  readonly #paused = new Map<string, RefusedRoute>();

  refused({ via }: ContentStep, reason: string, at: Millis): void {
    const route = routeOf(via);
    this.#pause(PAUSES[route.kind], { route, reason, at });
  }

  /** Several steps of one pair are one route. */
  declined(steps: readonly ContentStep[], reason: string, at: Millis): void {
    const routes = new Map(steps.map(({ via }) => [JSON.stringify(routeOf(via)), routeOf(via)]));
    for (const route of routes.values()) this.#pause(DECLINED_PAUSES, { route, reason, at, isDeclined: true });
  }

  passed({ via }: ContentStep): void {
    for (const isDeclined of [undefined, true] as const)
      this.#paused.delete(keyOf({ route: routeOf(via), isDeclined }));
  }

  /** `mintedSince`: any mint of the coin since then ends the pause. Of two pauses of a route the one that ends later is shown. */
  heldBack(now: Millis, mintedSince: (asset: Asset, at: Millis) => boolean): readonly RefusedRoute[] {
    const held = [...this.#paused.values()].filter(
      ({ route, at, until }) => now < until && !(route.kind === "mint" && mintedSince(route.asset, at)),
    );
    const longest = held.sort((one, other) => one.until - other.until);
    return [...new Map(longest.map((one) => [JSON.stringify(one.route), one])).values()];
  }

  #pause(pauses: readonly number[], last: Pick<RefusedRoute, "route" | "reason" | "at" | "isDeclined">): void {
    const { since = last.at, times = 0 } = this.#paused.get(keyOf(last)) ?? {};
    const minutes = pauses[Math.min(times, pauses.length - 1)] ?? 0;
    const until = millis(last.at + minutes * 60_000);
    this.#paused.set(keyOf(last), { since, times: times + 1, until, ...last });
  }
}

function keyOf({ route, isDeclined }: Pick<RefusedRoute, "route" | "isDeclined">): string {
  return JSON.stringify([route, isDeclined]);
}

function routeOf(via: ContentStep["via"]): RefusedRoute["route"] {
  if (via.kind === "order") return { kind: "order", symbol: via.symbol };
  if (via.kind === "mint") return { kind: "mint", asset: via.asset, chain: via.chain };
  return { kind: "rail", template: via.template };
}
