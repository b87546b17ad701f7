// Kraken's public WebSocket, version 2: one subscription to the channel `ticker`, which sends every change of the best
// bid and ask. A heartbeat arrives in each second without another message, so any message confirms the last prices:
// they are emitted again once a second, unless they were old on arrival. The guard handles prices that do not change
// for too long. While Kraken's system is not online nothing is emitted.

import type { Observable } from "rxjs";
import { z } from "zod";
import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import { jsonOf } from "../../domain/json-of.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type FeedSource, readTick, type Tick, type Told, together } from "./feed.ts";
import { type StreamParts, streamed, type Talk } from "./streamed.ts";

const row = z.object({
  symbol: z.string(),
  bid: z.unknown(),
  ask: z.unknown(),
  bid_qty: z.unknown(),
  ask_qty: z.unknown(),
  timestamp: z.string().optional(),
});
const ticker = z.object({
  channel: z.literal("ticker"),
  type: z.enum(["snapshot", "update"]),
  data: z.array(row).max(256),
});
const status = z.object({ channel: z.literal("status"), data: z.array(z.object({ system: z.string() })).max(16) });
const other = z.object({ channel: z.string() });
const reply = z.object({ method: z.string(), success: z.boolean().optional(), error: z.string().optional() });
const message = z.union([ticker, status, other, reply]);

/** Unchanged prices are emitted again at this interval while the connection is alive. */
const STANDING_MS = 1_000;
/** By Kraken's clock and ours: a price that arrives later than this is not repeated. */
const LATE_MS_MAX = 1_000;
const ONLINE = "online";

export function krakenSocket(source: FeedSource, parts: StreamParts): Observable<QuoteEvent> {
  return streamed(source, () => new TickerTalk(source.symbols, () => parts.clock.now()), parts);
}

class TickerTalk implements Talk {
  readonly opening: readonly string[];
  readonly #symbols: ReadonlySet<PairSymbol>;
  readonly #now: () => Millis;
  #system = ONLINE;
  #refused: string | undefined;
  readonly #standing = new Map<PairSymbol, { tick: Tick; toldAt: Millis }>();

  constructor(symbols: ReadonlySet<PairSymbol>, now: () => Millis) {
    this.#symbols = symbols;
    this.#now = now;
    const params = { channel: "ticker", symbol: [...symbols], event_trigger: "bbo", snapshot: true };
    this.opening = [JSON.stringify({ method: "subscribe", params, req_id: 1 })];
  }

  hear(text: string): Told | undefined {
    const parsed = message.safeParse(jsonOf(text));
    if (!parsed.success) return undefined;
    const heard = parsed.data;
    if ("method" in heard) this.#replied(heard);
    // A malformed ticker does not count as a message.
    else if (heard.channel === "ticker") return "type" in heard ? this.#ticked(heard) : undefined;
    else if (isStatus(heard)) this.#became(heard.data.at(-1)?.system ?? "unknown");
    return { ticks: this.#again(), trouble: this.#lasting() };
  }

  #became(system: string): void {
    this.#system = system;
    // Earlier prices are not valid after an outage.
    if (system !== ONLINE) this.#standing.clear();
  }

  #ticked({ data }: z.output<typeof ticker>): Told {
    if (this.#system !== ONLINE) return { ticks: [], trouble: this.#lasting() };
    const rows = data.flatMap(({ symbol: name, bid, ask, bid_qty: bidSize, ask_qty: askSize, timestamp }) => {
      const symbol = parseSymbol(name);
      if (!symbol.ok || !this.#symbols.has(symbol.value)) return [];
      return [readTick({ symbol: symbol.value, bid, ask, bidSize, askSize, at: timeOf(timestamp) })];
    });
    const { ticks, trouble } = together(rows);
    const now = this.#now();
    for (const tick of ticks) {
      // A price that was old on arrival keeps ageing, however alive the connection is.
      if (now - (tick.at ?? now) > LATE_MS_MAX) this.#standing.delete(tick.symbol);
      else this.#standing.set(tick.symbol, { tick, toldAt: now });
    }
    return { ticks: [...ticks, ...this.#again()], trouble: trouble ?? this.#lasting() };
  }

  #replied({ method, success, error }: z.output<typeof reply>): void {
    if (success === false) this.#refused = `it refuses ${printable(method, 20)}: ${printable(error ?? "", 120)}`;
  }

  /** A problem that lasts until Kraken reports otherwise, or until the next connection. */
  #lasting(): string | undefined {
    return this.#system === ONLINE ? this.#refused : `its system is ${printable(this.#system, 40)}`;
  }

  #again(): Tick[] {
    const now = this.#now();
    return [...this.#standing.values()].flatMap((standing) => {
      if (now - standing.toldAt < STANDING_MS) return [];
      standing.toldAt = now;
      // Without the source's time, so that it counts as fresh as the message that confirms it.
      return [{ ...standing.tick, at: undefined }];
    });
  }
}

function isStatus(heard: { readonly channel: string }): heard is z.output<typeof status> {
  return heard.channel === "status" && "data" in heard;
}

function timeOf(text: string | undefined): Millis | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : millis(time);
}
