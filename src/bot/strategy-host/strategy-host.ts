// Hosts a strategy: when it is woken, its view, its note, and the one place that calls it. No exception escapes: an
// error or a promise becomes a failure with a reason.

import { reportView } from "../../books/account-view.ts";
import type { Books } from "../../books/books.ts";
import type { BarEvent, Event, ReportEvent } from "../../domain/event.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Proposal } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { Preview } from "../../risk/rule.ts";
import { textOf } from "../../strategy/error-text.ts";
import { whyNeverWoken } from "../../strategy/never-woken.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Wake } from "../../strategy/view.ts";
import { callBegins, callEnds, nameCaller } from "../../strategy/watchdog.ts";
import { isPromised } from "./answer.ts";
import { type Call, closeView, openView, StrategyView } from "./view.ts";

export class Failed {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Truncated. */
export type Note = { readonly text: string; readonly at: Millis };

type PreviewOf = (proposal: Proposal) => Preview;

const NOTE_LENGTH_MAX = 200;
const UNQUOTED = { quotes: false, bars: true, references: true, plans: true };
const BLIND_WAKES: ReadonlySet<Wake> = new Set<Wake>(["reference", "balances", "pairs", "timer"]);

export class StrategyHost {
  /** The strategy's last note. */
  said: Note | undefined = undefined;
  readonly #books: Books;
  readonly #preview: PreviewOf;
  #strategy: Strategy;
  #view: StrategyView;
  #wakes: ReadonlySet<Wake> = new Set();
  /** Whether the venue shows no quotes, as the strategy was last prepared for. */
  #isBlind: boolean | undefined = undefined;
  #note: string | undefined = undefined;

  constructor(strategy: Strategy, books: Books, preview: PreviewOf) {
    this.#books = books;
    this.#preview = preview;
    this.#strategy = strategy;
    this.#view = this.#viewOf(strategy);
    this.#prepare();
  }

  get strategy(): Strategy {
    return this.#strategy;
  }

  replace(strategy: Strategy): void {
    this.#strategy = strategy;
    this.#view = this.#viewOf(strategy);
    this.#prepare();
  }

  /** Its answer; undefined if the event does not wake it, or the bot is halted. */
  ask(event: Event): unknown {
    if (this.#isBlind !== this.#books.prices.isBlind) this.#prepare();
    const wake = wakeOf(event);
    if (wake === undefined || !this.#wakes.has(wake) || this.#books.isHalted) return undefined;
    switch (event.kind) {
      case "quote":
        return this.#call({ wake, prices: this.#books.prices.pair(event.symbol) });
      case "bar":
        return this.#bar(event);
      case "report":
        return this.#call({ wake, ...this.#reported(event) });
      default:
        return this.#call({ wake });
    }
  }

  #viewOf(strategy: Strategy): StrategyView {
    nameCaller(strategy.name);
    const note = (text: string): void => this.#noted(text);
    return new StrategyView(this.#books, strategy, { preview: this.#preview, note });
  }

  /** A strategy that starts, or whose venue begins or ends to show quotes, has no note yet. */
  #prepare(): void {
    const { isBlind } = this.#books.prices;
    const { definition, wakes } = this.#strategy;
    this.#isBlind = isBlind;
    this.#note = undefined;
    this.said = undefined;
    this.#wakes = isBlind && definition.blind !== undefined ? BLIND_WAKES : wakes;
    const idle = isBlind && wakes.has("quote") ? whyNeverWoken(this.#strategy, UNQUOTED) : undefined;
    if (idle !== undefined) this.#noted(idle);
  }

  #noted(text: string): void {
    // Usually the same text as at the previous quote.
    if (text === this.#note) return;
    this.#note = text;
    this.said = { text: printable(String(text).trim(), NOTE_LENGTH_MAX), at: this.#books.now };
  }

  #bar({ symbol, open, high, low, close, volume }: BarEvent): unknown {
    // Not finite if one of them is not.
    const sum = open + high + low + close;
    if (sum - sum !== 0) return undefined;
    const bar = Object.freeze({ symbol, open, high, low, close, volume });
    return this.#call({ wake: "bar", prices: this.#books.prices.pair(symbol), bar });
  }

  #reported({ report }: ReportEvent): Pick<Call, "prices" | "report"> {
    const { prices, reported, now } = this.#books;
    return {
      prices: report.kind === "filled" ? prices.pairs.get(report.fill.symbol) : undefined,
      report: reported && reportView(report, reported, now),
    };
  }

  #call(call: Call): unknown {
    const { definition, name } = this.#strategy;
    let answer: unknown;
    let thrown: { readonly error: unknown } | undefined;
    callBegins();
    openView(this.#view, call);
    try {
      answer = this.#wakes === BLIND_WAKES ? definition.blind?.(this.#view) : definition.decide(this.#view);
    } catch (error) {
      thrown = { error };
    }
    // Closed first: the error may be the strategy's own, with code that runs when it is read.
    closeView(this.#view);
    callEnds();
    return thrown === undefined
      ? checked(name, answer)
      : new Failed(`decide of ${name} threw: ${textOf(thrown.error)}`);
  }
}

function wakeOf(event: Event): Wake | undefined {
  switch (event.kind) {
    case "quote":
      return event.source === "venue" ? "quote" : "reference";
    case "bar":
    case "timer":
    case "report":
      return event.kind;
    case "instruments":
      return "pairs";
    case "control":
      return undefined;
    default:
      return "balances";
  }
}

function checked(name: string, answer: unknown): unknown {
  try {
    if (!isPromised(answer)) return answer;
    // The failure is returned now, so a later rejection of the promise must not end the process.
    answer.then(undefined, () => {});
    return new Failed(`decide of ${name} must answer at once, was a promise`);
  } catch (error) {
    return new Failed(unread(name, error));
  }
}

/** The returned value may have the strategy's own code in it too. */
export function unread(strategy: string, error: unknown): string {
  return `what decide of ${strategy} returned threw when it was read: ${textOf(error)}`;
}
