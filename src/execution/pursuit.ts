// Going after what is not known to have ended: the fence that any answered read raises, rounds of questions with what they
// show, and the next question when it is time for it.

import type { Asset } from "../domain/asset.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Mono } from "../domain/time.ts";
import type { Nonce } from "../exchange/port.ts";
import { DOUBTS_MAX } from "./balance-vote.ts";
import type { Answer, Effects, ExecutorParts, Unanswered } from "./executor.ts";
import { Investigation, mintedBy } from "./investigation.ts";
import type { Held } from "./kept/held.ts";
import type { Lives } from "./lives.ts";
import { moversOf } from "./movers.ts";
import { UNEXPLAINED } from "./order-evidence.ts";
import type { Payments } from "./payment/payments.ts";
import type { Finding, Moment, Witness } from "./submission.ts";
import { witnessesOf } from "./terms.ts";
import type { Mover } from "./totals.ts";
import { standsAny } from "./under-way.ts";
import { watchOf } from "./watch.ts";

const SILENT: Finding<never> = { kind: "silent", reason: "history does not show it" };
const PAYMENT: Finding<never> = { kind: "silent", reason: "what differs may be a payment on a rail of ours" };

export class Pursuit {
  private readonly lives: Lives;
  private readonly payments: Payments;
  private readonly held: (asset: Asset) => Money | undefined;
  private readonly patienceMs: number;
  private readonly feeBpsMax: number;
  private readonly investigation = new Investigation();
  /** What the balances may or may not show; taken before the books get what the answer at hand settles. */
  private movers: readonly Mover[] = [];
  /** Orders in doubt beside which the balances differ in a way that no request explains: by what, and since when by just that. */
  private readonly odd = new Map<string, { readonly reason: string; readonly since: Mono }>();

  constructor(
    lives: Lives,
    payments: Payments,
    { held, settings, feeBpsMax }: Pick<ExecutorParts, "held" | "settings" | "feeBpsMax">,
  ) {
    this.lives = lives;
    this.payments = payments;
    this.held = held;
    this.patienceMs = settings.balancesMsMax;
    this.feeBpsMax = feeBpsMax;
  }

  /** A signed read was answered: first of all it is a fence for what has a lower nonce. */
  take(answer: Answer, now: Moment, out: Effects): void {
    this.investigation.take(answer, now);
    if (this.lives.submissions.doubts === 0) return;
    if (answer.nonce !== undefined) this.fence(answer.nonce, now, out);
    this.movers = this.unsettled(now);
  }

  private fence(nonce: Nonce, now: Moment, out: Effects): void {
    for (const held of this.lives.submissions.waiting)
      if (this.lives.keeps(held)) this.lives.fenced(held, nonce, now, out);
  }

  /** The answer that has just come may complete a round of questions that somebody waits for. */
  rounds(witness: Witness, now: Moment, out: Effects): void {
    const { waiting } = this.lives.submissions;
    for (let i = 0; i < waiting.length; ) {
      const held = waiting[i] as Held;
      if (this.lives.keeps(held) && this.investigation.completes(held, witness))
        this.lives.looked(held, this.finding(held, now, out), now, out);
      if (waiting[i] === held) i++;
      else this.odd.delete(held.id);
    }
  }

  /** Before the fence, and for what was answered as done, only a trade counts that is there, and it was looked for already. */
  private finding(held: Held, now: Moment, out: Effects): Finding<Fill> {
    if (held.state.kind !== "fenced" || held.kind !== "order") return SILENT;
    const found = this.investigation.judge(held, this.movers, this.held);
    return this.mayBePayment(held, found, now, out) ? PAYMENT : found;
  }

  private unsettled(now: Moment): readonly Mover[] {
    const { balancesAt = now } = this.investigation;
    // A venue that is slow to publish trades may be as slow with balances: no vote is better than a wrong one.
    const patienceMs = Math.max(this.patienceMs, this.lives.terms.windowMs);
    const movers = moversOf(this.lives.submissions.open, this.feeBpsMax, balancesAt, patienceMs);
    const left = this.payments.flights.leftSince(balancesAt.at - patienceMs);
    return this.payments.beside(movers, left);
  }

  /** Whether a payment on a rail of ours may explain the difference: the list of payments is asked before anybody is stopped. */
  private mayBePayment({ id }: Held, found: Finding<Fill>, { mono }: Moment, out: Effects): boolean {
    if (found.kind !== "split" || found.shows !== UNEXPLAINED) {
      this.odd.delete(id);
      return false;
    }
    // So many doubts would have frozen the bot long ago: the others have ended in some other way.
    if (this.odd.size > DOUBTS_MAX) this.odd.clear();
    const before = this.odd.get(id);
    // Another amount may be another payment.
    const since = before?.reason === found.reason ? before.since : mono;
    this.odd.set(id, { reason: found.reason, since });
    if (this.investigation.paymentsAt >= since || !standsAny(this.lives.submissions.movements())) return false;
    out.ask({ witness: "payments", asset: undefined, class: "doubt" });
    return true;
  }

  unanswered({ witness, asset, askedAt, code }: Unanswered, now: Moment, out: Effects): void {
    for (const held of [...this.lives.submissions.waiting]) {
      if (!this.lives.keeps(held)) continue;
      const watch = watchOf(held.state);
      if (watch?.askedAt === undefined || !watch.open || askedAt < watch.askedAt) continue;
      // The list of another coin says nothing about it.
      if (witness === "supply-changes" && asset !== undefined && asset !== mintedBy(held)) continue;
      if (witnessesOf(held).includes(witness)) this.lives.unanswered(held, code, now, out);
    }
  }

  /** Time passes. */
  pursue(now: Moment, out: Effects): void {
    const { waiting } = this.lives.submissions;
    for (let i = 0; i < waiting.length; ) {
      const held = waiting[i] as Held;
      this.lives.follow(held, now, out);
      if (waiting[i] === held) i++;
    }
  }
}
