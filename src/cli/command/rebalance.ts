// `rebalance`: plans the cheapest way to bring every holding within its band, with what each route costs. With
// --execute a person has it executed; if two must approve, the plan waits for the second approval.

import type { Command } from "commander";
import { hearReferences, inquireInto, readQuotes, seeQuote } from "../../app/money-command/market.ts";
import { type MoneyCommand, requireActive, requireMaySend, standingOf } from "../../app/money-command/money-command.ts";
import { openPlans, type Plans, progressOf, proposalOf, proposedTerms } from "../../app/money-command/plans.ts";
import { sayOutcome, whitelist } from "../../app/money-command/send.ts";
import type { Run } from "../../app/shell.ts";
import { type Person, requireConfirmation } from "../../app/terminal/confirmation.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { limitsOf } from "../../config/limits-of.ts";
import { amountText } from "../../domain/amount-text.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { invariant } from "../../domain/invariant.ts";
import { type Money, Quantity } from "../../domain/money/money.ts";
import { pauseOrStop } from "../../domain/pause.ts";
import type { Quote } from "../../domain/quote.ts";
import { printable } from "../../domain/sanitise.ts";
import { durationText } from "../../domain/time-text.ts";
import { orRefuse, refuseIf } from "../../operation/money.ts";
import { railDraftsOf, treasuryTermsOf } from "../../operation/terms/treasury-terms.ts";
import { isWayOut } from "../../risk/rules/price.ts";
import { type ContentStep, contentOf, type PlanTerms, planRecord } from "../../treasury/approval/plan-content.ts";
import { beginnable, type LoggedPlan } from "../../treasury/approval/plan-log.ts";
import type { HoldingOutlook, Plan, PlanStep, RouteTable, Way } from "../../treasury/plan/cheapest.ts";
import { bandText, edgesOf } from "../../treasury/plan/holding.ts";
import { type Proposal, propose, type Situation } from "../../treasury/plan/routes.ts";
import { draftOf, type RailVia, railOf, whyClosed, whyNotWorking } from "../../treasury/rebalancer/rails.ts";
import { situationOf, type TreasuryTerms } from "../../treasury/rebalancer/treasury-view.ts";
import { sending } from "../by-person.ts";
import { columns } from "../columns.ts";
import { mintWith } from "./mint.ts";
import { orderWith, wishOf } from "./order.ts";
import { railWith } from "./rail.ts";

const HELP = `
Shows where money lies against treasury.targets, what each route back into the
band costs, ties up and takes, and the cheapest steps. --execute goes through
the same gates as order, mint and rail, and ends at the first step that does not
end well.`;

export function defineRebalance(command: Command, run: Run): void {
  command
    .option("--execute", "carry it out, step by step")
    .option("--off-peg", "sell coins that are off their peg, too, by the venue's price")
    .option("--yes", "confirm without a terminal")
    .addHelpText("after", HELP)
    .action((options: RebalanceOptions) => sending(run, (tool, person) => rebalanceWith(tool, person, options)));
}

export type RebalanceOptions = {
  readonly execute?: boolean;
  readonly yes?: boolean;
  /** Also sells off-peg coins. */
  readonly offPeg?: boolean;
};

export async function rebalanceWith(tool: MoneyCommand, person: Person, options: RebalanceOptions): Promise<ExitCode> {
  const { shell, prompts } = person;
  const terms = treasuryTermsOf(tool.config);
  if (terms.targets.length === 0)
    throw usageFailure("there are no targets to reach", "name them in treasury.targets: docs/TREASURY.md says how");
  const proposal = propose(await survey(tool, terms, options.offPeg));
  const { plan, unvalued: without } = proposal;
  const [unknown] = without.length === terms.targets.length ? without : [];
  if (unknown !== undefined) throw plainFailure(`no plan can be made: ${unknown.why}`);
  const isExecuted = options.execute === true && plan.steps.length > 0;
  if (shell.terminal.wantsJson && !isExecuted) shell.terminal.json(proposalJson(proposal));
  else showProposal(shell.terminal, proposal);
  if (!isExecuted) return exitCode.done;
  requireMaySend(tool);
  await requireConfirmation(shell, prompts, { word: "rebalance", yes: options.yes });
  return carryOut(tool, person, { plan, without }, options);
}

