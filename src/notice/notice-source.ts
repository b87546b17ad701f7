// What is worth a message: from the records of the journal as they are written, and from the status now and then, which
// also shows what other processes did.

import { amountText } from "../domain/amount-text.ts";
import type { Control, Halt } from "../domain/event.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { MovementEvent } from "../domain/movement.ts";
import type { Fill } from "../domain/order.ts";
import { UNLISTED } from "../domain/rail.ts";
import type { Step } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { FreshStart, JournalRecord, PlanProgress } from "../journal/record.ts";
import { keyOf } from "../risk/standing.ts";
import { Memory } from "../telemetry/memory.ts";
import { doubtsOf, type Status } from "../telemetry/status.ts";
import { closingOrder } from "../telemetry/step-log.ts";
import type { KeptText } from "./kept-text.ts";
import type { Notice } from "./notice.ts";
import { createSummary } from "./summary.ts";
import { createTreasuryNotices } from "./treasury-notices.ts";

export type SourceSettings = {
  /** Fills worth less are not told; in the currency of the limits. */
  readonly fillValueMin: Quantity;
  readonly currency: string;
  /** What a request of ours is, by its id; undefined where nobody knows it. */
  readonly titleOf?: ((id: string) => string | undefined) | undefined;
  /** Minutes after midnight, UTC; undefined for no summary. */
  readonly summaryMinute: number | undefined;
  /** Where the last summary ended, over restarts; absent where nothing is kept. */
  readonly summaryMemory?: KeptText | undefined;
  /** Which declined plans were told, over restarts. */
  readonly declineMemory?: KeptText | undefined;
};

export interface NoticeSource {
  ofRecord(record: JournalRecord): readonly Notice[];
  ofStatus(status: Status): readonly Notice[];
  /** The journal cannot be written: then no record can tell it. */
  ofTrouble(trouble: Trouble, at: Millis): Notice;
}

type Trouble = { readonly code: string; readonly message: string; readonly wayOut?: string | undefined };

