// What may be asked of an executor at any time: how far everything is, what is frozen, and what may be begun. Nothing here
// changes anything.

import type { Millis } from "../domain/time.ts";
import { Afresh } from "./afresh.ts";
import { Balances } from "./balances.ts";
import type { ExecutorParts, ExecutorSight } from "./executor.ts";
import { Histories } from "./history/histories.ts";
import { submissionOf } from "./kept/held.ts";
import type { SavedOrders } from "./kept/submissions.ts";
import { Lives } from "./lives.ts";
import { Movements } from "./movements.ts";
import { Payments } from "./payment/payments.ts";
import { type Freeze, freezeOf } from "./reservation.ts";
import type { Moment, Submission } from "./submission.ts";
import type { Terms } from "./terms.ts";

const NO_FREEZE: Freeze = Object.freeze({ kind: "none" });

export abstract class SyncExecutorSight implements ExecutorSight {
  protected readonly lives: Lives;
  protected readonly payments: Payments;
  readonly histories: Histories;
  readonly balances: Balances;
  readonly movements: Movements;
  protected readonly afresh = new Afresh();
  protected opened = false;

  constructor(parts: ExecutorParts) {
    this.lives = new Lives(parts);
    this.payments = new Payments(parts.isValued);
    this.histories = new Histories(this.lives);
    this.balances = new Balances(this.lives, this.payments, parts);
    this.movements = new Movements(this.lives, this.payments, this.histories.foreign, this.balances.totals);
  }

  save(): SavedOrders {
    return this.lives.submissions.save();
  }

  summary(): unknown {
    const { opened } = this;
    const { railsFrozen, railsFrozenAt } = this.movements;
    const expected = [...this.movements.expectations()];
    const paid = this.payments.open();
    return { opened, railsFrozen, railsFrozenAt, expected, paid, submissions: this.lives.submissions.summary() };
  }

  get endedOrders(): number {
    return this.lives.submissions.endedOrders;
  }

  get endedMax(): number {
    return this.lives.submissions.endedMax;
  }

  get isIdle(): boolean {
    return this.lives.submissions.waiting.length === 0 && this.payments.areValued;
  }

  freeze(now: Moment): Freeze {
    const { submissions } = this.lives;
    const { foreign } = this.histories;
    const { totals } = this.balances;
    const unread = this.lives.unread.reason(this.lives.patience.balancesMsMax, now.mono);
    const afresh = this.afresh.reason();
    const isRead = unread === undefined && afresh === undefined;
    if (submissions.doubts === 0 && foreign.isEmpty && totals.isClear && isRead) return NO_FREEZE;
    const doubts = freezeOf(submissions.open, now, this.lives.terms);
    const others = [foreign.stop?.reason, unread, afresh].filter((one) => one !== undefined);
    // Each reason, for each has a way out of its own, and that of a doubt needs the lists.
    if (doubts.kind === "everything") return { kind: "everything", reason: [doubts.reason, ...others].join("; ") };
    if (others.length > 0) return { kind: "everything", reason: others.join("; ") };
    const frozen = totals.frozen();
    if (frozen === undefined) return doubts;
    if (doubts.kind === "none") return { kind: "assets", ...frozen };
    return { kind: "assets", assets: [...doubts.assets, ...frozen.assets], reason: doubts.reason };
  }

  get terms(): Terms {
    return this.lives.terms;
  }

  get isOpened(): boolean {
    return this.opened;
  }

  intendedAt(id: string): Millis | undefined {
    return this.lives.submissions.find(id)?.intendedAt;
  }

  closedBy(id: string): string | undefined {
    return this.lives.closedBy(id);
  }

  keptBackAt(id: string): Millis | undefined {
    return this.lives.submissions.find(id)?.keptBackAt;
  }

  get(id: string): Submission | undefined {
    const held = this.lives.submissions.find(id);
    return held && submissionOf(held);
  }

  open(): readonly Submission[] {
    return this.lives.submissions.open.map((held) => submissionOf(held));
  }
}
