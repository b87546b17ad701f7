// The scenes of a rehearsal: what an earlier one left open, the smallest order with its rows and balances, two orders
// that should not fill, on request a mint and a rail. Each ends in findings, or ends the rehearsal with the way out.

import { limitsOf } from "../../app/bot/core-of.ts";
import { CommandFailure, orFail, refusedFailure, usageFailure } from "../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { fine, problem, warning } from "../../app/finding.ts";
import type { Connection } from "../../app/key/open-exchange.ts";
import { CONFIRM_MS_MAX, pauseOrStop, waitFor } from "../../app/money-command/follow.ts";
import { hearReferences, inquireInto, readQuotes, seeQuote } from "../../app/money-command/market.ts";
import { type MoneyCommand, requireActive, requireMaySend } from "../../app/money-command/money-command.ts";
import { carry, codeOfUnsent, textOfUnsent } from "../../app/money-command/send.ts";
import { requireConfirmation } from "../../app/terminal/confirmation.ts";
import type { Sent } from "../../bot/effects/dispatch.ts";
import { type Asset, type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { type Fill, legsText } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Failure } from "../../exchange/port.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import { type ListName, type Shape, withShapes } from "../../exchange/shape.ts";
import type { Ask } from "../../execution/effects.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import { hasHappened, type MoneyRequest } from "../../execution/request.ts";
import { unlessOff } from "../../risk/limits.ts";
import { mintWith } from "../command/mint.ts";
import { decideNow, seeAccount, wishOf } from "../command/order.ts";
import { railWith } from "../command/rail.ts";
import { checkShapes } from "../doctor/shapes.ts";
import { findTrade, isIts, mayBeLast, type OwnOrder, WANT } from "./own-order.ts";
import type { Session } from "./page.ts";
import { isSameToClient, keepProfile } from "./profile-lines.ts";

/** Distances of the limits from fair value, in parts of the collar: worse until one fills, then better. */
const WORSE = [0.3, 0.6, 0.95];
const BETTER = [-0.5, -0.95];
/** Where risk.collarBps is turned off. */
const COLLAR_BPS = 100;
const SECOND = 1_000;
const REASON = "rehearsal";
const AGAIN = "pegbot rehearse again";

type Placed = { readonly order: OwnOrder; readonly asks: readonly Ask[]; readonly failure: Failure | undefined };

export class Scenes {
  readonly #session: Session;
  readonly #tool: MoneyCommand;
  readonly #line: Connection;
  readonly #references: ReturnType<typeof hearReferences>;
  readonly #withinMs: number;

  constructor(session: Session, tool: MoneyCommand, line: Connection) {
    this.#session = session;
    this.#tool = tool;
    this.#line = line;
    this.#references = hearReferences(tool);
    this.#withinMs = session.options.confirmWithin ?? CONFIRM_MS_MAX;
  }

