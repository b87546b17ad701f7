// What a bot would run with: its limits and where its prices come from.

import type { Config } from "../../../config/schema.ts";
import type { LedgerStatus } from "../../../exchange/budget/ledger-status.ts";
import { resolveProfile } from "../../../exchange/profile.ts";
import { MORE_SOURCES, poorPairs, poorText } from "../../bot/price/price-sources.ts";
import { referenceNames } from "../../bot/price/reference-names.ts";
import { otherLimits, SAME_LIMITS } from "../../config/limits-in-force.ts";
import type { Finding } from "./finding.ts";

export function checkLimits({ risk, mode }: Config): Finding {
  const check = "limits";
  if (risk !== undefined)
    return {
      check,
      verdict: "ok",
      cause: `orders up to ${risk.orderValueMax} ${risk.currency}, on ${risk.symbols.join(", ")}`,
    };
  // Live mode without limits is a mistake of the configuration already.
  return {
    check,
    verdict: mode === "live" ? "problem" : "ok",
    cause: "the configuration has no section risk: paper mode has limits of its own",
    next: "live mode needs the section risk, every limit named, and confirm, key and venue.baseUrl",
  };
}

/** A bot that runs has read them at its start. */
export function checkLimitsInForce(status: Pick<LedgerStatus, "bot" | "members">, config: Config): readonly Finding[] {
  const cause = otherLimits(status, config);
  return cause === undefined ? [] : [{ check: "limits", verdict: "warning", cause, next: SAME_LIMITS }];
}

export function checkFeeds(config: Config): Finding {
  const { market, venue } = config;
  const check = "feeds";
  // A measure of prices is no price.
  const feeds = market.references.filter(({ kind }) => kind !== "ecb");
  const simulated = market.references.length === 0 ? referenceNames(config).length : 0;
  const own = ownPrices(venue, market) ?? "no prices of the venue";
  const cause = `${own} and ${simulated > 0 ? `the simulator's ${simulated}` : feeds.length} reference feeds`;
  const poor = poorPairs(config);
  if (poor.length === 0) return { check, verdict: "ok", cause };
  return { check, verdict: "warning", cause: `${cause}: ${poor.map(poorText).join("; ")}`, next: MORE_SOURCES };
}

function ownPrices(venue: Config["venue"], market: Config["market"]): string | undefined {
  if (venue.baseUrl === undefined) return `a simulated market (${market.source ?? "synthetic"})`;
  return resolveProfile(venue.profile).quotes === "absent" ? undefined : "the venue's quotes";
}
