// Which assets and pairs a journal speaks of: a record names them at its start.

import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../src/domain/asset.ts";
import type { Event } from "../../src/domain/event.ts";
import type { Decision, Step } from "../../src/domain/step.ts";

export function namesIn(
  steps: Iterable<Step>,
  currency: Asset,
): { readonly assets: readonly Asset[]; readonly symbols: readonly PairSymbol[] } {
  const assets = new Set<Asset>([currency]);
  const symbols = new Set<PairSymbol>();
  for (const { event, decisions } of steps) {
    for (const asset of assetsIn(event)) assets.add(asset);
    for (const decision of decisions) {
      const symbol = symbolOf(decision);
      if (symbol !== undefined) symbols.add(symbol);
    }
  }
  for (const symbol of symbols) for (const asset of Object.values(assetsOf(symbol))) assets.add(asset);
  return { assets: [...assets].sort(), symbols: [...symbols].sort() };
}

/** What a strategy proposed may name a pair that cannot be. */
export function symbolOf({ verdict, proposal }: Decision): PairSymbol | undefined {
  if (verdict.kind === "approved") return verdict.intent.symbol;
  const symbol = parseSymbol(proposal?.symbol);
  return symbol.ok ? symbol.value : undefined;
}

function assetsIn(event: Event): readonly Asset[] {
  if (event.kind === "adoption") return event.amounts.map(({ asset }) => asset);
  if (event.kind !== "report" || event.report.kind !== "filled") return [];
  const { bought, sold, fee } = event.report.fill;
  return [bought.asset, sold.asset, fee.asset];
}
