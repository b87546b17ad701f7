// The cheapest way from one money to another, as a conversion that the owner carries out: step by step, each priced when it is
// sent, until all of it has arrived, its deadline has passed, or a person ends it.

import { z } from "zod";
import { assetsOf } from "../domain/asset.ts";
import { usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import { Money, Quantity } from "../domain/money/money.ts";
import { printable } from "../domain/sanitise.ts";
import { DAY_MS, type Millis, millis } from "../domain/time.ts";
import {
  type ConversionTerms,
  conversionRecord,
  type KnownWay,
  LASTS_MS_MAX,
  railWaysBetween,
} from "../treasury/approval/plan-content.ts";
import { costBpsOf } from "../treasury/conversion/choose.ts";
import { arrivalOf } from "../treasury/conversion/cost.ts";
import type { Conversion, Way } from "../treasury/plan/cheapest.ts";
import { assetOf, type HoldingName, isAtVenue } from "../treasury/plan/holding.ts";
import { type Situation, waysOfNow } from "../treasury/plan/routes.ts";
import { rampsOf, unusedWarnings } from "../treasury/plan/unused-funds.ts";
import { mintFeeBpsMaxOf } from "../treasury/rebalancer/treasury-view.ts";
import { moneyOperation, requireActive, type Trader } from "./money.ts";
import { reasonText } from "./person.ts";
import { reason, whyOptional } from "./plan.ts";
import { planEnd, propose, proposedTerms, whyNotAnother } from "./proposal.ts";
import { survey } from "./rebalance.ts";
import { treasuryTermsOf } from "./terms/treasury-terms.ts";

const HOUR = 3_600_000;
/** Without a deadline. */
const LASTS_MS = DAY_MS;
const COST_BPS_MAX = 20;

const holding = z
  .string()
  .regex(
    /^[A-Z0-9]{2,12}(@BANK)?$/,
    "must be an asset at the venue such as VCHF, or money in a bank such as CHF@BANK: pegbot mint and pegbot rail lead to wallets",
  );
const convertInput = z.strictObject({
  amount: z
    .string()
    .refine((text) => Quantity.parse(text, "positive").ok, "must be a positive decimal")
    .meta({ argument: "amount", description: "of <from>, or with --buy of <to>" }),
  from: holding.meta({ argument: "from", description: "what is given: VCHF or CHF at the venue, CHF@BANK" }),
  to: holding.meta({ argument: "to", description: "what is wanted" }),
  buy: z.boolean().optional().meta({ description: "the amount is what arrives" }),
  by: z.string().max(40).optional().meta({
    value: "time",
    description: "wait for a better price, at most until then: 17:00 (UTC), 4h, 2026-01-31T12:00Z",
  }),
  maxCostBps: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,2})?$/, "must be a number of basis points")
    .optional()
    .meta({ value: "bps", description: `no step costs more, fees included; ${COST_BPS_MAX} unless set` }),
  reason: whyOptional,
});
type ConvertInput = z.output<typeof convertInput>;

