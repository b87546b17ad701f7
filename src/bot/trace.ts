// What a run came to, as one hash: every decision with what it rested on, every fill, every change of state, in order and
// with its time, and the balances at the end. Names that a process or a venue draws for itself are left out.

import type { Asset } from "../domain/asset.ts";
import type { ReportEvent } from "../domain/event.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Basis, Command, Decision, Proposal, RiskState, Step } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { AccountsView } from "../risk/rule.ts";
import { HashedText, phraseOf } from "./hashed-text.ts";
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

const [APPROVED, REFUSED] = [phraseOf(" approved #"), phraseOf(" refused ")];
const [ANSWERED, CONFIRMED] = [phraseOf(" answered #"), phraseOf(" confirmed #")];
const [AS, AT] = [phraseOf(" as "), phraseOf(" at ")];
const [BID, ASK, FAIR] = [phraseOf(" bid "), phraseOf(" ask "), phraseOf(" fair ")];

class HashedTrace implements Trace {
  readonly lines: string[] = [];
  readonly #isKept: boolean;
  readonly #text = new HashedText();
  /** Orders are counted instead of named. */
  readonly #orders = new OrderNumbers();
  readonly #pair = new LastPhrase();
  readonly #rate = new LastPhrase();
  readonly #traded = new LastPhrase();
  readonly #assets = new Map<Asset, Uint8Array>();

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
    if (report.kind !== "filled") text.text(` ${report.kind} #`);
    else text.phrase(report.confirmed ? CONFIRMED : ANSWERED);
    text.number(this.#orders.of(clientOrderId));
    if (report.kind === "filled") this.#fill(report.fill);
    this.#end();
  }

  #fill({ symbol, side, bought, sold, fee }: Fill): void {
    const traded = this.#traded;
    if (!traded.isOf(symbol)) traded.set(symbol, ` ${symbol}`);
    this.#text.text(side === "buy" ? " buy" : " sell");
    this.#text.phrase(traded.phrase);
    this.#money(bought);
    this.#money(sold);
    this.#money(fee);
  }

  #money(amount: Money): void {
    const { asset } = amount;
    this.#text.text(" ");
    this.#amount(amount);
    this.#text.phrase(this.#assets.get(asset) ?? this.#added(asset));
  }

  #amount(amount: Money | Quantity | Price): void {
    const float = amount.sameFloat();
    if (float === undefined) this.#text.text(amount.toString());
    else this.#text.number(float);
  }

  #added(asset: Asset): Uint8Array {
    const phrase = phraseOf(` ${asset}`);
    this.#assets.set(asset, phrase);
    return phrase;
  }

  #decision(at: Millis, { proposal, basis, verdict }: Decision): void {
    const text = this.#text;
    text.number(at);
    if (verdict.kind === "approved") {
      const { clientOrderId, quantity, limit } = verdict.intent;
      text.phrase(APPROVED);
      text.number(this.#orders.of(clientOrderId));
      text.text(" ");
      this.#proposal(proposal);
      text.phrase(AS);
      this.#amount(quantity);
      text.phrase(AT);
      this.#amount(limit);
    } else {
      text.phrase(REFUSED);
      this.#proposal(proposal);
      text.text(` ${verdict.refusal.rule}`);
    }
    this.#basis(basis);
    this.#end();
  }

  #proposal(proposal: Proposal | undefined): void {
    const text = this.#text;
    if (proposal === undefined) {
      text.text("undefined");
      return;
    }
    const { side, size, symbol, limit } = proposal;
    const pair = this.#pair;
    text.text(side);
    text.text(" ");
    if (typeof size === "string") text.text(size);
    else text.number(size);
    if (!pair.isOf(symbol)) pair.set(symbol, ` ${symbol} at `);
    text.phrase(pair.phrase);
    text.number(limit);
  }

  #basis({ bid, ask, fair, rate }: Basis): void {
    const text = this.#text;
    const last = this.#rate;
    text.phrase(BID);
    text.number(bid);
    text.phrase(ASK);
    text.number(ask);
    text.phrase(FAIR);
    text.number(fair);
    if (!last.isOf(rate)) last.set(rate, ` rate ${rate}`);
    text.phrase(last.phrase);
  }

  #state(at: Millis, state: RiskState): void {
    this.#text.number(at);
    this.#text.text(` ${state}`);
    this.#end();
  }

  #end(): void {
    const line = this.#text.endLine(this.#isKept);
    if (line !== undefined) this.lines.push(line);
  }
}

/** What was written last: rates and pairs are mostly the same as before. */
class LastPhrase {
  phrase: Uint8Array = APPROVED;
  #of: unknown = this;

  isOf(value: unknown): boolean {
    return value === this.#of;
  }

  set(value: unknown, text: string): void {
    this.#of = value;
    this.phrase = phraseOf(text);
  }
}
