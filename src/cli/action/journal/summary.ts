// A record in a few words, for one line of a table.

import type { Event, OrderReport } from "../../../domain/event.ts";
import { unreachable } from "../../../domain/invariant.ts";
import type { Money } from "../../../domain/money/money.ts";
import type { Fill } from "../../../domain/order.ts";
import type { Step } from "../../../domain/step.ts";
import type { DefiniteOutcome, JournalRecord, ReceiptRecord, RequestRecord } from "../../../journal/record.ts";

export function summaryOf(record: JournalRecord): string {
  switch (record.kind) {
    case "opening":
      return `journal of ${record.environment}, key ${record.account}`;
    case "started":
      return `version ${record.codeVersion}`;
    case "step":
      return stepSummary(record.step);
    case "intent":
      return requestSummary(record.id, record.request);
    case "sending":
      return `${record.id} with nonce ${record.nonce} to ${record.host}`;
    case "outcome":
      return `${record.id} ${outcomeSummary(record.outcome)}`;
    case "doubt":
      return `${record.id} ${record.code}: ${record.cause}`;
    case "fenced":
      return `${record.id} by nonce ${record.nonce}`;
    case "evidence":
      return `${record.id} round ${record.round}: ${record.finding.kind}`;
    case "resolution":
      return `${record.id} ${record.verdict.kind} by ${record.by}: ${record.reason}`;
    case "recovered":
    case "settled":
      return record.id;
    case "adoption":
      return `${amounts(record.amounts)} by ${record.by}: ${record.reason}`;
    case "state":
      return `of strategy ${record.strategy}`;
    case "fresh-start":
      return record.text;
    case "control":
      return "reason" in record.control ? `${record.control.kind}: ${record.control.reason}` : record.control.kind;
    case "plan":
      return `${record.id} by ${record.by}, for ${record.persons} to approve`;
    case "approval":
      return `${record.id} by ${record.by}`;
    case "plan-progress":
      return `${record.id} ${record.state}: ${record.text}`;
    case "rails":
      return `${record.state} by ${record.by}: ${record.reason}`;
    default:
      return unreachable(record);
  }
}

function stepSummary({ event, decisions, commands }: Step): string {
  const approved = decisions.filter(({ verdict }) => verdict.kind === "approved").length;
  const refused = decisions.flatMap(({ verdict }) => (verdict.kind === "refused" ? [verdict.refusal.rule] : []));
  const states = commands.flatMap((command) => (command.kind === "state" ? [command.state] : []));
  return [
    eventSummary(event),
    ...(approved > 0 ? [`${approved} approved`] : []),
    ...(refused.length > 0 ? [`refused by ${refused.join(", ")}`] : []),
    ...states,
  ].join("; ");
}

function eventSummary(event: Event): string {
  switch (event.kind) {
    case "report":
      return `${event.clientOrderId} ${reportSummary(event.report)}`;
    case "quote":
    case "bar":
      return `${event.kind} ${event.symbol}`;
    case "control":
      return event.control.kind;
    default:
      return event.kind;
  }
}

function outcomeSummary(outcome: DefiniteOutcome): string {
  return outcome.kind === "accepted"
    ? `accepted: ${receiptSummary(outcome.receipt)}`
    : `${outcome.kind}: ${outcome.code}`;
}

function receiptSummary(receipt: ReceiptRecord): string {
  switch (receipt.kind) {
    case "order":
      return fillSummary(receipt.fill);
    case "mint":
      return `mint ${receipt.mint.requestId}`;
    case "rail":
      return `rail ${receipt.rail.railId}`;
    default:
      return unreachable(receipt);
  }
}

function reportSummary(report: OrderReport): string {
  return report.kind === "filled" ? `filled: ${fillSummary(report.fill)}` : report.kind;
}

function fillSummary({ bought, sold, fee }: Fill): string {
  return `${amounts([bought])} for ${amounts([sold])}, fee ${amounts([fee])}`;
}

function requestSummary(id: string, request: RequestRecord): string {
  switch (request.kind) {
    case "order":
      return `${id} ${request.order.side} ${request.order.quantity} ${request.order.symbol} at ${request.order.limit}`;
    case "mint":
      return `${id} mint ${request.mint.quantity} ${request.mint.asset} on ${request.mint.blockchain}`;
    case "rail":
      return `${id} rail ${request.rail.type} to ${request.rail.destination}`;
    default:
      return unreachable(request);
  }
}

function amounts(list: readonly Money[]): string {
  return list.map((money) => `${money} ${money.asset}`).join(", ");
}
