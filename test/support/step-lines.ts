// A step in words, one line per proposal and stop: for tests of strategies, where the whole story must fit an eye.

import type { Decision, Step } from "../../src/domain/step.ts";

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
