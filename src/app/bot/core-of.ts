// The engine for a configuration: the same for the bot and for every command.

import { type CoreParts, createCore, type MakeCore } from "../../bot/core.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { createClientOrderIds } from "../../domain/client-order-id.ts";
import { Price } from "../../domain/money/money.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { DEFAULT_SETTINGS } from "../../execution/parameters.ts";
import { movementLimitsOf, railFeeOf } from "../../operation/terms/movement-terms.ts";
import { priceRulesOf } from "../feeds/price-rules.ts";
import { idEnvironment } from "./identity.ts";

/** Par bands of paper mode, in basis points: the simulator's two coins against their own fiat. */
const PAPER_PAR: Readonly<Record<string, number>> = { "VCHF/CHF": 50, "VGBP/GBP": 50 };

/** All cores of one process share the generator of client order ids. */
export function coreOf(config: Config, instance: string, by = "bot"): MakeCore {
  const parts: CoreParts = {
    limits: limitsOf(config),
    par: parOf(config),
    isBlind: !hasQuotes(config),
    fillsAt: resolveProfile(config.venue.profile).fillsAt,
    prices: priceRulesOf(config),
    ids: createClientOrderIds(idEnvironment(config), instance),
    writer: instance,
    by,
    settings: { ...DEFAULT_SETTINGS, ...config.protocol },
    treasury: movementLimitsOf(config),
    railFee: railFeeOf(config),
    openingCosts: Object.entries(openingCostsOf(config)).map(([asset, cost]) => ({
      asset: asset as Asset,
      price: Price.of(cost),
    })),
  };
  return (strategy, saved) => createCore(strategy, parts, saved);
}

/** The coins of our own simulator cost par, so that selling one realises what it brought above it. */
function openingCostsOf({ mode, venue, journal }: Config): Readonly<Record<string, string>> {
  const isOwnPaper = mode === "paper" && venue.baseUrl === undefined;
  return journal.openingCosts ?? (isOwnPaper ? { VCHF: "1", VGBP: "1" } : {});
}

/** False if the profile says that the venue shows none. */
export function hasQuotes({ venue }: Pick<Config, "venue">): boolean {
  return resolveProfile(venue.profile).quotes !== "absent";
}

/**
 * The pairs for which par is a source of fair value, the band around it that the venue's quote must keep, and whether par
 * suffices without a quote.
 */
export function parOf({ mode, market }: Config): CoreParts["par"] {
  const bands = market.par ?? (mode === "paper" ? PAPER_PAR : {});
  const alone = market.parFair ?? (mode === "paper" && market.par === undefined ? Object.keys(PAPER_PAR) : []);
  return new Map(
    Object.entries(bands).map(([symbol, bandBps]) => [
      symbol as PairSymbol,
      { bandBps, isAlone: alone.includes(symbol) },
    ]),
  );
}
