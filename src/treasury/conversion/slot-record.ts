// The conversion of a standing instruction whose time has come, under the same bounds and approvals as every plan of the bot's own.

import { Money } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { whyAsked } from "../approval/bounds.ts";
import { type ConversionTerms, conversionRecord, OWN, railWaysBetween } from "../approval/plan-content.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import { assetOf, stateOf } from "../plan/holding.ts";
import { waysOfNow } from "../plan/routes.ts";
import type { Hands, RebalancerParts } from "../rebalancer/parts.ts";
import { situationNow } from "../rebalancer/situation-now.ts";
import { mintFeeBpsMaxOf } from "../rebalancer/treasury-view.ts";
import { arrivalOf } from "./cost.ts";
import { type Schedule, scheduleText, slotName } from "./schedule.ts";

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
  const amount =
    schedule.amount === undefined ? stateOf(from, situation.holdings).available : Money.of(schedule.amount, asset);
  if (amount.isZero()) return `${from}: nothing is available`;
  const { ways, dear, closed } = waysOfNow({ from, to, amount, isBuy: false, costBpsMax }, situation);
  const { steps = [] } = ways[0] ?? dear[0] ?? {};
  const { currency } = situation;
  const rate = situation.rates(asset);
  if (steps.length === 0 || rate === undefined)
    return `a way: none is open now${closed.map((one) => `; ${one.name}: ${one.reason}`).join("")}`;
  const value = asset === currency ? amount : amount.valued(rate, currency, "up");
  const because = whyAsked(steps, rules, log.unaskedToday(at), value);
  const by = millis(slot + withinMs);
  const terms: ConversionTerms = {
    ...{ from, to, amount: String(amount), isBuy: false, by, isPatient: true, leavesMax: String(amount), costBpsMax },
    ...{ mintFeeBpsMax: mintFeeBpsMaxOf(settings), rails: railWaysBetween(from, to, settings.rails) },
    slot: slotName(schedule, slot),
  };
  const known = { steps, cost: value.share(costBpsMax, "up"), arrival: arrivalOf(situation) };
  const persons = because === undefined ? 0 : rules.persons;
  const asked = because === undefined ? "" : `; people are asked because ${because}`;
  const why = `conversions.${name}: ${scheduleText(schedule)}${asked}`;
  return { record: conversionRecord(terms, known, { at, expiresAt: by, persons, by: OWN, why }), because };
}