type Made = { readonly plan: Plan } & Pick<PlanTerms, "without">;

/** The plan and this person's approval are journaled before the first step. */
async function carryOut(
  tool: MoneyCommand,
  person: Person,
  { plan, without }: Made,
  options: RebalanceOptions,
): Promise<ExitCode> {
  const proposal = proposalOf(planRecord(plan, { ...proposedTerms(tool), without }), tool);
  const { known, records, text, next } = proposal;
  const plans = openPlans(tool);
  if (proposal.isApproved) return execute(tool, person, plans, known, options.offPeg === true);
  await plans.write(() => records);
  sayOutcome(person.shell, "waiting", known.plan.id, text);
  person.shell.terminal.print(next);
  return exitCode.refused;
}

export async function survey(tool: MoneyCommand, terms: TreasuryTerms, offPeg = false): Promise<Situation> {
  const { exchange, clock, tradingCore } = tool;
  const references = hearReferences(tool);
  try {
    const instruments = await tool.read("pairs", exchange.pairs({ class: "balance" }));
    await tool.take({ kind: "event", event: { kind: "instruments", instruments, receivedAt: clock.now() } });
    await inquireInto(tool, { witness: "balances", asset: undefined, class: "balance" });
    const quotes = await tool.read("quotes", readQuotes(tool, { class: "balance" }));
    for (const reference of references.newest()) await seeQuote(tool, reference);
    const tops = new Map<PairSymbol, Quote>();
    for (const quote of quotes) {
      await seeQuote(tool, { kind: "quote", ...quote });
      tops.set(quote.symbol, quote);
    }
    const situation = situationOf(tradingCore, terms, (symbol) => tops.get(symbol), clock.now());
    return offPeg ? withWayOut(situation, tool) : situation;
  } finally {
    references.close();
  }
}

/** Adds sales of off-peg coins, valued at their marks; no route buys more of such a coin. */
function withWayOut(situation: Situation, { tradingCore, config }: MoneyCommand): Situation {
  const { pricing } = tradingCore.engine.books;
  const { exit } = limitsOf(config);
  if (exit === undefined) return situation;
  const leaving = situation.instruments.filter((instrument) =>
    isWayOut({ side: "sell", instrument, fair: pricing.fair(instrument.symbol) }),
  );
  const isLeaving = (asset: Asset): boolean => leaving.some(({ base }) => base === asset);
  const { valueMax = exit.orderValueMax } = situation.orders;
  return {
    ...situation,
    rates: (asset) => situation.rates(asset) ?? (isLeaving(asset) ? pricing.mark(asset)?.price : undefined),
    hasFair: (symbol, side) =>
      situation.hasFair(symbol, side) || (side === "sell" && leaving.some((one) => one.symbol === symbol)),
    orders:
      leaving.length === 0 ? situation.orders : { ...situation.orders, valueMax: valueMax.min(exit.orderValueMax) },
    mints: situation.mints.filter(({ asset }) => !isLeaving(asset)),
    rails: situation.rails.filter(({ kind, asset }) => kind === "off-ramp" || !isLeaving(asset)),
  };
}

/**
 * Plan, approval and start are one transaction: otherwise a running bot could find the plan approved and not started,
 * and would execute it.
 */
