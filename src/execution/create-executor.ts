// The executor on top of the pure machine: it takes what happens, hands it to whom it concerns, and gives back the records,
// reports, halts and questions that came of it.

import { InvariantViolation } from "../domain/invariant.ts";
import type { Money } from "../domain/money/money.ts";
import type { Millis } from "../domain/time.ts";
import type { Outcome, SendingRecord } from "../exchange/port.ts";
import type { Adoption, Entry, JournalRecord } from "../journal/record.ts";
import { type Approval, isOrder } from "../risk/movement-gate.ts";
import { contradictory } from "./advance.ts";
import type { ForeignMoves } from "./balances.ts";
import type { Answer, Effects, Executor, ExecutorParts, Unanswered } from "./executor.ts";
import { SyncExecutorSight } from "./executor-sight.ts";
import { isForbidden } from "./forbidden.ts";
import { Intents } from "./intents.ts";
import { DOUBTFUL, type Held, WAITING } from "./kept/held.ts";
import type { SavedOrders } from "./kept/submissions.ts";
import type { MintCost } from "./mint-cost.ts";
import { reservedReport } from "./movement-report.ts";
import { Pursuit } from "./pursuit.ts";
import type { AnyReceipt, Moment, Resolution, Submission } from "./submission.ts";
import { isFollowed } from "./terms.ts";
import { OTHER_CLOCK, watchOf } from "./watch.ts";
import { DOCTOR } from "./way-out.ts";

export function createExecutor(parts: ExecutorParts): Executor {
  return new SyncExecutor(parts);
}

class SyncExecutor extends SyncExecutorSight implements Executor {
  private readonly writer: string;
  private readonly intents: Intents;
  private readonly pursuit: Pursuit;
  private refusedInARow = 0;

  constructor(parts: ExecutorParts) {
    super(parts);
    const { writer, by = "bot", feeBpsMax } = parts;
    this.writer = writer;
    this.intents = new Intents(by, feeBpsMax);
    this.pursuit = new Pursuit(this.lives, this.payments, parts);
  }

  fold({ writer, record }: Entry): void {
    switch (record.kind) {
      case "intent":
        this.lives.submissions.add(record, writer);
        return;
      case "sending":
      case "outcome":
      case "doubt":
      case "fenced":
      case "evidence":
      case "resolution":
      case "recovered":
      case "settled":
        this.lives.reread(record, writer);
        if (record.kind === "resolution" && record.by !== "bot") this.afresh.demand();
        return;
      case "adoption":
        this.adopted(record);
        return;
      case "rails":
        this.movements.acknowledge(record);
        return;
      case "step": {
        const { event } = record.step;
        if (event.kind === "movement") this.movements.fold(event);
        if (event.kind === "control" && event.control.kind === "resume") this.resumed();
        this.lives.stepped(record.step);
        return;
      }
      case "control":
        if (record.control.kind === "resume") this.resumed();
        return;
      default:
        return;
    }
  }

  private resumed(): void {
    this.lives.alarms.clear();
    this.afresh.demand();
  }

  load(saved: SavedOrders, kept: readonly Entry[]): void {
    this.lives.submissions.load(saved, () => {
      for (const entry of kept) this.fold(entry);
    });
  }

  recover(isGone: (writer: string) => boolean, now: Moment, out: Effects): void {
    for (const held of [...this.lives.submissions.open]) {
      const isDone = held.state.kind === "confirmed" || held.state.kind === "zombie";
      const isOver = isDone && !isFollowed(held);
      // Our own after a rebuild: what is being sent is answered here still, what waits for history is taken up again.
      if (isOver || (this.lives.keeps(held) ? !isReadBack(held) : !isGone(held.keeper) && !isSilent(held, now.at)))
        continue;
      this.lives.recovered(held, now, out);
    }
    this.pursuit.pursue(now, out);
    this.afresh.follow(now.mono, out);
    this.lives.alarms.sound(now.at, out);
  }

  lost(isGone: (writer: string) => boolean, at: Millis): readonly string[] {
    return this.lostBy(isGone, at).map(({ id }) => id);
  }

  doubtLost(isGone: (writer: string) => boolean, now: Moment, out: Effects): void {
    for (const held of this.lostBy(isGone, now.at)) this.lives.recovered(held, now, out);
  }

  private lostBy(isGone: (writer: string) => boolean, at: Millis): readonly Held[] {
    return this.lives.submissions.open.filter((held) => {
      const isTheirs = held.state.kind === "sending" && !this.lives.keeps(held);
      return isTheirs && (isGone(held.keeper) || isSilent(held, at));
    });
  }

  intend(approval: Approval, value: Money | undefined, now: Moment, out: Effects): void {
    const busy = isOrder(approval) ? undefined : this.movements.refusal(approval);
    if (busy !== undefined) throw new InvariantViolation(busy);
    const record = this.intents.of(approval, value, now.at);
    this.lives.submissions.add(record, this.writer);
    out.record(record);
    const { id, request } = record;
    if (request.kind === "mint")
      out.tell({ kind: "movement", id, report: reservedReport(request.mint), receivedAt: now.at });
  }

  sending(id: string, record: SendingRecord, now: Moment): readonly JournalRecord[] {
    return [this.lives.sent(this.lives.submissions.get(id), record, now)];
  }

