// What a fact does to a submission that is kept: the protocol gives its next state, and from here go the record of it, the
// report to the engine, questions and halts. Whatever concerns one submission passes here, whoever noticed it.

import type { OrderReport } from "../domain/event.ts";
import { type MovementReport, SHOWN, UNSHOWN } from "../domain/movement.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import type { Step } from "../domain/step.ts";
import { type Millis, type Mono, millis } from "../domain/time.ts";
import type { Nonce, Outcome, SendingRecord } from "../exchange/port.ts";
import type { IntentRecord } from "../journal/record.ts";
import { RESUME } from "../risk/standing.ts";
import { answered, explained, fenced, recovered, resolved, sent, timed } from "./advance.ts";
import { Alarms } from "./alarms.ts";
import { heardAsked, heardOfList } from "./dropped-mint.ts";
import type { Answer, Ask, Effects, ExecutorParts } from "./executor.ts";
import { listName, Unread, unreadText } from "./history/unread.ts";
import { mintedBy } from "./investigation.ts";
import { type Held, type Told, toldOf } from "./kept/held.ts";
import { Submissions } from "./kept/submissions.ts";
import { looked, unanswered } from "./look.ts";
import { confirmed } from "./move.ts";
import { movementReports, toldOfMovement } from "./movement-report.ts";
import { orderReportOf } from "./order-report.ts";
import { reread } from "./reread.ts";
import type {
  AnyReceipt,
  Finding,
  Hand,
  Moment,
  MoneyKind,
  NamedHalt,
  Resolution,
  State,
  Submission,
  Witness,
} from "./submission.ts";
import {
  landedRecord,
  logEscalation,
  logLook,
  outcomeRecord,
  resolutionRecord,
  type SubmissionRecord,
} from "./submission-log.ts";
import { isFollowed, type Terms, termsOf, witnessesOf } from "./terms.ts";
import { askIfDue, watchOf } from "./watch.ts";

type LivesParts = Pick<ExecutorParts, "writer" | "settings" | "equity" | "endedMax">;

export class Lives {
  readonly submissions: Submissions;
  readonly alarms = new Alarms();
  readonly unread = new Unread();
  private readonly parts: LivesParts;
  /** What persons have closed, and as what; as many are kept as of orders that have ended. */
  private readonly closings = new Map<string, string>();
  /** When the trades of the last answer were asked for. */
  private tradesAskedAt = millis(0);
  /** For the answer at hand: since when its list could not be read, where that is longer than one question may take. */
  private unreadFrom: Millis | undefined = undefined;
  /** The terms for everything but freeing a doubt, which depends on measured delays. */
  readonly patience: Terms;

  constructor(parts: LivesParts) {
    this.parts = parts;
    this.submissions = new Submissions(parts.endedMax);
    this.patience = termsOf(parts.settings, { slowestMs: 0, acknowledged: 0, equity: undefined });
  }

  get terms(): Terms {
    const { slowestMs, acknowledged } = this.submissions.publication;
    return termsOf(this.parts.settings, { slowestMs, acknowledged, equity: this.parts.equity() });
  }

  /** Whether this process follows it: only its keeper does. */
  keeps({ keeper }: Held): boolean {
    return keeper === this.parts.writer;
  }

  /** A list was read. To be called before anything is made of what it shows. */
  read(answer: Answer, { at, mono }: Moment): void {
    this.unreadFrom = undefined;
    if (answer.witness === "trades") {
      if (this.unread.isFor(answer, this.patience.lookMsMax, mono)) this.unreadFrom = this.tradesAskedAt;
      this.tradesAskedAt = millis(at - (mono - answer.askedAt));
    }
    this.unread.answered(answer);
  }

  halt(halt: NamedHalt, now: Mono): void {
    this.alarms.raise(halt, now);
  }

  /** Without a report: the engine itself has decided that it is sent. */
  sent(held: Held, record: SendingRecord, { at }: Moment): SubmissionRecord {
    const sending = sent(held, record, at);
    this.submissions.became(held, sending, at, false);
    return sending;
  }

