// The venue's balances against the ledger, answer by answer: what they show of orders and mints settles them, and what nothing
// explains freezes its asset, is asked for again, and stops the bot.

import { type Asset, assetsOf } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { hasSettled, type MintIntent, type MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { MovementEvent } from "../domain/movement.ts";
import type { OrderIntent } from "../domain/step.ts";
import { type Millis, type Mono, millis } from "../domain/time.ts";
import { DOUBTS_MAX, orderMovements } from "./balance-vote.ts";
import type { Answer, BalanceSight, Effects, ExecutorParts } from "./executor.ts";
import { type Held, submissionOf } from "./kept/held.ts";
import type { Likeness } from "./likeness/likeness.ts";
import type { Lives } from "./lives.ts";
import { costOf, isUncosted, mayCross, touches } from "./mint-cost.ts";
import { type MovementTold, toldOfMovement } from "./movement-report.ts";
import { mayBeLate, moversOf } from "./movers.ts";
import { oneSided } from "./one-sided.ts";
import { ownDifferences } from "./own-difference.ts";
import { isPayment } from "./payment/payment-flights.ts";
import type { IsValued, Payments } from "./payment/payments.ts";
import { reservationOf } from "./reservation.ts";
import { goneReport, shownGone, unseenMints } from "./shown-gone.ts";
import type { Moment, Submission } from "./submission.ts";
import { compareTotals, type Mover, type Totals } from "./totals.ts";
import { TotalsWatch } from "./totals-watch.ts";
import { standsAny } from "./under-way.ts";
import { haltOf, LISTED } from "./way-out.ts";

/**
 * Before the books were opened, no total is compared. Where foreign rows of the histories may have moved an asset, the bot is
 * stopped for those, with the same way out: what differs there freezes its asset and is no reason of its own.
 */
export type ForeignMoves = "unopened" | ReadonlySet<Asset>;
const NOTHING: ReadonlySet<Asset> = new Set();
/** `own`: movers that are requests of ours, without payments on rails. */
type Compared = { readonly own: readonly Mover[]; readonly movers: readonly Mover[]; readonly totals: Totals };
/** `at`: for somebody who asks at any time; what stops the bot is not late any more. */
type Likening = { readonly all?: readonly Money[]; readonly at?: Millis };
type Sighted = Omit<Compared, "own"> & { readonly foreign: ReadonlySet<Asset> };
type BalancesAnswer = Extract<Answer, { witness: "balances" }>;

export class Balances implements BalanceSight {
  readonly totals = new TotalsWatch();
  agreeSince: Millis | undefined = undefined;
  private readonly lives: Lives;
  private readonly payments: Payments;
  private readonly held: (asset: Asset) => Money | undefined;
  private readonly isValued: IsValued;
  private readonly patienceMs: number;
  private readonly feeBpsMax: number;

  constructor(
    lives: Lives,
    payments: Payments,
    {
      held,
      settings,
      feeBpsMax,
      isValued = () => true,
    }: Pick<ExecutorParts, "held" | "settings" | "feeBpsMax" | "isValued">,
  ) {
    this.lives = lives;
    this.payments = payments;
    this.held = held;
    this.isValued = isValued;
    this.patienceMs = settings.balancesMsMax;
    this.feeBpsMax = feeBpsMax;
  }

  /** Booked so lately that the balances may be behind. */
  mayBeLate(held: Held, now: Moment): boolean {
    return mayBeLate(held, now, this.patienceMs);
  }

  unclear(now: Moment): readonly Submission[] {
    const unclear = this.lives.submissions.open.filter((held) => {
      if (held.kind === "rail") return false;
      const mayHappen = held.state.kind !== "intended" && reservationOf(held.state) === "both-ways";
      return mayHappen || this.mayBeLate(held, now);
    });
    return unclear.map((held) => submissionOf(held));
  }

  paidLately({ at }: Moment): readonly Mover[] {
    return this.payments.flights.leftSince(at - this.patienceMs);
  }

  dueAt(id: string): Millis | undefined {
    const bookedAt = this.lives.submissions.find(id)?.bookedAt ?? this.payments.flights.leftAt(id);
    return bookedAt === undefined ? undefined : ((bookedAt + this.patienceMs) as Millis);
  }

  likeness(differences: readonly Money[], { all, at }: Likening = {}): Likeness {
    const { submissions } = this.lives;
    const givenUp = submissions.presumedDead(DOUBTS_MAX).map(({ id, request }) => {
      return { id, movements: orderMovements(request as OrderIntent, this.feeBpsMax) };
    });
    const lateUntil = (left: Millis | undefined): Millis | undefined =>
      at === undefined || left === undefined || at - left >= this.patienceMs
        ? undefined
        : millis(left + this.patienceMs);
    return ownDifferences({ differences, all, lateUntil }, { ...submissions.mayDiffer(), givenUp }, this.payments);
  }

  see(answer: BalancesAnswer, foreign: ForeignMoves, now: Moment, out: Effects): void {
    const areCertain =
      this.lives.submissions.areCertain && this.payments.movers().length + this.paidLately(now).length === 0;
    // They agree to the last digit, and nothing is in doubt that could have cancelled something out.
    const areExact = areCertain && this.totals.agree(answer.rows, this.held);
    if (areExact) this.shown(now, out);
    const areExplained = areExact || this.explain(answer, foreign, now, out);
    this.agreeSince = areExplained ? (this.agreeSince ?? now.at) : undefined;
    if (foreign !== "unopened") this.gone(answer.rows, areCertain, foreign, now, out);
  }

  haveShownGone(id: string): boolean {
    return this.toldOf(id)?.isShownGone === true;
  }

  private toldOf(id: string): MovementTold | undefined {
    return this.lives.submissions.find(id)?.movement ?? this.payments.told(id);
  }

  /** `areCertain`: nothing is in doubt or under way. Where a stranger moved an asset too, that may look like what left. */
  private gone(
    rows: readonly Balance[],
    areCertain: boolean,
    foreign: ReadonlySet<Asset>,
    now: Moment,
    out: Effects,
  ): void {
    const paid = this.payments.unseen();
    const all = areCertain ? paid : [...unseenMints(this.lives.submissions.open), ...paid];
    const unseen = all.filter(({ spent }) => !foreign.has(spent.asset));
    if (unseen.length === 0) return;
    for (const id of shownGone(unseen, rows, this.held, this.movers(now))) {
      const report = goneReport(this.toldOf(id));
      if (report === undefined) continue;
      const event: MovementEvent = { kind: "movement", id, report, receivedAt: now.at };
      const mint = this.lives.submissions.find(id);
      if (mint === undefined) this.payments.fold(event);
      else mint.movement = toldOfMovement(report, mint.movement);
      out.tell(event);
    }
  }

  /** Trades were answered: rows of strangers in them are known now, and those of ours are booked before balances are read again. */
  seeTrades(askedAt: Mono, out: Effects): void {
    if (this.totals.seeTrades(askedAt)) out.ask({ witness: "balances", asset: undefined, class: "balance" });
  }

  /** The same for payments on rails. */
  seePayments(askedAt: Mono, out: Effects): void {
    if (this.totals.seePayments(askedAt)) out.ask({ witness: "balances", asset: undefined, class: "balance" });
  }

  /** The balances show everything that is booked. */
  private shown(now: Moment, out: Effects): void {
    const { open } = this.lives.submissions;
    for (let i = 0; i < open.length; ) {
      const held = open[i] as Held;
      if (held.kind === "order") {
        if (mayBeLate(held, now, this.patienceMs)) this.moved(held, now);
        this.lives.explained(held, now, out);
      }
      if (open[i] === held) i++;
    }
  }

  private moved(order: Held, { mono }: Moment): void {
    order.isMoved = true;
    const { base, quote } = assetsOf((order.request as OrderIntent).symbol);
    this.totals.moved(base, mono);
    this.totals.moved(quote, mono);
  }

  arrivalFee(payment: string, rows: readonly Balance[], now: Moment): Money | undefined {
    const { totals, movers } = this.compared(rows, now);
    return this.payments.arrivalFee(payment, totals, movers);
  }

  movers(now: Moment): readonly Mover[] {
    return this.payments.beside(this.own(now), this.paidLately(now));
  }

  private own(now: Moment): readonly Mover[] {
    return moversOf(this.lives.submissions.open, this.feeBpsMax, now, this.patienceMs);
  }

  private compared(rows: readonly Balance[], now: Moment): Compared {
    const own = this.own(now);
    const movers = this.payments.beside(own, this.paidLately(now));
    return { own, movers, totals: compareTotals(rows, this.held, movers, this.totals.expected) };
  }

  /** Says whether everything that differs is explained. */
  private explain({ rows, nonce }: BalancesAnswer, foreign: ForeignMoves, now: Moment, out: Effects): boolean {
    const { submissions } = this.lives;
    const { own, movers, totals } = this.compared(rows, now);
    for (const { id } of totals.moved)
      if (isPayment(id)) this.payments.flights.shown(id);
      else submissions.get(id).isMoved = true;
    for (const { id } of own) for (const asset of submissions.get(id).assets) this.totals.moved(asset, now.mono);
    if (foreign !== "unopened") this.costs({ totals, movers, foreign }, now, out);
    for (const event of this.payments.arrived(totals, movers, now.at, this.patienceMs)) out.tell(event);
    this.settle(totals, now, out);
    for (const held of submissions.open) {
      const report = held.kind === "mint" ? oneSided(held, totals, rows, now.at) : undefined;
      if (report === undefined) continue;
      held.movement = toldOfMovement(report, held.movement);
      out.tell({ kind: "movement", id: held.id, report, receivedAt: now.at });
    }
    const isUnopened = foreign === "unopened";
    const judged = isUnopened ? { ...totals, unexplained: [], unjudged: [] } : totals;
    const likeness = (differences: readonly Money[]): Likeness =>
      this.likeness(differences, { all: totals.differences });
    const isOdd = judged.unexplained.length + judged.unjudged.length > 0;
    const hasRails = isOdd && standsAny(submissions.movements());
    const seen = { rows, nonce, foreign: isUnopened ? NOTHING : foreign, likeness, hasRails };
    const stop = this.totals.see(judged, seen, now.mono, this.patienceMs);
    // A payment on a rail of ours moves coins without any request of ours: its list is asked before anybody is blamed.
    if (hasRails) out.ask({ witness: "payments", asset: undefined, class: "doubt" });
    const gone = stop === undefined ? this.totals.goneFor(now.mono, this.patienceMs) : undefined;
    if (stop !== undefined) this.lives.halt(haltOf(stop, submissions.open), now.mono);
    else if (gone !== undefined) this.lives.halt({ ...gone, wayOut: LISTED }, now.mono);
    if (stop !== undefined || gone !== undefined) return false;
    if (!this.totals.isToBeSeenAgain) return !isUnopened && !isOdd && this.totals.isClear;
    out.ask({ witness: "balances", asset: undefined, class: "balance" });
    // Then a stranger's trade is the cause, and the difference only its effect.
    if (judged.unexplained.length > 0) out.ask({ witness: "trades", asset: undefined, class: "doubt" });
    this.askForGivenUp(judged.unexplained, out);
    return false;
  }

  /** Coins came that a refused mint, or one that was closed as not landed, was to bring: the list is asked whether it happened after all. */
  private askForGivenUp(unexplained: readonly Money[], out: Effects): void {
    if (unexplained.length === 0) return;
    for (const { kind, request, state } of this.lives.submissions.movements()) {
      if (kind !== "mint" || reservationOf(state) !== "freed") continue;
      const { asset, quantity, destination } = request as MintIntent;
      const isLike = unexplained.some((one) => one.asset === asset && one.equals(quantity.of(asset)));
      if (isLike && destination === undefined) out.ask({ witness: "supply-changes", asset, class: "doubt" });
    }
  }

  private settle(totals: Totals, now: Moment, out: Effects): void {
    const unsettled = withoutFlights(totals);
    for (const held of [...this.lives.submissions.open]) {
      const { kind, state, assets, isMoved } = held;
      if (state.kind !== "confirmed" && state.kind !== "zombie") continue;
      if (kind === "rail" || (kind === "mint" && !hasArrived(mintOf(held), totals))) continue;
      if (kind === "mint" && !this.isWorthKnown(mintOf(held), now)) continue;
      const isExact = !unsettled.some(({ asset }) => assets.includes(asset));
      if (isMoved || (isExact && !this.mayBeLate(held, now))) this.lives.explained(held, now, out);
    }
  }

  /** Money that enters or leaves the account moves the bases of losses by its value, so that it waits for a rate. */
  private isWorthKnown(mint: Submission<"mint">, { at }: Moment): boolean {
    return !mayCross(mint) || this.isValued(mint.request.asset, at);
  }

  /** What left for mints that only the list shows. Where a stranger moved the asset too, that may look like a fee: a person takes it over. */
  private costs({ totals, movers, foreign }: Sighted, now: Moment, out: Effects): void {
    for (const held of this.lives.submissions.open) {
      if (!isUncosted(held) || foreign.has((held.request as MintIntent).spentMax.asset)) continue;
      const spent = costOf(mintOf(held), totals, movers);
      if (spent !== undefined) this.costed(held, spent, now, out);
    }
  }

  /** The balances show what left for the mint: the books let go of it, and its coins are in flight. */
  costed(held: Held, spent: Money, now: Moment, out: Effects): void {
    const { state } = held;
    if (!("receipt" in state)) return;
    const { quantity } = held.request as MintIntent;
    const receipt = { ...(state.receipt as MintRecord), spent, fee: spent.minus(quantity.of(spent.asset)) };
    held.isMoved = true;
    this.lives.landed(held, receipt, now, out);
  }
}

function mintOf(held: Submission): Submission<"mint"> {
  return held as Submission<"mint">;
}

/** The differences without coins in flight that the venue counts already, which is as it should be. */
function withoutFlights({ differences, landed }: Totals): readonly Money[] {
  const movements = landed.flatMap((mover) => mover.movements);
  return differences.filter((difference) => {
    const { asset } = difference;
    const flown = movements.flatMap(({ least, most }) => (least.asset === asset && least.equals(most) ? [least] : []));
    return !Money.sum(flown, asset).equals(difference);
  });
}

/** By the list, and by the balances where they are what it comes to. */
function hasArrived({ id, state, request }: Submission<"mint">, { landed }: Totals): boolean {
  if (!("receipt" in state) || !hasSettled(state.receipt)) return false;
  return request.destination !== undefined || landed.some((one) => one.id === id && touches(one, request.asset));
}
