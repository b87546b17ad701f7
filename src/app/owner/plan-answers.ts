// The plans that wait, and a person's answer to one, decided on in a turn of the owner: a plan that has meanwhile
// expired, begun or been answered by the same person is refused there.

import type { Engine } from "../../bot/engine.ts";
import type { PlanDecision } from "../../bot/input.ts";
import { LineClosed, type OperationLine } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { needsTokenToLook } from "../../domain/exposure.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Moment } from "../../execution/request.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { stopBy } from "../../operation/money.ts";
import type { Asker, Owner } from "../../operation/owner.ts";
import { personHere } from "../../operation/person.ts";
import type { Proposing, WaitingPlan } from "../../operation/plan.ts";
import { mintTermsOf } from "../../operation/terms/movement-terms.ts";
import { treasuryTermsOf } from "../../operation/terms/treasury-terms.ts";
import { joined, type TradingState } from "../../risk/trading-state.ts";
import {
  type ContentStep,
  contentOf,
  isOwn,
  isWish,
  mintStep,
  programOf,
  wishRecord,
} from "../../treasury/approval/plan-content.ts";
import {
  answerRefusal,
  approvalRefusal,
  beginnable,
  type LoggedPlan,
  type PlanLog,
} from "../../treasury/approval/plan-log.ts";
import { isSmallest, mintCost } from "../../treasury/mint.ts";
import { edgesOf, type HoldingChange, isAtVenue } from "../../treasury/plan/holding.ts";
import { holdingsAfterSteps, situationOf } from "../../treasury/rebalancer/treasury-view.ts";
import { OWNER } from "../key/control-token.ts";

type Parts = {
  readonly config: Config;
  readonly line: OperationLine;
  readonly killFile: { standing(): TradingState };
};

type Plans = Pick<Owner, "plans" | "propose" | "approve" | "decline">;
type Decide = (log: PlanLog, at: Millis) => PlanDecision | string;

