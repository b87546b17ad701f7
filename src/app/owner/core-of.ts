// The engine for a configuration: the same for the bot and for every command.

import { type CoreParts, createCore, type MakeCore } from "../../bot/core.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import { createClientOrderIds } from "../../domain/client-order-id.ts";
import { Price } from "../../domain/money/money.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { DEFAULT_SETTINGS } from "../../execution/parameters.ts";
import { movementLimitsOf, railFeeOf } from "../../operation/terms/movement-terms.ts";
import { idEnvironment } from "../config/identity.ts";
import { hasQuotes, parOf } from "../feeds/par.ts";
import { priceRulesOf } from "../feeds/price-rules.ts";

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
