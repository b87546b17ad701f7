// A plan as people read it: where everything lies, the steps with what each costs and takes, what else could be done, and from
// which size on a slow door pays.

import { amountText } from "../../domain/amount-text.ts";
import { printable } from "../../domain/outside-text.ts";
import { bandText } from "../../treasury/approval/plan-need.ts";
import type { BreakEven } from "../../treasury/plan/break-even.ts";
import { assetOf, edgesOf, type Holding } from "../../treasury/plan/holding.ts";
import type { Plan, PlanStep, PotOutlook } from "../../treasury/plan/plan.ts";
import type { Proposal } from "../../treasury/plan/situation.ts";
import type { Column } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

const right = (title: string): Column => ({ title, align: "right" });
const left = (title: string): Column => ({ title });

export function showProposal(terminal: Terminal, proposal: Proposal): void {
  const { plan, currency } = proposal;
  terminal.table(
    [left("pot"), right("available"), right("bound"), right("in flight"), right("band"), right("now"), right("after")],
    plan.pots.filter(isWorthALine).map(potRow),
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
  for (const { pot, why } of proposal.unvalued) terminal.print(`left: ${pot} is not planned for; ${why}`);
  showLeft(terminal, plan.pots);
  showAlternatives(terminal, proposal);
  showBreakEvens(terminal, proposal);
  for (const { name, reason } of proposal.closed) terminal.print(`closed: ${name}, ${printable(reason)}`);
}

/** Pots without a band that nothing moves through are no news. */
function isWorthALine({ band, before, after }: PotOutlook): boolean {
  return band !== undefined || !before.equals(after);
}

function potRow({ pot, holding, band, before, after, missingBefore, missingAfter }: PotOutlook): string[] {
  return [
    pot,
    amountText(String(holding.available)),
    amountText(String(holding.bound)),
    inFlightText(holding),
    bandText(band),
    `${amountText(String(before))}${missingBefore.isZero() ? "  " : " !"}`,
    `${amountText(String(after))}${missingAfter.isZero() ? "  " : " !"}`,
  ];
}

function inFlightText({ inFlight }: Holding): string {
  return inFlight.length === 0 ? "0.00" : inFlight.map(({ amount }) => amountText(String(amount))).join(" + ");
}

function stepRow({ door, takes, brings, lost, time, risk, cost, value }: PlanStep, index: number): string[] {
  const limit = door.way.kind === "order" ? ` at ${door.way.limit}` : "";
  return [
    `${index + 1} ${door.name.replace(/ [0-9]+$/, "")}${limit}`,
    `${amountText(String(takes))} ${door.from}`,
    `${amountText(String(brings))} ${door.to}`,
    amountText(String(lost)),
    amountText(String(time.plus(risk))),
    amountText(String(cost)),
    value.isZero() ? "" : ((cost.toNumber() / value.toNumber()) * 10_000).toFixed(1),
    durationOf(door.arrivesMs),
  ];
}

/** What is expected stands in the table: this is what is agreed to. */
function showFees(terminal: Terminal, { steps }: Plan): void {
  for (const { door, quantity } of steps) {
    if (door.way.kind !== "mint") continue;
    const most = quantity.of(assetOf(door.from)).share(door.way.feeBpsMax, "up");
    terminal.print(`${door.name}: its fee at most ${amountText(String(most))} ${most.asset}`);
  }
}

/** In words: what takes hours is not counted in seconds. */
function durationOf(ms: number): string {
  if (ms < 1_000) return "at once";
  if (ms < 60_000) return `in ${Math.round(ms / 1_000)} s`;
  if (ms < 3_600_000) return `in ${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `in ${(ms / 3_600_000).toFixed(1)} h` : `in ${(ms / 86_400_000).toFixed(1)} days`;
}

function nothingText({ pots }: Plan): string {
  const isMissing = pots.some(({ missingAfter }) => !missingAfter.isZero());
  return isMissing
    ? "nothing can be done: no door brings anything nearer to its band"
    : "nothing to do: every pot is in its band";
}

function proofText({ proven }: Plan): string {
  return proven ? "; nothing cheaper reaches as much" : "; there are too many ways to be sure that it is the cheapest";
}

function showLeft(terminal: Terminal, pots: readonly PotOutlook[]): void {
  for (const { pot, missingAfter, after, band, reason } of pots) {
    if (missingAfter.isZero()) continue;
    const side = band?.low !== undefined && after.lessThan(band.low) ? "below" : "above";
    terminal.print(
      `left: ${pot} stays ${amountText(String(missingAfter))} ${side} its ${band?.left === undefined ? "band" : "target"}; ${reason ?? "unknown why"}`,
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

function missingText({ pots }: Plan): string {
  const missing = pots.filter(({ missingAfter }) => !missingAfter.isZero());
  return missing.map(({ pot, missingAfter }) => `${amountText(String(missingAfter))} ${pot}`).join(", ") || "nothing";
}

function showBreakEvens(terminal: Terminal, { breakEvens, currency }: Proposal): void {
  if (breakEvens.length === 0) return;
  terminal.print();
  terminal.table(
    [
      left("door"),
      right("smallest"),
      right(`cost ${currency}`),
      right("by orders"),
      right("cheaper from"),
      right("until"),
    ],
    breakEvens.map(breakEvenRow),
  );
}

function breakEvenRow({ to, door, smallest, costOfSmallest, ordersAtSmallest, from }: BreakEven): string[] {
  return [
    door.name,
    `${amountText(String(smallest))} ${to}`,
    amountText(String(costOfSmallest)),
    ordersAtSmallest === undefined ? "too deep" : amountText(String(ordersAtSmallest)),
    `${amountText(String(from))} ${to}`,
    durationOf(door.arrivesMs),
  ];
}

export function proposalJson({ at, currency, plan, alternatives, breakEvens, closed, unvalued }: Proposal): unknown {
  return {
    at,
    currency,
    ...planJson(plan),
    pots: plan.pots.map(potJson),
    alternatives: alternatives.map(({ name, plan: one }) => ({ name, ...planJson(one), missing: missingJson(one) })),
    breakEvens: breakEvens.map(({ to, door, smallest, costOfSmallest, ordersAtSmallest, from }) => ({
      to,
      door: door.name,
      smallest: String(smallest),
      cost: String(costOfSmallest),
      costByOrders: ordersAtSmallest === undefined ? null : String(ordersAtSmallest),
      cheaperFrom: String(from),
      arrivesMs: door.arrivesMs,
    })),
    closed,
    unvalued,
  };
}

function planJson({ steps, cost, arrivesMs, proven }: Plan): object {
  return { cost: String(cost), arrivesMs, proven, steps: steps.map(stepJson) };
}

function stepJson({ door, quantity, takes, brings, lost, time, risk, cost }: PlanStep): object {
  return {
    door: door.name,
    ...door.way,
    from: door.from,
    to: door.to,
    quantity: String(quantity),
    takes: String(takes),
    brings: String(brings),
    lost: String(lost),
    time: String(time),
    risk: String(risk),
    cost: String(cost),
    arrivesMs: door.arrivesMs,
  };
}

function potJson({ pot, holding, band, before, after, missingBefore, missingAfter, reason }: PotOutlook): object {
  const edges = band && edgesOf(band);
  return {
    pot,
    available: String(holding.available),
    bound: String(holding.bound),
    inFlight: holding.inFlight.map(({ amount, what }) => ({ amount: String(amount), what })),
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

function missingJson({ pots }: Plan): object {
  const missing = pots.filter(({ missingAfter }) => !missingAfter.isZero());
  return Object.fromEntries(missing.map(({ pot, missingAfter }) => [pot, String(missingAfter)]));
}
