// The engine for a configuration, and the board that shows its status: the same for the bot and for every command.

import { type CoreParts, createCore, type MakeCore } from "../../bot/core.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { targetsOf } from "../../config/targets-of.ts";
import type { Asset } from "../../domain/asset.ts";
import { createClientOrderIds } from "../../domain/client-order-id.ts";
import { Price } from "../../domain/money/money.ts";
import type { Clock } from "../../domain/time.ts";
import type { KeyStatus } from "../../exchange/budget/key-file.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { DEFAULT_SETTINGS } from "../../execution/parameters.ts";
import type { Journal } from "../../journal/journal.ts";
import { movementLimitsOf, railFeeOf } from "../../operation/terms/movement-terms.ts";
import { type BoardParts, createStatusBoard, type StatusBoard } from "../../watch/status/status-board.ts";
import { idEnvironment } from "../config/identity.ts";
import { isEmbedded, marketBeside } from "../config/paper-place.ts";
import { hasQuotes, parOf } from "../feeds/par.ts";
import { priceRulesOf } from "../feeds/price-rules.ts";
import { versionText } from "../version.ts";

/** All cores of one process share the generator of client order ids. */
export function coreOf(config: Config, instance: string, by = "bot"): MakeCore {
  const { speed } = config.paper;
  const isFast = speed > 1 && isEmbedded(config);
  // What settles faster on our own simulator is followed as much faster.
  const follow = { atMs: [], afterwards: [{ everyMs: Math.max(1_000, 60_000 / speed), untilMs: Infinity }] };
  const parts: CoreParts = {
    limits: limitsOf(config),
    par: parOf(config),
    isBlind: !hasQuotes(config),
    fillsAt: resolveProfile(config.venue.profile).fillsAt,
    prices: priceRulesOf(config),
    ids: createClientOrderIds(idEnvironment(config), instance),
    writer: instance,
    by,
    settings: { ...DEFAULT_SETTINGS, ...(isFast && { follow }), ...config.protocol },
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
  return journal.openingCosts ?? (isEmbedded({ mode, venue }) ? { VCHF: "1", VGBP: "1" } : {});
}

export type BoardOf = {
  readonly clock: Clock;
  readonly config: Config;
  readonly environment: string;
  readonly journal: Pick<Journal, "head">;
  readonly ledger: () => KeyStatus | undefined;
};

/** `more`: what a running bot shows in addition. */
export function ownerBoard({ config, ledger, ...parts }: BoardOf, more: Partial<BoardParts> = {}): StatusBoard {
  return createStatusBoard({
    ...parts,
    ledger() {
      try {
        return ledger();
      } catch {
        // The key's file is busy for a moment or gone: the status leaves it out.
        return undefined;
      }
    },
    version: versionText(),
    mode: config.mode,
    market: marketBeside(config),
    venue: config.venue.baseUrl ?? "embedded simulator",
    journalPath: config.journal.path,
    limits: limitsOf(config),
    targets: targetsOf(config),
    ...more,
  });
}