  /** Each scene is left out where the configuration has another profile by now: the books are opened anew. */
  async play(): Promise<ExitCode> {
    const { take, tradingCore, isGone, now } = this.#tool;
    const { executor } = tradingCore;
    try {
      const { asks } = await take({ kind: "time", isGone });
      for (const one of executor.open())
        if (isRehearsed(one) && !this.#session.isReopened) await this.#follow(await this.#opened(one), asks);
      if (!this.#session.isReopened) await this.#orders();
      if (!this.#session.isReopened) await this.#movements();
      return exitCode.done;
    } finally {
      this.#references.close();
      this.#session.learned.parameters = executor.parameters(now());
    }
  }

  /** An order that an earlier rehearsal left open. After a lost answer the balances may prove that it filled. */
  async #opened({ id, request, state }: MoneyRequest): Promise<OwnOrder> {
    this.#session.person.shell.terminal.note(`${id} is open (${state.kind}): it comes first`);
    this.#session.open.add(id);
    const order = request as OrderIntent;
    const receipt = "receipt" in state ? (state.receipt as Fill) : undefined;
    const askedAt = this.#tool.now();
    const answer = await this.#tool.ask({ witness: "balances", asset: undefined, class: "doubt" });
    const rows = answer.witness === "balances" ? answer.rows : [];
    const vote = this.#tool.tradingCore.executor.balances.vote(id, rows, askedAt);
    const isFilled = receipt !== undefined || vote.kind === "landed";
    return { request: order, receipt, isFilled, at: order.decidedAt };
  }

  /** From an answer, or from its loss, to rows and balances that agree. */
  async #follow(order: OwnOrder, asks: readonly Ask[]): Promise<void> {
    const { report, learned } = this.#session;
    const id = order.request.clientOrderId;
    const isRead = await this.#understood(order);
    const state = this.#session.isReopened ? undefined : await this.#known(id, asks);
    if (state === undefined || !hasHappened(state)) return;
    const fill = state.receipt as Fill;
    this.#session.moved.set(id, this.#worth(fill.sold));
    const isListed = await this.#listed({ ...order, receipt: order.receipt ?? fill }, "Filled");
    const isExact = await this.#repeated(this.#withinMs, async () => {
      await inquireInto(this.#tool, { witness: "balances", asset: undefined, class: "confirmation" });
      return this.#tool.tradingCore.executor.get(id)?.state.kind === "settled";
    });
    requireActive(this.#tool);
    learned.isShown = isRead && isListed && isExact;
    const text = legsText(fill);
    if (isExact) report.add(fine("balances", `they show the fill and its fee exactly: ${text}`));
    else report.add(problem("balances", `they do not show ${id} yet: ${text}`, "pegbot status shows whether they do"));
  }

  /** The protocol would halt at a row that contradicts the answer, so it is understood before the protocol reads it. */
  async #understood(order: OwnOrder): Promise<boolean> {
    const { report } = this.#session;
    const id = order.request.clientOrderId;
    let found = await findTrade(this.#line, this.#session.profile, order);
    await this.#repeated(order.isFilled ? this.#withinMs : 0, async () => {
      if (found.kind === "absent") found = await findTrade(this.#line, this.#session.profile, order);
      return found.kind !== "absent";
    });
    if (found.kind === "absent") return false;
    if (found.kind === "odd")
      throw unknown(
        `${id}: its row in the list of trades does not say what happened: ${found.cause}`,
        "before that, set what it names",
      );
    const { profile, others, readAt } = found;
    this.#session.profile = profile;
    const seconds = ((readAt - order.at) / SECOND).toFixed(1);
    report.add(fine("trades", `${id} is listed ${seconds} s after the answer, with its amounts and fee`));
    for (const other of others)
      report.add(
        warning("profile", `its row fits ${profileYaml(other)} as well`, "a rehearsal with --sell may decide"),
      );
    if (isSameToClient(this.#line.profile, profile)) return true;
    this.#session.isReopened = await keepProfile(this.#session);
    if (!this.#session.isReopened)
      throw unknown(`${id} filled, and its row needs another profile`, "before that, set venue.profile");
    return true;
  }

  /** The protocol's own confirmation, for a limited time; undefined where nothing moved. */
  async #known(id: string, asks: readonly Ask[]): Promise<MoneyRequest["state"] | undefined> {
    const { person, report } = this.#session;
    const over = new AbortController();
    const cancel = this.#tool.timers.after(this.#withinMs, () => over.abort());
    const stop = AbortSignal.any([person.stop, over.signal]);
    const restOf = (fill: unknown) => ({ name: "filled", code: exitCode.done, text: legsText(fill as Fill) });
    await waitFor(person.shell, this.#tool, id, { stop, asks, restOf });
    cancel();
    const one = this.#tool.tradingCore.executor.get(id);
    const isNot = one !== undefined && ["rejected", "released", "not-sent"].includes(one.state.kind);
    if (one === undefined || hasHappened(one.state) || isNot) this.#session.open.delete(id);
    if (one === undefined || hasHappened(one.state)) return one?.state;
    if (!isNot)
      throw unknown(
        `${id}: what became of it is not known yet`,
        `or decide by the venue's portal: ${resolveCommand(one)}`,
      );
    report.add(fine("order", `${id} did not happen: nothing moved`));
    return undefined;
  }

  /** Once a second until it holds, for a limited time. */
  async #repeated(ms: number, holds: () => Promise<boolean>): Promise<boolean> {
    const { stop } = this.#session.person;
    for (let left = ms; ; left -= SECOND) {
      if (await holds()) return true;
      if (left <= 0 || stop.aborted) return false;
      await pauseOrStop(this.#tool, SECOND, stop);
    }
  }

  /** Its row in the list of orders. What happened is known, so a word of the venue for it is explained. */
  async #listed(order: OwnOrder, meaning: "Filled" | "Rejected"): Promise<boolean> {
    const { report, learned, profile } = this.#session;
    const id = order.request.clientOrderId;
    let status: string | undefined;
    let isThere = false;
    await this.#repeated(meaning === "Filled" ? this.#withinMs : 2 * SECOND, async () => {
      const reading = await this.#line.speaking(profile).orders(WANT);
      const row = reading.kind === "read" ? reading.value.find((one) => isIts(one, order)) : undefined;
      status = row?.status ?? meaning;
      isThere = row !== undefined;
      return isThere && mayBeLast(status);
    });
    if (meaning === "Rejected") learned.isKilledListed = isThere;
    if (!isThere) report.add(warning("orders", `${id} (${meaning}) is not in the list of orders`));
    else if (status === meaning) report.add(fine("orders", `${id} is listed as ${meaning}`));
    else if (status === "Filled" || status === "Rejected") {
      // One word for both ends says nothing: what this rehearsal has taken from the list of orders does not count.
      learned.isOneWord = true;
      this.#session.profile = { ...profile, statuses: this.#line.profile.statuses };
      report.add(problem("orders", `${id} is listed as ${status}, and was ${meaning}`, "ask the venue's support"));
    } else if (learned.isOneWord === true || !mayBeLast(status as unknown as string)) {
      const next = "venue.profile.statuses says what it means, once the venue's support has";
      report.add(
        warning("orders", `${id} was ${meaning} and is listed as ${status}, which does not tell its end`, next),
      );
    } else {
      this.#session.profile = { ...profile, statuses: { ...profile.statuses, [status as unknown as string]: meaning } };
      report.add(warning("orders", `${id} is listed as ${status}: that is ${meaning} in the profile now`));
    }
    return isThere;
  }

