// The scenes of a rehearsal: what an earlier one left open, the smallest order with its rows and balances, two orders
// that should not fill, on request a mint and a rail. Each ends in findings, or ends the rehearsal with the way out.

import { limitsOf } from "../../app/bot/core-of.ts";
import { CommandFailure, orFail, refusedFailure, usageFailure } from "../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { fine, problem, type Report, warning } from "../../app/finding.ts";
import type { Connection } from "../../app/key/open-exchange.ts";
import { CONFIRM_MS_MAX, pauseOrStop, waitFor } from "../../app/money-command/follow.ts";
import { hearReferences, inquireInto, readQuotes, seeQuote } from "../../app/money-command/market.ts";
import { type MoneyCommand, requireActive, requireMaySend } from "../../app/money-command/money-command.ts";
import { carry, codeOfUnsent, textOfUnsent } from "../../app/money-command/send.ts";
import { type Person, requireConfirmation } from "../../app/terminal/confirmation.ts";
import type { Sent } from "../../bot/effects/dispatch.ts";
import { type Asset, type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { type Fill, legsText } from "../../domain/order.ts";
import { printable } from "../../domain/sanitise.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Failure } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import type { Shape } from "../../exchange/shape.ts";
import { withShapes } from "../../exchange/shape.ts";
import type { Ask } from "../../execution/effects.ts";
import { resolveCommand } from "../../execution/remediation.ts";
import { hasHappened, type MoneyRequest } from "../../execution/request.ts";
import { unlessOff } from "../../risk/limits.ts";
import { mintWith } from "../command/mint.ts";
import { decideNow, seeAccount, wishOf } from "../command/order.ts";
import { railWith } from "../command/rail.ts";
import { checkShapes } from "../doctor/shapes.ts";
import { findTrade, isIts, type OwnOrder, WANT } from "./own-order.ts";
import type { Learned, SentLine } from "./page.ts";
import { isSameToClient, keepProfile } from "./profile-lines.ts";

export type Session = {
  /** Its terminal takes results as remarks. */
  readonly person: Person;
  readonly options: RehearsalOptions;
  readonly report: Report;
  readonly learned: Learned;
  readonly sent: SentLine[];
  /** As the venue was met, and as its rows have shown since. */
  profile: Profile;
  /** The value that has moved. */
  moved: Money | undefined;
  isFilled: boolean;
  /** The configuration has another profile by now: the books are opened anew. */
  isReopened: boolean;
};

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

/** Distances of the limits from fair value, in parts of the collar: worse until one fills, then better. */
const WORSE = [0.3, 0.6, 0.95];
const BETTER = [-0.5, -0.95];
/** Where risk.collarBps is turned off. */
const COLLAR_BPS = 100;
const EVERY_MS = 1_000;
const AGAIN = "pegbot rehearse again";

type Placed = { readonly order: OwnOrder; readonly asks: readonly Ask[]; readonly failure: Failure | undefined };

export class Scenes {
  readonly #session: Session;
  readonly #tool: MoneyCommand;
  readonly #line: Connection;
  readonly #references: ReturnType<typeof hearReferences>;

  constructor(session: Session, tool: MoneyCommand, line: Connection) {
    this.#session = session;
    this.#tool = tool;
    this.#line = line;
    this.#references = hearReferences(tool);
  }

  async play(): Promise<ExitCode> {
    const { learned } = this.#session;
    const { executor } = this.#tool.tradingCore;
    try {
      await this.#whatIsOpen();
      if (!this.#session.isReopened) await this.#orders();
      if (!this.#session.isReopened) await this.#movements();
    } finally {
      this.#references.close();
      learned.parameters = executor.parameters(this.#tool.now());
    }
    return exitCode.done;
  }

  /** Orders that an earlier rehearsal, or another command, has left open. */
  async #whatIsOpen(): Promise<void> {
    const { take, tradingCore, isGone } = this.#tool;
    const { asks } = await take({ kind: "time", isGone });
    for (const one of tradingCore.executor.open())
      if (one.kind === "order" && !this.#session.isReopened) await this.#follow(await this.#opened(one), asks);
  }

  async #opened({ id, request, state }: MoneyRequest): Promise<OwnOrder> {
    const order = request as OrderIntent;
    this.#session.person.shell.terminal.note(`${id} is open (${state.kind}): it comes first`);
    const receipt = "receipt" in state ? (state.receipt as Fill) : undefined;
    return {
      request: order,
      receipt,
      isFilled: receipt !== undefined || (await this.#isVoted(id)),
      at: order.decidedAt,
    };
  }

  /** After a lost answer the balances may prove that the order filled. */
  async #isVoted(id: string): Promise<boolean> {
    const askedAt = this.#tool.now();
    const answer = await this.#tool.ask({ witness: "balances", asset: undefined, class: "doubt" });
    const rows = answer.witness === "balances" ? answer.rows : [];
    return this.#tool.tradingCore.executor.balances.vote(id, rows, askedAt).kind === "landed";
  }

  /** From an answer, or from its loss, to a row and balances that agree. */
  async #follow(order: OwnOrder, asks: readonly Ask[]): Promise<void> {
    const { report } = this.#session;
    const id = order.request.clientOrderId;
    const read = await this.#understood(order);
    if (this.#session.isReopened) return;
    const state = await this.#known(id, asks);
    if (state === undefined || !hasHappened(state)) return;
    const fill = state.receipt as Fill;
    const value = this.#worth(fill.side === "buy" ? fill.sold : fill.bought);
    this.#session.moved = value && (this.#session.moved?.plus(value) ?? value);
    this.#session.isFilled = true;
    const isListed = await this.#listed({ ...order, receipt: order.receipt ?? fill }, "Filled");
    const isExact = await this.#repeated(async () => {
      await inquireInto(this.#tool, { witness: "balances", asset: undefined, class: "confirmation" });
      return this.#tool.tradingCore.executor.get(id)?.state.kind === "settled";
    });
    requireActive(this.#tool);
    this.#session.learned.isShown = read && isListed && isExact;
    const text = legsText(fill);
    report.add(
      isExact
        ? fine("balances", `they show the fill and its fee exactly: ${text}`)
        : problem(
            "balances",
            `they do not show ${id} yet: ${text}`,
            "pegbot status; a running bot halts where it stays",
          ),
    );
  }

  /** The protocol would halt at a row that contradicts the answer, so a row is understood before the protocol reads it. */
  async #understood(order: OwnOrder): Promise<boolean> {
    const { report, person, options } = this.#session;
    const id = order.request.clientOrderId;
    let found = await findTrade(this.#line, this.#session.profile, order);
    if (order.isFilled)
      await this.#repeated(async () => {
        if (found.kind === "absent") found = await findTrade(this.#line, this.#session.profile, order);
        return found.kind !== "absent";
      });
    if (found.kind === "odd") {
      const cause = `${id}: its row in the list of trades does not say what happened: ${found.cause}`;
      throw unknownOutcome(cause, `set what it names in venue.profile, or ask the venue's support; then ${AGAIN}`);
    }
    if (found.kind === "absent") return false;
    const { profile, others, readAt } = found;
    this.#session.profile = profile;
    const seconds = ((readAt - order.at) / 1_000).toFixed(1);
    report.add(fine("trades", `${id} is listed ${seconds} s after the answer, with its amounts and fee`));
    for (const other of others)
      report.add(
        warning("profile", `its row fits ${profileYaml(other)} as well`, "a rehearsal with --sell may decide"),
      );
    if (isSameToClient(this.#line.profile, profile)) return true;
    this.#session.isReopened = await keepProfile(person, profile, options.yes, options.profileFile);
    if (this.#session.isReopened) return true;
    throw unknownOutcome(`${id} filled, and its row needs another profile`, `set venue.profile, then ${AGAIN}`);
  }

  /** The protocol's own confirmation, for a limited time; undefined when it ended without moving anything. */
  async #known(id: string, asks: readonly Ask[]): Promise<MoneyRequest["state"] | undefined> {
    const { person, options, report } = this.#session;
    const over = new AbortController();
    this.#tool.timers.after(options.confirmWithin ?? CONFIRM_MS_MAX, () => over.abort());
    const stop = AbortSignal.any([person.stop, over.signal]);
    const restOf = (fill: unknown) => ({ name: "filled", code: exitCode.done, text: legsText(fill as Fill) });
    await waitFor(person.shell, this.#tool, id, { stop, asks, restOf });
    const one = this.#tool.tradingCore.executor.get(id);
    if (one === undefined || hasHappened(one.state)) return one?.state;
    if (!["rejected", "released", "not-sent"].includes(one.state.kind)) {
      const ask = `if the venue's portal shows what became of it: ${resolveCommand(one)}`;
      throw unknownOutcome(`${id}: what became of it is not known yet`, `${AGAIN} later, or pegbot run; ${ask}`);
    }
    report.add(fine("order", `${id} did not happen: nothing moved`));
    return undefined;
  }

  /** Once a second until it holds, for a limited time. */
  async #repeated(holds: () => Promise<boolean>, ms = this.#session.options.confirmWithin ?? CONFIRM_MS_MAX) {
    const { stop } = this.#session.person;
    for (let left = ms; ; left -= EVERY_MS) {
      if (await holds()) return true;
      if (left <= 0 || stop.aborted) return false;
      await pauseOrStop(this.#tool, EVERY_MS, stop);
    }
  }

  /** Its row in the list of orders. What happened is known, so a word of the venue for it is explained. */
  async #listed(order: OwnOrder, meaning: "Filled" | "Rejected"): Promise<boolean> {
    const { report, learned, profile } = this.#session;
    const id = order.request.clientOrderId;
    let found: string | undefined;
    await this.#repeated(
      async () => {
        const reading = await this.#line.speaking(profile).orders(WANT);
        const row = reading.kind === "read" ? reading.value.find((one) => isIts(one, order)) : undefined;
        found = row && (row.status ?? meaning);
        return row !== undefined;
      },
      meaning === "Filled" ? undefined : 2 * EVERY_MS,
    );
    if (meaning === "Rejected") learned.isKilledListed = found !== undefined;
    if (found === "Filled" || found === "Rejected") {
      if (found !== meaning)
        report.add(problem("orders", `${id} is listed as ${found}, and was ${meaning}`, "ask support"));
      else report.add(fine("orders", `${id} is listed as ${found}`));
      return found === meaning;
    }
    if (found === undefined) report.add(warning("orders", `${id} (${meaning}) is not in the list of orders`));
    else {
      this.#session.profile = { ...profile, statuses: { ...profile.statuses, [found]: meaning } };
      report.add(
        warning("orders", `${id} is listed as ${printable(found, 40)}: that is ${meaning} in the profile now`),
      );
    }
    return found !== undefined;
  }

  #worth(money: Money): Money | undefined {
    const { pricing } = this.#tool.tradingCore.engine.context;
    if (money.asset === pricing.currency) return money;
    const rate = pricing.rate(money.asset);
    return rate && money.valued(rate, pricing.currency, "up");
  }

  async #orders(): Promise<void> {
    const { report, learned, person, options } = this.#session;
    requireMaySend(this.#tool);
    const { instrument, side, quantity, fair, collarBps } = await this.#market();
    const { symbol, quote } = instrument;
    const count = this.#session.isFilled
      ? "two orders that should not fill"
      : "an order that should fill, two that should not";
    const value = (quantity.toNumber() * fair).toFixed(2);
    person.shell.terminal.note(
      `plan     ${count}: each ${side} ${quantity} ${symbol}, worth ${value} ${quote}, within ${collarBps} bp of fair value ${fair}`,
    );
    await requireConfirmation(person.shell, person.prompts, { word: "yes", yes: options.yes });
    for (const share of [...WORSE, ...BETTER]) {
      if (share > 0 && this.#session.isFilled) continue;
      const placed = await this.#place(share);
      const { order, failure } = placed;
      const what = `${(Math.abs(share) * collarBps).toFixed(0)} bp ${share > 0 ? "worse" : "better"} than fair value`;
      if (share < 0) learned.widest = what;
      if (failure === undefined) {
        report.add(
          (share > 0 ? fine : warning)("order", `filled, its limit ${what}: ${feeText(order.receipt as Fill)}`),
        );
        await this.#follow(order, placed.asks);
        if (this.#session.isReopened) return;
        continue;
      }
      if (failure.code === "price-out-of-band") learned.band = failure.venueCode ?? failure.code;
      const isExpected = failure.code === "unfilled" || failure.code === "price-out-of-band";
      if (share > 0 && (!isExpected || share === WORSE.at(-1)))
        throw refusedFailure(
          `no order of ${symbol} filled: ${said(failure)}`,
          "compare pegbot pairs, quotes and your feeds",
        );
      report.add(
        (isExpected ? fine : warning)(
          "no fill",
          `limit ${what}: ${said(failure)}, taken as ${failure.code}; nothing moved`,
        ),
      );
      if (share < 0) await this.#listed(order, "Rejected");
    }
  }

  /** Fair value now, and the smallest order that the ramp leaves large enough. */
  async #market() {
    const { options, person } = this.#session;
    const limits = limitsOf(this.#tool.config);
    const symbol = options.pair === undefined ? (limits.symbols[0] as PairSymbol) : orFail(parseSymbol(options.pair));
    const instrument = await seeAccount(this.#tool, symbol);
    for (const quote of await this.#tool.read("quotes", readQuotes(this.#tool, { class: "order" })))
      await seeQuote(this.#tool, { kind: "quote", ...quote });
    const { pricing, counters } = this.#tool.tradingCore.engine.context;
    const isFair = async (): Promise<boolean> => {
      for (const reference of this.#references.newest()) await seeQuote(this.#tool, reference);
      return pricing.fair(symbol).kind === "fair" || person.stop.aborted;
    };
    await this.#repeated(isFair, 10 * EVERY_MS);
    const fair = pricing.fair(symbol);
    if (fair.kind === "none")
      throw refusedFailure(
        `${symbol} has no fair value (${fair.reason}); nothing was sent`,
        "docs/PRICES.md has the feeds",
      );
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
    const { symbol, quote } = instrument;
    const signal = fair * (1 + ((side === "buy" ? 1 : -1) * share * collarBps) / 1e4);
    const limit = orFail(limitFromSignal(signal, side, instrument));
    const wish = wishOf({ side, symbol, quantity: String(quantity) }, { price: String(limit), reason: "rehearsal" });
    const { approved } = await decideNow(this.#tool, person, wish, {
      ...{ yes: true, cap: true },
      unless: (found) =>
        found.kind === "passes" ? this.#overCap(limit.times(found.quantity, quote, "up")) : undefined,
    });
    const request = approved as OrderIntent;
    let answered: Sent | undefined;
    const { asks } = await carry(person.shell, this.#tool, approved, person.stop, (one) => {
      answered = one;
      return one.outcome.kind === "doubt" ? exitCode.unknown : exitCode.done;
    });
    const { id, outcome } = answered as Sent;
    const answer = "failure" in outcome ? `${outcome.kind}, ${said(outcome.failure)}` : outcome.kind;
    sent.push({ id, what: `${side} ${request.quantity} ${symbol} at ${request.limit}`, answer });
    if (outcome.kind === "not-sent")
      throw new CommandFailure(codeOfUnsent(outcome.code, undefined), `${id}: ${textOfUnsent(outcome)}`, AGAIN);
    if (outcome.kind === "doubt") throw doubtful(this.#line.profile, id, outcome.failure);
    const receipt = outcome.kind === "accepted" ? (outcome.value as Fill) : undefined;
    const order = { request, receipt, isFilled: receipt !== undefined, at: outcome.receivedAt };
    return { order, asks, failure: outcome.kind === "rejected" ? outcome.failure : undefined };
  }

  /** Checked in the transaction that approves. */
  #overCap(worst: Money): string | undefined {
    const { options, moved } = this.#session;
    const { pricing } = this.#tool.tradingCore.engine.context;
    if (options.valueMax === undefined) return undefined;
    const value = this.#worth(worst);
    const all = value && (moved?.plus(value) ?? value);
    const isWithin = all?.atMost(Money.of(options.valueMax, all.asset));
    return isWithin
      ? undefined
      : `what may move is worth ${all ?? "an unknown value"}, limit is ${options.valueMax} ${pricing.currency} (--value-max)`;
  }

  /** On request a mint and a rail, which ask on their own; then the shapes of all lists that have rows by now. */
  async #movements(): Promise<void> {
    const { person, options, learned, report, profile } = this.#session;
    const yes = options.yes === true ? { yes: true } : {};
    const shapes: Shape[] = [];
    const isListed = async (list: "orders" | "trades" | "supplyChanges" | "rails", asset?: Asset): Promise<boolean> => {
      const { shape } = await this.#line.speaking(profile).examine(list, WANT, asset);
      if (shape !== undefined) shapes.push(shape);
      return shape?.isEmpty === false && shape.unreadable.length === 0;
    };
    await isListed("orders");
    await isListed("trades");
    const [, coin, chain = "", quantity = ""] = /^(\w+)@(\w+)=([0-9.]+)$/.exec(options.mint ?? "") ?? [];
    const [, direction, template] = /^(on|off):(.+)$/.exec(options.rail ?? "") ?? [];
    if (options.mint !== undefined && coin === undefined) throw usageFailure("--mint must look like VCHF@ETH=100000");
    if (options.rail !== undefined && direction === undefined) throw usageFailure("--rail must look like on:NAME");
    if (coin !== undefined) {
      const over = this.#overCap(Money.of(quantity, coin as Asset));
      if (over !== undefined) throw refusedFailure(`${over}; no mint was sent`);
      const code = await mintWith(this.#tool, person, coin, { chain, quantity, ...yes });
      learned.isMinted =
        this.#moved("mint", `${quantity} ${coin}`, code) && (await isListed("supplyChanges", coin as Asset));
    }
    if (direction !== undefined) {
      const code = await railWith(this.#tool, person, { direction: direction as "on" | "off", template }, yes);
      learned.isRailed = this.#moved("rail", `${direction} ${template}`, code) && (await isListed("rails"));
    }
    report.add(...checkShapes(shapes, profile));
    this.#session.profile = withShapes(profile, shapes).profile;
  }

  #moved(id: string, what: string, code: ExitCode): boolean {
    this.#session.sent.push({
      id,
      what: `${id} ${what}`,
      answer: code === exitCode.done ? "accepted" : `exit code ${code}`,
    });
    if (code === exitCode.unknown) throw unknownOutcome(`the ${id} has an unknown outcome`, "pegbot status follows it");
    if (code !== exitCode.done)
      this.#session.report.add(warning(id, `ended with exit code ${code}; its lines above say why`));
    return code === exitCode.done;
  }
}

function unknownOutcome(cause: string, next: string): CommandFailure {
  return new CommandFailure(exitCode.unknown, cause, `do not repeat it: ${next}`);
}

/** The answer was lost, or says neither yes nor no. */
function doubtful({ formNumbers }: Profile, id: string, { code, message }: Failure): CommandFailure {
  const other = formNumbers === "strings" ? "numbers" : "strings";
  const isSignature = code === "unauthorized";
  const hint = isSignature ? `; reads are taken, so venue.profile.formNumbers: ${other} may be the mend` : "";
  const next = `${AGAIN}, which looks for it before anything else is sent, or pegbot run${hint}`;
  return unknownOutcome(`${id}: money may have moved, its outcome is unknown (${code}: ${message})`, next);
}

function said({ venueCode, message }: Failure): string {
  return venueCode === undefined || message.includes(venueCode) ? message : `${venueCode}: ${message}`;
}

function feeText(fill: Fill): string {
  const { bought, sold, fee } = fill;
  const leg = [bought, sold].find(({ asset }) => asset === fee.asset);
  const bps = leg === undefined ? "" : `, ${((fee.toNumber() / leg.toNumber()) * 1e4).toFixed(2)} bp of it`;
  return `${legsText(fill)}${bps}`;
}