export function planAnswers({ config, line, killFile }: Parts): Plans {
  const { people, persons, expiryMs } = config.treasury.approvals;

  async function answered<T>(wished: string, asker: Asker, decide: (by: string) => Decide, told: (by: string) => T) {
    const person = personOf(config, asker);
    // A caller on the socket is its user. Otherwise one holder of a token could answer as two people.
    if (asker.token !== undefined && wished !== person) return err(unproved(wished, person));
    const by = person ?? wished;
    try {
      await line.restored();
      const { refusal } = await line.take({ kind: "plan", decide: decide(by) });
      return refusal === undefined ? ok(told(by)) : err(`${refusal.message}; nothing was changed`);
    } catch (error) {
      if (error instanceof LineClosed) return err(error.message);
      throw error;
    }
  }

  return {
    async plans() {
      const { core, now } = await line.restored();
      const { at } = now();
      const waiting = core().rebalancer?.log.waiting(at) ?? [];
      const situation = situationOf(core(), treasuryTermsOf(config), () => undefined, at);
      const here = situation.bands.filter(({ holding }) => isAtVenue(holding));
      const plans = waiting.map((one) => {
        // Holdings outside the venue are stated by people, and the bot's own plans ignore them.
        const bands = isOwn(one.plan) ? here : situation.bands;
        return shown(one, persons, holdingsAfterSteps(contentOf(one.plan).steps, { ...situation, bands }));
      });
      return ok({ at, plans });
    },

    async propose(wish, asker) {
      try {
        const { core, now } = await line.opened();
        const stopped = stopBy(joined(killFile.standing(), core().books.counters.tradingState));
        if (stopped !== undefined) return err(stopped.message);
        const found = proposedStep(core(), now(), config, wish);
        if (!found.ok) return found;
        const { step, cost } = found.value;
        const { at } = now();
        const terms = { at, expiresAt: millis(at + Math.min(expiryMs, PROPOSAL_MS)), persons: Math.max(1, persons) };
        const plan = wishRecord(step, cost, { ...terms, by: asker.by, why: printable(wish.reason, 200) });
        const { refusal } = await line.take({
          kind: "plan",
          decide: (log, at) => whyNotProposed(log, plan, at) ?? { records: [plan] },
        });
        if (refusal !== undefined) return err(refusal.message);
        const { id, digest, content, expiresAt } = plan;
        const next = `a person approves it on the page or by pegbot approve ${id}; nothing is sent before`;
        return ok({ id, digest, content, expiresAt, persons: plan.persons, next });
      } catch (error) {
        if (error instanceof LineClosed) return err(error.message);
        throw error;
      }
    },

    async approve({ id, digest, by: wished }, asker) {
      const { core } = await line.restored();
      let ready: Result<unknown> = err("");
      const decide =
        (by: string): Decide =>
        (log, at) => {
          const known = log.get(id);
          const stopped = stopBy(joined(killFile.standing(), core().books.counters.tradingState));
          const approval = { kind: "approval", at, id, digest, by } as const;
          const program = known && programOf(known.plan);
          const isOwn = program !== undefined && (program === by || program === asker.token);
          const own = isOwn ? `${program} proposed it and cannot approve it: pegbot approve ${id}` : undefined;
          const refusal = own ?? stopped?.message ?? approvalRefusal(known, approval, people, at);
          if (known === undefined || refusal !== undefined) return refusal ?? "the journal knows no such plan";
          ready = beginnable({ ...known, approvals: [...known.approvals, approval] }, { people, persons }, at);
          return { records: [approval] };
        };
      return answered(wished, asker, decide, (by) => ({
        by,
        ready: ready.ok,
        text: ready.ok ? "the running bot carries it out; without one, start it" : ready.error,
      }));
    },

    decline({ id, digest, reason, by: wished }, asker) {
      let text = "it is not carried out";
      const decide =
        (by: string): Decide =>
        (log, at) => {
          const known = log.get(id);
          const refusal = answerRefusal(known, { digest, by }, people, at);
          if (known === undefined || refusal !== undefined) return refusal ?? "the journal knows no such plan";
          if (isOwn(known.plan)) text = "it is not carried out, and the bot makes no plan of its own for an hour";
          return {
            records: [{ kind: "plan-progress", at, id, state: "declined", text: printable(reason, 200), by }],
          };
        };
      return answered(wished, asker, decide, (by) => ({ by, text }));
    },
  };
}

/** A proposal waits no longer, whatever plans may. */
const PROPOSAL_MS = 3_600_000;
const PROPOSALS_MAX = 10;

function whyNotProposed(log: PlanLog, { content }: PlanRecord, at: Millis): string | undefined {
  const waiting = log.waiting(at).filter(({ plan }) => isWish(plan));
  const steps = JSON.stringify(contentOf({ content }).steps);
  const same = waiting.find(({ plan }) => JSON.stringify(contentOf(plan).steps) === steps);
  if (same !== undefined) return `${same.plan.id} of ${same.plan.by} proposes the same and waits`;
  return waiting.length < PROPOSALS_MAX
    ? undefined
    : `${waiting.length} proposals wait already: a person decides first`;
}

type Step = Result<{ readonly step: ContentStep; readonly cost: Money }>;

/** As the gate judges it now: a refusal is no proposal. */
function proposedStep(core: Engine, now: Moment, config: Config, { order, mint, reason }: Proposing): Step {
  if ((order === undefined) === (mint === undefined)) return err("either an order or a mint is proposed");
  return order === undefined ? mintWish(core, now, config, mint as Minted) : orderWish(core, order, reason);
}

