// A plan as people read it: where everything lies, the steps with what each costs and takes, what else could be done, and from
// which size on a slow route pays.

import type { Column } from "../../app/terminal/table.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { amountText } from "../../domain/amount-text.ts";
import { printable } from "../../domain/outside-text.ts";
import type { BreakEven } from "../../treasury/plan/break-even.ts";
import { assetOf, bandText, edgesOf, type HoldingState } from "../../treasury/plan/holding.ts";
import type { HoldingOutlook, Plan, PlanStep } from "../../treasury/plan/plan.ts";
import type { Proposal } from "../../treasury/plan/situation.ts";

const right = (title: string): Column => ({ title, align: "right" });
const left = (title: string): Column => ({ title });

export function showProposal(terminal: Terminal, proposal: Proposal): void {
  const { plan, currency } = proposal;
  terminal.table(
    [
      left("holding"),
      right("available"),
      right("bound"),
      right("in flight"),
      right("band"),
      right("now"),
      right("after"),
    ],
    plan.holdings.filter(isWorthALine).map(holdingRow),
  );
  terminal.print();
  if (plan.steps.length === 0) terminal.print(nothingText(plan));
  else {
    terminal.table(
      [
        left("step"),
        right("takes"),
        right("brings"),
        right("spread, fees"),
        right("time, risk"),
        right(`cost ${currency}`),
        right("bp"),
        right("until"),
      ],
      plan.steps.map((step, index) => stepRow(step, index)),
    );
    showFees(terminal, plan);
    terminal.print(
      `cost ${amountText(String(plan.cost))} ${currency}, done ${durationOf(plan.arrivesMs)}${proofText(plan)}`,
    );
  }
  for (const { holding, why } of proposal.unvalued) terminal.print(`left: ${holding} is not planned for; ${why}`);
  showLeft(terminal, plan.holdings);
  showAlternatives(terminal, proposal);
  showBreakEvens(terminal, proposal);
  for (const { name, reason } of proposal.closed) terminal.print(`closed: ${name}, ${printable(reason)}`);
}

/** Holdings without a band that nothing moves through are no news. */
function isWorthALine({ band, before, after }: HoldingOutlook): boolean {
  return band !== undefined || !before.equals(after);
}

function holdingRow({ holding, state, band, before, after, missingBefore, missingAfter }: HoldingOutlook): string[] {
  return [
    holding,
    amountText(String(state.available)),
    amountText(String(state.bound)),
    inFlightText(state),
    bandText(band),
    `${amountText(String(before))}${missingBefore.isZero() ? "  " : " !"}`,
    `${amountText(String(after))}${missingAfter.isZero() ? "  " : " !"}`,
  ];
}

function inFlightText({ inFlight }: HoldingState): string {
  return inFlight.length === 0 ? "0.00" : inFlight.map(({ amount }) => amountText(String(amount))).join(" + ");
}

function stepRow({ route, takes, brings, lost, time, risk, cost, value }: PlanStep, index: number): string[] {
  const limit = route.via.kind === "order" ? ` at ${route.via.limit}` : "";
  return [
    `${index + 1} ${route.name.replace(/ [0-9]+$/, "")}${limit}`,
    `${amountText(String(takes))} ${route.from}`,
    `${amountText(String(brings))} ${route.to}`,
    amountText(String(lost)),
    amountText(String(time.plus(risk))),
    amountText(String(cost)),
    value.isZero() ? "" : ((cost.toNumber() / value.toNumber()) * 10_000).toFixed(1),
    durationOf(route.arrivesMs),
  ];
}

/** What is expected stands in the table: this is what is agreed to. */
function showFees(terminal: Terminal, { steps }: Plan): void {
  for (const { route, quantity } of steps) {
    if (route.via.kind !== "mint") continue;
    const most = quantity.of(assetOf(route.from)).share(route.via.feeBpsMax, "up");
    terminal.print(`${route.name}: its fee at most ${amountText(String(most))} ${most.asset}`);
  }
}