async function execute(
  tool: MoneyCommand,
  person: Person,
  plans: Plans,
  approved: LoggedPlan,
  offPeg: boolean,
): Promise<ExitCode> {
  const { terminal } = person.shell;
  const { plan, approvals } = approved;
  const at = () => tool.now().at;
  await plans.write((log) => {
    const busy = log.underWay();
    if (busy !== undefined)
      return `another plan is under way: ${busy.plan.id}; where its process is gone, a running bot ends it`;
    const { begunBy } = log.get(plan.id) ?? approved;
    const people = tool.config.treasury.approvals.people;
    const ready = beginnable({ ...approved, begunBy }, people, at());
    if (!ready.ok) return ready.error;
    return [plan, ...approvals, progressOf(plan, at(), "begun", `${contentOf(plan).steps.length} steps`)];
  });
  const { steps } = contentOf(plan);
  const traded = new Set<string>();
  for (const [index, step] of steps.entries()) {
    terminal.note(`step ${index + 1} of ${steps.length}: ${step.name}`);
    // The pair's price needs time to refill before the next order.
    const { symbol } = step.via.kind === "order" ? step.via : { symbol: undefined };
    if (symbol !== undefined && traded.has(symbol))
      await pauseOrStop(tool.timers, tool.config.treasury.planning.orders.refillMs, person.stop);
    if (symbol !== undefined) traded.add(symbol);
    const { code, why } = await attempt(tool, person, step, { reason: `plan ${plan.id}`, offPeg });
    const text = `${index + 1} ${step.name}: ${WORDS[code]}${why === undefined ? "" : `, ${why}`}`;
    // Only a completed step is recorded as one, so that a route that refused does not count as open again.
    if (code === exitCode.done) {
      await plans.write(() => [progressOf(plan, at(), "step", text)]);
      continue;
    }
    const left = steps.slice(index + 1).map(({ name }) => name);
    const open = `${index} of ${steps.length} steps done; ${text}; not begun: ${left.join(", ") || "none"}`;
    await plans.write(() => [progressOf(plan, at(), "stopped", open)]);
    sayOutcome(person.shell, "stopped", plan.id, open);
    return code;
  }
  await plans.write(() => [progressOf(plan, at(), "done", `${steps.length} steps`)]);
  sayOutcome(person.shell, "done", plan.id, `${steps.length} steps; what is on its way is in pegbot status`);
  return exitCode.done;
}

const WORDS: Readonly<Record<ExitCode, string>> = {
  [exitCode.done]: "done",
  [exitCode.failed]: "failed",
  [exitCode.usage]: "cannot be done as it stands",
  [exitCode.refused]: "refused",
  [exitCode.unknown]: "unknown, money may have moved",
  [exitCode.halted]: "stopped by the switch",
  [exitCode.noRuntime]: "no runtime",
};

type Why = { readonly reason: string; readonly offPeg: boolean };
type Attempt = { readonly code: ExitCode; readonly why: string | undefined };

/** A failed command ends the plan with its reason: the error, or the last line printed. */
async function attempt(tool: MoneyCommand, person: Person, step: ContentStep, why: Why): Promise<Attempt> {
  const { terminal } = person.shell;
  let last: string | undefined;
  const say = (write: (line: string) => void) => (line?: string) => {
    last = line ?? last;
    write(line ?? "");
  };
  // A step prints no JSON of its own.
  const heard = { ...terminal, wantsJson: false, print: say(terminal.print), note: say(terminal.note) };
  try {
    const code = await take(tool, { ...person, shell: { ...person.shell, terminal: heard } }, step, why);
    return {
      code,
      why: code === exitCode.done || last === undefined ? undefined : printable(last.replace(/ +/g, " "), 300),
    };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { code: error.code, why: printable(error.message, 300) };
  }
}

function take(
  tool: MoneyCommand,
  person: Person,
  { via, quantity }: ContentStep,
  { reason, offPeg }: Why,
): Promise<ExitCode> {
  switch (via.kind) {
    case "order": {
      const wish = wishOf({ side: via.side, symbol: via.symbol, quantity }, { price: via.limit, reason });
      return orderWith(tool, person, wish, { yes: true, cap: true, isWhole: true, offPeg });
    }
    case "mint":
      return mintWith(tool, person, via.asset, {
        chain: via.chain,
        quantity,
        reason,
        feeBpsMax: via.feeBpsMax,
        ...(via.spend && { spend: `${via.spend.amount} ${via.spend.asset}` }),
        isOfPlan: true,
        yes: true,
      });
    case "on-ramp":
    case "off-ramp":
      return takeRail(tool, person, { via, quantity }, reason);
  }
}

