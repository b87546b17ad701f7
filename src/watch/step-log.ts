// The log lines of a step: decisions, order outcomes, state changes. Prices alone are not logged.

import type { Control, ReportEvent } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import type { MovementEvent } from "../domain/movement.ts";
import { legsText } from "../domain/order.ts";
import { UNLISTED } from "../domain/rail.ts";
import { isHeld } from "../domain/settlement-status.ts";
import type { Command, Decision, Step } from "../domain/step.ts";
import type { LogLine } from "./log.ts";

export function logOf({ event, decisions, commands }: Step): readonly LogLine[] {
  const lines: LogLine[] = [];
  if (event.kind === "report") lines.push(...ofReport(event));
  if (event.kind === "movement") lines.push(ofMovement(event));
  if (event.kind === "control") lines.push(...logOfControl(event.control));
  if (event.kind === "adoption") lines.push(adopted(event.amounts, event.reason));
  for (const decision of decisions) lines.push(ofDecision(decision));
  for (const command of commands) lines.push(...ofCommand(command));
  return lines;
}

function adopted(amounts: readonly { readonly asset: string }[], reason: string): LogLine {
  const fields = { amounts: amounts.map((amount) => `${amount} ${amount.asset}`), reason };
  return { level: "info", event: "books.adopted", text: `taken into the books: ${reason}`, fields };
}

function ofDecision({ proposal, verdict }: Decision): LogLine {
  if (verdict.kind === "refused") {
    const { rule, message } = verdict.refusal;
    const { symbol, side, size, limit, reason } = proposal ?? {};
    const what = proposal === undefined ? "an answer" : `${side} ${size} ${symbol}`;
    const text = `refused ${what}: ${rule} ${message}`;
    return { level: "info", event: "decision.refused", text, fields: { symbol, side, size, limit, reason, rule } };
  }
  const { clientOrderId, symbol, side, quantity, limit, reason } = verdict.intent;
  const capped = verdict.capped.map(({ rule }) => rule);
  const smaller = verdict.capped.map(({ rule, message }) => `; capped by ${rule}: ${message}`).join("");
  const fields = { clientOrderId, symbol, side, quantity: String(quantity), limit: String(limit), reason, capped };
  const text = `${clientOrderId} ${side} ${quantity} ${symbol} at ${limit}: ${reason}${smaller}`;
  return { level: "info", event: "decision.approved", text, fields };
}

function ofReport({ clientOrderId, report }: ReportEvent): LogLine[] {
  const line = (level: LogLine["level"], text: string, fields: LogLine["fields"] = {}, word: string = report.kind) => [
    { level, event: `order.${word}`, text: `${clientOrderId} ${text}`, fields: { clientOrderId, ...fields } },
  ];
  switch (report.kind) {
    case "sending":
      return [];
    case "filled": {
      const { bought, sold, fee, tradeId } = report.fill;
      const fields = { bought: String(bought), sold: String(sold), fee: String(fee), tradeId };
      // For an order whose answer was lost, no other line has the amounts.
      const legs = legsText(report.fill);
      return report.confirmed
        ? line("info", `confirmed by the history: ${legs}`, fields, "confirmed")
        : line("info", `filled: ${legs}`, fields);
    }
    case "rejected":
      return line("warn", `rejected: ${report.code}: ${report.message}`, { code: report.code });
    case "not-sent":
      return line("info", `not sent: ${report.reason}`);
    case "doubt":
      return line("warn", `may have happened: ${report.cause}`);
    case "escalated":
      return line("error", `needs a person: ${report.reason}; ${closingOrder(clientOrderId)}`);
    case "dead":
      return line("info", `did not happen: ${report.reason}`);
    default:
      return unreachable(report);
  }
}

/** The command with which a person decides an order that evidence did not. */
function closingOrder(id: string): string {
  return `pegbot resolve ${id} --filled|--not-filled --reason "..."`;
}

function ofMovement({ id, report }: MovementEvent): LogLine {
  const line = (level: LogLine["level"], text: string): LogLine => ({
    level,
    event: `movement.${report.kind}`,
    text: `${id} ${text}`,
    fields: { id },
  });
  const shown = (money: { readonly asset: string }): string => `${money} ${money.asset}`;
  switch (report.kind) {
    case "reserved":
      if (report.pays !== undefined) return line("info", `${shown(report.pays)} are to be paid on rail ${report.rail}`);
      return line("info", `${report.door} of ${shown(report.comes)}, for at most ${shown(report.leaves)}`);
    case "released":
      if (id.startsWith("expected:")) return line("info", `is waited for no longer: ${report.reason}`);
      return line("warn", `did not happen: ${report.reason}`);
    case "departed":
      return line("info", `is on its way: ${shown(report.spent)} gone, ${shown(report.comes)} in flight`);
    case "told": {
      if (report.status === UNLISTED)
        return line("info", "is there by a person's word; the venue has not listed it yet");
      const why = report.reason === undefined ? "" : `: ${report.reason}`;
      return line(isHeld(report.status) ? "warn" : "info", `is ${report.status} by the venue's word${why}`);
    }
    case "doubt":
      return line("warn", `may have happened: ${report.cause}`);
    case "escalated":
      return line("error", `needs a person: ${report.reason}; ${report.wayOut}`);
    case "returned":
      // The venue reports the return of a payment; a mint is closed as returned only by a person.
      if (id.startsWith("payment:")) return line("warn", `was given back: ${report.reason}`);
      return line("warn", `is closed as given back, by a person's word: ${report.reason}`);
    case "arrived": {
      const place = report.at === "account" ? "on account" : "outside";
      const fee = report.fee?.isZero() === false ? `, less a fee of ${shown(report.fee)}` : "";
      const by = report.reason === undefined ? "" : `, by a person's word: ${report.reason}`;
      return line("info", `has arrived ${place}${fee}${by}`);
    }
    default:
      return unreachable(report);
  }
}

export function logOfControl(control: Control): readonly LogLine[] {
  if (control.kind === "heartbeat") return [];
  if (control.kind === "limits") {
    const { by, changed } = control;
    const text = changed === undefined ? `${by} asks for the limits to be read again` : `tighter by ${by}: ${changed}`;
    return [{ level: "info", event: "control.limits", text, fields: { control: "limits", by, changed } }];
  }
  const by = "by" in control ? control.by : "bot";
  const cause = "cause" in control ? { cause: control.cause } : {};
  const fields = { control: control.kind, ...cause, reason: control.reason, by };
  const level = control.kind === "resume" ? "info" : "warn";
  const wayOut = "wayOut" in control ? `; way out: ${control.wayOut}` : "";
  return [
    { level, event: `control.${control.kind}`, text: `${control.kind} by ${by}: ${control.reason}${wayOut}`, fields },
  ];
}

function ofCommand(command: Command): LogLine[] {
  if (command.kind !== "state") return [];
  const { state, cause, reason, wayOut } = command;
  const text = `${state}: ${reason}; way out: ${wayOut}`;
  return [{ level: "error", event: "state", text, fields: { state, cause, reason, wayOut } }];
}
