// The cheapest way to bring every holding within its band. Executed, it is a plan of the person who asks: the rebalancer
// of the owner carries it out exactly as it was shown, each step through the gates, and ends at the first that fails.

import { z } from "zod";
import type { PairSymbol } from "../domain/asset.ts";
import { plainFailure, usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import { Money } from "../domain/money/money.ts";
import type { Quote } from "../domain/quote.ts";
import type { Millis } from "../domain/time.ts";
import type { PlanRecord } from "../journal/record.ts";
import { contentOf } from "../treasury/approval/plan-content.ts";
import type { PlanLog } from "../treasury/approval/plan-log.ts";
import { arrivalOf } from "../treasury/conversion/cost.ts";
import { bandRecords } from "../treasury/conversion/own-conversions.ts";
import type { HoldingOutlook, Way } from "../treasury/plan/cheapest.ts";
import { bandText, edgesOf } from "../treasury/plan/holding.ts";
import type { PlanStep } from "../treasury/plan/path.ts";
import { type Proposal, propose as planned, type Situation } from "../treasury/plan/routes.ts";
import { railsNow } from "../treasury/rebalancer/rails.ts";
import { situationOf, type TreasuryTerms } from "../treasury/rebalancer/treasury-view.ts";
import { moneyOperation, requireActive, type Trader } from "./money.ts";
import { planEnd, propose, proposedTerms, whyNotAnother } from "./proposal.ts";
import { railDraftsOf, treasuryTermsOf } from "./terms/treasury-terms.ts";

const rebalanceInput = z.strictObject({
  offPeg: z.boolean().optional().meta({ description: "also sells coins that are off their peg, by the venue's price" }),
});
type RebalanceInput = z.output<typeof rebalanceInput>;

export const rebalance = moneyOperation<RebalanceInput>({
  name: "rebalance",
  sentence: "Brings every holding within its band by the cheapest steps",
  scope: "trade",
  input: rebalanceInput,
  async act(trader, { offPeg }, asking) {
    const terms = treasuryTermsOf(trader.config);
    if (terms.targets.length === 0)
      throw usageFailure(
        "there are no targets to reach",
        "name them in treasury.targets: docs/guides/treasury.md says how",
      );
    const found = (asking.held as Found | undefined) ?? foundIn(await survey(trader, terms, offPeg));
    const { plan, unvalued: without, arrival } = found;
    const [unknown] = without.length === terms.targets.length ? without : [];
    if (unknown !== undefined) throw plainFailure(`no plan can be made: ${unknown.why}`);
    const steps = plan.steps.map(({ route, brings }, place) => [
      `step ${place + 1}`,
      `${route.name}, for ${brings} ${route.to}`,
    ]);
    const { costBpsMax } = trader.config.treasury.approvals;
    const more = { without, arrival, costBpsMax, settings: terms, isOffPeg: offPeg };
    const records = () => bandRecords(plan, { ...proposedTerms(trader), ...more });
    const costs = records().map((one) => Money.of(contentOf(one).cost, plan.cost.asset));
    const costMax = Money.sum(costs, plan.cost.asset);
    const { asked } = await asking.agree({
      word: "rebalance",
      sent: Object.fromEntries(steps),
      // The next owner plans anew: the same steps may take less, and no more.
      worst: plan.steps.length === 0 ? [] : [costMax, ...plan.steps.map(({ takes }) => takes)],
      caveats: [],
      shown: { ...shownOf(found), costMax: String(costMax) },
      held: found,
    });
    requireActive(trader);
    if (steps.length === 0) return { exit: exitCode.done, id: "-", outcome: "nothing to do", text: "no step is left" };
    const plans = records();
    const why = (log: PlanLog, at: Millis) => plans.map((one) => whyNotAnother(log, one, at)).find(Boolean);
    const { waits } = await propose(trader, { plans, asked, why }, true);
    const [first] = plans as [PlanRecord];
    if (waits !== undefined) return { exit: exitCode.refused, id: first.id, outcome: "waiting", text: waits };
    return planEnd(trader, first.id, asking);
  },
  ended: (trader, id, _, asking) => planEnd(trader, id, asking),
});

type Found = ReturnType<typeof foundIn>;

function foundIn(situation: Situation) {
  return { ...planned(situation), arrival: arrivalOf(situation) };
}

export async function survey(trader: Trader, terms: TreasuryTerms, offPeg = false): Promise<Situation> {
  await trader.ask({ witness: "balances", asset: undefined, class: "balance" });
  const reading = await trader.quotes({ class: "balance" });
  const hasNone = reading.kind === "failed" && reading.failure.code === "not-available";
  const quotes = hasNone ? [] : await trader.read("quotes", Promise.resolve(reading));
  const tops = new Map<PairSymbol, Quote>(quotes.map((quote) => [quote.symbol, quote]));
  const { at } = trader.now();
  const situation = situationOf(trader.core(), terms, (symbol) => tops.get(symbol), at, offPeg);
  return { ...situation, ...railsNow(situation, railDraftsOf(trader.config), trader.core().executor.treasury, at) };
}

export type ShownProposal = ReturnType<typeof shownOf>;

/** The proposal as plain JSON, by which the command line prints its tables. */
function shownOf({ at, currency, plan, closed, unvalued, warnings }: Proposal) {
  const { steps, holdings, tables } = plan;
  return {
    ...{ at, currency, ...texts({ cost: plan.cost, costMax: plan.costMax }), steps: steps.map(stepOf) },
    holdings: holdings.map(holdingOf),
    routes: tables.map(({ holding, missing, ways }) => ({ ...texts({ holding, missing }), ways: ways.map(wayOf) })),
    ...{ closed, unvalued, warnings },
  };
}

/** Amounts as text; null if undefined. */
function texts<K extends string>(fields: Readonly<Record<K, unknown>>): Readonly<Record<K, string | null>> {
  const entries = Object.entries(fields).map(([name, one]) => [name, one === undefined ? null : String(one)]);
  return Object.fromEntries(entries) as Record<K, string | null>;
}

function wayOf({ steps, cost, tiedUp, arrivesMs, missing }: Way) {
  return { ...texts({ cost, tiedUp, missing }), arrivesMs, steps: steps.map(stepOf) };
}

function stepOf({ route, via, arrivesMs, ...step }: PlanStep) {
  const { quantity, takes, brings, value, lost, time, risk, cost, costMax } = step;
  const amounts = texts({ quantity, takes, brings, value, lost, time, risk, cost, costMax });
  const limit = "limit" in via ? String(via.limit) : undefined;
  return { route: route.name, ...via, limit, from: route.from, to: route.to, ...amounts, arrivesMs };
}

function holdingOf({ holding, state, band, reason, ...outlook }: HoldingOutlook) {
  const { before, after, missingBefore, missingAfter } = outlook;
  const { low, high } = (band && edgesOf(band)) ?? {};
  const backTo = band?.left && band.low;
  return {
    ...texts({ holding, available: state.available, bound: state.bound }),
    inFlight: state.inFlight.map(({ amount, what }) => ({ amount: String(amount), what })),
    ...texts({ low, high, backTo, before, after, missingBefore, missingAfter, reason }),
    band: band === undefined ? null : bandText(band),
    isBelow: band?.low !== undefined && after.lessThan(band.low),
  };
}
