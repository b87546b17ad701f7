// Settings that are valid but probably not intended: the bot starts with them, and fewer orders pass than its limits
// promise.

import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { COST_BPS_MAX } from "../../config/section/rebalancing.ts";
import { targetsOf } from "../../config/targets-of.ts";
import { whyNeverWoken } from "../../strategy/never-woken.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { hasQuotes } from "../feeds/par.ts";
import { MORE_SOURCES, poorPairs, poorText } from "../feeds/price-sources.ts";
import { PAPER_FUNDS } from "./paper-funds.ts";
import { isEmbedded } from "./paper-place.ts";

export function oddities(config: Config): readonly string[] {
  return [...unpriced(config), ...unpricedFunds(config), ...treasuryOddities(config)];
}

/**
 * For the starting funds of the embedded simulator. `doctor` reports it too, and reads the balances of any other venue.
 */
export function unpricedFunds(config: Config): readonly string[] {
  if (!isEmbedded(config)) return [];
  const priced = assetsWithPrices(config);
  const held = Object.keys(PAPER_FUNDS).filter((asset) => !priced.has(asset));
  if (held.length === 0) return [];
  return [
    `the paper account opens with ${held.join(", ")}, and no pair of risk.symbols and no feed of market.references has it: without a rate equity is unknown, and every order is refused (RC05)`,
  ];
}

/** Also reported by `doctor`. */
export function treasuryOddities(config: Config): readonly string[] {
  return [...strangeHoldings(config), ...tugOfWar(config), ...unkept(config)];
}

/** Assets that may have a rate; all others have no known value. */
export function assetsWithPrices(config: Config): ReadonlySet<string> {
  const { symbols, currency } = limitsOf(config);
  const told = config.market.references.flatMap((feed) => [...feed.symbols, ...("derive" in feed ? feed.derive : [])]);
  return new Set<string>([currency, ...[...symbols, ...told].flatMap((symbol) => symbol.split("/"))]);
}

function unkept({ conversions, treasury }: Config): readonly string[] {
  if (Object.keys(conversions).length === 0 || treasury.approvals.automatic) return [];
  return ["conversions has instructions, and treasury.approvals.automatic is false: they are not carried out"];
}

function strangeHoldings(config: Config): readonly string[] {
  const known = assetsWithPrices(config);
  return Object.keys(targetsOf(config))
    .filter((holding) => !known.has(holding.split("@")[0] ?? ""))
    .map(
      (holding) =>
        `treasury.targets names ${holding}, and no pair of risk.symbols and no feed of market.references has it: without a rate no plan is made for it`,
    );
}

/**
 * A strategy does not know the targets: if it trades out of a band again and again, the rebalancer brings the holding
 * back each time.
 */
function tugOfWar(config: Config): readonly string[] {
  const { approvals } = config.treasury;
  const { automatic, orderValueMax, dayValueMax, costBpsMax } = approvals;
  if (!automatic || orderValueMax === undefined || dayValueMax === undefined || costBpsMax <= COST_BPS_MAX) return [];
  const traded = new Set(limitsOf(config).symbols.flatMap((symbol) => symbol.split("/")));
  const both = Object.keys(targetsOf(config)).filter((holding) => traded.has(holding));
  if (both.length === 0) return [];
  return [
    `treasury.approvals.costBpsMax is ${costBpsMax}: strategy ${config.strategy.use} trades ${both.join(", ")} and does not know their targets, and whenever it takes one out of its band, automatic rebalancing may spend up to that much to bring it back; set ${COST_BPS_MAX} or less`,
  ];
}

/** Also reported by `start`. On paper the simulator has its own feeds. */
export function sleeper(config: Config, strategy: Pick<Strategy, "name" | "wakes" | "definition">): readonly string[] {
  const { mode, market } = config;
  const quotes = hasQuotes(config);
  const references = mode === "paper" || market.references.length > 0;
  const plans = Object.keys({ ...targetsOf(config), ...config.conversions }).length > 0;
  const why = whyNeverWoken(strategy, { quotes, bars: false, references, plans });
  return why === undefined ? [] : [why];
}

/** On paper the simulator has its own feeds and par. */
function unpriced(config: Config): readonly string[] {
  const { mode, market, risk } = config;
  if (mode === "paper" || risk === undefined) return [];
  const feeds = market.references;
  if (feeds.length === 0 && Object.keys(market.par ?? {}).length === 0)
    return ["market has neither par nor a reference feed: there is no fair value of any pair, and no order passes"];
  const poor = poorPairs(config).map((pair) => `${poorText(pair)}: ${MORE_SOURCES}`);
  const lone = risk.referenceSourcesMin > 1 ? [] : unbounded(config);
  const told = feeds.flatMap((feed) => [...feed.symbols, ...("derive" in feed ? feed.derive : [])]);
  const priced = new Set([...risk.symbols, ...told].flatMap((symbol) => symbol.split("/")));
  if (priced.has(risk.currency)) return [...poor, ...lone];
  return [
    ...poor,
    ...lone,
    `risk.currency is ${risk.currency}, which no pair of risk.symbols and no reference feed has: nothing can be counted in it`,
  ];
}

/** Where one source suffices, only a band stands against its mistakes. */
function unbounded({ market }: Config): readonly string[] {
  const { references, bands, sourcesMin } = market;
  const told = references.flatMap((feed) => [...feed.symbols, ...("derive" in feed ? feed.derive : [])]);
  const lone = [...new Set(told)].filter((symbol) => !Object.hasOwn(bands, symbol) && (sourcesMin[symbol] ?? 1) === 1);
  if (lone.length === 0) return [];
  return [`one source suffices for ${lone.join(", ")}, and market.bands has none of them: any price of it is believed`];
}