export const convert = moneyOperation<ConvertInput>({
  name: "convert",
  sentence: "Brings money from one holding to another by the cheapest way, step by step",
  scope: "trade",
  input: convertInput,
  async act(trader, input, asking) {
    const { at } = trader.now();
    const wish = wishOf(input);
    // Payments take days.
    const lastsMs = [wish.from, wish.to].every(isAtVenue) ? LASTS_MS : LASTS_MS_MAX;
    const by = input.by === undefined ? millis(at + lastsMs) : deadlineOf(input.by, at);
    const settings = treasuryTermsOf(trader.config);
    const rails = railWaysBetween(wish.from, wish.to, settings.rails);
    if (rails.length === 0 && ![wish.from, wish.to].every(isAtVenue))
      throw usageFailure(
        `no rail leads from ${wish.from} to ${wish.to}`,
        "name its template in treasury.rails and treasury.planning.rails: docs/guides/treasury.md shows how",
      );
    const situation = await survey(trader, settings);
    requireTraded(wish, trader);
    const { ways, dear, closed } = waysOfNow(wish, situation);
    const { currency } = situation;
    const inTime = ways.filter(({ arrivesMs }) => at + arrivesMs <= by);
    const [best] = inTime;
    const leaves = worstOf(wish, situation);
    const terms: ConversionTerms = {
      ...{ from: wish.from, to: wish.to, amount: String(wish.amount), isBuy: wish.isBuy, by },
      ...{ isPatient: input.by !== undefined, costBpsMax: wish.costBpsMax, leavesMax: String(leaves) },
      ...{ mintFeeBpsMax: mintFeeBpsMaxOf(settings), rails },
    };
    const { asked } = await asking.agree({
      word: "convert",
      sent: {
        ...{ from: terms.from, to: terms.to, [terms.isBuy ? "arrives" : "leaves"]: terms.amount },
        ...{ "max-cost-bps": String(terms.costBpsMax), ...(input.by !== undefined && { by: input.by }) },
      },
      worst: [leaves],
      caveats: [],
      shown: {
        ...shownOf(wish, { ways: [...ways, ...dear], best, closed, currency, by }),
        warnings: unusedWarnings(rampsOf(best?.steps ?? []), situation.unused, situation),
      },
    });
    requireActive(trader);
    const why = reasonText("wanted", asking.by, input.reason);
    const cost = valuedIn(situation, leaves).share(Math.ceil(wish.costBpsMax), "up");
    const then = { atOnceBps: atOnceBps(wish, situation), arrival: arrivalOf(situation) };
    const known = { steps: best?.steps ?? [], cost, ways: knownOf(wish, [...ways, ...dear]), ...then };
    const plan = conversionRecord(terms, known, { ...proposedTerms(trader), why });
    const { waits } = await propose(
      trader,
      { plans: [plan], asked, why: (log, at) => whyNotAnother(log, plan, at) },
      true,
    );
    if (waits !== undefined) return { exit: exitCode.done, id: plan.id, outcome: "waiting", text: waits };
    asking.tell(`convert  ${plan.id}; the owner of the key continues it if this command is stopped`);
    return planEnd(trader, plan.id, asking);
  },
  ended: (trader, id, _, asking) => planEnd(trader, id, asking),
});

function wishOf({ amount, from, to, buy = false, maxCostBps }: ConvertInput): Conversion {
  const [source, sink] = [from as HoldingName, to as HoldingName];
  if (source === sink) throw usageFailure("a conversion leads from one holding to another");
  const costBpsMax = maxCostBps === undefined ? COST_BPS_MAX : Number(maxCostBps);
  return { from: source, to: sink, amount: Money.of(amount, assetOf(buy ? sink : source)), isBuy: buy, costBpsMax };
}

/** An asset that no pair of the venue has would wait for ever. */
function requireTraded({ from, to }: Conversion, trader: Trader): void {
  const pairs = [...trader.core().books.instruments.keys()].map(assetsOf);
  const traded = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))].sort();
  const unknown = [from, to].map(assetOf).find((asset) => !traded.includes(asset));
  if (unknown !== undefined)
    throw usageFailure(`no pair of the venue has ${printable(unknown, 12)}; there are ${traded.join(", ")}`);
}

/** A time of day is the next one, in UTC. */
function deadlineOf(text: string, now: Millis): Millis {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const [, count, unit] = /^(\d{1,4})(m|h|d)$/.exec(text) ?? [];
  let at = Date.parse(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text) ? text : "");
  if (count !== undefined) at = now + Number(count) * (unit === "m" ? HOUR / 60 : unit === "h" ? HOUR : DAY_MS);
  if (hours !== undefined) {
    at = Math.floor(now / DAY_MS) * DAY_MS + Number(hours) * HOUR + Number(minutes) * (HOUR / 60);
    if (at <= now) at += DAY_MS;
  }
  if (at > now && at <= now + LASTS_MS_MAX) return millis(at);
  const form = "such as 17:00 (UTC), 4h or 2026-01-31T12:00Z";
  throw usageFailure(`--by must be a time within seven days ${form}, was ${printable(text, 40)}`);
}

