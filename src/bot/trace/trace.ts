// What a run came to, as one hash: every decision with what it rested on, every fill, every change of state, in order and
// with its time, and the balances at the end. Names that a process or a venue draws for itself are left out.

import type { ReportEvent } from "../../domain/event.ts";
import type { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import type { Basis, Command, Decision, Proposal, RiskState, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { AccountsView } from "../../risk/rule.ts";
import { HashedText, type Phrase, phraseOf } from "./hashed-text.ts";

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

const [APPROVED, REFUSED, UNDEFINED] = [phraseOf(" approved #"), phraseOf(" refused"), phraseOf(" undefined")];
const [ANSWERED, CONFIRMED] = [phraseOf(" answered #"), phraseOf(" confirmed #")];
const [BUY, SELL] = [phraseOf(" buy "), phraseOf(" sell ")];
const [AS, AT] = [phraseOf(" as "), phraseOf(" at ")];
const [BID, ASK, FAIR, RATE] = [phraseOf(" bid "), phraseOf(" ask "), phraseOf(" fair "), phraseOf(" rate ")];

/**
 * So many steps are written one after the other, which takes a part of what it takes each by itself between two turns. No more of
 * them: of hundreds the first have left the core's caches, and to read them again takes longer than the rest gains (docs/SPEED.md).
 */
const TOGETHER = 16;

class HashedTrace implements Trace {
  readonly #lines: string[] = [];
  readonly #isKept: boolean;
  /** Not written yet; what is behind their number was. */
  readonly #waiting: Step[] = [];
  #waitingCount = 0;
  readonly #text = new HashedText();
  /** Orders are counted instead of named. */
  readonly #orders = new OrderNumbers();
  readonly #kinds = new Phrases((kind) => ` ${kind} #`);
  readonly #pairs = new Phrases((symbol) => ` ${symbol} at `);
  readonly #bought = new Phrases((symbol) => ` buy ${symbol} `);
  readonly #sold = new Phrases((symbol) => ` sell ${symbol} `);
  readonly #gains = new Phrases((asset) => ` ${asset} `);
  readonly #costs = new Phrases((asset) => ` ${asset} `);
  readonly #fees = new Phrases((asset) => ` ${asset}`);

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  get lines(): readonly string[] {
    this.#write();
    return this.#lines;
  }

  take(step: Step): void {
    const { event, decisions, commands } = step;
    // There is no line in it, and whoever made it may use it again.
    if (event.kind !== "report" && decisions.length === 0 && commands.length === 0) return;
    this.#waiting[this.#waitingCount++] = step;
    if (this.#waitingCount === TOGETHER) this.#write();
  }

  #write(): void {
    for (let i = 0; i < this.#waitingCount; i++) this.#step(this.#waiting[i] as Step);
    this.#waitingCount = 0;
  }

  #step({ at, event, decisions, commands }: Step): void {
    if (event.kind === "report") this.#report(at, event);
    // By index: lists of several kinds come along here, and an iterator for each costs more than the lines.
    for (let i = 0; i < decisions.length; i++) this.#decision(at, decisions[i] as Decision);
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i] as Command;
      if (command.kind === "state") this.#state(at, command.state);
    }
  }

  digest(accounts: Pick<AccountsView, "assets" | "held">): string {
    this.#write();
    const holdings = [...accounts.assets].sort().map((asset) => `${asset} ${accounts.held(asset) ?? "unknown"}`);
    return this.#text.digest(holdings.join("\n"));
  }

  #report(at: Millis, { clientOrderId, report }: ReportEvent): void {
    const text = this.#text;
    text.number(at);
    if (report.kind !== "filled") text.phrase(this.#kinds.of(report.kind));
    else text.phrase(report.confirmed ? CONFIRMED : ANSWERED);
    text.number(this.#orders.of(clientOrderId));
    if (report.kind === "filled") this.#fill(report.fill);
    this.#end();
  }

  #fill({ symbol, side, bought, sold, fee }: Fill): void {
    const text = this.#text;
    text.phrase((side === "buy" ? this.#bought : this.#sold).of(symbol));
    this.#amount(bought);
    text.phrase(this.#gains.of(bought.asset));
    this.#amount(sold);
    text.phrase(this.#costs.of(sold.asset));
    this.#amount(fee);
    text.phrase(this.#fees.of(fee.asset));
  }

  #amount(amount: Money | Quantity | Price): void {
    const millionths = amount.inMillionths();
    if (millionths >= 0) this.#text.millionths(millionths);
    else this.#text.text(amount.toString());
  }

  #decision(at: Millis, { proposal, basis, verdict }: Decision): void {
    const text = this.#text;
    text.number(at);
    if (verdict.kind === "approved") {
      const { clientOrderId, quantity, limit } = verdict.intent;
      text.phrase(APPROVED);
      text.number(this.#orders.of(clientOrderId));
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
      text.phrase(UNDEFINED);
      return;
    }
    const { side, size, symbol, limit } = proposal;
    if (side === "buy") text.phrase(BUY);
    else if (side === "sell") text.phrase(SELL);
    // What was refused may be anything.
    else text.text(` ${String(side)} `);
    if (typeof size === "string") text.text(size);
    else text.number(size);
    text.phrase(this.#pairs.of(symbol));
    text.number(limit);
  }

  #basis({ bid, ask, fair, rate }: Basis): void {
    const text = this.#text;
    text.phrase(BID);
    text.number(bid);
    text.phrase(ASK);
    text.number(ask);
    text.phrase(FAIR);
    text.number(fair);
    text.phrase(RATE);
    if (rate === undefined) text.number(undefined);
    else this.#amount(rate);
  }

  #state(at: Millis, state: RiskState): void {
    this.#text.number(at);
    this.#text.text(` ${state}`);
    this.#end();
  }

  #end(): void {
    const line = this.#text.endLine(this.#isKept);
    if (line !== undefined) this.#lines.push(line);
  }
}

/** More are not kept: a strategy may make up names. */
const PHRASES_MAX = 256;

/** What is written of a few names, mostly of the one before. */
class Phrases {
  readonly #write: (name: string) => string;
  readonly #phrases = new Map<string, Phrase>();
  #name: string | undefined = undefined;
  #phrase: Phrase = APPROVED;

  constructor(write: (name: string) => string) {
    this.#write = write;
  }

  of(name: string): Phrase {
    if (name !== this.#name) {
      this.#phrase = this.#phrases.get(name) ?? this.#added(name);
      this.#name = name;
    }
    return this.#phrase;
  }

  #added(name: string): Phrase {
    const phrase = phraseOf(this.#write(name));
    if (this.#phrases.size >= PHRASES_MAX) this.#phrases.clear();
    this.#phrases.set(name, phrase);
    return phrase;
  }
}

// Orders counted in the order in which they are first named, instead of by the names that a process draws.

export class OrderNumbers {
  readonly #numbers = new Map<string, number>();

  of(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}
