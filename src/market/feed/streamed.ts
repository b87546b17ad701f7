// Listens to a streaming source: a connection that is reopened when it ends, goes silent or sends nonsense, with
// growing backoff and jitter. Messages count only while their connection is open.

import { Observable } from "rxjs";
import type { PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Mono, Timers } from "../../domain/time.ts";
import { type FeedParts, quoteOf, restMs, type Told } from "./feed.ts";

export interface Line {
  send(text: string): void;
  /** No callback follows it. */
  close(): void;
}

export type LineEnds = {
  opened(): void;
  heard(text: string): void;
  /** Called once per connection. */
  ended(reason: string): void;
};

/** Seam: a connection that carries text both ways. */
export type Dial = (url: string, ends: LineEnds) => Line;

/** The protocol of one connection, from its opening to its end. */
export interface Talk {
  /** Messages sent first. */
  readonly opening: readonly string[];
  /** Undefined for a message that makes no sense. */
  hear(text: string): Told | undefined;
}

/** The maximum silence of a connection, including the time to open it. */
const SILENCE_MS_MAX = 10_000;
const REST_MS_FIRST = 500;
const REST_MS_MAX = 30_000;
/** The maximum number of consecutive messages that make no sense. */
const NONSENSE_MAX = 3;
/** At most one quote per pair in this interval. */
const EVERY_MS = 100;

const SECOND_MS = 1_000;
const WORDS_MAX = 4;

export type StreamParts = FeedParts & { readonly dial: Dial };

export function streamed(
  { name, url }: { readonly name: string; readonly url: string },
  talkAnew: () => Talk,
  parts: StreamParts,
): Observable<QuoteEvent> {
  const quotes$ = new Observable<QuoteEvent>((subscriber) => {
    const listener = new Listener({ ...parts, name, url, talkAnew }, (quote) => subscriber.next(quote));
    listener.dial();
    return () => listener.close();
  });
  return conflated(quotes$, EVERY_MS, parts.timers);
}

type ListenerParts = StreamParts & {
  readonly name: string;
  readonly url: string;
  readonly talkAnew: () => Talk;
};

class Listener {
  readonly #parts: ListenerParts;
  readonly #say: (quote: QuoteEvent) => void;
  #line: Line | undefined;
  #cancel = (): void => {};
  #failures = 0;
  #nonsense = 0;
  #trouble: string | undefined;
  #dialledAt: Mono;
  /** The number of problems reported in the current second, and the start of that second. */
  #words = 0;
  #wordsFrom = Number.NEGATIVE_INFINITY;

  constructor(parts: ListenerParts, say: (quote: QuoteEvent) => void) {
    this.#parts = parts;
    this.#say = say;
    this.#dialledAt = parts.clock.monotonic();
  }

  dial(): void {
    const { talkAnew, url } = this.#parts;
    const talk = talkAnew();
    this.#nonsense = 0;
    this.#dialledAt = this.#parts.clock.monotonic();
    this.#watch();
    this.#line = this.#parts.dial(url, {
      opened: () => {
        for (const text of talk.opening) this.#line?.send(text);
      },
      heard: (text) => this.#hear(talk, text),
      ended: (reason) => this.#fail(reason),
    });
  }

  close(): void {
    this.#cancel();
    this.#line?.close();
    this.#line = undefined;
  }

  #watch(): void {
    const { timers } = this.#parts;
    this.#cancel();
    this.#cancel = timers.after(SILENCE_MS_MAX, () => this.#fail(`nothing was heard for ${SILENCE_MS_MAX} ms`));
  }

  #hear(talk: Talk, text: string): void {
    const { name, clock } = this.#parts;
    const told = talk.hear(text);
    this.#nonsense = told === undefined ? this.#nonsense + 1 : 0;
    if (told === undefined) {
      if (this.#nonsense >= NONSENSE_MAX) this.#fail(`${this.#nonsense} messages in a row were not understood`);
      return;
    }
    this.#watch();
    const receivedAt = clock.now();
    // Backoff resets only after the connection has lasted, so that one that sends a price and ends is not reopened
    // faster each time.
    const stoodMs = clock.monotonic() - this.#dialledAt;
    if (told.ticks.length > 0 && stoodMs >= SILENCE_MS_MAX) this.#failures = 0;
    for (const tick of told.ticks) this.#say(quoteOf(name, tick, receivedAt));
    if (told.trouble === undefined && told.ticks.length === 0) return;
    // A flood of wrong prices must not flood the log; a problem that lasts is reported by a later message.
    if (told.trouble !== this.#trouble && this.#mayTell()) this.#tell(told.trouble);
  }

  #fail(reason: string): void {
    const { timers, random } = this.#parts;
    this.close();
    this.#tell(reason);
    this.#failures++;
    const pauseMs = restMs(this.#failures, random, REST_MS_FIRST, REST_MS_MAX);
    this.#cancel = timers.after(pauseMs, () => this.dial());
  }

  #mayTell(): boolean {
    const now = this.#parts.clock.monotonic();
    if (now - this.#wordsFrom >= SECOND_MS) {
      this.#wordsFrom = now;
      this.#words = 0;
    }
    return ++this.#words <= WORDS_MAX;
  }

  /** Reported when it starts, changes and ends. */
  #tell(reason: string | undefined): void {
    if (reason === this.#trouble) return;
    this.#trouble = reason;
    this.#parts.onTrouble?.(this.#parts.name, reason);
  }
}

// Conflates quotes: emits the newest of each pair, at most once per interval. At most one quote per pair waits, however
// many arrive.

export function conflated(quotes$: Observable<QuoteEvent>, everyMs: number, timers: Timers): Observable<QuoteEvent> {
  return new Observable((subscriber) => {
    /** Undefined: emitted in this interval, and no newer one has arrived. */
    const said = new Map<PairSymbol, QuoteEvent | undefined>();
    let cancel: (() => void) | undefined;
    const begin = (): void => {
      cancel ??= timers.after(everyMs, () => {
        cancel = undefined;
        const waiting = [...said.values()].filter((quote) => quote !== undefined);
        said.clear();
        for (const quote of waiting) say(quote);
      });
    };
    const say = (quote: QuoteEvent): void => {
      said.set(quote.symbol, undefined);
      begin();
      subscriber.next(quote);
    };
    const subscription = quotes$.subscribe((quote) => {
      if (said.has(quote.symbol)) said.set(quote.symbol, quote);
      else say(quote);
    });
    return () => {
      subscription.unsubscribe();
      cancel?.();
    };
  });
}
