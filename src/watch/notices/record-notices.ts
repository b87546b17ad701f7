// Notices from journal records: fills above the minimum value, stops and resumes, plans that ended early, requests of
// unknown outcome, strategies that start without their state.

import { amountText } from "../../domain/amount-text.ts";
import type { Control, Halt } from "../../domain/event.ts";
import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { FreshStart, JournalRecord, PlanProgress } from "../../journal/record.ts";
import { keyOf } from "../../risk/trading-state.ts";
import { Memory } from "../memory.ts";
import type { DoubtNotices } from "./doubt-notices.ts";
import type { Notice } from "./notice.ts";

const STOP = "stop";

export type RecordSettings = {
  /** The minimum value of a fill to be sent, in the currency of the limits. */
  readonly fillValueMin: Quantity;
  readonly currency: string;
  /** Whether a person proposed the plan with this id, independently of the targets. */
  readonly isWish?: ((id: string) => boolean) | undefined;
};

export function createRecordNotices(
  settings: RecordSettings,
  doubts: DoubtNotices,
): (record: JournalRecord) => readonly Notice[] {
  const { isWish = () => false } = settings;
  /** The rate to the currency of the limits, for each approved order. */
  const rates = new Memory<Price | undefined>();
  /** Plans without an approval and without a step: only their refusal is sent. */
  const untouched = new Memory<boolean>();

  function stepped({ event, decisions, commands, at }: Step): readonly Notice[] {
    for (const { verdict, basis } of decisions)
      if (verdict.kind === "approved") rates.set(verdict.intent.clientOrderId, basis.rate);
    const stops = commands.flatMap((command) =>
      command.kind === "state" ? [stopNotice(command.state, { ...command, by: "bot" }, at)] : [],
    );
    if (event.kind === "control") return [...stops, ...controlNotices(event.control, at)];
    if (event.kind === "movement") return [...stops, ...doubts.ofReport(event.id, event.report, at)];
    if (event.kind !== "report") return stops;
    const { clientOrderId, report } = event;
    const fills = report.kind === "filled" ? fillNotices(report.fill, rates.get(clientOrderId), settings, at) : [];
    return [...stops, ...fills, ...doubts.ofReport(clientOrderId, report, at)];
  }

  function progressed(progress: PlanProgress): readonly Notice[] {
    const { id, state, refusal } = progress;
    if (state === "step") untouched.set(id, false);
    const isStopped = state === "stopped" && (refusal === undefined || untouched.get(id) !== true);
    const isOver = isStopped || state === "expired" || state === "withdrawn";
    return isOver ? [planNotice(progress, isWish(id))] : [];
  }

  return (record) => {
    switch (record.kind) {
      case "step":
        return stepped(record.step);
      case "plan":
        untouched.set(record.id, record.persons === 0);
        return [];
      case "plan-progress":
        return progressed(record);
      case "fresh-start":
        return [freshNotice(record)];
      case "control":
        return controlNotices(record.control, record.at);
      default:
        return [];
    }
  };
}

export function stopNotice(state: string, halt: Halt & { readonly by: string }, at: Millis): Notice {
  const { cause, reason, wayOut, by } = halt;
  const urgency = state === "REDUCED" ? "warning" : "critical";
  // The key ignores wording and figures, so that a stop is sent once, and again when more is known about it.
  const key = `stop:${state}:${keyOf(halt)}`;
  return { kind: "stop", urgency, key, at, fields: { state, cause, reason, wayOut, by }, about: STOP };
}

function controlNotices(control: Control, at: Millis): readonly Notice[] {
  switch (control.kind) {
    case "kill": {
      const halt = { ...control, cause: "person" as const, wayOut: 'pegbot resume --reason "..."' };
      return [stopNotice("HALTED", halt, at)];
    }
    case "halt":
      return [stopNotice("HALTED", { ...control, by: "bot" }, at)];
    case "reduce":
      return [stopNotice("REDUCED", { ...control, by: "bot" }, at)];
    case "resume": {
      const { reason, by } = control;
      return [{ kind: "resume", urgency: "warning", key: `resume:${at}`, at, fields: { reason, by }, ends: STOP }];
    }
    case "heartbeat":
    case "limits":
      return [];
  }
}

function fillNotices(fill: Fill, rate: Price | undefined, settings: RecordSettings, at: Millis): readonly Notice[] {
  const { side, symbol, bought, sold, fee, clientOrderId } = fill;
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  const value = worthOf(quote, rate, settings.currency);
  if (value !== undefined && !value.atLeast(settings.fillValueMin.of(value.asset))) return [];
  const price = (quote.toNumber() / base.toNumber()).toFixed(6);
  const worth = `${amountText(String(value ?? quote))} ${(value ?? quote).asset}`;
  const fields = { side, symbol, quantity: String(base), price, value: worth, fee: `${fee} ${fee.asset}` };
  return [{ kind: "fill", urgency: "info", key: `fill:${clientOrderId}`, at, fields }];
}

/** Undefined without a rate; the fill is then sent regardless of its value. */
function worthOf(quote: Money, rate: Price | undefined, currency: string): Money | undefined {
  if (quote.asset === currency) return quote;
  return rate === undefined ? undefined : quote.valued(rate, currency as Money["asset"], "down");
}

function planNotice({ id, state, text, at }: PlanProgress, isWish: boolean): Notice {
  const status = state === "expired" ? "has expired" : `was ${state}`;
  // No target requires a plan that a person proposed, so `rebalance` does not show it.
  const anew = isWish
    ? "pegbot mint or pegbot rail with --propose proposes it anew"
    : `pegbot rebalance shows what is ${state === "stopped" ? "still needed" : "needed now"}`;
  const wayOut = state === "stopped" ? `pegbot status shows what is open; ${anew}` : anew;
  return {
    kind: "plan",
    urgency: "warning",
    key: `${state}:${id}`,
    at,
    fields: { id, status, what: text, wayOut },
    ends: `plan:${id}`,
  };
}

function freshNotice({ strategy, text, at }: FreshStart): Notice {
  const wayOut = 'pegbot halt "..." where what it counted must not begin at zero; docs/STRATEGY.md#state says more';
  return { kind: "strategy", urgency: "warning", key: `fresh:${strategy}:${text}`, at, fields: { what: text, wayOut } };
}
