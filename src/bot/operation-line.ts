// How an operation of a person or a program reaches the running pipeline: its inputs wait in the inbox like all others,
// its questions take slots of the same bucket, and what it sends leaves by the pipeline's own dispatch.

import { Subject } from "rxjs";
import type { QuoteEvent } from "../domain/event.ts";
import type { Quote } from "../domain/quote.ts";
import type { Exchange, Reading, Want } from "../exchange/port.ts";
import type { Heard, Question } from "../execution/dispatch.ts";
import type { Moment } from "../execution/request.ts";
import type { JournalRecord } from "../journal/record.ts";
import type { Engine } from "./engine.ts";
import type { Input } from "./input.ts";
import type { Turn } from "./turn.ts";

/** A turn that is on disk, with its input. */
export type Done = { readonly input: Input; readonly turn: Turn };

/** The parts of a running pipeline that operations use. */
export type LineParts = {
  readonly core: () => Engine;
  readonly now: () => Moment;
  readonly exchange: Exchange;
  readonly ask: (question: Question) => Promise<Heard>;
  readonly quotes: (reading: Reading<readonly Quote[]>) => readonly Input[];
};

/** The pipeline ended before the operation did. */
export class LineClosed extends Error {
  override readonly name = "LineClosed";
}

type Waiting = { readonly resolve: (turn: Turn) => void; readonly reject: (error: unknown) => void };

export class OperationLine {
  readonly inputs$ = new Subject<Input>();
  readonly #waiting = new Map<Input, Waiting>();
  readonly #looks = new Set<() => void>();
  readonly #prices = new Map<string, QuoteEvent>();
  readonly #restored = Promise.withResolvers<LineParts>();
  readonly #opened = Promise.withResolvers<LineParts>();
  /** The records so far that moved the account. */
  moves = 0;
  #parts: LineParts | undefined;
  #closed: LineClosed | undefined;
  #stopping: LineClosed | undefined;

  constructor() {
    // A line that closes before an operation came gets no answer.
    for (const { promise } of [this.#restored, this.#opened]) promise.catch(() => undefined);
  }

  get isOpen(): boolean {
    return this.#parts !== undefined && this.#closed === undefined;
  }

  /** Resolves when the journal is read: the venue was not asked yet. */
  restored(): Promise<LineParts> {
    return this.#restored.promise;
  }

  /** Resolves when the books agree with the venue, so that an operation may begin. */
  opened(): Promise<LineParts> {
    return this.#opened.promise;
  }

  /** One input, one turn: resolves when its records are on disk. */
  take(input: Input): Promise<Turn> {
    const closed = this.#closed ?? this.#stopping;
    if (closed !== undefined) return Promise.reject(closed);
    if (!this.inputs$.observed) return Promise.reject(new LineClosed("the owner of the key has not begun"));
    return new Promise((resolve, reject) => {
      this.#waiting.set(input, { resolve, reject });
      this.inputs$.next(input);
    });
  }

  /** Asks the witness, whose answer the books do not take in. */
  async look(question: Question): Promise<Heard> {
    return (await this.restored()).ask(question);
  }

  /** Asks the witness; its answer is an input of the pipeline before it is returned. A refusal concerns who asked. */
  async ask(question: Question): Promise<Heard> {
    const heard = await this.look(question);
    if (heard.kind === "answer") await this.take(heard);
    return heard;
  }

  /** The last price of each pair and source. */
  prices(): readonly QuoteEvent[] {
    return [...this.#prices.values()];
  }

  /** Reads the venue's quotes; they are inputs of the pipeline before it resolves. */
  async quotes(want: Want): Promise<Reading<readonly Quote[]>> {
    const { exchange, quotes } = await this.restored();
    const reading = await exchange.quotes(want);
    const inputs = quotes(reading);
    for (const input of inputs) this.inputs$.next(input);
    const last = inputs.at(-1);
    if (last?.kind !== "event" || last.event.kind !== "quote") return reading;
    const { source, symbol, receivedAt } = last.event;
    // A waiting price is replaced by a later one of its pair, whose turn stands for both.
    await this.until(() => (this.#prices.get(`${source} ${symbol}`)?.receivedAt ?? 0) >= receivedAt || undefined);
    return reading;
  }

  /** Resolves at the first turn after which `test` gives a value, or with undefined when `over` is aborted. */
  async until<T>(test: () => T | undefined, over?: AbortSignal): Promise<T | undefined> {
    await this.restored();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#looks.delete(look);
        over?.removeEventListener("abort", stop);
        settle();
      };
      const look = (): void => {
        const found = test();
        if (found !== undefined) end(() => resolve(found));
        else if (this.#closed !== undefined) end(() => reject(this.#closed));
      };
      const stop = (): void => end(() => resolve(undefined));
      this.#looks.add(look);
      over?.addEventListener("abort", stop, { once: true });
      if (over?.aborted === true) stop();
      else look();
    });
  }

  restore(parts: LineParts): void {
    this.#restored.resolve(parts);
  }

  open(parts: LineParts): void {
    if (this.isOpen) return;
    this.#parts = parts;
    this.#opened.resolve(parts);
  }

  done({ input, turn }: Done): void {
    this.#waiting.get(input)?.resolve(turn);
    this.#waiting.delete(input);
    this.moves += turn.records.filter(isMove).length;
    if (input.kind === "event" && input.event.kind === "quote")
      this.#prices.set(`${input.event.source} ${input.event.symbol}`, input.event);
    for (const look of [...this.#looks]) look();
  }

  /** Takes nothing new; what was taken goes on. */
  stop(reason: string): void {
    this.#stopping ??= new LineClosed(reason);
    this.#restored.reject(this.#stopping);
    this.#opened.reject(this.#stopping);
  }

  close(reason: string): void {
    this.#closed ??= new LineClosed(reason);
    this.#restored.reject(this.#closed);
    this.#opened.reject(this.#closed);
    for (const { reject } of this.#waiting.values()) reject(this.#closed);
    this.#waiting.clear();
    for (const look of [...this.#looks]) look();
  }
}

const MOVES: ReadonlySet<string> = new Set([
  ...["intent", "sending", "outcome", "resolution", "adoption", "report", "movement"],
]);

function isMove(record: JournalRecord): boolean {
  return MOVES.has(record.kind === "step" ? record.step.event.kind : record.kind);
}
