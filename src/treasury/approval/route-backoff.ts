// Route backoff: after a refusal that moved nothing, or a person's decline, the bot's plans avoid the route for a
// while, longer each time. A refusal by the venue or a limit usually repeats a minute later.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { ContentStep } from "./plan-content.ts";

export type RefusedRoute = {
  readonly route:
    | { readonly kind: "mint"; readonly asset: Asset; readonly chain: string }
    | { readonly kind: "order"; readonly symbol: PairSymbol }
    | { readonly kind: "rail"; readonly template: string };
  /** The first and the last refusal in a row. */
  readonly since: Millis;
  readonly at: Millis;
  readonly times: number;
  /** The bot's plans avoid the route until then. */
  readonly until: Millis;
  readonly reason: string;
  readonly isDeclined?: true | undefined;
};

const SLOW: readonly number[] = [15, 60, 240, 960, 1_440];
/** Minutes after the first refusal, the second and so on; further ones use the last value. */
const PAUSES: Readonly<Record<RefusedRoute["route"]["kind"], readonly number[]>> = {
  // The missing condition of a mint (a document, a daily limit) is rarely met within minutes.
  mint: SLOW,
  rail: SLOW,
  // Prices move on, but unfilled orders every minute would use up the daily order limit.
  order: [2, 5, 15, 60],
};
const DECLINED_PAUSES: readonly number[] = [60, 240, 960, 1_440];

export class RouteBackoff {
  /** Declines are counted and paused separately: refusals by the venue neither extend nor shorten them. */
  readonly #paused = new Map<string, RefusedRoute>();

  refused({ via }: ContentStep, reason: string, at: Millis): void {
    const route = routeOf(via);
    this.#pause(PAUSES[route.kind], { route, reason, at });
  }

  /** Several steps on one pair are one route. */
  declined(steps: readonly ContentStep[], reason: string, at: Millis): void {
    const routes = new Map(steps.map(({ via }) => [JSON.stringify(routeOf(via)), routeOf(via)]));
    for (const route of routes.values()) this.#pause(DECLINED_PAUSES, { route, reason, at, isDeclined: true });
  }

  passed({ via }: ContentStep): void {
    for (const isDeclined of [undefined, true] as const)
      this.#paused.delete(keyOf({ route: routeOf(via), isDeclined }));
  }

  /**
   * `mintedSince`: any mint of the coin since then ends the pause. If a route has two pauses, the later one is shown.
   */
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