export function createNoticeSource(settings: SourceSettings): NoticeSource {
  const rates = new Memory<Price | undefined>();
  const treasury = createTreasuryNotices(settings.declineMemory);
  /** Plans that nobody was asked about and of which nothing was done: where those are refused, the refusal is told. */
  const untouched = new Memory<boolean>();
  /** Doubts that were told, by an earlier process too: that they are over is told as well. */
  const doubted = new Memory<boolean>();
  /** Of those, for whom somebody was called: by us, or before our first look. What a command falls into and out of, it says itself. */
  let called: ReadonlySet<string> = new Set();
  let isFirstLook = true;
  /** What a person is asked about though it happened (a payment, a mint on one side): no look shows it as in doubt, and a word of the venue ends nothing. */
  const asked = new Memory<boolean>();
  /** Those of them that the last look showed as in doubt no more. */
  let ended: ReadonlySet<string> = new Set();
  /** Mints that are in doubt no more, and of which nobody has heard what they cost. */
  const uncosted = new Memory<boolean>();
  const summary = createSummary(settings.summaryMinute, settings.summaryMemory);

  function filled(fill: Fill, at: Millis): readonly Notice[] {
    const { side, symbol, bought, sold, fee, clientOrderId } = fill;
    const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
    const value = worthOf(quote, rates.get(clientOrderId), settings.currency);
    if (value !== undefined && !value.atLeast(settings.fillValueMin.of(value.asset))) return [];
    const price = (quote.toNumber() / base.toNumber()).toFixed(6);
    const { asset } = value ?? quote;
    const worth = `${amountText(String(value ?? quote))} ${asset}`;
    const fields = { side, symbol, quantity: String(base), price, value: worth, fee: `${fee} ${fee.asset}` };
    return [{ kind: "fill", urgency: "info", key: `fill:${clientOrderId}`, at, fields }];
  }

  function stepped({ event, decisions, commands, at }: Step): readonly Notice[] {
    for (const { verdict, basis } of decisions)
      if (verdict.kind === "approved") rates.set(verdict.intent.clientOrderId, basis.rate);
    const notices: Notice[] = [];
    for (const command of commands)
      if (command.kind === "state") notices.push(stopNotice(command.state, { ...command, by: "bot" }, at));
    if (event.kind === "control") notices.push(...controlled(event.control, at));
    if (event.kind === "movement") notices.push(...movedNotices(event, at));
    if (event.kind !== "report") return notices;
    const { clientOrderId: id, report } = event;
    if (report.kind === "filled") notices.push(...filled(report.fill, at), ...over(id, "it filled", at));
    if (report.kind === "dead") notices.push(...over(id, `it did not happen: ${report.reason}`, at));
    if (report.kind === "rejected") notices.push(...over(id, `it did not happen: ${report.message}`, at));
    if (report.kind === "doubt") notices.push(doubtNotice("doubt", id, report.cause, at, evidenceFirst(id)));
    if (report.kind === "escalated") notices.push(doubtNotice("escalated", id, report.reason, at, closingOrder(id)));
    return notices;
  }

  function movedNotices({ id, report }: MovementEvent, at: Millis): readonly Notice[] {
    switch (report.kind) {
      case "doubt":
        return [doubtNotice("doubt", id, report.cause, at, evidenceFirst(id))];
      case "escalated":
        return [doubtNotice("escalated", id, report.reason, at, report.wayOut)];
      case "departed":
        return departed(id, `${report.spent} ${report.spent.asset} are gone for it`, at);
      case "told":
        return asked.get(id) === true ? [] : over(id, toldText(report.status), at);
      case "released":
        return over(id, `it did not happen: ${report.reason}`, at);
      case "returned":
        return over(id, `it was given back: ${report.reason}`, at);
      case "arrived":
        return over(id, "it has arrived", at);
      default:
        return [];
    }
  }

  function doubtNotice(word: keyof typeof DOUBTS, id: string, cause: string, at: Millis, wayOut: string): Notice {
    const isAsked = word === "escalated" && (doubted.get(id) !== true || asked.get(id) === true);
    asked.set(id, isAsked);
    doubted.set(id, true);
    if (!isAsked) called = new Set([...called, id]);
    const fields = { id, what: `${DOUBTS[word]}${titled(id)}`, cause, wayOut };
    return { kind: "doubt", urgency: "critical", key: `${word}:${id}`, at, fields };
  }

  function titled(id: string): string {
    const title = settings.titleOf?.(id);
    return title === undefined ? "" : ` (${title})`;
  }

  /** Whoever was called may go to sleep again. */
  function over(id: string, how: string, at: Millis): readonly Notice[] {
    if (doubted.get(id) !== true) return [];
    doubted.set(id, false);
    asked.set(id, false);
    const fields = { id, what: `is in doubt no more${titled(id)}`, cause: how, wayOut: "none is needed" };
    return [{ kind: "doubt", urgency: "warning", key: `over:${id}:${at}`, at, fields }];
  }

  function departed(id: string, cost: string, at: Millis): readonly Notice[] {
    const told = over(id, `it happened, ${cost}`, at);
    if (told.length > 0 || uncosted.get(id) !== true) return told;
    uncosted.set(id, false);
    const fields = { id, what: `is booked${titled(id)}`, cause: cost, wayOut: "none is needed" };
    return [{ kind: "doubt", urgency: "warning", key: `cost:${id}`, at, fields }];
  }

  /** What ended without a record of ours that says so. Seen at two looks: the record may be on its way to the disk at the first. */
  function closed({ open, at }: Status): readonly Notice[] {
    const now = new Set(doubtsOf({ open }).map(({ id }) => id));
    for (const id of now) doubted.set(id, true);
    const notices = [...ended].flatMap((id) => (now.has(id) ? [] : over(id, endText(open, id), at)));
    called = new Set([...(isFirstLook ? now : []), ...called].filter((id) => doubted.get(id) === true));
    isFirstLook = false;
    ended = new Set([...called].filter((id) => !now.has(id)));
    return notices;
  }

  function endText(open: Status["open"], id: string): string {
    const found = open.find((one) => one.id === id);
    if (found === undefined) return "it is over; pegbot journal list shows how it ended";
    if (found.kind !== "mint") return "it happened";
    uncosted.set(id, true);
    return "it happened; what it cost is told when the balances show it";
  }

  function progressed(record: PlanProgress): readonly Notice[] {
    const { id, state, refusal } = record;
    if (state === "step") untouched.set(id, false);
    if (state === "expired" || state === "withdrawn") return [unusedNotice(record)];
    const isTold = refusal === undefined || untouched.get(id) !== true;
    return state === "stopped" && isTold ? [stoppedNotice(record)] : [];
  }

  return {
    ofRecord(record) {
      if (record.kind === "step") return stepped(record.step);
      if (record.kind === "plan") untouched.set(record.id, record.persons === 0);
      if (record.kind === "plan-progress") return progressed(record);
      if (record.kind === "fresh-start") return [freshNotice(record)];
      return record.kind === "control" ? controlled(record.control, record.at) : [];
    },
    ofStatus(status) {
      const notices = [...closed(status), ...treasury(status)];
      const told = summary(status);
      return told === undefined ? notices : [...notices, told];
    },
    ofTrouble: ({ code, message, wayOut = "pegbot status says more" }, at) =>
      stopNotice(
        "HALTED",
        {
          cause: "journal",
          reason: `${code}: ${message}`,
          wayOut: `mend the cause; ${wayOut}`,
          by: "bot",
        },
        at,
      ),
  };
}