  outcome(id: string, answer: Outcome<AnyReceipt>, now: Moment, out: Effects): void {
    const held = this.lives.submissions.get(id);
    const outcome = this.movements.believed(held, answer);
    if (outcome.kind === "accepted") this.movements.check(held, outcome.value, now);
    // Somebody took it for lost meanwhile, and goes after it, or did and left it to us: only what is certain is still of use.
    const isTakenForLost = !this.lives.keeps(held) || (held.traits & DOUBTFUL) !== 0;
    if (!isTakenForLost) this.lives.answered(held, outcome, now, out);
    else if (outcome.kind === "accepted") {
      this.lives.landed(held, outcome.value, now, out);
      if ((held.traits & WAITING) !== 0) this.lives.follow(held, now, out);
    } else if (outcome.kind === "doubt" && outcome.halt)
      contradictory(held, outcome.failure, { halt: (halt) => this.lives.halt(halt, now.mono) });
    this.lives.alarms.sound(now.at, out);
  }

  answered(answer: Answer, now: Moment, out: Effects): void {
    this.refusedInARow = 0;
    this.lives.read(answer, now);
    this.afresh.answered(answer);
    this.pursuit.take(answer, now, out);
    const isAllOurs = this.heard(answer, now, out);
    if (!this.isIdle) this.pursuit.rounds(answer.witness, now, out);
    if (this.opened && !isAllOurs) this.histories.guard(answer);
    this.histories.haltIfForeign(now.mono);
    if (answer.witness === "trades") this.balances.seeTrades(answer.askedAt, out);
    if (answer.witness === "payments") this.balances.seePayments(answer.askedAt, out);
    if (!this.isIdle) this.pursuit.pursue(now, out);
    this.lives.alarms.sound(now.at, out);
  }

  /** Says whether every row is known to be ours. */
  private heard(answer: Answer, now: Moment, out: Effects): boolean {
    switch (answer.witness) {
      case "trades":
        return this.histories.trades(answer.rows, now, out);
      case "orders":
        return this.histories.orders(answer.rows, now, out);
      case "balances":
        this.balances.see(answer, this.foreignMoves, now, out);
        return true;
      case "payments":
        this.movements.paid(answer.rows, now, out);
        return false;
      case "addresses":
        this.movements.whitelisted(answer.rows, now, out);
        return false;
      default:
        this.movements.listed(answer, now, out);
        return false;
    }
  }

  private get foreignMoves(): ForeignMoves {
    return this.opened ? this.histories.foreign.moved() : "unopened";
  }

  unanswered(question: Unanswered, now: Moment, out: Effects): void {
    const { witness, asset, code, isShared = false } = question;
    this.pursuit.unanswered(question, now, out);
    this.afresh.unanswered(witness);
    const times = isShared ? 0 : this.lives.unread.failed({ witness, asset }, code, now.mono);
    if (!isShared) this.refusedInARow = code === "unauthorized" ? this.refusedInARow + 1 : 0;
    if (this.refusedInARow >= 2)
      this.lives.halt(
        { cause: "venue", subject: "key", reason: "the venue refuses our key", wayOut: DOCTOR },
        now.mono,
      );
    // Some keys may not ask for payments or addresses: their balances still tell, and no rail is used.
    // Of a 403 without a reason only the second counts: the first may be some gateway's.
    if (isForbidden(code) && (code !== "forbidden" || times > 1) && witness !== "payments" && witness !== "addresses")
      this.lives.halt(
        {
          cause: "venue",
          subject: `forbids to ask: ${code}`,
          reason: `the venue forbids this account to ask: ${code}`,
          wayOut: DOCTOR,
        },
        now.mono,
      );
    this.lives.alarms.sound(now.at, out);
  }

  resolve(id: string, resolution: Resolution<AnyReceipt>, now: Moment, out: Effects): void {
    this.lives.resolved(this.lives.submissions.get(id), resolution, now, out);
    this.lives.alarms.sound(now.at, out);
  }

  adopt(adoption: Adoption, costs: readonly MintCost[], now: Moment, out: Effects): void {
    for (const { id, spent } of costs) this.balances.costed(this.lives.submissions.get(id), spent, now, out);
    this.adopted(adoption);
    out.record(adoption);
    this.movements.adopted(now, out);
  }

  private adopted({ at, amounts, history }: Adoption): void {
    this.opened = true;
    this.payments.adopt(at, amounts);
    this.histories.adopt(history);
    this.balances.totals.takenOver();
    this.lives.alarms.clear();
  }

  time(now: Moment, out: Effects): void {
    if (this.isIdle) return;
    if (!this.payments.areValued) this.movements.valued(now, out);
    this.pursuit.pursue(now, out);
    this.lives.alarms.sound(now.at, out);
  }
}

/** Twice what a request may take, from its record to the end of its answer (the lease of its slot): a process that has not said by then how it ended stands still. */
const SILENT_MS = 60_000;

/** To take it over is safe, should its process wake: what it has not sent is kept out by a fence, and what it knows for certain is still heard. */
function isSilent({ state }: Submission, at: Millis): boolean {
  return state.kind === "sending" && at - state.at >= SILENT_MS;
}

function isReadBack({ state }: Submission): boolean {
  return watchOf(state)?.from === OTHER_CLOCK;
}
