// Translates a configuration's rebalancing settings into the planner's terms.

import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { targetsOf } from "../../config/targets-of.ts";
import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Quantity } from "../../domain/money/money.ts";
import { DAY_MS, type Millis, millis } from "../../domain/time.ts";
import { type Limits, unlessOff } from "../../risk/limits.ts";
import type { Schedule } from "../../treasury/conversion/schedule.ts";
import { SALT_PARTS } from "../../treasury/mint.ts";
import type { FeePeriod } from "../../treasury/plan/fees.ts";
import type { HoldingName } from "../../treasury/plan/holding.ts";
import type { RailTerms, ServiceHours } from "../../treasury/plan/transfer-routes.ts";
import { draftRail, type RailParts } from "../../treasury/rail.ts";
import type { RailDrafts } from "../../treasury/rebalancer/rails.ts";
import type { TreasuryTerms } from "../../treasury/rebalancer/treasury-view.ts";
import { mintTermsOf } from "./movement-terms.ts";

const HOUR = 3_600_000;
/** The margin above the venue's minimum if that is in another currency, for which the venue uses its own rate. */
const MARGIN_BPS = 100;

export function treasuryTermsOf(config: Config): TreasuryTerms {
  const { planning } = config.treasury;
  const limits = limitsOf(config);
  return {
    targets: Object.entries(targetsOf(config)).map(([holding, { maxCostBps: costBpsMax, ...band }]) => ({
      ...{ holding: holding as HoldingName, costBpsMax },
      ...band,
    })),
    schedules: schedulesOf(config),
    returnTo: planning.returnTo,
    elsewhere: new Map(Object.entries(planning.elsewhere) as [HoldingName, Quantity][]),
    costs: {
      stepCost: planning.stepCost,
      capitalBpsPerYear: planning.capitalBpsPerYear,
      riskBpsPerDay: planning.riskBpsPerDay,
    },
    orders: {
      ...planning.orders,
      feeBps: planning.orders.feeBps ?? 0,
      fees: periodsOf(planning.orders.fees),
      feeBpsMax: unlessOff(limits.feeBpsMax),
      ...boundsOf(limits),
    },
    symbols: new Set(limits.symbols),
    mints: Object.entries(planning.mints).flatMap(([asset, mint]) => mintOf(config, asset as Asset, mint)),
    rails: Object.entries(planning.rails).flatMap(([template, rail]) => railOf(config, template, rail)),
    unused: planning.unused.map((one) => ({ ...one, ...daysOf(one), currency: one.currency as Asset })),
    reserveBps: unlessOff(limits.reserveBpsMin) ?? 0,
    feeBpsMax: unlessOff(limits.feeBpsMax) ?? 0,
    exitValueMax: limits.exit?.orderValueMax,
  };
}

/** Without a limit of its own. */
const COST_BPS_MAX = 20;

export function schedulesOf({ conversions, market }: Config): readonly Schedule[] {
  return Object.entries(conversions).flatMap(([name, one]) => {
    const { from, to, amount, every, at, withinHours, maxCostBps: costBpsMax = COST_BPS_MAX } = one;
    if (from === undefined || to === undefined || every === undefined || at === undefined) return [];
    return {
      ...{ name, from: from as HoldingName, to: to as HoldingName, every, costBpsMax },
      amount: amount === "all" ? undefined : String(amount),
      ...{ atMs: minutes(at) * (HOUR / 60), withinMs: withinHours * HOUR, holidays: new Set(market.holidays) },
    };
  });
}

function boundsOf(limits: Limits): Pick<TreasuryTerms["orders"], "valueMax" | "quantityMax"> {
  const quantities = unlessOff(limits.orderQuantityMax);
  return {
    valueMax: unlessOff(limits.orderValueMax),
    quantityMax: (symbol) => quantities?.[symbol],
  };
}

type Planning = Config["treasury"]["planning"];
type Toll = Planning["mints"][string];

