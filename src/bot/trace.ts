// What a run came to, as one hash: every decision with what it rested on, every fill, every change of state, in order and
// with its time, and the balances at the end. Names that a process or a venue draws for itself are left out.

import { createHash } from "node:crypto";
import type { Decision, Step } from "../domain/step.ts";
import type { AccountsView } from "../risk/rule.ts";

export interface Trace {
  take(step: Step): void;
  /** The hash of all that was taken, and of what is held now. */
  digest(accounts: Pick<AccountsView, "assets" | "held">): string;
  /** The lines that were hashed, oldest first; only where they are kept. */
  readonly lines: readonly string[];
}

/** Letters that wait to be hashed at most. */
const BATCH = 16_384;

/** With `keep` the lines stay readable: two traces that differ show where. */
export function createTrace({ keep = false }: { readonly keep?: boolean } = {}): Trace {
  const hash = createHash("sha256");
  /** Not hashed yet: one call for many lines. */
  let waiting = "";
  const lines: string[] = [];
  /** Orders are counted instead of named. */
  const orders = new Map<string, number>();
  const flush = (): void => {
    hash.update(waiting);
    waiting = "";
  };
  const add = (line: string): void => {
    waiting += line;
    waiting += "\n";
    if (waiting.length >= BATCH) flush();
    if (keep) lines.push(line);
  };
  const numberOf = (id: string): number => {
    const number = orders.get(id) ?? orders.size + 1;
    orders.set(id, number);
    return number;
  };
  return {
    lines,
    take({ at, event, decisions, commands }) {
      if (event.kind === "report" && event.report.kind === "filled") {
        const { symbol, side, bought, sold, fee } = event.report.fill;
        const amounts = [bought, sold, fee].map((amount) => `${amount} ${amount.asset}`).join(" ");
        const certainty = event.report.confirmed ? "confirmed" : "answered";
        add(`${at} ${certainty} #${numberOf(event.clientOrderId)} ${side} ${symbol} ${amounts}`);
      } else if (event.kind === "report") add(`${at} ${event.report.kind} #${numberOf(event.clientOrderId)}`);
      for (const decision of decisions) add(`${at} ${decisionLine(decision, numberOf)}`);
      for (const command of commands) if (command.kind === "state") add(`${at} ${command.state}`);
    },
    digest(accounts) {
      const holdings = [...accounts.assets].sort().map((asset) => `${asset} ${accounts.held(asset) ?? "unknown"}`);
      flush();
      return hash.copy().update(holdings.join("\n")).digest("hex");
    },
  };
}

function decisionLine({ proposal, basis, verdict }: Decision, numberOf: (id: string) => number): string {
  const { bid, ask, fair, rate } = basis;
  const asked = proposal && `${proposal.side} ${proposal.size} ${proposal.symbol} at ${proposal.limit}`;
  const seen = `bid ${bid} ask ${ask} fair ${fair} rate ${rate}`;
  if (verdict.kind === "refused") return `refused ${asked} ${verdict.refusal.rule} ${seen}`;
  const { clientOrderId, quantity, limit } = verdict.intent;
  return `approved #${numberOf(clientOrderId)} ${asked} as ${quantity} at ${limit} ${seen}`;
}