  answered(held: Held, outcome: Outcome<AnyReceipt>, now: Moment, out: Effects): void {
    const hand = new LivingHand(this.alarms, held, now, out);
    const state = answered<MoneyKind>(held, outcome, now, this.patience, hand);
    out.record(outcomeRecord(held, state, now.at));
    this.became(held, state, now.at, out);
    // It has just begun to wait: nothing but the first question can be due.
    if (state.kind === "doubt") held.state = askIfDue<MoneyKind>(held, now, this.patience, hand);
  }

  fenced(held: Held, nonce: Nonce, now: Moment, out: Effects): void {
    const state = fenced(held, nonce, now);
    if (state === held.state) return;
    out.record({ kind: "fenced", at: now.at, id: held.id, nonce });
    this.became(held, state, now.at, out);
  }

  /** It happened: that holds whichever answer shows it, also one to no open question. */
  landed(held: Held, receipt: AnyReceipt, now: Moment, out: Effects): void {
    const before = held.state;
    const state = confirmed(held, receipt, new LivingHand(this.alarms, held, now, out));
    if (state === before) return;
    const unreadFrom = before.kind === "accepted" && held.kind === "order" ? this.unreadFrom : undefined;
    const round = watchOf(before)?.round ?? 0;
    const record = landedRecord(held, round, receipt, now.at);
    out.record(unreadFrom === undefined ? record : { ...record, unreadFrom });
    held.keeper = this.parts.writer;
    this.submissions.became(held, state, now.at, true, unreadFrom);
    this.report(held, now.at, out);
  }

  /** A round of questions about it has been answered. */
  looked(held: Held, finding: Finding<AnyReceipt>, now: Moment, out: Effects): void {
    if (finding.kind === "landed") {
      this.landed(held, finding.receipt, now, out);
      return;
    }
    const before = held.state;
    const look = { round: watchOf(before)?.round ?? 0, finding, now };
    const terms = before.kind === "fenced" ? this.terms : this.patience;
    const state = looked(held, look, terms, new LivingHand(this.alarms, held, now, out));
    if (state === before) return;
    if (logLook(held, look, before, state, out)) held.keeper = this.parts.writer;
    this.submissions.became(held, state, now.at, true);
    this.report(held, now.at, out);
  }

  unanswered(held: Held, code: string, now: Moment, out: Effects): void {
    const round = watchOf(held.state)?.round ?? 0;
    const state = unanswered(held, { round, code }, new LivingHand(this.alarms, held, now, out));
    if (state === held.state) return;
    this.submissions.became(held, state, now.at, false);
    this.report(held, now.at, out);
  }

  recovered(held: Held, now: Moment, out: Effects): void {
    this.submissions.recovered(held);
    const state = recovered(held, now, new LivingHand(this.alarms, held, now, out));
    if (state === held.state) return;
    out.record({ kind: "recovered", at: now.at, id: held.id });
    // With a report: its keeper may have ended before the engine heard of it.
    this.became(held, state, now.at, out);
  }

  resolved(held: Held, resolution: Resolution<AnyReceipt>, now: Moment, out: Effects): void {
    const state = resolved(held, resolution, now, new LivingHand(this.alarms, held, now, out));
    if (state === held.state) return;
    this.closed(held, resolution.by, resolution.kind === "landed");
    out.record(resolutionRecord(held, resolution, now.at));
    this.became(held, state, now.at, out);
  }

  private closed({ id, kind }: Held, by: string, isLanded: boolean): void {
    const word = kind === "order" ? "filled" : "landed";
    this.closings.set(id, `${by} has closed it as ${isLanded ? word : `not ${word}`}`);
    const [oldest] = this.closings.keys();
    if (oldest !== undefined && this.closings.size > this.submissions.endedMax) this.closings.delete(oldest);
  }

  closedBy(id: string): string | undefined {
    return this.closings.get(id);
  }

