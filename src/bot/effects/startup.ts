// The start-up sequence before the strategy runs: the pairs; the venue's current histories and balances, and books that
// agree with them; the outcome of everything that an earlier process left open; one reading of the quotes.

import type { Asset } from "../../domain/asset.ts";
import { compareWithVenue, comparisonAsks, judgeStart } from "../../execution/adjustment.ts";
import type { Answer, Ask } from "../../execution/effects.ts";
import type { Moment, MoneyRequest } from "../../execution/request.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Engine } from "../engine.ts";
import type { Input } from "../input.ts";
import type { BotObserver, Phase } from "../observer.ts";
import { IDLE } from "../strategy-host/strategy-state.ts";

type Next = { readonly inputs: readonly Input[]; readonly asks: readonly Ask[] };

const NOTHING: Next = { inputs: [], asks: [] };

export class StartUp {
  readonly #watch: BotObserver;
  readonly #answers = new Map<string, Answer>();
  readonly #asked = new Set<string>();
  readonly #firstQuotesMsMax: number;
  #hasQuotes = false;
  /** The venue shows no quotes, so that none are waited for. */
  isUnquoted = false;
  /** The strategy gives up a state that does not fit. */
  isFresh = false;
  #quotesBy: number | undefined = undefined;
  phase: Phase = { kind: "reading" };
  /** True once the strategy runs. */
  isOver = false;
  /** The venue and the books were compared; from then on all reads are made as usual. */
  isCompared = false;
  /** Compared and priced: a person's operation may be judged, whatever else is still unknown. */
  isReady = false;
  /** Nothing is read and compared: only what needs no venue is decided. */
  isHeld = false;
  /** The strategy that runs or will run. */
  strategy: Strategy;
  /** The reason why the bot may not start. */
  refusal: string | undefined = undefined;

  /**
   * `firstQuotesMsMax`: quotes arrive one by one, and equity needs those of all held pairs; an order decided on the
   * first quote would be refused because the loss is unknown. If the venue is silent for longer, the rules decide.
   */
  constructor(strategy: Strategy, watch: BotObserver, firstQuotesMsMax: number) {
    this.strategy = strategy;
    this.#watch = watch;
    this.#firstQuotesMsMax = firstQuotesMsMax;
  }

  /** Replaces the strategy; true if it should run now. */
  replace(strategy: Strategy): boolean {
    this.strategy = strategy;
    return this.isOver;
  }

  after(input: Input, core: Engine, now: Moment): Next {
    if (this.isOver || this.isHeld || this.refusal !== undefined) return NOTHING;
    return this.isCompared ? this.#resolve(input, core, now) : this.#read(input, core, now);
  }

  #read(input: Input, core: Engine, now: Moment): Next {
    if (input.kind === "answer") this.#answers.set(keyOf(input.answer), input.answer);
    if (input.kind === "unanswered")
      for (const key of this.#asked) if (key.startsWith(input.witness)) this.#asked.delete(key);
    if (core.books.instruments.size === 0) return NOTHING;
    const wanted = comparisonAsks(coinsOf(core), core.executor.treasury.hasRails);
    if (wanted.every((ask) => this.#answers.has(keyOf(ask)))) return this.#compare(input, core, now);
    // Retried only as time passes, so that a request that fails at once is not repeated as fast as it fails.
    if (this.#asked.size > 0 && input.kind !== "time") return NOTHING;
    const asks = wanted.filter((ask) => !this.#answers.has(keyOf(ask)) && !this.#asked.has(keyOf(ask)));
    for (const ask of asks) this.#asked.add(keyOf(ask));
    return { inputs: [], asks };
  }

  #compare(input: Input, core: Engine, now: Moment): Next {
    const { accounts } = core.books;
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

  #resolve(input: Input, { executor }: Engine, now: Moment, ...before: readonly Input[]): Next {
    this.#answers.clear();
    this.isCompared = true;
    const isPriced = this.#isPriced(input, now);
    this.isReady ||= isPriced;
    const open = [...executor.open()].filter(keepsWaiting).length;
    if (open === 0 && !isPriced) return { inputs: before, asks: [] };
    if (open === 0) {
      this.#enter({ kind: "trading" });
      // Without a strategy there is none to continue, and its absence is no news of the one that ran before.
      if (this.strategy === IDLE) return { inputs: before, asks: [] };
      return { inputs: [...before, { kind: "strategy", strategy: this.strategy, isFresh: this.isFresh }], asks: [] };
    }
    if (this.phase.kind !== "resolving" || this.phase.open !== open) this.#enter({ kind: "resolving", open });
    return { inputs: before, asks: [] };
  }

  /**
   * The quotes of one reading are processed one after the other, and the time input after the first comes behind them.
   */
  #isPriced(input: Input, { mono }: Moment): boolean {
    this.#quotesBy ??= mono + this.#firstQuotesMsMax;
    if (input.kind === "event" && input.event.kind === "quote" && input.event.source === "venue")
      this.#hasQuotes = true;
    return mono >= this.#quotesBy || ((this.#hasQuotes || this.isUnquoted) && input.kind === "time");
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.isOver = phase.kind === "trading";
    this.#watch.phase?.(phase);
  }
}

/** A rail is a registration: whether or not it exists, no money has moved. */
function keepsWaiting({ kind, state }: MoneyRequest): boolean {
  return kind !== "rail" && state.kind === "unknown" && state.escalated === undefined;
}

/** Mintable coins: those traded against their own fiat. */
function coinsOf({ books }: Engine): readonly Asset[] {
  const coins = new Set<Asset>();
  for (const { base, quote } of books.instruments.values()) if (base === `V${quote}`) coins.add(base);
  return [...coins];
}

function keyOf(of: { readonly witness: string; readonly asset?: Asset | undefined }): string {
  return of.asset === undefined ? of.witness : `${of.witness} ${of.asset}`;
}
