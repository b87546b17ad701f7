// How the prices of a configuration are judged: bands, sources, leaps and weekends as its section `market` has them.

import type { PriceRules } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { FxWeek } from "../../market/fx-week.ts";

export function priceRulesOf({ mode, market }: Pick<Config, "mode" | "market">): PriceRules {
  const { references, bands, sourcesMin, frozenMsMax, leapBps, holdMs } = market;
  const measures = references.filter((feed) => feed.kind === "ecb");
  const weekend = weekendOf(mode, market);
  return {
    bands: new Map(Object.entries(bands) as [PairSymbol, { low: number; high: number }][]),
    sourcesMinOf: new Map(Object.entries(sourcesMin) as [PairSymbol, number][]),
    anchors: new Set(measures.map(({ name }) => name)),
    ...(measures.length === 0 ? {} : { anchorBps: Math.min(...measures.map(({ bandBps }) => bandBps)) }),
    frozenMsMax,
    leapBps,
    holdMs,
    ...(weekend === undefined ? {} : { weekend }),
  };
}

/** The simulator's market never closes, unless it is told to. */
function weekendOf(mode: Config["mode"], { weekend, weekendCollarBps, holidays }: Config["market"]) {
  const chosen = weekend ?? (mode === "live" ? "closed" : "open");
  if (chosen === "open") return undefined;
  return { week: new FxWeek(holidays), collarBps: chosen === "collar" ? weekendCollarBps : undefined };
}
