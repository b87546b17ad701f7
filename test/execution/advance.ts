// One request and one fact through the real tracker: the next state and polling, and what is to be done. Requests go in and come
// out as plain data, so that a model can keep every state that it has met.

import type { Halt } from "../../src/domain/event.ts";
import { unreachable } from "../../src/domain/invariant.ts";
import type { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { Nonce, Outcome, SendingRecord } from "../../src/exchange/port.ts";
import { BalanceCheck } from "../../src/execution/balance-check.ts";

import { type Measured, type Poll, type Settings, UnreadLists } from "../../src/execution/parameters.ts";
import {
  type AnyReceipt,
  type Finding,
  isEscalated,
  type Moment,
  type MoneyKind,
  type MoneyRequest,
  type Receipts,
  type Resolution,
  reservationOf,
  type State,
  type Witness,
} from "../../src/execution/request.ts";
import type { TrackedRequest } from "../../src/execution/request-store.ts";
import { RequestTracker } from "../../src/execution/request-tracker.ts";
import type { IntentRecord, RequestRecord } from "../../src/journal/record.ts";
import { Gathered } from "./gathered.ts";

export type Polled<K extends MoneyKind = MoneyKind> = MoneyRequest<K> & { readonly poll: Poll };

/** What a release without a person depends on. */
export type Conditions = {
  readonly settings: Settings;
  readonly measured: Measured;
  readonly equity: Money | undefined;
  readonly orderMax?: Money | undefined;
};

export type Fact<T> = { readonly now: Moment } & (
  | { readonly kind: "sending"; readonly record: SendingRecord }
  | { readonly kind: "outcome"; readonly outcome: Outcome<T> }
  /** A signed read of the same key was answered with 200. */
  | { readonly kind: "answered"; readonly nonce: Nonce }
  | { readonly kind: "looked"; readonly round: number; readonly finding: Finding<T> }
  /** A query of this round failed or was dropped. */
  | { readonly kind: "unanswered"; readonly round: number; readonly code: string }
  /** The process that polled for it is gone, and this one has found it on disk. */
  | { readonly kind: "recovered" }
  | { readonly kind: "resolved"; readonly resolution: Resolution<T> }
  /** The balances are explained with this receipt booked. */
  | { readonly kind: "explained" }
  | { readonly kind: "time" }
);

export type Effect<T> =
  | { readonly kind: "free" }
  /** Exactly once in the life of a request. */
  | { readonly kind: "book"; readonly receipt: T }
  /** What is booked already is now known from history, with the venue's ids. */
  | { readonly kind: "confirm"; readonly receipt: T }
  | { readonly kind: "ask"; readonly round: number; readonly witnesses: readonly Witness[] }
  | { readonly kind: "escalate"; readonly reason: string }
  | ({ readonly kind: "halt" } & Halt);

type Advance<K extends MoneyKind> = {
  readonly submission: Polled<K>;
  readonly effects: readonly Effect<Receipts[K]>[];
};

export function advance<K extends MoneyKind>(
  submission: Polled<K>,
  fact: Fact<Receipts[K]>,
  conditions: Conditions,
): Advance<K> {
  const { tracker, tracked } = trackerOf(submission, conditions, fact.now);
  const out = new Gathered();
  happen(tracker, tracked, fact as Fact<AnyReceipt>, out);
  tracker.halts.flush(fact.now.at, out);
  const { state, poll } = tracked;
  const effects = [
    ...changes(submission.state, state),
    ...out.controls.flatMap((one) => (one.kind === "halt" ? [one] : [])),
    ...(out.asks.length === 0
      ? []
      : [{ kind: "ask" as const, round: poll.round, witnesses: out.asks.map(({ witness }) => witness) }]),
  ] as readonly Effect<Receipts[K]>[];
  const isSame = state === submission.state && poll === submission.poll;
  return { submission: isSame ? submission : { ...submission, state: state as State<Receipts[K]>, poll }, effects };
}

const WRITER = "bot00001";

function trackerOf(
  submission: Polled,
  { settings, measured, equity, orderMax }: Conditions,
  now: Moment,
): { readonly tracker: RequestTracker; readonly tracked: TrackedRequest } {
  const balances = new BalanceCheck({ held: () => undefined, openItems: () => [], youngMs: settings.balancesMsMax });
  const parts = { writer: WRITER, settings, equity: () => equity, orderMax, endedMax: 10 };
  const tracker = new RequestTracker(parts, balances, new UnreadLists());
  const { slowestMs, acknowledged, releasedToday, hasShownFill, hasLateFill } = measured;
  const saved = {
    past: [],
    delaysMs: [slowestMs],
    acknowledged,
    lastFilled: { kind: "none" } as const,
    ended: 0,
    pastFills: "",
    anchors: [],
    releases: Array.from({ length: releasedToday }, () => now.at),
    hasShownFill,
    hasLateFill,
  };
  tracker.store.load(saved, () => tracker.store.add(intentOf(submission), WRITER));
  const tracked = tracker.store.get(submission.id);
  tracked.state = submission.state;
  tracked.poll = submission.poll;
  return { tracker, tracked };
}

function intentOf({ kind, id, request, assets, value }: MoneyRequest): IntentRecord {
  const content = { kind, [kind]: request, assets } as unknown as RequestRecord;
  return { kind: "intent", at: millis(0), id, request: content, reserved: [], value, by: "bot", why: undefined };
}

function happen(tracker: RequestTracker, tracked: TrackedRequest, fact: Fact<AnyReceipt>, out: Gathered): void {
  const { now } = fact;
  const { poll } = tracked;
  switch (fact.kind) {
    case "sending":
      tracker.sending(tracked.id, fact.record, now);
      return;
    case "outcome":
      tracker.answered(tracked, fact.outcome, now, out);
      return;
    case "answered":
      tracker.fence(fact.nonce, now, out);
      return;
    case "looked":
      // The executor completes a round only with answers to queries that were posted after it began.
      if (fact.round === poll.round || fact.finding.kind === "landed" || fact.finding.kind === "contradiction")
        tracker.found(tracked, fact.finding, now, out);
      return;
    case "unanswered":
      if (fact.round === poll.round) tracker.unanswered(tracked, fact.code, now);
      return;
    case "recovered":
      tracker.recovered(tracked, now, out);
      return;
    case "resolved":
      tracker.act(tracked, { kind: "resolved", resolution: fact.resolution }, now, out);
      return;
    case "explained":
      tracker.act(tracked, { kind: "explained" }, now, out);
      return;
    case "time":
      tracker.poll(now, out);
      return;
    default:
      unreachable(fact);
  }
}

function changes(before: State<AnyReceipt>, after: State<AnyReceipt>): readonly Effect<AnyReceipt>[] {
  const [was, is] = [reservationOf(before), reservationOf(after)];
  const effects: Effect<AnyReceipt>[] = [];
  if (is === "freed" && was !== "freed") effects.push({ kind: "free" });
  if (is === "booked" && "receipt" in after) {
    if (was !== "booked") effects.push({ kind: "book", receipt: after.receipt });
    else if (before.kind === "accepted" && after.kind === "confirmed")
      effects.push({ kind: "confirm", receipt: after.receipt });
  }
  if (after.kind === "unknown" && isEscalated(after) && !isEscalated(before))
    effects.push({ kind: "escalate", reason: after.escalated ?? "" });
  return effects;
}
