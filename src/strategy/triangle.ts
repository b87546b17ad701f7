// Triangles in the graph of pairs: three pairs whose assets form a circle, in both directions. Trading around at the
// shown prices gains only where the three disagree by more than their spreads.

import type { Side } from "../domain/order.ts";

export type Edge = { readonly symbol: string; readonly side: Side; readonly from: string; readonly to: string };
/** Three edges, each starting where the previous one ends. */
export type Circle = readonly [Edge, Edge, Edge];
export type Prices = { readonly bid: number; readonly ask: number };

/** All circles of three pairs, each in both directions. */
export function circlesOf(symbols: readonly string[]): readonly Circle[] {
  const circles: Circle[] = [];
  const pairs = [...new Set(symbols)];
  for (const [i, one] of pairs.entries())
    for (const [j, other] of pairs.entries())
      for (const [k, third] of pairs.entries()) {
        // Each set of three once; the two directions are made below.
        if (!(i < j && j < k)) continue;
        const circle = circleOf(one, other, third);
        if (circle !== undefined) circles.push(circle, reversed(circle));
      }
  return circles;
}

function circleOf(...symbols: [string, string, string]): Circle | undefined {
  const assets = new Set(symbols.flatMap((symbol) => symbol.split("/")));
  if (assets.size !== 3) return undefined;
  const [x, y, z] = [...assets] as [string, string, string];
  const edges = [edgeOf(symbols, x, y), edgeOf(symbols, y, z), edgeOf(symbols, z, x)];
  return edges.includes(undefined) ? undefined : (edges as unknown as Circle);
}

function edgeOf(symbols: readonly string[], from: string, to: string): Edge | undefined {
  for (const symbol of symbols) {
    if (symbol === `${from}/${to}`) return { symbol, side: "sell", from, to };
    if (symbol === `${to}/${from}`) return { symbol, side: "buy", from, to };
  }
  return undefined;
}

function reversed([first, second, third]: Circle): Circle {
  return [turned(third), turned(second), turned(first)];
}

export function turned<E extends Pick<Edge, "side">>(edge: E): E {
  const side = edge.side === "buy" ? "sell" : "buy";
  return "from" in edge
    ? { ...edge, side, from: (edge as E & Edge).to, to: (edge as E & Edge).from }
    : { ...edge, side };
}

/** The amount that one unit of the edge's start becomes. */
export function rateOf(side: Side, { bid, ask }: Prices): number {
  return side === "sell" ? bid : 1 / ask;
}

export function spreadBps({ bid, ask }: Prices): number {
  return ((ask - bid) / ((ask + bid) / 2)) * 1e4;
}

/** A coin stands for its currency: VCHF for CHF, USDC for USD. */
export function isSameCurrency(one: string, other: string): boolean {
  return currencyOf(one) === currencyOf(other);
}

function currencyOf(asset: string): string {
  return asset === "USDC" ? "USD" : asset.replace(/^V(?=[A-Z]{3}$)/, "");
}
