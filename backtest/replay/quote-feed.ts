// Recorded quotes as a free feed, each row at its time. Under the name "venue" they are the venue's own, as if it streamed
// them: the assumption of most backtests, and cheaper than this venue is. Under any other name they are a reference.

import type { Engine } from "../../src/bot/engine/engine.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { isRecorded, type Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import type { QuoteColumns } from "../../src/market/column.ts";
import type { QuoteSource, Span } from "../data/source.ts";
import type { RowFeed } from "./feed.ts";
import { RowCursor } from "./row-cursor.ts";

/** So many rows run fastest in one call of the engine. */
const RUN_ROWS = 512;

/** A record of any length: its chunks one after the other, in the memory of one. */
export function sourceFeed(name: string, source: Pick<QuoteSource, "chunks">, span?: Span): RowFeed<QuoteEvent> {
  const chunks = source.chunks(span);
  return name === "venue" ? new VenueRows(name, chunks) : new QuoteRows(name, chunks);
}

type Reused = { -readonly [K in keyof QuoteEvent]: QuoteEvent[K] };

class QuoteRows implements RowFeed<QuoteEvent> {
  protected readonly cursor: RowCursor<QuoteColumns>;
  readonly #source: string;
  #event: Reused | undefined = undefined;

  constructor(source: string, chunks: Iterable<QuoteColumns>) {
    this.#source = source;
    this.cursor = new RowCursor(chunks);
  }

  get nextAt(): number {
    return this.cursor.time;
  }

  get reachedAt(): number {
    return this.cursor.reached;
  }

  take(): readonly QuoteEvent[] {
    const { chunk, row } = this.cursor;
    if (chunk === undefined) return [];
    const event = this.#empty(chunk);
    read(chunk, row, 0, event);
    this.cursor.leave(row);
    return [event];
  }

  run(engine: Engine, until: number, lagMs: number): Step | undefined {
    const { cursor } = this;
    for (let { chunk } = cursor; chunk !== undefined; chunk = cursor.chunk) {
      this.#event ??= this.#empty(chunk);
      const event = this.#event;
      const end = cursor.endBefore(until, chunk.length);
      if (end === cursor.row) return undefined;
      for (let { row } = cursor; row < end; row++) {
        read(chunk, row, lagMs, event);
        const step = engine.quote(event);
        if (!isRecorded(step)) continue;
        cursor.leave(row);
        return step;
      }
      cursor.leave(end - 1);
      if (cursor.time >= until) return undefined;
    }
    return undefined;
  }

  #empty({ symbol }: QuoteColumns): Reused {
    const prices = { bid: 0.5, ask: 0.5, bidSize: undefined, askSize: undefined };
    return { kind: "quote", symbol, ...prices, source: this.#source, at: undefined, receivedAt: millis(0.5) };
  }
}

class VenueRows extends QuoteRows {
  readonly isVenue = true;

  override run(engine: Engine, until: number, lagMs: number): Step | undefined {
    const { cursor } = this;
    for (let { chunk } = cursor; chunk !== undefined; chunk = cursor.chunk) {
      const end = cursor.endBefore(until, RUN_ROWS);
      if (end === cursor.row) return undefined;
      const row = engine.run(chunk, cursor.row, end, lagMs);
      cursor.leave(Math.min(row, end - 1));
      if (row < end && isRecorded(engine.step)) return engine.step;
      if (cursor.time >= until) return undefined;
    }
    return undefined;
  }
}

function read({ time, bid, ask, bidSize, askSize }: QuoteColumns, row: number, lagMs: number, into: Reused): void {
  into.bid = bid[row] as number;
  into.ask = ask[row] as number;
  into.bidSize = known(bidSize[row] as number);
  into.askSize = known(askSize[row] as number);
  into.receivedAt = millis((time[row] as number) - lagMs);
}

function known(size: number): number | undefined {
  return Number.isNaN(size) ? undefined : size;
}