/**
 * Reuses an existing rail of this content. In either case a person has to pay on it, and the command waits for that.
 */
async function takeRail(
  tool: MoneyCommand,
  person: Person,
  { via, quantity }: { readonly via: RailVia; readonly quantity: string },
  reason: string,
): Promise<ExitCode> {
  const { terminal } = person.shell;
  requireMaySend(tool);
  const draft = orRefuse(draftOf(via, railDraftsOf(tool.config)));
  const standing = railOf(tool.tradingCore.executor.treasury, draft.rail);
  if (standing !== undefined)
    refuseIf(whyClosed(draft, tool.tradingCore.executor.treasury, draft.wallet && (await whitelist(tool))));
  else {
    const direction = via.kind === "on-ramp" ? "on" : "off";
    const options = { yes: true, reason, isOfPlan: true };
    const code = await railWith(tool, person, { direction, template: via.template }, options);
    if (code !== exitCode.done) return code;
  }
  const rail = railOf(tool.tradingCore.executor.treasury, draft.rail);
  if (rail === undefined) return exitCode.failed;
  refuseIf(whyNotWorking(rail) || undefined);
  await expectPayment(tool, rail.id, quantity);
  terminal.note(`a rail moves no money by itself: ${quantity} are to be paid on ${rail.id}`);
  return exitCode.done;
}

/** An existing rail is used without the gate, so the gate's reasons to refuse are checked here, under the lock. */
async function expectPayment(tool: MoneyCommand, rail: string, quantity: string): Promise<void> {
  const whyStopped = (): string | undefined => {
    const { state, reason } = standingOf(tool);
    return state === "ACTIVE" ? undefined : `RM01: the bot is ${state}: ${printable(reason, 300)}`;
  };
  try {
    await tool.take({ kind: "expectation", rail, amount: Quantity.of(quantity) }, whyStopped);
  } catch (error) {
    requireActive(tool);
    throw error;
  }
}

const amount = (exact: unknown): string => amountText(String(exact));

export function showProposal(terminal: Terminal, { plan, currency, unvalued, closed }: Proposal): void {
  terminal.table(
    columns("holding", ">available", ">bound", ">in flight", ">band", ">now", ">after"),
    plan.holdings.filter(isWorthALine).map(holdingRow),
  );
  for (const table of plan.tables) showRoutes(terminal, table, currency);
  terminal.print();
  if (plan.steps.length === 0) terminal.print(nothingText(plan));
  else {
    terminal.table(
      columns("step", ">takes", ">brings", ">spread, fees", ">time, risk", `>cost ${currency}`, ">bp", ">until"),
      plan.steps.map((step, index) => stepRow(step, index)),
    );
    terminal.print(`cost ${amount(plan.cost)} ${currency}, at most ${amount(plan.costMax)} with the highest fees`);
  }
  for (const { holding, why } of unvalued) terminal.print(`left: ${holding} is not planned for; ${why}`);
  showLeft(terminal, plan.holdings);
  for (const { name, reason } of closed) terminal.print(`closed: ${name}, ${printable(reason)}`);
}

/** Best first: the plan begins with the first. */
function showRoutes(terminal: Terminal, { holding, missing, ways }: RouteTable, currency: Asset): void {
  if (ways.length === 0) return;
  terminal.print();
  terminal.table(
    columns(
      `routes for ${amount(missing)} ${holding}`,
      `>cost ${currency}`,
      ">bp",
      ">tied up",
      ">until",
      ">still missing",
    ),
    ways.map((way) => [
      nameOf(way),
      amount(way.cost),
      bpsOf(way.cost, movedBy(way)),
      amount(way.tiedUp),
      durationOf(way.arrivesMs),
      amount(way.missing),
    ]),
  );
}

function nameOf({ steps }: Way): string {
  return [...new Set(steps.map(({ route }) => route.name))].join(" and ");
}

function movedBy({ steps: [first, ...others] }: Way): Money {
  invariant(first !== undefined, "a way has a step");
  return others.reduce((sum, { value }) => sum.plus(value), first.value);
}