function mintOf(config: Config, asset: Asset, mint: Toll): TreasuryTerms["mints"] {
  const { treasury, market } = config;
  const fiat = fiatOf(asset);
  if (fiat === undefined) return [];
  const { quantityMax, saltDecimals } = treasury.mint;
  // A mint that is too small for a salt is not planned, even if the venue waives its minimum.
  const { feeBpsMax, minimum = Quantity.ofSteps(SALT_PARTS, saltDecimals).of(fiat) } = mintTermsOf(config);
  return [
    {
      asset,
      fiat,
      chain: mint.chain,
      feeBpsMax,
      minimum,
      marginBps: MARGIN_BPS,
      quantityMax: quantityMax[asset],
      ...tollOf(mint, market),
    },
  ];
}

function railOf({ treasury, market }: Config, name: string, rail: Planning["rails"][string]): readonly RailTerms[] {
  const template = treasury.rails[name];
  const asset = template?.asset as Asset | undefined;
  const fiat = (template?.currency ?? (asset && fiatOf(asset))) as Asset | undefined;
  if (template === undefined || asset === undefined || fiat === undefined) return [];
  const kind = template.direction === "on" ? "on-ramp" : "off-ramp";
  const wallet = rail.toVenue ? undefined : template.chain;
  const { minimum, quantityMax } = rail;
  const { chain, memo } = template;
  const to = treasury.destinations[template.to];
  const destination = to?.kind === "wallet" ? to.address : to?.account;
  const where = { wallet, destination, chain, memo };
  return [{ template: name, kind, asset, fiat, ...where, minimum, quantityMax, ...tollOf(rail, market) }];
}

/** The usable rail templates: complete, and leading to a configured destination. */
export function railDraftsOf(config: Config): RailDrafts {
  const { rails, planning, destinations } = config.treasury;
  return new Map(
    // Of several templates with the same content, the rail gets the name of the one that plans use.
    [...new Set([...Object.keys(planning.rails), ...Object.keys(rails)])].flatMap((name) => {
      const template = rails[name];
      const draft = template && draftRail(template.direction, railPartsOf(template), destinations);
      const toAccount = planning.rails[name]?.toVenue === true && template?.direction === "on";
      return draft?.ok ? [[name, { ...draft.value, toAccount }] as const] : [];
    }),
  );
}

export function railPartsOf(template: Config["treasury"]["rails"][string]): RailParts {
  const { asset, currency, chain, to, memo, sender } = template;
  const { name: senderName, country: senderCountry, type: senderType } = sender;
  return { asset, currency, chain, to, memo, senderName, senderCountry, senderType };
}

function tollOf(
  toll: Pick<Toll, "feeBps" | "feeFixed" | "fees" | "settlementHours" | "opens" | "cutOff">,
  { holidays }: Config["market"],
) {
  const hours = { ...hoursOf(toll), holidays: new Set(holidays) };
  return { feeBps: toll.feeBps ?? 0, feeFixed: toll.feeFixed ?? Quantity.zero, fees: periodsOf(toll.fees), hours };
}

type Period = Planning["orders"]["fees"][number] & Partial<Pick<Toll["fees"][number], "fixed" | "minimum">>;

function periodsOf(periods: readonly Period[]): readonly FeePeriod[] {
  return periods.map(({ bps = 0, fixed = Quantity.zero, minimum = Quantity.zero, tiers, ...days }) => ({
    ...{ bps, fixed, least: minimum, tiers },
    ...daysOf(days),
  }));
}

/** The last day counts in full. */
function daysOf({ from, until }: Pick<Period, "from" | "until">): Pick<FeePeriod, "from" | "until"> {
  const at = (day: string): Millis => millis(Date.parse(day));
  return { from: from && at(from), until: until && millis(at(until) + DAY_MS) } as Pick<FeePeriod, "from" | "until">;
}

function hoursOf({ opens, cutOff, settlementHours }: Pick<Toll, "opens" | "cutOff" | "settlementHours">): ServiceHours {
  return {
    opens: minutes(opens),
    cutOff: cutOff && minutes(cutOff),
    settlementMs: settlementHours * HOUR,
  } as ServiceHours;
}

/** Minutes after midnight, from "15:30". */
function minutes(time: string): number {
  const [hours = 0, rest = 0] = time.split(":").map(Number);
  return hours * 60 + rest;
}
