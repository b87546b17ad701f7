// What a run came to, as one hash: every decision with what it rested on, every fill, every change of state, in order and
// with its time, and the balances at the end. Names that a process or a venue draws for itself are left out.

import { createHash } from "node:crypto";
import type { OrderReport } from "../domain/event.ts";
import type { Money } from "../domain/money/money.ts";
import type { Command, Decision, Step } from "../domain/step.ts";
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
    const known = orders.get(id);
    if (known !== undefined) return known;
    const number = orders.size + 1;
    orders.set(id, number);
    return number;
  };
  return {
    lines,
    take({ at, event, decisions, commands }) {
      // By index: lists of several kinds come along here, and an iterator for each costs more than the lines.
      if (event.kind === "report") add(`${at} ${reportLine(event.report, numberOf(event.clientOrderId))}`);
      for (let i = 0; i < decisions.length; i++) add(`${at} ${decisionLine(decisions[i] as Decision, numberOf)}`);
      for (let i = 0; i < commands.length; i++) {
        const command = commands[i] as Command;
        if (command.kind === "state") add(`${at} ${command.state}`);
      }
    },
    digest(accounts) {
      const holdings = [...accounts.assets].sort().map((asset) => `${asset} ${accounts.held(asset) ?? "unknown"}`);
      flush();
      return hash.copy().update(holdings.join("\n")).digest("hex");
    },
  };
}

function reportLine(report: OrderReport, order: number): string {
  if (report.kind !== "filled") return `${report.kind} #${order}`;
  const { symbol, side, bought, sold, fee } = report.fill;
  const certainty = report.confirmed ? "confirmed" : "answered";
  return `${certainty} #${order} ${side} ${symbol} ${amountText(bought)} ${amountText(sold)} ${amountText(fee)}`;
}

function amountText(amount: Money): string {
  return `${amount.toString()} ${amount.asset}`;
}

function decisionLine({ proposal, basis, verdict }: Decision, numberOf: (id: string) => number): string {
  const { bid, ask, fair, rate } = basis;
  const asked = proposal && `${proposal.side} ${proposal.size} ${proposal.symbol} at ${proposal.limit}`;
  const seen = `bid ${bid} ask ${ask} fair ${fair} rate ${rate?.toString()}`;
  if (verdict.kind === "refused") return `refused ${asked} ${verdict.refusal.rule} ${seen}`;
  const { clientOrderId, quantity, limit } = verdict.intent;
  return `approved #${numberOf(clientOrderId)} ${asked} as ${quantity.toString()} at ${limit.toString()} ${seen}`;
}