function bpsOf(cost: Money, value: Money): string {
  return value.isZero() ? "" : ((cost.toNumber() / value.toNumber()) * 10_000).toFixed(1);
}

/** Holdings without a band and without movement are left out. */
function isWorthALine({ band, before, after }: HoldingOutlook): boolean {
  return band !== undefined || !before.equals(after);
}

function holdingRow({ holding, state, band, before, after, missingBefore, missingAfter }: HoldingOutlook): string[] {
  return [
    holding,
    amount(state.available),
    amount(state.bound),
    state.inFlight.map(({ amount: one }) => amount(one)).join(" + ") || "0.00",
    bandText(band),
    `${amount(before)}${missingBefore.isZero() ? "  " : " !"}`,
    `${amount(after)}${missingAfter.isZero() ? "  " : " !"}`,
  ];
}

function stepRow({ route, via, takes, brings, ...step }: PlanStep, index: number): string[] {
  const limit = via.kind === "order" ? ` at ${via.limit}` : "";
  return [
    `${index + 1} ${route.name}${limit}`,
    `${amount(takes)} ${route.from}`,
    `${amount(brings)} ${route.to}`,
    amount(step.lost),
    amount(step.time.plus(step.risk)),
    amount(step.cost),
    bpsOf(step.cost, step.value),
    durationOf(step.arrivesMs),
  ];
}

function durationOf(ms: number): string {
  return ms < 1_000 ? "at once" : `in ${durationText(ms)}`;
}

function nothingText({ holdings }: Plan): string {
  const isMissing = holdings.some(({ missingAfter }) => !missingAfter.isZero());
  return isMissing
    ? "nothing can be done: no route brings anything nearer to its band"
    : "nothing to do: every holding is in its band";
}

function showLeft(terminal: Terminal, holdings: readonly HoldingOutlook[]): void {
  for (const { holding, missingAfter, after, band, reason } of holdings) {
    if (missingAfter.isZero()) continue;
    const side = band?.low !== undefined && after.lessThan(band.low) ? "below" : "above";
    terminal.print(
      `left: ${holding} stays ${amount(missingAfter)} ${side} its ${band?.left === undefined ? "band" : "target"}; ${reason ?? "unknown why"}`,
    );
  }
}

export function proposalJson({ at, currency, plan, closed, unvalued }: Proposal): unknown {
  const { steps, holdings, tables } = plan;
  return {
    ...{ at, currency, ...texts({ cost: plan.cost, costMax: plan.costMax }), steps: steps.map(stepJson) },
    holdings: holdings.map(holdingJson),
    routes: tables.map(({ holding, missing, ways }) => ({ ...texts({ holding, missing }), ways: ways.map(wayJson) })),
    ...{ closed, unvalued },
  };
}

/** Amounts as text; null if undefined. */
function texts(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, one === undefined ? null : String(one)]),
  );
}

function wayJson({ steps, cost, tiedUp, arrivesMs, missing }: Way): object {
  return { ...texts({ cost, tiedUp, missing }), arrivesMs, steps: steps.map(stepJson) };
}

function stepJson({
  route,
  via,
  quantity,
  takes,
  brings,
  lost,
  time,
  risk,
  cost,
  costMax,
  arrivesMs,
}: PlanStep): object {
  const { name, from, to } = route;
  return {
    route: name,
    ...via,
    from,
    to,
    ...texts({ quantity, takes, brings, lost, time, risk, cost, costMax }),
    arrivesMs,
  };
}

function holdingJson({ holding, state, band, reason, ...outlook }: HoldingOutlook): object {
  const { available, bound } = state;
  const { before, after, missingBefore, missingAfter } = outlook;
  const { low, high } = (band && edgesOf(band)) ?? {};
  return {
    ...texts({ holding, available, bound }),
    inFlight: state.inFlight.map(({ amount, what }) => ({ amount: String(amount), what })),
    ...texts({ low, high, backTo: band?.left && band.low, before, after, missingBefore, missingAfter, reason }),
  };
}
