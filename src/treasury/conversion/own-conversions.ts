// The conversions that a plan and a standing instruction are: each for a band, which it moves no more for than is missing there, or for
// a set time, under the same bounds and approvals as every plan of the bot's own.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { whyAsked } from "../approval/bounds.ts";
import {
  type Aim,
  type Arrival,
  type ConversionTerms,
  conversionRecord,
  LASTS_MS_MAX,
  OWN,
  railWayOf,
  railWaysBetween,
} from "../approval/plan-content.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import type { Plan } from "../plan/cheapest.ts";
import {
  assetOf,
  bandHolds,
  edgesOf,
  expected,
  type HoldingName,
  type HoldingState,
  stateOf,
} from "../plan/holding.ts";
import type { PlanStep } from "../plan/path.ts";
import { type Situation, type UnmetHolding, waysOfNow } from "../plan/routes.ts";
import type { Hands, RebalancerParts } from "../rebalancer/parts.ts";
import { situationNow } from "../rebalancer/situation-now.ts";
import { mintFeeBpsMaxOf, type Target, type TreasuryTerms } from "../rebalancer/treasury-view.ts";
import { costBpsOf } from "./choose.ts";
import { arrivalOf } from "./cost.ts";
import { type Schedule, scheduleText, slotName } from "./schedule.ts";

export type PlanTerms = Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by"> & {
  /** Why approval is required. */
  readonly because?: string | undefined;
  /** Holdings that the plan leaves out because they had no rate. */
  readonly without?: readonly UnmetHolding[] | undefined;
  readonly costBpsMax: number;
  readonly settings: Pick<TreasuryTerms, "targets" | "mints" | "rails">;
  readonly isOffPeg?: boolean | undefined;
  readonly arrival: Arrival;
};

/** By so much of the amount a band may be overshot where no route is so fine as what it misses. */
export const MORE_BPS = 2;

/** So that the very price that was planned is not refused for its last digit. */
const HEADROOM_BPS = 0.5;

/** Between the same two holdings it is one. */
export function bandRecords(plan: Plan, terms: PlanTerms): readonly PlanRecord[] {
  const pairs = Map.groupBy(plan.steps, ({ route }) => `${route.from} ${route.to}`);
  return Array.from(pairs.values(), (steps) => {
    const conversion = termsOf(steps, plan, terms);
    const sum = (field: "costMax" | "value"): Money =>
      Money.sum(
        steps.map((step) => step[field]),
        plan.cost.asset,
      );
    // Prices may have moved when it is sent.
    const cost = sum("costMax").max(sum("value").share(conversion.costBpsMax, "up"));
    const { at, expiresAt, persons, by, arrival } = terms;
    const record = { at, expiresAt, persons, by, why: whyText(plan.holdings, terms) };
    return conversionRecord(conversion, { steps, cost, arrival }, record);
  });
}

function termsOf(steps: readonly PlanStep[], { holdings }: Plan, terms: PlanTerms): ConversionTerms {
  const [{ route }] = steps as [PlanStep];
  const { from, to } = route;
  const sum = (field: "takes" | "brings", asset: Asset): Money =>
    Money.sum(
      steps.map((step) => step[field]),
      asset,
    );
  const [takes, brings] = [sum("takes", assetOf(from)), sum("brings", assetOf(to))];
  const outside = holdings.filter(({ missingBefore }) => !missingBefore.isZero());
  const below = outside.find(({ holding, band, before }) => holding === to && band?.low && before.lessThan(band.low));
  const aimed = below ?? outside.find(({ holding }) => holding === from);
  const { settings } = terms;
  const worst = Math.max(...steps.map((step) => Math.ceil(costBpsOf([step], { from }) + HEADROOM_BPS)));
  const own = settings.targets.find(({ holding }) => holding === aimed?.holding)?.costBpsMax;
  const costBpsMax = own ?? Math.max(terms.costBpsMax, worst);
  const lastsMs = 2 * (terms.expiresAt - terms.at) + 2 * Math.max(...steps.map(({ arrivesMs }) => arrivesMs));
  const isBuy = below !== undefined;
  const rails = settings.rails.filter(({ template }) =>
    steps.some(({ via }) => "template" in via && via.template === template),
  );
  return {
    ...{ from, to, amount: String(isBuy ? brings : takes), isBuy, costBpsMax },
    by: millis(terms.at + Math.min(lastsMs, LASTS_MS_MAX)),
    isPatient: false,
    mintFeeBpsMax: mintFeeBpsMaxOf(settings),
    leavesMax: String(takes.plus(takes.share(MORE_BPS + (isBuy ? costBpsMax : 0), "up"))),
    rails: rails.map(railWayOf),
    ...(terms.isOffPeg === true && { isOffPeg: true }),
    ...(aimed?.band && { aim: { holding: aimed.holding, low: textOf(aimed.band.low), high: textOf(aimed.band.high) } }),
  };
}