  /** The balances are explained with it booked. */
  explained(held: Held, now: Moment, out: Effects): void {
    const state = explained(held);
    if (state === held.state) return;
    out.record({ kind: "settled", at: now.at, id: held.id });
    this.became(held, state, now.at, out);
  }

  /** Time passes: it may be the moment to ask history again, or to call a person. */
  follow(held: Held, now: Moment, out: Effects): void {
    if (!this.keeps(held)) return;
    const before = held.state;
    const { patience } = this;
    const hand = new LivingHand(this.alarms, held, now, out);
    // Nothing can be said to be missing in a list that nobody can read.
    const isUnread = before.kind === "accepted" && this.isUnread(held, now);
    const state = isUnread ? askIfDue<MoneyKind>(held, now, patience, hand) : timed(held, now, patience, hand);
    if (state === before) return;
    if (!logEscalation(held.id, before, state, now.at, out)) {
      held.state = state;
      return;
    }
    this.submissions.became(held, state, now.at, false);
    this.report(held, now.at, out);
  }

  /** Whether the list that would confirm it cannot be read: then there is one stop for all who wait for that list. */
  private isUnread(held: Held, { mono }: Moment): boolean {
    const [witness] = witnessesOf(held);
    const list = witness && { witness, asset: mintedBy(held) };
    if (list === undefined || !this.unread.has(list)) return false;
    const { escalateAfterMs } = this.patience;
    // A list that failed long before this one waited for it may not have been asked for since.
    const waitedMs = mono - (watchOf(held.state)?.from ?? mono);
    if (waitedMs >= escalateAfterMs && this.unread.isFor(list, escalateAfterMs, mono)) {
      const reason = `${unreadText(list, escalateAfterMs)}, so that what was answered as done is confirmed by nobody`;
      const wayOut = `pegbot doctor until the venue's ${listName(list)} can be read, then ${RESUME}`;
      this.halt({ cause: "venue", subject: `unread ${listName(list)}`, reason, wayOut }, mono);
    }
    return true;
  }

  /** A record of a submission, written by this or another process. */
  reread(record: Exclude<SubmissionRecord, IntentRecord>, writer: string): void {
    const held = this.submissions.get(record.id);
    const [seen, unreadFrom] = record.kind === "evidence" ? [true, record.unreadFrom] : [false];
    this.submissions.became(held, reread(held, record), record.at, seen, unreadFrom);
    held.keeper = writer;
    if (record.kind === "resolution" && record.by !== "bot")
      this.closed(held, record.by, record.verdict.kind === "landed");
    if (record.kind === "recovered") this.submissions.recovered(held);
  }

  /** A step in the journal: what the engine has heard so far. */
  stepped({ event }: Step): void {
    if (event.kind === "report") {
      const held = this.submissions.find(event.clientOrderId);
      if (held !== undefined) held.told = toldBy(event.report);
    } else if (event.kind === "movement") {
      const held = this.submissions.find(event.id);
      if (held === undefined) return;
      held.movement = toldOfMovement(event.report, held.movement);
      if (event.report.kind === "told") {
        heardOfList(held, event.report, event.receivedAt);
        const { reason } = event.report;
        if (reason === SHOWN || reason === UNSHOWN) held.oneSidedAt = reason === SHOWN ? event.receivedAt : undefined;
      }
      if (event.report.kind === "doubt") held.told = "doubt";
      else if (held.kind === "rail" && isClosing(event.report)) held.told = "confirmed";
      if (event.report.kind === "escalated" && "receipt" in held.state) heardAsked(held, event.report);
    }
  }

  private became(held: Held, state: State<AnyReceipt>, at: Millis, out: Effects): void {
    held.keeper = this.parts.writer;
    this.submissions.became(held, state, at, false);
    this.report(held, at, out);
  }

