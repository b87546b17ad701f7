// The checks of `rehearse` that move money: what an earlier one left open, the smallest order with its rows and balances, two orders
// that should not fill, on request a mint and a rail. Each ends in findings, or ends the rehearsal with the way out.

import { fine, problem, unknown as unsure, warning } from "../../app/finding.ts";
import { confirmAgreement, type Person, requireConfirmation } from "../../app/terminal/confirmation.ts";
import { limitsOf } from "../../config/limits-of.ts";
import { type Asset, type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { CommandFailure, orFail, refusedFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { type Fill, fillPrice, legsText } from "../../domain/order.ts";
import { pause } from "../../domain/pause.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { type Unread, unreadText } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { ListName } from "../../exchange/shape.ts";
import type { Parameters } from "../../execution/parameters.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import { isUnknown, type MoneyRequest } from "../../execution/request.ts";
import { idOf } from "../../execution/send.ts";
import { mint } from "../../operation/mint.ts";
import { type Asking, type MoneyOperation, requireActive, type Trader } from "../../operation/money.ts";
import { order } from "../../operation/order.ts";
import { personHere } from "../../operation/person.ts";
import { rail } from "../../operation/rail.ts";
import { codeOfUnsent, textOfUnsent } from "../../operation/request-end.ts";
import { unlessOff } from "../../risk/limits.ts";
import type { Contact } from "./check.ts";
import { AGAIN, isRehearsed, type Learning, REASON, SECOND, unknownEnd } from "./learning.ts";
import { isIts, type Line, mayBeLast, type OwnOrder, WANT } from "./own-order.ts";
import { checkShapes, keepShape } from "./venue.ts";

export type RehearsalOptions = {
  readonly pair?: string;
  readonly sell?: boolean;
  readonly yes?: boolean;
  readonly valueMax?: string;
  readonly mint?: string;
  readonly rail?: string;
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
/** Longer than the protocol goes on before it asks a person. */
const RESOLVE_MS_MAX = 20 * 60 * SECOND;
const PAGED = "if it filled, the list has pages or starts with its oldest rows: ask the venue";

type Placed = { readonly order: OwnOrder; readonly failure: Failure | undefined };
type Failure = { readonly code: string; readonly venueCode?: string | undefined; readonly message: string };

const CONFIRM_MS_MAX = 75 * SECOND;
const LISTED: ReadonlySet<string> = new Set(["confirmed", "late", "settled"]);
const NOT: ReadonlySet<string> = new Set(["rejected", "released", "not-sent"]);

export class Scenes {
  readonly #session: Session;
  readonly #contact: Contact;
  readonly #trader: Trader;
  readonly #line: Line;
  readonly #learning: Learning;
  readonly #withinMs: number;
  /** Before the rehearsal learnt from the rows of its orders. */
  readonly #configured: Profile;

  constructor(session: Session, trader: Trader, line: Line, learning: Learning) {
    this.#session = session;
    this.#contact = session.contact;
    this.#trader = trader;
    this.#line = line;
    this.#learning = learning;
    this.#withinMs = session.options.confirmWithin ?? CONFIRM_MS_MAX;
    this.#configured = session.contact.profile;
  }

  async play(): Promise<ExitCode> {
    const { executor } = this.#trader.core();
    try {
      for (const one of [...executor.open()].filter(isRehearsed)) {
        this.#session.person.shell.terminal.note(`${one.id} is open (${one.state.kind}): it comes first`);
        this.#session.open.add(one.id);
        await this.#follow(ownOf(one));
      }
      await this.#orders();
      await this.#movements();
      return exitCode.done;
    } finally {
      this.#session.learned.parameters = this.#trader.core().executor.parameters(this.#trader.now());
    }
  }

  /** From an answer, or from its loss, to rows and balances that agree. */
  async #follow(order: OwnOrder): Promise<void> {
    const { learned, open } = this.#session;
    const { report } = this.#contact;
    const id = order.request.clientOrderId;
    const state = await this.#known(id);
    if (state === undefined) return;
    const fill = state.receipt as Fill;
    this.#session.moved.set(id, this.#worth(fill.sold));
    const isListed = await this.#listed({ ...order, receipt: order.receipt ?? fill }, "Filled");
    const isExact = await this.#repeated(this.#withinMs, async () => {
      if (this.#stateOf(id)?.kind === "settled") return true;
      await this.#trader
        .ask({ witness: "balances", asset: undefined, class: "confirmation" })
        .catch((error: unknown) => {
          throw error instanceof CommandFailure ? unknownEnd(`${id} has filled; ${error.message}`) : error;
        });
      return this.#stateOf(id)?.kind === "settled";
    });
    requireActive(this.#trader);
    open.delete(id);
    learned.isShown = this.#learning.understood.has(id) && isListed && isExact;
    const text = legsText(fill);
    if (isExact) report.add(fine("balances", `they show the fill and its fee exactly: ${text}`));
    else report.add(problem("balances", `they do not show ${id} yet: ${text}`, "pegbot status shows whether they do"));
  }

  #stateOf(id: string): MoneyRequest["state"] | undefined {
    return this.#trader.core().executor.get(id)?.state;
  }

  /** The protocol's own confirmation or resolution; undefined where nothing moved. */
  async #known(id: string): Promise<Extract<MoneyRequest["state"], { receipt: unknown }> | undefined> {
    const { person, options, open } = this.#session;
    const isLost = isUnknown(this.#stateOf(id) ?? { kind: "not-sent" });
    // An unknown outcome ends by itself: evidence decides, or after 15 minutes the protocol asks a person.
    const withinMs = isLost ? (options.confirmWithin ?? RESOLVE_MS_MAX) : this.#withinMs;
    if (isLost) person.shell.terminal.note(`${id}: outcome unknown; lists and balances are read until it is known`);
    const over = new AbortController();
    const cancel = this.#trader.timers.after(withinMs, () => over.abort());
    const ended = (): MoneyRequest["state"] | undefined => {
      const state = this.#stateOf(id);
      const isOver = state === undefined || LISTED.has(state.kind) || NOT.has(state.kind);
      return isOver || this.#learning.odd.has(id) ? state : undefined;
    };
    await this.#trader.until(ended, AbortSignal.any([person.stop, over.signal]));
    cancel();
    const state = this.#stateOf(id);
    if (state !== undefined && LISTED.has(state.kind) && "receipt" in state) return state;
    const one = this.#trader.core().executor.get(id);
    const odd = this.#learning.odd.get(id);
    if (odd !== undefined)
      throw unknownEnd(
        `${id}: its row in the list of trades does not say what happened: ${odd}`,
        "before that, set what it names",
      );
    requireActive(this.#trader);
    if (one !== undefined && !NOT.has(one.state.kind))
      throw unknownEnd(
        `${id}: what became of it is not known yet`,
        `or decide by the venue's portal: ${resolveCommand(one)}`,
      );
    open.delete(id);
    this.#contact.report.add(fine("order", `${id} did not happen: nothing moved`));
    return undefined;
  }

  /** Once a second until it holds, for a limited time. */
  async #repeated(ms: number, holds: () => Promise<boolean>): Promise<boolean> {
    const { stop } = this.#session.person;
    for (let left = ms; ; left -= SECOND) {
      if (await holds()) return true;
      if (left <= 0 || stop.aborted) return false;
      await pause(this.#trader.timers, SECOND);
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
      this.#contact.profile = { ...profile, statuses: this.#configured.statuses };
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
    const { pricing } = this.#trader.core().books;
    const rate = pricing.rate(money.asset);
    return money.asset === pricing.currency ? money : rate && money.valued(rate, pricing.currency, "up");
  }

  async #orders(): Promise<void> {
    const { learned, person, options, moved } = this.#session;
    const { report } = this.#contact;
    requireActive(this.#trader);
    const { instrument, side, quantity, fair, collarBps } = await this.#market();
    const { symbol, quote } = instrument;
    const value = `worth ${(quantity.toNumber() * fair).toFixed(2)} ${quote}, within ${collarBps} bp of fair value ${fair}`;
    const first = moved.size > 0 ? "" : "one that should fill, then ";
    person.shell.terminal.note(`plan     ${side} ${quantity} ${symbol}, ${value}: ${first}two that should not fill`);
    await requireConfirmation(person.shell, person.prompts, { word: "yes", yes: options.yes });
    for (const share of [...WORSE, ...BETTER]) {
      if (share > 0 && moved.size > 0) continue;
      const { order, failure } = await this.#place(share);
      const what = `a limit ${(Math.abs(share) * collarBps).toFixed(0)} bp ${share > 0 ? "worse" : "better"} than fair value`;
      if (failure === undefined) {
        if (order.receipt !== undefined)
          report.add((share > 0 ? fine : warning)("order", `filled, ${what}: ${feeText(order.receipt)}`));
        await this.#follow(order);
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
    const trader = this.#trader;
    const { instruments, pricing, counters } = trader.core().books;
    const limits = limitsOf(trader.config);
    const symbol = options.pair === undefined ? (limits.symbols[0] as PairSymbol) : orFail(parseSymbol(options.pair));
    const instrument = instruments.get(symbol);
    if (instrument === undefined) throw usageFailure(`${symbol} is not listed`, "pegbot pairs shows what is");
    await trader.quotes({ class: "order" });
    await this.#repeated(10 * SECOND, async () => pricing.fair(symbol).kind === "fair" || person.stop.aborted);
    const fair = pricing.fair(symbol);
    if (fair.kind === "none")
      throw refusedFailure(
        `${symbol} has no fair value (${fair.reason}); nothing was sent`,
        "see docs/concepts/fair-value.md",
      );
    const { quantityMin, quantityDecimals } = instrument;
    const part = counters.filledOrders < (unlessOff(limits.rampOrders) ?? 0) ? limits.rampSizeBps / 1e4 : 1;
    const steps = Math.ceil(Number(((quantityMin.toNumber() * 10 ** quantityDecimals) / part).toPrecision(12)));
    const collarBps = Math.min(unlessOff(limits.collarBps) ?? COLLAR_BPS, fair.collarBps ?? COLLAR_BPS);
    const side = options.sell ? ("sell" as const) : ("buy" as const);
    return { instrument, side, quantity: Quantity.ofSteps(steps, quantityDecimals), fair: fair.value, collarBps };
  }

  /** The operation `order`, once. Any end but filled and rejected ends the rehearsal. */
  async #place(share: number): Promise<Placed> {
    const { sent, open } = this.#session;
    const { instrument, side, quantity, fair, collarBps } = await this.#market();
    const { symbol } = instrument;
    const signal = fair * (1 + ((side === "buy" ? 1 : -1) * share * collarBps) / 1e4);
    const limit = orFail(limitFromSignal(signal, side, instrument));
    let id: string | undefined;
    const take: Trader["take"] = async (input) => {
      const turn = await this.#trader.take(input);
      const [approved] = turn.sends;
      if (approved !== undefined) {
        id = idOf(approved);
        open.add(id);
      }
      return turn;
    };
    const wish = { side, symbol, quantity: String(quantity), price: String(limit), reason: REASON };
    const agree: Asking["agree"] = async ({ sent: found, worst: [most], caveats }) => {
      const offPeg = caveats.find(({ flag }) => flag !== "--cap");
      if (offPeg !== undefined) throw refusedFailure(`refused: ${offPeg.text}; nothing was sent`);
      const over = most && this.#overCap(most);
      if (over !== undefined) throw refusedFailure(`refused: ${over}; nothing was sent`);
      return { sent: found, asked: undefined };
    };
    const input = { ...wish, confirmWithinMs: this.#withinMs };
    const ended = await order.act({ ...this.#trader, take }, input, this.#asking(agree));
    const one = this.#trader.core().executor.get(id ?? ended.id);
    if (one === undefined) throw unknownEnd(`${ended.id}: ${ended.text}`);
    const own = ownOf(one);
    const { request } = own;
    const failure = failureOf(one);
    const answer = failure === undefined ? "accepted" : `${one.state.kind}, ${said(failure)}`;
    sent.push({ id: one.id, what: `${side} ${request.quantity} ${symbol} at ${request.limit}`, answer });
    if (NOT.has(one.state.kind)) open.delete(one.id);
    if (one.state.kind === "not-sent")
      throw new CommandFailure(codeOfUnsent(one.state.code, undefined), `${one.id}: ${textOfUnsent(one.state)}`, AGAIN);
    if (one.state.kind === "unknown") {
      const cause = `${one.id}: money may have moved, its outcome is unknown (${one.state.code}: ${one.state.cause})`;
      // A refused signature of the first order shows a switch that no read could show.
      const isSignature = one.state.code === "unauthorized";
      const next = isSignature ? "another venue.profile.formNumbers may mend the signature" : undefined;
      this.#contact.report.add(warning("order", cause, next));
      return { order: own, failure: undefined };
    }
    // Counted now, whatever becomes of the rehearsal.
    if (own.receipt !== undefined) this.#session.moved.set(one.id, this.#worth(own.receipt.sold));
    return { order: own, failure };
  }

  #asking(agree: Asking["agree"]): Asking {
    const { person } = this.#session;
    return { by: personHere(), gone: person.stop, tell: (text) => person.shell.terminal.note(text), agree };
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
    const { order, failure } = await this.#place(further);
    if (failure !== undefined) return;
    if (order.receipt === undefined) return this.#follow(order);
    if (isAtLimit(order)) {
      this.#contact.profile = { ...profile, fillsAt: "limit" };
      report.add(warning("profile", "two fills paid their limits, 20 bp apart: fillsAt is limit"));
    }
    await this.#follow(order);
  }

  /** Checked in the transaction that approves, with the highest fee. */
  #overCap(worst: Money): string | undefined {
    const { options, moved } = this.#session;
    const { currency } = this.#trader.core().books.pricing;
    let all = this.#worth(worst);
    for (const value of moved.values()) all = value && all?.plus(value);
    const { config } = this.#trader;
    const feeBps = Math.max(unlessOff(limitsOf(config).feeBpsMax) ?? 0, config.treasury.mint.feeBpsMax);
    all = all?.plus(all.share(feeBps, "up"));
    if (options.valueMax === undefined || all?.atMost(Money.of(options.valueMax, currency))) return undefined;
    return `what may move is worth ${all ?? "an unknown value"}, limit is ${options.valueMax} ${currency} (--value-max)`;
  }

  /** On request a mint and a rail, which ask on their own; then the shapes of all lists that have rows by now. */
  async #movements(): Promise<void> {
    const { options, learned } = this.#session;
    const { report, shapes } = this.#contact;
    const [, coin = "", chain = "", quantity = "0"] = /^(\w+)@(\w+)=([0-9.]+)$/.exec(options.mint ?? "") ?? [];
    const [, direction, template] = /^(on|off):(.+)$/.exec(options.rail ?? "") ?? [];
    if (options.mint !== undefined && coin === "") throw usageFailure("--mint must look like VCHF@ETH=100000");
    if (options.rail !== undefined && direction === undefined) throw usageFailure("--rail must look like on:NAME");
    const asset = coin as Asset;
    const over = coin === "" ? undefined : this.#overCap(Money.of(quantity, asset));
    if (over !== undefined) throw refusedFailure(`${over}; no mint was sent`);
    const isMinted = coin !== "" && (await this.#moved("mint", mint, { asset, chain, quantity }));
    const isRailed = direction !== undefined && (await this.#moved("rail", rail, { direction, template }));
    shapes.length = 0;
    for (const list of ["orders", "trades", isMinted && "supplyChanges", isRailed && "rails"] as const) {
      if (list === false) continue;
      const { shape } = await this.#line.speaking(this.#contact.profile).examine(list as ListName, WANT, asset);
      if (shape !== undefined) keepShape(this.#contact, shape);
    }
    const isRead = (list: ListName): boolean =>
      shapes.some((one) => one.list === list && one.rows > 0 && one.unreadable.length === 0);
    learned.isMinted = isRead("supplyChanges");
    learned.isRailed = isRead("rails");
    report.add(...checkShapes(this.#contact));
  }

  async #moved(id: "mint" | "rail", operation: MoneyOperation, input: object): Promise<boolean> {
    const { sent, options, person } = this.#session;
    const { report } = this.#contact;
    const agree: Asking["agree"] = async (found) => {
      await confirmAgreement(person.shell, person.prompts, found, { yes: options.yes, flags: [] });
      return { sent: found.sent, asked: undefined };
    };
    const { exit, text } = await operation.act(this.#trader, input, this.#asking(agree));
    sent.push({ id, what: `${id} ${options[id]}`, answer: exit === exitCode.done ? "accepted" : text });
    if (exit === exitCode.unknown) throw unknownEnd(`the outcome of the ${id} is unknown`, "pegbot status shows it");
    if (exit !== exitCode.done) report.add(warning(id, `ended with exit code ${exit}: ${text}`));
    return exit === exitCode.done;
  }
}

/** As the books have it. */
function ownOf({ request, state }: MoneyRequest): OwnOrder {
  const receipt = "receipt" in state ? (state.receipt as Fill) : undefined;
  const own = request as OrderIntent;
  return { request: own, receipt, isFilled: receipt !== undefined, at: own.decidedAt };
}

function failureOf({ state }: MoneyRequest): Failure | undefined {
  if (state.kind === "rejected") return state;
  if (state.kind === "released") return { code: state.kind, message: state.reason };
  if (state.kind === "unknown") return { code: state.code, message: state.cause };
  return state.kind === "not-sent" ? { code: state.code, message: state.reason } : undefined;
}

/** Within half a basis point; a coarse amount of a small order tells nothing. */
function isAtLimit({ request, receipt }: OwnOrder): boolean {
  if (receipt === undefined) return false;
  const [base, quote] = request.side === "buy" ? [receipt.bought, receipt.sold] : [receipt.sold, receipt.bought];
  return Math.abs(fillPrice(quote.toNumber(), base.toNumber()) / request.limit.toNumber() - 1) < 0.00005;
}

function said({ venueCode, message }: Failure): string {
  return venueCode === undefined || message.includes(venueCode) ? message : `${venueCode}: ${message}`;
}

function feeText(fill: Fill): string {
  const leg = [fill.bought, fill.sold].find(({ asset }) => asset === fill.fee.asset);
  const bps = leg === undefined ? "" : `, ${((fill.fee.toNumber() / leg.toNumber()) * 1e4).toFixed(2)} bp of it`;
  return `${legsText(fill)}${bps}`;
}
