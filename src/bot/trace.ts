// What a run came to, as one hash: every decision with what it rested on, every fill, every change of state, in order and
// with its time, and the balances at the end. Names that a process or a venue draws for itself are left out.

import type { ReportEvent } from "../domain/event.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { Basis, Command, Decision, Proposal, RiskState, Step } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { AccountsView } from "../risk/rule.ts";
import { HashedText } from "./hashed-text.ts";
import { OrderNumbers } from "./order-numbers.ts";

export interface Trace {
  take(step: Step): void;
  /** The hash of all that was taken, and of what is held now. */
  digest(accounts: Pick<AccountsView, "assets" | "held">): string;
  /** The lines that were hashed, oldest first; only where they are kept. */
  readonly lines: readonly string[];
}

/** With `keep` the lines stay readable: two traces that differ show where. */
export function createTrace({ keep = false }: { readonly keep?: boolean } = {}): Trace {
  return new HashedTrace(keep);
}

class HashedTrace implements Trace {
  readonly lines: string[] = [];
  readonly #isKept: boolean;
  readonly #text = new HashedText();
  /** Orders are counted instead of named. */
  readonly #orders = new OrderNumbers();
  /** Rates and sizes are often the same object as before. */
  readonly #rate = new LastText();
  readonly #size = new LastText();

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  take({ at, event, decisions, commands }: Step): void {
    if (event.kind === "report") this.#report(at, event);
    // By index: lists of several kinds come along here, and an iterator for each costs more than the lines.
    for (let i = 0; i < decisions.length; i++) this.#decision(at, decisions[i] as Decision);
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i] as Command;
      if (command.kind === "state") this.#state(at, command.state);
    }
  }

  digest(accounts: Pick<AccountsView, "assets" | "held">): string {
    const holdings = [...accounts.assets].sort().map((asset) => `${asset} ${accounts.held(asset) ?? "unknown"}`);
    return this.#text.digest(holdings.join("\n"));
  }

  #report(at: Millis, { clientOrderId, report }: ReportEvent): void {
    const text = this.#text;
    text.number(at);
    text.text(report.kind !== "filled" ? ` ${report.kind} #` : report.confirmed ? " confirmed #" : " answered #");
    text.number(this.#orders.of(clientOrderId));
    if (report.kind === "filled") {
      const { symbol, side, bought, sold, fee } = report.fill;
      text.text(side === "buy" ? " buy " : " sell ");
      text.text(symbol);
      this.#money(bought);
      this.#money(sold);
      this.#money(fee);
    }
    this.#end();
  }

  #money(amount: Money): void {
    const text = this.#text;
    text.text(" ");
    text.text(amount.toString());
    text.text(" ");
    text.text(amount.asset);
  }

  #decision(at: Millis, { proposal, basis, verdict }: Decision): void {
    const text = this.#text;
    text.number(at);
    if (verdict.kind === "approved") {
      text.text(" approved #");
      text.number(this.#orders.of(verdict.intent.clientOrderId));
    } else text.text(" refused");
    this.#proposal(proposal);
    if (verdict.kind === "approved") {
      text.text(" as ");
      text.text(this.#size.of(verdict.intent.quantity));
      text.text(" at ");
      text.text(verdict.intent.limit.toString());
    } else {
      text.text(" ");
      text.text(verdict.refusal.rule);
    }
    this.#basis(basis);
    this.#end();
  }

  #proposal(proposal: Proposal | undefined): void {
    const text = this.#text;
    text.text(" ");
    if (proposal === undefined) {
      text.text("undefined");
      return;
    }
    const { side, size, symbol, limit } = proposal;
    text.text(side);
    text.text(" ");
    if (typeof size === "string") text.text(size);
    else text.number(size);
    text.text(" ");
    text.text(symbol);
    text.text(" at ");
    text.number(limit);
  }

  #basis({ bid, ask, fair, rate }: Basis): void {
    const text = this.#text;
    text.text(" bid ");
    text.number(bid);
    text.text(" ask ");
    text.number(ask);
    text.text(" fair ");
    text.number(fair);
    text.text(" rate ");
    text.text(rate === undefined ? "undefined" : this.#rate.of(rate));
  }

  #state(at: Millis, state: RiskState): void {
    this.#text.number(at);
    this.#text.text(" ");
    this.#text.text(state);
    this.#end();
  }

  #end(): void {
    const line = this.#text.endLine(this.#isKept);
    if (line !== undefined) this.lines.push(line);
  }
}

/** The text of the amount that was written last: an amount never changes. */
class LastText {
  #amount: Price | Quantity | undefined = undefined;
  #text = "";

  of(amount: Price | Quantity): string {
    if (amount !== this.#amount) {
      this.#amount = amount;
      this.#text = amount.toString();
    }
    return this.#text;
  }
}
