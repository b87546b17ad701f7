// How the prices of a configuration are judged: bands, sources, leaps and weekends as its section `market` has them.

import type { PriceRules } from "../../bot/core.ts";
import type { Config } from "../../config/schema.ts";
import type { Reference } from "../../config/section/reference.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { FxWeek } from "../../market/fx-week.ts";

export function priceRulesOf({ mode, market }: Pick<Config, "mode" | "market">): PriceRules {
  const { references, bands, sourcesMin, frozenMsMax, leapBps, holdMs } = market;
  const measures = references.filter((feed) => feed.kind === "ecb");
  const weekend = weekendOf(mode, market);
  return {
    bands: new Map(Object.entries(bands) as [PairSymbol, { low: number; high: number }][]),
    sourcesMinOf: new Map(Object.entries(sourcesMin) as [PairSymbol, number][]),
    origins: new Map(references.map((feed) => [feed.name, originOf(feed)])),
    anchors: new Set(measures.map(({ name }) => name)),
    ...(measures.length === 0 ? {} : { anchorBps: Math.min(...measures.map(({ bandBps }) => bandBps)) }),
    frozenMsMax,
    leapBps,
    holdMs,
    ...(weekend === undefined ? {} : { weekend }),
  };
}

/** Kraken's two readers and ccxt's are one exchange; a file is itself, whatever it is called. */
export function originOf(feed: Reference): string {
  if (feed.kind === "kraken-rest" || feed.kind === "kraken-socket") return "exchange kraken";
  if (feed.kind === "ccxt") return `exchange ${feed.exchange}`;
  return feed.kind === "recorded" ? `file ${feed.file}` : `feed ${feed.name}`;
}

/** The simulator's market never closes, unless it is told to. */
function weekendOf(mode: Config["mode"], { weekend, weekendCollarBps, holidays }: Config["market"]) {
  const chosen = weekend ?? (mode === "live" ? "closed" : "open");
  if (chosen === "open") return undefined;
  return { week: new FxWeek(holidays), collarBps: chosen === "collar" ? weekendCollarBps : undefined };
}