function orderWish({ books, review }: Engine, wish: NonNullable<Proposing["order"]>, reason: string): Step {
  const { side, price } = wish;
  const symbol = wish.symbol as PairSymbol;
  const instrument = books.instruments.get(symbol);
  if (instrument === undefined) return err(`${symbol} is not listed`);
  const { base, quote, quantityDecimals, priceDecimals } = instrument;
  if (!Money.of(price, quote).fits(priceDecimals)) return err(`price must have at most ${priceDecimals} decimals`);
  const asked = Quantity.of(wish.quantity).of(base);
  if (!asked.fits(quantityDecimals)) return err(`quantity must have at most ${quantityDecimals} decimals`);
  const limit = Number(price);
  const found = review.preview({ symbol, side, limit, size: wish.quantity, reason, lifetimeMs: undefined });
  if (found.kind === "refused") return err(`${found.refusal.rule}: ${found.refusal.message}`);
  // Its cost cannot be stated without a fair value: a person orders it and confirms that.
  if (found.isOffPeg) return err(`${base} is off its peg: pegbot order ${side} ${symbol} SIZE --price PRICE --off-peg`);
  const [inBase, inQuote] = [found.quantity.of(base), Price.of(price).times(found.quantity, quote, "up")];
  const [takes, brings] = side === "sell" ? [inBase, inQuote] : [inQuote, inBase];
  const { pricing } = books;
  const { currency } = pricing;
  const rate = quote === currency ? Price.of("1") : pricing.rate(quote);
  if (rate === undefined) return err(`there is no rate of ${quote} in ${currency}`);
  const fair = pricing.fair(symbol);
  const worse =
    fair.kind === "fair" ? Math.max(0, side === "buy" ? limit / fair.value - 1 : 1 - limit / fair.value) : 0;
  const value = inQuote.valued(rate, currency, "up");
  const step: ContentStep = {
    name: `${side} ${symbol}`,
    via: { kind: "order", symbol, side, limit: price },
    quantity: String(found.quantity),
    takes: `${takes} ${takes.asset}`,
    brings: `${brings} ${brings.asset}`,
    value: String(value),
  };
  return ok({ step, cost: value.share(Math.ceil(worse * 1e4), "up") });
}

type Minted = NonNullable<Proposing["mint"]>;

function mintWish(
  { requests }: Engine,
  now: Moment,
  config: Config,
  { asset: coin, chain, quantity: text }: Minted,
): Step {
  const [asset, quantity] = [coin as Asset, Quantity.of(text)];
  const fiat = fiatOf(asset);
  if (fiat === undefined) return err("only a coin that stands for its fiat is minted");
  const { feeBpsMax, minimum } = mintTermsOf(config);
  const isExact = isSmallest(asset, quantity, minimum);
  const { spentMax, feeMax } = mintCost(quantity, fiat, feeBpsMax);
  const mint = { asset, blockchain: chain, quantity, destination: undefined, spentMax, feeMax, known: [] };
  const terms = { decidedAt: now.at, expiresAt: now.at, reason: "" };
  const verdict = requests.judge({ kind: "mint", mint, ...terms }, now);
  if (verdict.kind === "refused") return err(`${verdict.refusal.rule}: ${verdict.refusal.message}`);
  const wished = { asset, fiat, chain, quantity, feeBpsMax, to: undefined, isExact, spend: undefined };
  return ok({ step: mintStep(wished), cost: feeMax });
}

/** A token stands for the person of its name; the bot's own for its user, where it cannot come from another machine. */
function personOf({ server }: Config, { token }: Asker): string | undefined {
  if (token !== undefined && token !== OWNER.name) return token;
  return needsTokenToLook(server) && token !== undefined ? undefined : personHere();
}

function unproved(by: string, person: string | undefined): string {
  const who = person === undefined ? "no name" : `only that this is ${person}`;
  return `the token proves ${who}: ${by} needs a token of that name (pegbot token); nothing was changed`;
}

function shown({ plan, approvals }: LoggedPlan, needed: number, holdings: readonly HoldingChange[]): WaitingPlan {
  const { id, digest, content, expiresAt, at, by, why } = plan;
  const persons = Math.max(plan.persons, needed);
  return {
    ...{ id, digest, content, expiresAt, persons, at, by, ...(why !== undefined && { why }) },
    approvals: approvals.map(({ by, at }) => ({ by, at })),
    holdings: holdings.map(({ holding, band, before, after, missingBefore, missingAfter }) => ({
      holding,
      now: String(before),
      after: String(after),
      low: band && edgesOf(band).low?.toString(),
      high: band && edgesOf(band).high?.toString(),
      backTo: band?.left && band.low?.toString(),
      missingNow: String(missingBefore),
      missingAfter: String(missingAfter),
    })),
  };
}