/** The most that leaves the holding. */
function worstOf({ from, amount, isBuy, costBpsMax }: Conversion, situation: Situation): Money {
  const { rates, currency } = situation;
  if (!isBuy) return amount;
  const source = assetOf(from);
  const back = rates(source);
  if (back === undefined) throw usageFailure(`there is no rate of ${source} in ${currency}`);
  const value = valuedIn(situation, amount);
  const paid = source === currency ? value : value.exchanged(back, source, "up");
  return paid.plus(paid.share(Math.ceil(costBpsMax), "up"));
}

function valuedIn({ rates, currency }: Situation, amount: Money): Money {
  const rate = rates(amount.asset);
  if (rate === undefined) throw usageFailure(`there is no rate of ${amount.asset} in ${currency}`);
  return amount.asset === currency ? amount : amount.valued(rate, currency, "up");
}

/** An order at the price shown, whatever its size. */
function atOnceBps(wish: Conversion, situation: Situation): number | undefined {
  const any = { valueMax: undefined, quantityMax: () => undefined };
  const orders = { ...situation.orders, ...any, slippageBps: 0, ordersMax: 1 };
  const topOf: Situation["topOf"] = (symbol) => {
    const top = situation.topOf(symbol);
    return top && { ...top, bidSize: Number.MAX_SAFE_INTEGER, askSize: Number.MAX_SAFE_INTEGER };
  };
  const free = { ...wish, costBpsMax: Number.POSITIVE_INFINITY };
  const [way] = waysOfNow(free, { ...situation, orders, topOf, mints: [], rails: [] }).ways;
  return way && Number(costBpsOf(way.steps, wish).toFixed(2));
}

function knownOf(wish: Conversion, ways: readonly Way[]): readonly KnownWay[] {
  return ways.slice(0, 16).map((way) => ({
    routes: [...new Set(way.steps.map(({ route }) => route.name))],
    bps: Number(costBpsOf(way.steps, wish).toFixed(2)),
    ...{ cost: String(way.cost), arrivesMs: way.arrivesMs },
  }));
}

type Found = {
  readonly ways: readonly Way[];
  readonly best: Way | undefined;
  readonly closed: readonly { readonly name: string; readonly reason: string }[];
  readonly currency: string;
  readonly by: Millis;
};

export type ShownConversion = ReturnType<typeof shownOf> & { readonly warnings: readonly string[] };

function shownOf(wish: Conversion, { ways, best, closed, currency, by }: Found) {
  return {
    ...{ from: wish.from, to: wish.to, amount: String(wish.amount), isBuy: wish.isBuy, currency, by: Number(by) },
    costBpsMax: wish.costBpsMax,
    ways: knownOf(wish, ways).map((known, i) => {
      const { steps, tiedUp, missing } = ways[i] as Way;
      const more = { steps: steps.length, tiedUp: String(tiedUp), missing: String(missing) };
      return { ...known, ...more, isChosen: ways[i] === best };
    }),
    closed,
  };
}

const steerInput = z.strictObject({
  id: z.string().min(1).max(64).meta({ argument: "id", description: "of the conversion, R-..." }),
  end: z.enum(["pause", "resume", "finish"]).meta({
    ends: {
      pause: "send nothing more of it for now",
      resume: "go on with it",
      finish: "end it here; what is on its way still arrives",
    },
  }),
  reason,
});

const STATES = { pause: "paused", resume: "resumed", finish: "finished" } as const;

export const conversion = moneyOperation<z.output<typeof steerInput>>({
  name: "conversion",
  sentence: "Pauses, resumes or finishes a conversion that is under way",
  scope: "trade",
  input: steerInput,
  async act(trader, { id, end, reason: why }, asking) {
    const { asked } = await asking.agree({ word: end, sent: { id, to: end }, worst: [], caveats: [] });
    const turn = await trader.take({
      kind: "plan",
      asked,
      decide: (log, at) =>
        log.conversions().some(({ plan }) => plan.id === id)
          ? {
              records: [
                {
                  kind: "plan-progress",
                  at,
                  id,
                  state: STATES[end],
                  text: reasonText(end, asking.by, why),
                  by: asking.by,
                },
              ],
            }
          : `no conversion ${printable(id, 64)} is under way`,
    });
    if (turn.refusal !== undefined) throw usageFailure(turn.refusal.message, "pegbot status shows what is under way");
    return { exit: exitCode.done, id, outcome: STATES[end], text: `by ${asking.by}` };
  },
});
