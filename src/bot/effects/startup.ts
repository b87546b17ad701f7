// What must be known before the strategy runs, in this order: the pairs; histories and balances as the venue has them now,
// and books that agree with them; what became of everything that an earlier process left open; one reading of the quotes.

import type { Asset } from "../../domain/asset.ts";
import { compareWithVenue, comparisonAsks, judgeStart } from "../../execution/adjustment.ts";
import type { Answer, Ask } from "../../execution/effects.ts";
import type { Moment, MoneyRequest } from "../../execution/request.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { BotObserver, Phase } from "../observer.ts";
import type { Input } from "../trading-core/input.ts";
import type { TradingCore } from "../trading-core/trading-core.ts";

type Next = { readonly inputs: readonly Input[]; readonly asks: readonly Ask[] };

const NOTHING: Next = { inputs: [], asks: [] };

export class StartUp {
  readonly #watch: BotObserver;
  readonly #answers = new Map<string, Answer>();
  readonly #asked = new Set<string>();
  readonly #firstQuotesMsMax: number;
  #hasQuotes = false;
  #quotesBy: number | undefined = undefined;
  phase: Phase = { kind: "reading" };
  /** The strategy runs. */
  isOver = false;
  /** Venue and books were compared: from then on everything is read as usual. */
  isCompared = false;
  /** The one that runs, or will. */
  strategy: Strategy;
  /** Why the bot may not start. */
  refusal: string | undefined = undefined;

  /**
   * `firstQuotesMsMax`: quotes come one by one, and what an account is worth needs those of all its pairs: decided on the first
   * one, the first order would be refused because a loss is unknown. A venue that is silent for longer is left to the rules.
   */
  constructor(strategy: Strategy, watch: BotObserver, firstQuotesMsMax: number) {
    this.strategy = strategy;
    this.#watch = watch;
    this.#firstQuotesMsMax = firstQuotesMsMax;
  }

  /** Another strategy than at first: whether it is to run now. */
  replace(strategy: Strategy): boolean {
    this.strategy = strategy;
    return this.isOver;
  }

  after(input: Input, core: TradingCore, now: Moment): Next {
    if (this.isOver || this.refusal !== undefined) return NOTHING;
    return this.isCompared ? this.#resolve(input, core, now) : this.#read(input, core, now);
  }

  #read(input: Input, core: TradingCore, now: Moment): Next {
    if (input.kind === "answer") this.#answers.set(keyOf(input.answer), input.answer);
    if (input.kind === "unanswered")
      for (const key of this.#asked) if (key.startsWith(input.witness)) this.#asked.delete(key);
    if (core.engine.instruments.size === 0) return NOTHING;
    const wanted = comparisonAsks(coinsOf(core), core.executor.treasury.hasRails);
    if (wanted.every((ask) => this.#answers.has(keyOf(ask)))) return this.#compare(input, core, now);
    // Again only as time passes: what fails at once must not be asked as fast as it fails.
    if (this.#asked.size > 0 && input.kind !== "time") return NOTHING;
    const asks = wanted.filter((ask) => !this.#answers.has(keyOf(ask)) && !this.#asked.has(keyOf(ask)));
    for (const ask of asks) this.#asked.add(keyOf(ask));
    return { inputs: [], asks };
  }

  #compare(input: Input, core: TradingCore, now: Moment): Next {
    const { accounts } = core.engine.context;
    const compared = compareWithVenue(core.executor, [...this.#answers.values()], accounts, now);
    const start = compared.ok ? judgeStart(core.executor, compared.value, now) : undefined;
    if (start === undefined || start.kind === "ready") return this.#resolve(input, core, now);
    if (start.kind === "first") {
      this.#watch.note?.(start.note);
      return this.#resolve(input, core, now, { kind: "adoption", adoption: start.plan.record, isOpening: true });
    }
    this.refusal = `${start.reason}: ${start.wayOut}`;
    return NOTHING;
  }

  #resolve(input: Input, { executor }: TradingCore, now: Moment, ...before: readonly Input[]): Next {
    this.#answers.clear();
    this.isCompared = true;
    const isPriced = this.#isPriced(input, now);
    const open = [...executor.open()].filter(keepsWaiting).length;
    if (open === 0 && !isPriced) return { inputs: before, asks: [] };
    if (open === 0) {
      this.#enter({ kind: "trading" });
      return { inputs: [...before, { kind: "strategy", strategy: this.strategy }], asks: [] };
    }
    if (this.phase.kind !== "resolving" || this.phase.open !== open) this.#enter({ kind: "resolving", open });
    return { inputs: before, asks: [] };
  }

  /** Those of one reading are taken one after the other, and the time that passes after the first has its turn behind them. */
  #isPriced(input: Input, { mono }: Moment): boolean {
    this.#quotesBy ??= mono + this.#firstQuotesMsMax;
    if (input.kind === "event" && input.event.kind === "quote" && input.event.source === "venue")
      this.#hasQuotes = true;
    return mono >= this.#quotesBy || (this.#hasQuotes && input.kind === "time");
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.isOver = phase.kind === "trading";
    this.#watch.phase?.(phase);
  }
}

/** A rail is a registration: whether it is there or not, no money of ours has moved. */
function keepsWaiting({ kind, state }: MoneyRequest): boolean {
  return kind !== "rail" && state.kind === "unknown" && state.escalated === undefined;
}

/** What can be minted: a coin that is traded against its own fiat. */
function coinsOf({ engine }: TradingCore): readonly Asset[] {
  const coins = new Set<Asset>();
  for (const { base, quote } of engine.instruments.values()) if (base === `V${quote}`) coins.add(base);
  return [...coins];
}

function keyOf(of: { readonly witness: string; readonly asset?: Asset | undefined }): string {
  return of.asset === undefined ? of.witness : `${of.witness} ${of.asset}`;
}