  #worth(money: Money): Money | undefined {
    const { pricing } = this.#tool.tradingCore.engine.context;
    const rate = pricing.rate(money.asset);
    return money.asset === pricing.currency ? money : rate && money.valued(rate, pricing.currency, "up");
  }

  async #orders(): Promise<void> {
    const { report, learned, person, options } = this.#session;
    requireMaySend(this.#tool);
    const { instrument, side, quantity, fair, collarBps } = await this.#market();
    const { symbol, quote } = instrument;
    const value = `worth ${(quantity.toNumber() * fair).toFixed(2)} ${quote}, within ${collarBps} bp of fair value ${fair}`;
    const first = this.#session.moved.size > 0 ? "" : "one that should fill, then ";
    person.shell.terminal.note(`plan     ${side} ${quantity} ${symbol}, ${value}: ${first}two that should not fill`);
    await requireConfirmation(person.shell, person.prompts, { word: "yes", yes: options.yes });
    for (const share of [...WORSE, ...BETTER]) {
      if (this.#session.isReopened || (share > 0 && this.#session.moved.size > 0)) continue;
      const { order, failure, asks } = await this.#place(share);
      const what = `a limit ${(Math.abs(share) * collarBps).toFixed(0)} bp ${share > 0 ? "worse" : "better"} than fair value`;
      if (share < 0) learned.widest = what;
      if (failure === undefined) {
        report.add((share > 0 ? fine : warning)("order", `filled, ${what}: ${feeText(order.receipt as Fill)}`));
        await this.#follow(order, asks);
        continue;
      }
      const isBand = failure.code === "price-out-of-band";
      if (isBand) learned.band = failure.venueCode ?? failure.code;
      const isExpected = isBand || failure.code === "unfilled";
      if (share > 0 && (!isExpected || share === WORSE.at(-1)))
        throw refusedFailure(`no order of ${symbol} filled: ${said(failure)}`, "compare pegbot pairs and your feeds");
      const cause = `${what}: ${said(failure)}, taken as ${failure.code}; nothing moved`;
      report.add((isExpected ? fine : warning)("no fill", cause));
      if (share < 0) await this.#listed(order, "Rejected");
    }
  }

  /** Fair value now, and the smallest order that the ramp leaves large enough. */
  async #market() {
    const { options, person } = this.#session;
    const { pricing, counters } = this.#tool.tradingCore.engine.context;
    const limits = limitsOf(this.#tool.config);
    const symbol = options.pair === undefined ? (limits.symbols[0] as PairSymbol) : orFail(parseSymbol(options.pair));
    const instrument = await seeAccount(this.#tool, symbol);
    for (const quote of await this.#tool.read("quotes", readQuotes(this.#tool, { class: "order" })))
      await seeQuote(this.#tool, { kind: "quote", ...quote });
    await this.#repeated(10 * SECOND, async () => {
      for (const reference of this.#references.newest()) await seeQuote(this.#tool, reference);
      return pricing.fair(symbol).kind === "fair" || person.stop.aborted;
    });
    const fair = pricing.fair(symbol);
    if (fair.kind === "none")
      throw refusedFailure(`${symbol} has no fair value (${fair.reason}); nothing was sent`, "see docs/PRICES.md");
    const { quantityMin, quantityDecimals } = instrument;
    const part = counters.filledOrders < (unlessOff(limits.rampOrders) ?? 0) ? limits.rampSizeBps / 1e4 : 1;
    const steps = Math.ceil(Number(((quantityMin.toNumber() * 10 ** quantityDecimals) / part).toPrecision(12)));
    const collarBps = Math.min(unlessOff(limits.collarBps) ?? COLLAR_BPS, fair.collarBps ?? COLLAR_BPS);
    const side = options.sell ? ("sell" as const) : ("buy" as const);
    return { instrument, side, quantity: Quantity.ofSteps(steps, quantityDecimals), fair: fair.value, collarBps };
  }

  /** Through gate, journal and protocol, once. Any end but filled and rejected ends the rehearsal. */
  async #place(share: number): Promise<Placed> {
    const { person, sent } = this.#session;
    const { instrument, side, quantity, fair, collarBps } = await this.#market();
    const { symbol, base, quote } = instrument;
    const signal = fair * (1 + ((side === "buy" ? 1 : -1) * share * collarBps) / 1e4);
    const limit = orFail(limitFromSignal(signal, side, instrument));
    const wish = wishOf({ side, symbol, quantity: String(quantity) }, { price: String(limit), reason: REASON });
    const { approved } = await decideNow(this.#tool, person, wish, {
      ...{ yes: true, cap: true },
      unless: (found) => {
        if (found.kind !== "passes") return undefined;
        return this.#overCap(side === "buy" ? limit.times(found.quantity, quote, "up") : found.quantity.of(base));
      },
    });
    const request = approved as OrderIntent;
    this.#session.open.add(request.clientOrderId);
    let answered: Sent | undefined;
    const { asks } = await carry(person.shell, this.#tool, approved, person.stop, (one) => {
      answered = one;
      return exitCode.done;
    });
    const { id, outcome } = answered as Sent;
    const answer = "failure" in outcome ? `${outcome.kind}, ${said(outcome.failure)}` : outcome.kind;
    sent.push({ id, what: `${side} ${request.quantity} ${symbol} at ${request.limit}`, answer });
    if (outcome.kind === "not-sent" || outcome.kind === "rejected") this.#session.open.delete(id);
    if (outcome.kind === "not-sent")
      throw new CommandFailure(codeOfUnsent(outcome.code, undefined), `${id}: ${textOfUnsent(outcome)}`, AGAIN);
    if (outcome.kind === "doubt") throw this.#doubtful(id, outcome.failure);
    const receipt = outcome.kind === "accepted" ? (outcome.value as Fill) : undefined;
    // Counted now: a running bot may settle it before the books are opened again.
    if (receipt !== undefined) this.#session.moved.set(id, this.#worth(receipt.sold));
    const order = { request, receipt, isFilled: receipt !== undefined, at: outcome.receivedAt };
    return { order, asks, failure: outcome.kind === "rejected" ? outcome.failure : undefined };
  }

  /** The answer was lost, or says neither yes nor no. */
  #doubtful(id: string, { code, message }: Failure): CommandFailure {
    const hint = code === "unauthorized" ? "another venue.profile.formNumbers may mend the signature" : undefined;
    return unknown(`${id}: money may have moved, its outcome is unknown (${code}: ${message})`, hint);
  }

  /** Checked in the transaction that approves, with the highest fee. */
  #overCap(worst: Money): string | undefined {
    const { options, moved } = this.#session;
    const { currency } = this.#tool.tradingCore.engine.context.pricing;
    let all = this.#worth(worst);
    for (const value of moved.values()) all = value && all?.plus(value);
    const { config } = this.#tool;
    const feeBps = Math.max(unlessOff(limitsOf(config).feeBpsMax) ?? 0, config.treasury.mint.feeBpsMax);
    all = all?.plus(all.share(feeBps, "up"));
    if (options.valueMax === undefined || all?.atMost(Money.of(options.valueMax, currency))) return undefined;
    return `what may move is worth ${all ?? "an unknown value"}, limit is ${options.valueMax} ${currency} (--value-max)`;
  }

  /** On request a mint and a rail, which ask on their own; then the shapes of all lists that have rows by now. */
  async #movements(): Promise<void> {
    const { person, options, learned, report, profile } = this.#session;
    const [, coin = "", chain = "", quantity = "0"] = /^(\w+)@(\w+)=([0-9.]+)$/.exec(options.mint ?? "") ?? [];
    const [, direction, template] = /^(on|off):(.+)$/.exec(options.rail ?? "") ?? [];
    if (options.mint !== undefined && coin === "") throw usageFailure("--mint must look like VCHF@ETH=100000");
    if (options.rail !== undefined && direction === undefined) throw usageFailure("--rail must look like on:NAME");
    const yes = options.yes === true ? { yes: true } : {};
    const asset = coin as Asset;
    const over = coin === "" ? undefined : this.#overCap(Money.of(quantity, asset));
    if (over !== undefined) throw refusedFailure(`${over}; no mint was sent`);
    const isMinted =
      coin !== "" && this.#moved("mint", await mintWith(this.#tool, person, coin, { chain, quantity, ...yes }));
    const way = { direction: direction as "on" | "off", template };
    const isRailed = direction !== undefined && this.#moved("rail", await railWith(this.#tool, person, way, yes));
    const shapes: Shape[] = [];
    for (const list of ["orders", "trades", isMinted && "supplyChanges", isRailed && "rails"] as const) {
      if (list === false) continue;
      const { shape } = await this.#line.speaking(profile).examine(list as ListName, WANT, asset);
      if (shape !== undefined) shapes.push(shape);
    }
    const isRead = (list: ListName): boolean =>
      shapes.some((one) => one.list === list && !one.isEmpty && one.unreadable.length === 0);
    learned.isMinted = isRead("supplyChanges");
    learned.isRailed = isRead("rails");
    report.add(...checkShapes(shapes, profile));
    this.#session.profile = withShapes(profile, shapes).profile;
  }

  #moved(id: "mint" | "rail", code: ExitCode): boolean {
    const { sent, options, report } = this.#session;
    sent.push({ id, what: `${id} ${options[id]}`, answer: code === exitCode.done ? "accepted" : `exit code ${code}` });
    if (code === exitCode.unknown) throw unknown(`the outcome of the ${id} is unknown`, "pegbot status shows it");
    if (code !== exitCode.done) report.add(warning(id, `ended with exit code ${code}`, "the lines above say why"));
    return code === exitCode.done;
  }
}

/** Open orders of a bot, or of another command, are theirs to follow. */
function isRehearsed({ kind, request }: MoneyRequest): boolean {
  return kind === "order" && (request as OrderIntent).reason.endsWith(`: ${REASON}`);
}

function unknown(cause: string, hint?: string): CommandFailure {
  const next = `do not repeat it: ${AGAIN}, which begins with it, or pegbot run`;
  return new CommandFailure(exitCode.unknown, cause, hint === undefined ? next : `${next}; ${hint}`);
}

function said({ venueCode, message }: Failure): string {
  return venueCode === undefined || message.includes(venueCode) ? message : `${venueCode}: ${message}`;
}

function feeText(fill: Fill): string {
  const leg = [fill.bought, fill.sold].find(({ asset }) => asset === fill.fee.asset);
  const bps = leg === undefined ? "" : `, ${((fill.fee.toNumber() / leg.toNumber()) * 1e4).toFixed(2)} bp of it`;
  return `${legsText(fill)}${bps}`;
}