function toldText(status: string): string {
  return status === UNLISTED ? "it is there by a person's word" : `the venue lists it as ${status}`;
}

/** Without a cause: written by another process, of an earlier version. */
function stopNotice(state: string, halt: Halt & { readonly by: string }, at: Millis): Notice {
  const { cause = "other", reason, wayOut, by } = halt;
  const urgency = state === "REDUCED" ? "warning" : "critical";
  // One stop is told once, in whatever words and figures it comes, and again where more is known of it.
  return {
    kind: "stop",
    urgency,
    key: `stop:${state}:${keyOf(halt)}`,
    at,
    fields: { state, cause, reason, wayOut, by },
  };
}

function controlled(control: Control, at: Millis): readonly Notice[] {
  switch (control.kind) {
    case "kill":
      return [
        stopNotice(
          "KILLED",
          { ...control, cause: control.cause ?? "person", wayOut: 'pegbot resume --reason "..."' },
          at,
        ),
      ];
    case "halt":
      return [stopNotice("HALTED", { ...control, by: "bot" }, at)];
    case "reduce":
      return [stopNotice("REDUCED", { ...control, by: "bot" }, at)];
    case "resume": {
      const { reason, by } = control;
      return [{ kind: "resume", urgency: "warning", key: `resume:${at}`, at, fields: { reason, by } }];
    }
    case "heartbeat":
      return [];
  }
}

function unusedNotice({ id, state, text, at }: PlanProgress): Notice {
  const status = state === "expired" ? "was approved and has expired" : "was withdrawn";
  const fields = { id, status, what: text, wayOut: "pegbot rebalance shows what is needed now" };
  return { kind: "plan", urgency: "warning", key: `${state}:${id}`, at, fields };
}

function stoppedNotice({ id, text, at }: PlanProgress): Notice {
  const wayOut = "pegbot status shows what is open, pegbot rebalance what is still needed";
  return {
    kind: "plan",
    urgency: "warning",
    key: `stopped:${id}`,
    at,
    fields: { id, status: "was stopped", what: text, wayOut },
  };
}

function freshNotice({ strategy, text, at }: FreshStart): Notice {
  const wayOut = 'pegbot halt "..." where what it counted must not begin at zero; docs/STRATEGY.md#state says more';
  return { kind: "strategy", urgency: "warning", key: `fresh:${strategy}:${text}`, at, fields: { what: text, wayOut } };
}

const DOUBTS = { doubt: "may have happened", escalated: "waits for a person" } as const;

function evidenceFirst(id: string): string {
  return `the bot asks the venue; what that does not tell it asks a person, who decides with pegbot resolve ${id}`;
}

/** Undefined when no rate is known: then it is told whatever it is worth. */
function worthOf(quote: Money, rate: Price | undefined, currency: string): Money | undefined {
  if (quote.asset === currency) return quote;
  return rate === undefined ? undefined : quote.valued(rate, currency as Money["asset"], "down");
}