  report(held: Held, at: Millis, out: Effects): void {
    if (held.kind === "mint") reportMint(held, at, out);
    if (held.kind !== "order") {
      reportDoubt(held, at, out);
      if (held.kind === "rail") reportClosed(held, at, out);
      return;
    }
    const told = toldOf(held.state);
    if (told === undefined || told === held.told) return;
    held.told = told;
    const report = orderReportOf(held as Submission<"order">);
    if (report === undefined) return;
    out.tell({ kind: "report", clientOrderId: held.id as ClientOrderId, report, receivedAt: at });
  }
}

/** Does what the protocol says about one submission. It is made anew each time: one that was reused would have to be written to each time. */
class LivingHand implements Hand<AnyReceipt> {
  private readonly alarms: Alarms;
  private readonly held: Held;
  private readonly now: Moment;
  private readonly out: Effects;

  constructor(alarms: Alarms, held: Held, now: Moment, out: Effects) {
    this.alarms = alarms;
    this.held = held;
    this.now = now;
    this.out = out;
  }

  // Nothing to do: the reports say so.
  free(): void {}
  confirm(): void {}

  book(): void {
    this.held.bookedFrom = this.now.mono;
  }

  ask(state: State<AnyReceipt>, witnesses: readonly Witness[]): void {
    const { held, out } = this;
    const asset = mintedBy(held);
    const urgency = askClass(held.kind, state);
    for (let i = 0; i < witnesses.length; i++) {
      const witness = witnesses[i] as Witness;
      out.ask({ witness, asset: witness === "supply-changes" ? asset : undefined, class: urgency });
    }
  }

  escalate(reason: string, wayOut: string): void {
    const { id, kind } = this.held;
    // For an order, its report says so.
    if (kind === "order") return;
    this.out.tell({
      kind: "movement",
      id,
      report: { kind: "escalated", reason, wayOut },
      receivedAt: this.now.at,
    });
  }

  halt(halt: NamedHalt): void {
    this.alarms.raise(halt, this.now.mono);
  }
}

function reportMint(held: Held, receivedAt: Millis, out: Effects): void {
  for (const report of movementReports(held as Submission<"mint">, held.movement)) {
    held.movement = toldOfMovement(report, held.movement);
    if (report.kind === "told") heardOfList(held, report, receivedAt);
    out.tell({ kind: "movement", id: held.id, report, receivedAt });
  }
}

/** Tells once that a mint or a rail is in doubt. That a person is needed is told where it is escalated. */
function reportDoubt(held: Held, receivedAt: Millis, out: Effects): void {
  const { id, state } = held;
  if ((state.kind !== "doubt" && state.kind !== "fenced") || held.told === "doubt") return;
  held.told = "doubt";
  out.tell({ kind: "movement", id, report: { kind: "doubt", cause: state.doubt.cause }, receivedAt });
}

/** Tells once how the doubt about a rail ended: it moves no money, so that nothing else would say so. */
function reportClosed(held: Held, receivedAt: Millis, out: Effects): void {
  const { id, state } = held;
  if (held.told !== "doubt") return;
  const report = closingReport(state);
  if (report === undefined) return;
  held.told = "confirmed";
  out.tell({ kind: "movement", id, report, receivedAt });
}

function closingReport(state: State<AnyReceipt>): MovementReport | undefined {
  if (state.kind === "presumed-dead") return { kind: "released", reason: state.reason };
  if (!("receipt" in state)) return undefined;
  const { status, reason } = state.receipt as Rail;
  return { kind: "told", status, reason };
}

function isClosing({ kind }: MovementReport): boolean {
  return kind === "told" || kind === "released";
}

function askClass(kind: MoneyKind, state: State<AnyReceipt>): Ask["class"] {
  if (isFollowed({ kind, state })) return "treasury";
  return state.kind === "accepted" ? "confirmation" : "doubt";
}

function toldBy(report: OrderReport): Told | undefined {
  if (report.kind === "filled") return report.confirmed ? "confirmed" : "filled";
  return report.kind === "sending" ? undefined : report.kind;
}