/** In words: what takes hours is not counted in seconds. */
function durationOf(ms: number): string {
  if (ms < 1_000) return "at once";
  if (ms < 60_000) return `in ${Math.round(ms / 1_000)} s`;
  if (ms < 3_600_000) return `in ${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `in ${(ms / 3_600_000).toFixed(1)} h` : `in ${(ms / 86_400_000).toFixed(1)} days`;
}

function nothingText({ holdings }: Plan): string {
  const isMissing = holdings.some(({ missingAfter }) => !missingAfter.isZero());
  return isMissing
    ? "nothing can be done: no route brings anything nearer to its band"
    : "nothing to do: every holding is in its band";
}

function proofText({ proven }: Plan): string {
  return proven ? "; nothing cheaper reaches as much" : "; there are too many ways to be sure that it is the cheapest";
}

function showLeft(terminal: Terminal, holdings: readonly HoldingOutlook[]): void {
  for (const { holding, missingAfter, after, band, reason } of holdings) {
    if (missingAfter.isZero()) continue;
    const side = band?.low !== undefined && after.lessThan(band.low) ? "below" : "above";
    terminal.print(
      `left: ${holding} stays ${amountText(String(missingAfter))} ${side} its ${band?.left === undefined ? "band" : "target"}; ${reason ?? "unknown why"}`,
    );
  }
}

function showAlternatives(terminal: Terminal, { alternatives, plan, currency }: Proposal): void {
  if (plan.steps.length === 0) return;
  terminal.print();
  const rows = [{ name: "this plan", plan }, ...alternatives].map(({ name, plan: one }) => [
    name,
    String(one.steps.length),
    amountText(String(one.cost)),
    one.steps.length === 0 ? "" : durationOf(one.arrivesMs),
    missingText(one),
  ]);
  terminal.table(
    [left("alternative"), right("steps"), right(`cost ${currency}`), right("until"), left("still missing")],
    rows,
  );
}

function missingText({ holdings }: Plan): string {
  const missing = holdings.filter(({ missingAfter }) => !missingAfter.isZero());
  return (
    missing.map(({ holding, missingAfter }) => `${amountText(String(missingAfter))} ${holding}`).join(", ") || "nothing"
  );
}

function showBreakEvens(terminal: Terminal, { breakEvens, currency }: Proposal): void {
  if (breakEvens.length === 0) return;
  terminal.print();
  terminal.table(
    [
      left("route"),
      right("smallest"),
      right(`cost ${currency}`),
      right("by orders"),
      right("cheaper from"),
      right("until"),
    ],
    breakEvens.map(breakEvenRow),
  );
}

function breakEvenRow({ to, route, smallest, costOfSmallest, ordersAtSmallest, from }: BreakEven): string[] {
  return [
    route.name,
    `${amountText(String(smallest))} ${to}`,
    amountText(String(costOfSmallest)),
    ordersAtSmallest === undefined ? "too deep" : amountText(String(ordersAtSmallest)),
    `${amountText(String(from))} ${to}`,
    durationOf(route.arrivesMs),
  ];
}

export function proposalJson({ at, currency, plan, alternatives, breakEvens, closed, unvalued }: Proposal): unknown {
  return {
    at,
    currency,
    ...planJson(plan),
    holdings: plan.holdings.map(holdingJson),
    alternatives: alternatives.map(({ name, plan: one }) => ({ name, ...planJson(one), missing: missingJson(one) })),
    breakEvens: breakEvens.map(({ to, route, smallest, costOfSmallest, ordersAtSmallest, from }) => ({
      to,
      route: route.name,
      smallest: String(smallest),
      cost: String(costOfSmallest),
      costByOrders: ordersAtSmallest === undefined ? null : String(ordersAtSmallest),
      cheaperFrom: String(from),
      arrivesMs: route.arrivesMs,
    })),
    closed,
    unvalued,
  };
}

function planJson({ steps, cost, arrivesMs, proven }: Plan): object {
  return { cost: String(cost), arrivesMs, proven, steps: steps.map(stepJson) };
}

function stepJson({ route, quantity, takes, brings, lost, time, risk, cost }: PlanStep): object {
  return {
    route: route.name,
    ...route.via,
    from: route.from,
    to: route.to,
    quantity: String(quantity),
    takes: String(takes),
    brings: String(brings),
    lost: String(lost),
    time: String(time),
    risk: String(risk),
    cost: String(cost),
    arrivesMs: route.arrivesMs,
  };
}

function holdingJson({
  holding,
  state,
  band,
  before,
  after,
  missingBefore,
  missingAfter,
  reason,
}: HoldingOutlook): object {
  const edges = band && edgesOf(band);
  return {
    holding,
    available: String(state.available),
    bound: String(state.bound),
    inFlight: state.inFlight.map(({ amount, what }) => ({ amount: String(amount), what })),
    low: edges?.low === undefined ? null : String(edges.low),
    high: edges?.high === undefined ? null : String(edges.high),
    backTo: band?.left === undefined ? null : String(band.low),
    before: String(before),
    after: String(after),
    missingBefore: String(missingBefore),
    missingAfter: String(missingAfter),
    reason: reason ?? null,
  };
}

function missingJson({ holdings }: Plan): object {
  const missing = holdings.filter(({ missingAfter }) => !missingAfter.isZero());
  return Object.fromEntries(missing.map(({ holding, missingAfter }) => [holding, String(missingAfter)]));
}
