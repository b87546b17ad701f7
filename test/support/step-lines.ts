// A step in words, one line per proposal and stop: for tests of strategies, where the whole story must fit an eye.

import type { OrderReport } from "../../src/domain/event.ts";
import type { Fill } from "../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../src/domain/step.ts";

export function linesOf({ event, decisions, commands }: Step): readonly string[] {
  const isHalt = event.kind === "control" && event.control.kind === "halt";
  const told = isHalt ? [`HALTED: ${event.control.reason}`] : [];
  const stops = commands.flatMap((command) =>
    command.kind === "state" ? [`${command.state}: ${command.reason}`] : [],
  );
  return [...decisions.map(lineOf), ...told, ...stops];
}

function lineOf({ proposal, verdict }: Decision): string {
  if (verdict.kind === "refused") {
    const what = proposal === undefined ? "answer" : `${proposal.side} ${proposal.size} ${proposal.symbol}`;
    return `refused ${what}: ${verdict.refusal.rule} ${verdict.refusal.message}`;
  }
  const { side, quantity, symbol, limit, reason } = verdict.intent;
  const capped = verdict.capped.length === 0 ? "" : `, capped by ${verdict.capped.map(({ rule }) => rule).join(", ")}`;
  return `${side} ${quantity} ${symbol} at ${limit}: ${reason}${capped}`;
}

/** How an order ended; nothing while it has not. */
export function endLines({ side, quantity, symbol, limit }: OrderIntent, report: OrderReport): readonly string[] {
  const order = `${side} ${quantity} ${symbol} at ${limit}`;
  switch (report.kind) {
    case "filled":
      return [`filled ${order}: ${fillText(report.fill)}`];
    case "rejected":
      return [`rejected ${order}: ${report.code}`];
    case "not-sent":
      return [`not sent ${order}: ${report.reason}`];
    case "dead":
      return [`given up ${order}: ${report.reason}`];
    default:
      return [];
  }
}

function fillText({ bought, sold, fee }: Fill): string {
  const cost = fee.isZero() ? "" : `, fee ${fee} ${fee.asset}`;
  return `${bought} ${bought.asset} for ${sold} ${sold.asset}${cost}`;
}