function textOf(edge: Money | undefined): string | undefined {
  return edge && String(edge);
}

/** What the band still misses, with what is on its way; undefined where it is not wanted any more, or another one is. */
export function missedBy(
  { holding, low, high }: Aim,
  holdings: readonly HoldingState[],
  targets: readonly Target[],
): Money | undefined {
  const edges = targets.flatMap(({ target, ...one }) =>
    one.holding === holding ? [[one.low, one.high], ...(target === undefined ? [] : [[target, target]])] : [],
  );
  if (!edges.some((one) => one.join() === [low, high].join())) return undefined;
  const asset = assetOf(holding);
  const now = expected(stateOf(holding, holdings));
  const below = low === undefined ? Money.zero(asset) : Money.of(low, asset).minus(now);
  const above = high === undefined ? Money.zero(asset) : now.minus(Money.of(high, asset));
  return below.max(above).max(Money.zero(asset));
}

/** For later readers, because the configuration and the prices of the time are in no record. */
function whyText(holdings: Plan["holdings"], { without = [], because }: PlanTerms): string | undefined {
  const outside = holdings.flatMap(({ holding, before, band, missingBefore }) =>
    missingBefore.isZero() ? [] : [`${holding} ${bandHolds(before, band)}`],
  );
  const unplanned = without.map(({ holding, why }) => `${holding} is not planned for: ${why}`);
  const asked = because === undefined ? [] : [`people are asked because ${because}`];
  const parts = [...outside, ...unplanned, ...asked];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** `because`: why people are asked. A text: what it waits for. */
type Found = { readonly record: PlanRecord; readonly because: string | undefined } | string;

export function slotRecord(
  schedule: Schedule,
  slot: Millis,
  parts: RebalancerParts,
  log: PlanLog,
  hands: Hands,
): Found {
  const { from, to, costBpsMax, name, withinMs } = schedule;
  const { at } = hands.now;
  const { terms: settings, rules } = parts;
  const other = log.between(from, to, at);
  if (other !== undefined) return `the end of ${other.plan.id}`;
  const situation = situationNow(parts, hands, { isOwn: true, refused: log.refused(at) });
  const asset = assetOf(from);
  const amount = schedule.amount === undefined ? allOf(from, situation) : Money.of(schedule.amount, asset);
  if (amount.isZero()) return `${from}: nothing is available`;
  const { ways, dear, closed } = waysOfNow({ from, to, amount, isBuy: false, costBpsMax }, situation);
  const { steps = [] } = ways[0] ?? dear[0] ?? {};
  const { currency } = situation;
  const rate = situation.rates(asset);
  if (steps.length === 0 || rate === undefined)
    return `a route: none is open now${closed.map((one) => `; ${one.name}: ${one.reason}`).join("")}`;
  const value = asset === currency ? amount : amount.valued(rate, currency, "up");
  const because = whyAsked(steps, rules, log.unaskedToday(at), value);
  const by = millis(slot + withinMs);
  const terms: ConversionTerms = {
    ...{ from, to, amount: String(amount), isBuy: false, by, isPatient: true, leavesMax: String(amount), costBpsMax },
    ...{ mintFeeBpsMax: mintFeeBpsMaxOf(settings), rails: railWaysBetween(from, to, settings.rails) },
    slot: slotName(schedule, slot),
  };
  const known = { steps, cost: value.share(costBpsMax, "up"), value: String(value), arrival: arrivalOf(situation) };
  const persons = because === undefined ? 0 : rules.persons;
  const asked = because === undefined ? "" : `; people are asked because ${because}`;
  const why = `conversions.${name}: ${scheduleText(schedule)}${asked}`;
  return { record: conversionRecord(terms, known, { at, expiresAt: by, persons, by: OWN, why }), because };
}

/** All that its own band can spare, or it would be bought back. */
function allOf(from: HoldingName, { holdings, bands }: Situation): Money {
  const state = stateOf(from, holdings);
  const band = bands.find(({ holding }) => holding === from);
  const { low } = band === undefined ? { low: undefined } : edgesOf(band);
  const spare = low === undefined ? state.available : expected(state).minus(low);
  return state.available.min(spare).max(Money.zero(spare.asset));
}
