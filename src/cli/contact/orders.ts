// The checks of `rehearse` that move money: what an earlier one left open, the smallest order with its rows and balances, two orders
// that should not fill, on request a mint and a rail. Each ends in findings, or ends the rehearsal with the way out.

import { fine, problem, unknown as unsure, warning } from "../../app/finding.ts";
import type { Connection } from "../../app/key/open-exchange.ts";
import { CONFIRM_MS_MAX, pauseOrStop, waitFor } from "../../app/money-command/follow.ts";
import { hearReferences, inquireInto, readQuotes, seeQuote } from "../../app/money-command/market.ts";
import { type MoneyCommand, requireActive, requireMaySend } from "../../app/money-command/money-command.ts";
import { carry } from "../../app/money-command/send.ts";
import { type Person, requireConfirmation } from "../../app/terminal/confirmation.ts";
import type { Sent } from "../../bot/effects/dispatch.ts";
import { limitsOf } from "../../config/limits-of.ts";
import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { CommandFailure, orFail, refusedFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { type Fill, fillPrice, legsText, withFeeOutside } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { type Failure, type Unread, unreadText } from "../../exchange/port.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import type { ListName } from "../../exchange/shape.ts";
import type { Ask } from "../../execution/effects.ts";
import type { Parameters } from "../../execution/parameters.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import { hasHappened, isUnknown, type MoneyRequest } from "../../execution/request.ts";
import { codeOfUnsent, textOfUnsent } from "../../operation/request-end.ts";
import { unlessOff } from "../../risk/limits.ts";
import { mintWith } from "../command/mint.ts";
import { decideNow, seeAccount, wishOf } from "../command/order.ts";
import { railWith } from "../command/rail.ts";
import type { Contact } from "./check.ts";
import { findTrade, isIts, mayBeLast, type OwnOrder, WANT } from "./own-order.ts";
import { checkShapes } from "./venue.ts";

export type RehearsalOptions = {
  readonly pair?: string;
  readonly sell?: boolean;
  readonly yes?: boolean;
  readonly valueMax?: string;
  readonly mint?: string;
  readonly rail?: string;
  readonly profileFile?: string;
  readonly confirmWithin?: number;
};

/** What the orders have taught so far. */
export type Learned = {
  /** Trades, orders and balances show the fill. */
  isShown?: boolean;
  parameters?: Pick<Parameters, "release" | "windowMs">;
  /** Whether the list of orders keeps an order that did not fill. */
  isKilledListed?: boolean;
  /** The list of orders has one word for a fill and for an order that did not fill. */
  isOneWord?: boolean;
  /** The venue's code for a limit outside its price band. */
  band?: string;
  isMinted?: boolean;
  isRailed?: boolean;
};

export type Session = {
  readonly contact: Contact;
  /** Its terminal takes results as remarks. */
  readonly person: Person;
  readonly options: RehearsalOptions;
  readonly learned: Learned;
  readonly sent: { readonly id: string; readonly what: string; readonly answer: string }[];
  /** What each order has moved by its answer or its row; undefined without a rate. */
  readonly moved: Map<string, Money | undefined>;
  /** Orders of which it is not known yet what became of them. */
  readonly open: Set<string>;
};

/** Distances of the limits from fair value, in parts of the collar: worse until one fills, then better. */
const WORSE = [0.3, 0.6, 0.95];
const BETTER = [-0.5, -0.95];
/** How far off, in parts of the collar, a limit may be. */
const FURTHEST = 0.95;
const BEYOND_BPS = 20;
/** Where risk.collarBps is turned off. */
const COLLAR_BPS = 100;
const SECOND = 1_000;
const REASON = "rehearsal";
const AGAIN = "pegbot rehearse again";
/** Longer than the protocol goes on before it asks a person. */
const RESOLVE_MS_MAX = 20 * 60 * SECOND;
const PAGED = "if it filled, the list has pages or starts with its oldest rows: ask the venue";

type Placed = { readonly order: OwnOrder; readonly asks: readonly Ask[]; readonly failure: Failure | undefined };

export class Scenes {
  readonly #session: Session;
  readonly #contact: Contact;
  readonly #tool: MoneyCommand;
  readonly #line: Connection;
  readonly #references: ReturnType<typeof hearReferences>;
  readonly #withinMs: number;

  constructor(session: Session, tool: MoneyCommand, line: Connection) {
    this.#session = session;
    this.#contact = session.contact;
    this.#tool = tool;
    this.#line = line;
    this.#references = hearReferences(tool);
    this.#withinMs = session.options.confirmWithin ?? CONFIRM_MS_MAX;
  }

  async play(): Promise<ExitCode> {
    const { take, tradingCore, isGone, now } = this.#tool;
    const { executor } = tradingCore;
    try {
      const { asks } = await take({ kind: "time", isGone });
      for (const one of executor.open()) if (isRehearsed(one)) await this.#follow(await this.#opened(one), asks);
      await this.#orders();
      await this.#movements();
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
    const { learned } = this.#session;
    const { report } = this.#contact;
    const id = order.request.clientOrderId;
    const isRead = await this.#understood(order);
    const state = await this.#known(id, asks);
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
    const { report } = this.#contact;
    const id = order.request.clientOrderId;
    let found = await findTrade(this.#line, this.#contact.profile, order);
    await this.#repeated(order.isFilled ? this.#withinMs : 0, async () => {
      if (found.kind === "absent") found = await findTrade(this.#line, this.#contact.profile, order);
      return found.kind !== "absent";
    });
    if (found.kind === "absent") return false;
    if (found.kind === "odd")
      throw unknown(
        `${id}: its row in the list of trades does not say what happened: ${found.cause}`,
        "before that, set what it names",
      );
    const { profile, others, readAt } = found;
    const seconds = ((readAt - order.at) / SECOND).toFixed(1);
    report.add(fine("trades", `${id} is listed ${seconds} s after the answer, with its amounts and fee`));
    for (const other of others)
      report.add(
        warning("profile", `its row fits ${profileYaml(other)} as well`, "a rehearsal with --sell may decide"),
      );
    // From here on the books are kept with it.
    this.#contact.profile = profile;
    return true;
  }

  /** The protocol's own confirmation or resolution; undefined where nothing moved. */
  async #known(id: string, asks: readonly Ask[]): Promise<MoneyRequest["state"] | undefined> {
    const { person, options, open } = this.#session;
    const { executor } = this.#tool.tradingCore;
    const isLost = isUnknown(executor.get(id)?.state ?? { kind: "not-sent" });
    // An unknown outcome ends by itself: evidence decides, or after 15 minutes the protocol asks a person.
    const withinMs = isLost ? (options.confirmWithin ?? RESOLVE_MS_MAX) : this.#withinMs;
    if (isLost) person.shell.terminal.note(`${id}: outcome unknown; it is looked for until it is known`);
    const over = new AbortController();
    const cancel = this.#tool.timers.after(withinMs, () => over.abort());
    const stop = AbortSignal.any([person.stop, over.signal]);
    const restOf = (fill: unknown) => ({ name: "filled", code: exitCode.done, text: legsText(fill as Fill) });
    await waitFor(person.shell, this.#tool, id, { stop, asks, restOf });
    cancel();
    const one = executor.get(id);
    const isNot = one !== undefined && ["rejected", "released", "not-sent"].includes(one.state.kind);
    if (one === undefined || hasHappened(one.state) || isNot) open.delete(id);
    if (one === undefined || hasHappened(one.state)) return one?.state;
    if (!isNot)
      throw unknown(
        `${id}: what became of it is not known yet`,
        `or decide by the venue's portal: ${resolveCommand(one)}`,
      );
    this.#contact.report.add(fine("order", `${id} did not happen: nothing moved`));
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
    const { learned } = this.#session;
    const { report, profile } = this.#contact;
    const id = order.request.clientOrderId;
    let status: string | undefined;
    let unread: Unread | undefined;
    await this.#repeated(meaning === "Filled" ? this.#withinMs : 2 * SECOND, async () => {
      const reading = await this.#line.speaking(profile).orders(WANT);
      const row = reading.kind === "read" ? reading.value.find((one) => isIts(one, order)) : undefined;
      status = row && (row.status ?? meaning);
      unread = reading.kind === "read" ? reading.problems?.find(({ words }) => words.includes(id)) : undefined;
      return status !== undefined && mayBeLast(status);
    });
    if (meaning === "Rejected") learned.isKilledListed = status !== undefined;
    const told = { list: `${id} is listed as ${status}`, was: `${id} was ${meaning}` };
    if (status === undefined && unread !== undefined) report.add(problem("orders", `${id}: ${unreadText(unread)}`));
    else if (status === undefined) {
      const next = meaning === "Filled" ? PAGED : undefined;
      report.add(warning("orders", `${id} (${meaning}) is not in the list of orders`, next));
    } else if (status === meaning) report.add(fine("orders", told.list));
    else if (status === "Filled" || status === "Rejected") {
      // One word for both ends says nothing: what this rehearsal has taken from the list of orders does not count.
      learned.isOneWord = true;
      this.#contact.profile = { ...profile, statuses: this.#line.profile.statuses };
      report.add(problem("orders", `${told.list}, and was ${meaning}`, "ask the venue's support"));
    } else if (learned.isOneWord === true || !mayBeLast(status)) {
      const next = "venue.profile.statuses says what it means, once the venue's support has";
      report.add(warning("orders", `${told.was} and is listed as ${status}, which does not tell its end`, next));
    } else {
      this.#contact.profile = { ...profile, statuses: { ...profile.statuses, [status]: meaning } };
      report.add(warning("orders", `${told.list}: that is ${meaning} in the profile now`));
    }
    return status !== undefined;
  }

  #worth(money: Money): Money | undefined {
    const { pricing } = this.#tool.tradingCore.engine.books;
    const rate = pricing.rate(money.asset);
    return money.asset === pricing.currency ? money : rate && money.valued(rate, pricing.currency, "up");
  }

  async #orders(): Promise<void> {
    const { learned, person, options, moved } = this.#session;
    const { report } = this.#contact;
    requireMaySend(this.#tool);
    const { instrument, side, quantity, fair, collarBps } = await this.#market();
    const { symbol, quote } = instrument;
    const value = `worth ${(quantity.toNumber() * fair).toFixed(2)} ${quote}, within ${collarBps} bp of fair value ${fair}`;
    const first = moved.size > 0 ? "" : "one that should fill, then ";
    person.shell.terminal.note(`plan     ${side} ${quantity} ${symbol}, ${value}: ${first}two that should not fill`);
    await requireConfirmation(person.shell, person.prompts, { word: "yes", yes: options.yes });
    for (const share of [...WORSE, ...BETTER]) {
      if (share > 0 && moved.size > 0) continue;
      const { order, failure, asks } = await this.#place(share);
      const what = `a limit ${(Math.abs(share) * collarBps).toFixed(0)} bp ${share > 0 ? "worse" : "better"} than fair value`;
      if (failure === undefined) {
        if (order.receipt !== undefined)
          report.add((share > 0 ? fine : warning)("order", `filled, ${what}: ${feeText(order.receipt)}`));
        await this.#follow(order, asks);
        if (share > 0) await this.#whatIsPaid(order, share, collarBps);
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
    const { pricing, counters } = this.#tool.tradingCore.engine.books;
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
    const before = await this.#balances();
    const tell = (one: Sent): ExitCode => {
      answered = one;
      return exitCode.done;
    };
    const understood = (one: Sent) => this.#feeFound(one, before);
    const { asks } = await carry(person.shell, this.#tool, approved, person.stop, tell, understood);
    const { id, outcome } = answered as Sent;
    const answer = "failure" in outcome ? `${outcome.kind}, ${said(outcome.failure)}` : outcome.kind;
    sent.push({ id, what: `${side} ${request.quantity} ${symbol} at ${request.limit}`, answer });
    if (outcome.kind === "not-sent" || outcome.kind === "rejected") this.#session.open.delete(id);
    if (outcome.kind === "not-sent")
      throw new CommandFailure(codeOfUnsent(outcome.code, undefined), `${id}: ${textOfUnsent(outcome)}`, AGAIN);
    if (outcome.kind === "doubt") {
      const { code, message } = outcome.failure;
      const cause = `${id}: money may have moved, its outcome is unknown (${code}: ${message})`;
      // A refused signature of the first order shows a switch that no read could show.
      const next = code === "unauthorized" ? "another venue.profile.formNumbers may mend the signature" : undefined;
      this.#contact.report.add(warning("order", cause, next));
      return {
        order: await this.#opened(this.#tool.tradingCore.executor.get(id) as MoneyRequest),
        asks,
        failure: undefined,
      };
    }
    const receipt = outcome.kind === "accepted" ? (outcome.value as Fill) : undefined;
    // Counted now: a running bot may settle it before the books are opened again.
    if (receipt !== undefined) this.#session.moved.set(id, this.#worth(receipt.sold));
    const order = { request, receipt, isFilled: receipt !== undefined, at: outcome.receivedAt };
    return { order, asks, failure: outcome.kind === "rejected" ? outcome.failure : undefined };
  }

  async #balances(): Promise<ReadonlyMap<Asset, Money>> {
    const reading = await this.#line.speaking(this.#contact.profile).balances(WANT);
    const rows = reading.kind === "read" ? reading.value : [];
    return new Map(rows.map(({ asset, available }) => [asset, available]));
  }

  /** What the asset of the fee has moved by shows whether the leg in it was stated with the fee inside. */
  async #feeFound(sent: Sent, before: ReadonlyMap<Asset, Money>): Promise<Sent> {
    const { outcome } = sent;
    const { profile, report } = this.#contact;
    if (outcome.kind !== "accepted" || profile.feeInside !== "none") return sent;
    const fill = outcome.value as Fill;
    const { asset } = fill.fee;
    const leg = [fill.bought, fill.sold].find((one) => one.asset === asset);
    if (leg === undefined || fill.fee.isZero()) return sent;
    let moved: Money | undefined;
    await this.#repeated(3 * SECOND, async () => {
      const now = (await this.#balances()).get(asset);
      moved = now?.minus(before.get(asset) ?? Money.zero(asset)).size();
      return moved?.isZero() === false;
    });
    if (moved?.equals(leg) !== true) return sent;
    const feeInside = assetsOf(fill.symbol).base === asset ? "base" : "quote";
    this.#contact.profile = { ...profile, feeInside };
    report.add(
      warning("profile", `${asset} moved by ${moved}, so that leg has its fee inside: feeInside is ${feeInside}`),
    );
    return { ...sent, outcome: { ...outcome, value: withFeeOutside(fill, asset) } };
  }

  /** A fill at its limit is followed by one whose limit is 20 bp further off: what it pays shows whether limits are paid. */
  async #whatIsPaid(first: OwnOrder, share: number, collarBps: number): Promise<void> {
    const { report, profile } = this.#contact;
    const further = share + BEYOND_BPS / collarBps;
    if (profile.fillsAt !== "price" || !isAtLimit(first)) return;
    if (further > FURTHEST) {
      const cause = "a fill paid its limit, and the collar leaves no room to try one 20 bp further off";
      report.add(unsure("not shown", cause, "if fills pay their limits: venue.profile.fillsAt: limit"));
      return;
    }
    const { order, failure, asks } = await this.#place(further);
    if (failure !== undefined || order.receipt === undefined) return this.#follow(order, asks);
    if (isAtLimit(order)) {
      this.#contact.profile = { ...profile, fillsAt: "limit" };
      report.add(warning("profile", "two fills paid their limits, 20 bp apart: fillsAt is limit"));
    }
    await this.#follow(order, asks);
  }

  /** Checked in the transaction that approves, with the highest fee. */
  #overCap(worst: Money): string | undefined {
    const { options, moved } = this.#session;
    const { currency } = this.#tool.tradingCore.engine.books.pricing;
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
    const { person, options, learned } = this.#session;
    const { report, shapes } = this.#contact;
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
    shapes.length = 0;
    for (const list of ["orders", "trades", isMinted && "supplyChanges", isRailed && "rails"] as const) {
      if (list === false) continue;
      const { shape } = await this.#line.speaking(this.#contact.profile).examine(list as ListName, WANT, asset);
      if (shape !== undefined) shapes.push(shape);
    }
    const isRead = (list: ListName): boolean =>
      shapes.some((one) => one.list === list && one.rows > 0 && one.unreadable.length === 0);
    learned.isMinted = isRead("supplyChanges");
    learned.isRailed = isRead("rails");
    report.add(...checkShapes(this.#contact));
  }

  #moved(id: "mint" | "rail", code: ExitCode): boolean {
    const { sent, options } = this.#session;
    const { report } = this.#contact;
    sent.push({ id, what: `${id} ${options[id]}`, answer: code === exitCode.done ? "accepted" : `exit code ${code}` });
    if (code === exitCode.unknown) throw unknown(`the outcome of the ${id} is unknown`, "pegbot status shows it");
    if (code !== exitCode.done) report.add(warning(id, `ended with exit code ${code}`, "the lines above say why"));
    return code === exitCode.done;
  }
}

/** Within half a basis point; a coarse amount of a small order tells nothing. */
function isAtLimit({ request, receipt }: OwnOrder): boolean {
  if (receipt === undefined) return false;
  const [base, quote] = request.side === "buy" ? [receipt.bought, receipt.sold] : [receipt.sold, receipt.bought];
  return Math.abs(fillPrice(quote.toNumber(), base.toNumber()) / request.limit.toNumber() - 1) < 0.00005;
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
