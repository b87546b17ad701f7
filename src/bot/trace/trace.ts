// A run as one hash: every decision with its basis, every fill, every change of state, in order and with its time, and
// the final balances. Ids that a process or a venue generates are left out.

import { createHash } from "node:crypto";
import type { ReportEvent } from "../../domain/event.ts";
import type { Basis, Decision, Proposal, Step } from "../../domain/step.ts";
import type { AccountsView } from "../../risk/rule.ts";

export interface Trace {
  take(step: Step): void;
  /** The hash of all steps taken and of the current holdings. */
  digest(accounts: Pick<AccountsView, "assets" | "held">): string;
  /** The hashed lines, oldest first; empty unless kept. */
  readonly lines: readonly string[];
}

/** With `keep` the lines stay readable, to find where two traces differ. */
export function createTrace({ keep = false }: { readonly keep?: boolean } = {}): Trace {
  return new HashedTrace(keep);
}

/** The maximum number of characters waiting to be hashed. */
const BATCH = 16_384;

class HashedTrace implements Trace {
  readonly lines: string[] = [];
  readonly #isKept: boolean;
  readonly #hash = createHash("sha256");
  #text = "";
  /** Orders are numbered by their first appearance. */
  readonly #orders = new Map<string, number>();

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  take({ at, event, decisions, commands }: Step): void {
    if (event.kind === "report") this.#write(`${at} ${this.#report(event)}`);
    for (let i = 0; i < decisions.length; i++) this.#write(`${at} ${this.#decision(decisions[i] as Decision)}`);
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i];
      if (command?.kind === "state") this.#write(`${at} ${command.state}`);
    }
  }

  digest(accounts: Pick<AccountsView, "assets" | "held">): string {
    const holdings = [...accounts.assets].sort().map((asset) => `${asset} ${accounts.held(asset) ?? "unknown"}`);
    return this.#hash.copy().update(this.#text).update(holdings.join("\n")).digest("hex");
  }

  #write(line: string): void {
    if (this.#isKept) this.lines.push(line);
    this.#text += `${line}\n`;
    if (this.#text.length < BATCH) return;
    this.#hash.update(this.#text);
    this.#text = "";
  }

  #report({ clientOrderId, report }: ReportEvent): string {
    const number = this.#numberOf(clientOrderId);
    if (report.kind !== "filled") return `${report.kind} #${number}`;
    const { symbol, side, bought, sold, fee } = report.fill;
    const amounts = `${bought} ${bought.asset} ${sold} ${sold.asset} ${fee} ${fee.asset}`;
    return `${report.confirmed ? "confirmed" : "answered"} #${number} ${side} ${symbol} ${amounts}`;
  }

  #decision({ proposal, basis, verdict }: Decision): string {
    if (verdict.kind !== "approved")
      return `refused ${proposalText(proposal)} ${verdict.refusal.rule} ${basisText(basis)}`;
    const { clientOrderId, quantity, limit } = verdict.intent;
    const number = this.#numberOf(clientOrderId);
    return `approved #${number} ${proposalText(proposal)} as ${quantity} at ${limit} ${basisText(basis)}`;
  }

  #numberOf(id: string): number {
    const known = this.#orders.get(id);
    if (known !== undefined) return known;
    this.#orders.set(id, this.#orders.size + 1);
    return this.#orders.size;
  }
}

/** A refused proposal may contain anything, even half a surrogate pair. */
function proposalText(proposal: Proposal | undefined): string {
  if (proposal === undefined) return "undefined";
  const { side, size, symbol, limit } = proposal;
  return `${side} ${String(size).toWellFormed()} ${symbol} at ${limit}`;
}

function basisText({ bid, ask, fair, rate }: Basis): string {
  return `bid ${bid} ask ${ask} fair ${fair} rate ${rate}`;
}
