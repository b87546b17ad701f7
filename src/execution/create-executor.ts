// The executor on top of the pure machine: it takes what happens, hands it to whom it concerns, and gives back the records,
// reports, halts and questions that came of it.

import { InvariantViolation } from "../domain/invariant.ts";
import type { Money, Quantity } from "../domain/money/money.ts";
import type { Outcome, SendingRecord } from "../exchange/port.ts";
import type { Adoption, Entry, JournalRecord, RailsRecord } from "../journal/record.ts";
import { type Approval, isOrder } from "../risk/movement-gate.ts";
import type { Answer, Effects, Executor, ExecutorParts, Unanswered } from "./executor.ts";
import { ExecutorSight } from "./executor-sight.ts";
import { Harvest, NO_EFFECTS } from "./harvest.ts";
import { WAITING } from "./held.ts";
import { Intents } from "./intents.ts";
import { reservedReport } from "./movement-report.ts";
import { Pursuit } from "./pursuit.ts";
import type { AnyReceipt, Moment, Resolution, Submission } from "./submission.ts";
import { isFollowed } from "./terms.ts";
import { OTHER_CLOCK, watchOf } from "./watch.ts";
import { DOCTOR } from "./way-out.ts";

export function createExecutor(parts: ExecutorParts): Executor {
  return new SyncExecutor(parts);
}

const BETTER_BPS_MAX = 500;
/** The account itself may not do this: asking again changes nothing. */
const FORBIDDEN: ReadonlySet<string> = new Set(["forbidden", "kyb-required", "agreement-missing"]);

class SyncExecutor extends ExecutorSight implements Executor {
  readonly #writer: string;
  readonly #intents: Intents;
  readonly #pursuit: Pursuit;
  #refusedInARow = 0;

  constructor(parts: ExecutorParts) {
    const { writer, by = "bot", feeBpsMax, betterBpsMax = BETTER_BPS_MAX } = parts;
    const bounds = { feeBpsMax, betterBpsMax };
    super(parts, bounds);
    this.#writer = writer;
    this.#intents = new Intents(by, feeBpsMax);
    this.#pursuit = new Pursuit(this.lives, this.payments, parts, bounds);
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
        return;
      case "adoption":
        this.#adopted(record);
        return;
      case "rails":
        this.movements.acknowledge(record);
        return;
      case "step": {
        const { event } = record.step;
        if (event.kind === "movement") this.movements.fold(event);
        if (event.kind === "control" && event.control.kind === "resume") this.lives.alarms.clear();
        this.lives.stepped(record.step);
        return;
      }
      case "control":
        if (record.control.kind === "resume") this.lives.alarms.clear();
        return;
      default:
        return;
    }
  }

  recover(isGone: (writer: string) => boolean, now: Moment): Effects {
    const out = new Harvest();
    for (const held of [...this.lives.submissions.open]) {
      const isDone = held.state.kind === "confirmed" || held.state.kind === "zombie";
      const isOver = isDone && !isFollowed(held);
      // Our own after a rebuild: what is being sent is answered here still, what waits for history is taken up again.
      if (isOver || (this.lives.keeps(held) ? !isReadBack(held) : !isGone(held.keeper))) continue;
      this.lives.recovered(held, now, out);
    }
    this.#pursuit.pursue(now, out);
    return out;
  }

  intend(approval: Approval, value: Money | undefined, now: Moment): Effects {
    const busy = isOrder(approval) ? undefined : this.refusal(approval);
    if (busy !== undefined) throw new InvariantViolation(busy);
    const record = this.#intents.of(approval, value, now.at);
    this.lives.submissions.add(record, this.#writer);
    const out = new Harvest();
    out.record(record);
    const { id, request } = record;
    if (request.kind === "mint")
      out.report({ kind: "movement", id, report: reservedReport(request.mint), receivedAt: now.at });
    return out;
  }

  sending(id: string, record: SendingRecord, now: Moment): readonly JournalRecord[] {
    const out = new Harvest();
    this.lives.sent(this.lives.submissions.get(id), record, now, out);
    return out.records;
  }

  outcome(id: string, outcome: Outcome<AnyReceipt>, now: Moment): Effects {
    const out = new Harvest();
    const held = this.lives.submissions.get(id);
    if (outcome.kind === "accepted") this.movements.check(held, outcome.value, now, out);
    if (this.lives.keeps(held)) this.lives.answered(held, outcome, now, out);
    // Somebody took it for lost meanwhile, and goes after it: only what is certain is still of use.
    else if (outcome.kind === "accepted") this.lives.looked(held, { kind: "landed", receipt: outcome.value }, now, out);
    if ((held.traits & WAITING) !== 0) this.lives.follow(held, now, out);
    return out;
  }

  answered(answer: Answer, now: Moment): Effects {
    const out = new Harvest();
    this.#refusedInARow = 0;
    this.#pursuit.take(answer, now, out);
    const isAllOurs = this.#heard(answer, now, out);
    this.#pursuit.rounds(answer.witness, now, out);
    if (this.opened && !isAllOurs) this.histories.guard(answer);
    this.histories.haltIfForeign(now.mono, out);
    this.#pursuit.pursue(now, out);
    return out;
  }

  /** Says whether every row is known to be ours. */
  #heard(answer: Answer, now: Moment, out: Harvest): boolean {
    switch (answer.witness) {
      case "trades":
        return this.histories.trades(answer.rows, now, out);
      case "orders":
        return this.histories.orders(answer.rows, now, out);
      case "balances":
        this.balances.see(answer, this.opened, now, out);
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

  unanswered(question: Unanswered, now: Moment): Effects {
    const { witness, code, isShared = false } = question;
    const out = new Harvest();
    this.#pursuit.unanswered(question, now, out);
    if (!isShared) this.#refusedInARow = code === "unauthorized" ? this.#refusedInARow + 1 : 0;
    if (this.#refusedInARow >= 2) this.lives.halt("the venue refuses our key", DOCTOR, now.mono, out);
    // Some keys may not ask for payments or addresses: their balances still tell, and no rail is used.
    if (FORBIDDEN.has(code) && witness !== "payments" && witness !== "addresses")
      this.lives.halt(`the venue forbids this account to ask: ${code}`, DOCTOR, now.mono, out);
    return out;
  }

  resolve(id: string, resolution: Resolution<AnyReceipt>, now: Moment): Effects {
    const out = new Harvest();
    this.lives.resolved(this.lives.submissions.get(id), resolution, now, out);
    return out;
  }

  adopt(adoption: Adoption): Effects {
    this.#adopted(adoption);
    const out = new Harvest();
    out.record(adoption);
    return out;
  }

  #adopted({ history }: Adoption): void {
    this.opened = true;
    this.histories.adopt(history);
    this.lives.alarms.clear();
  }

  time(now: Moment): Effects {
    if (this.isIdle) return NO_EFFECTS;
    const out = new Harvest();
    this.#pursuit.pursue(now, out);
    return out;
  }

  acknowledge(record: RailsRecord): void {
    this.movements.acknowledge(record);
  }

  expect(rail: string, amount: Quantity, now: Moment): Effects {
    const out = new Harvest();
    this.movements.expect(rail, amount, now, out);
    return out;
  }

  giveUp(expectation: string, reason: string, now: Moment): Effects {
    const out = new Harvest();
    this.movements.giveUp(expectation, reason, now, out);
    return out;
  }
}

function isReadBack({ state }: Submission): boolean {
  return watchOf(state)?.from === OTHER_CLOCK;
}
