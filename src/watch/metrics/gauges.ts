// The values that a scrape reads from the status and the process: a table of names with labels and help, and a function
// with a value for each name. An unknown value has no sample. Labels come from closed sets. Values are floats, for
// charts; the journal has the exact amounts.

import type { NoFair } from "../../domain/fair.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import { STOP_CAUSES } from "../../domain/stop-cause.ts";
import type { Mono } from "../../domain/time.ts";
import { pauseOf } from "../status/connectivity.ts";
import {
  doubtsOf,
  LIMIT_KEYS,
  RISK_STATES,
  type ShownHolding,
  type ShownQuote,
  type ShownSubmission,
  STATE_WORDS,
  type Status,
} from "../status.ts";
import { isTrading } from "../text/status-text.ts";
import type { Samples } from "./closed.ts";

export type Vitals = {
  /** Memory of the process: resident, and the heap in it. */
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
  /** Event loop lag in the last minute: percentiles and maximum. */
  readonly lag: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
  /** The size of the journal file with its write-ahead log; undefined when it cannot be read. */
  readonly journalBytes: number | undefined;
};

export type Look = {
  readonly status: Status;
  readonly vitals: Vitals;
  readonly now: Mono;
};

/** The possible label values; all of them are known from the configuration. */
export type Known = {
  readonly build: { readonly version: string; readonly mode: string; readonly environment: string };
  readonly symbols: readonly string[];
  /** Pairs of a coin against its own fiat. */
  readonly par: ReadonlySet<string>;
  /** Price sources, including the venue. */
  readonly feeds: readonly string[];
  readonly currency: string;
};

/** Labels are in braces, in order. */
export const GAUGES = {
  "pegbot_build_info{version,mode,environment}": "what runs; always 1",
  pegbot_start_timestamp_seconds: "when this process began, by its own clock",
  pegbot_ready: "1 while the bot is ready to trade",
  pegbot_trading:
    "1 while orders may leave, in REDUCED those that reduce; 0 during start, stop, HALTED, a freeze of everything and other trouble",
  "pegbot_state{state}": "1 for the word of the state: the same as on page, screen and status",
  pegbot_idle_seconds: "how long the bot has sent no order although it may trade, 0 while it is not idle",
  "pegbot_event_loop_lag_seconds{stat}": "lateness of the event loop in the worst 5 seconds of the last minute",
  "pegbot_memory_bytes{kind}": "memory of the process",
  pegbot_journal_writable:
    "0 while the journal takes no record at all; a full disk is counted by pegbot_journal_failures_total",
  pegbot_journal_records: "records in the journal",
  pegbot_journal_size_bytes: "size of the journal on disk",
  "pegbot_feed_up{feed}": "1 while the feed answers and its prices are believed",
  "pegbot_feed_age_seconds{feed}": "time since the last price of the feed",
  "pegbot_risk_state{state}": "1 for the state that the bot is in",
  "pegbot_stop_cause{cause}": "1 for what stops the bot, while something does",
  pegbot_kill_switch: "1 while a person's stop stands",
  "pegbot_limit{limit}": "a limit that fills up, in its own unit",
  "pegbot_limit_used_ratio{limit}":
    "how much of a limit is used; 1 is all of it. doubts and doubt-age are of orders alone (RC16)",
  pegbot_open_doubts:
    "orders, mints and rails that may have happened and are not resolved; an order or mint freezes its assets, two freeze everything",
  pegbot_oldest_doubt_age_seconds: "age of the oldest of them, 0 without one",
  "pegbot_equity{currency}":
    "net worth in the currency of the limits, a coin at the lower of par and the best known bid",
  "pegbot_value{currency,basis}": "all that is held in the currency of the limits, at mid and at par",
  "pegbot_profit{currency,kind}": "profit since the journal began, in the currency of the limits, by its source",
  pegbot_mark_age_seconds: "age of the oldest price behind equity",
  "pegbot_balance{asset,kind}": "what there is of an asset, in its units, by part",
  "pegbot_day_fees{currency,kind}":
    "fees since the UTC day opened, in the currency of the limits, by what they were for",
  "pegbot_day_turnover{currency}": "value traded since the UTC day opened",
  "pegbot_day_source{currency,source}": "the parts of the day's result, which add up to it, by source",
  "pegbot_edge_per_request{currency}": "edge over fair value that fills captured, for each request of this process",
  "pegbot_venue_quote{symbol,side}": "the venue's price",
  "pegbot_fair_value{symbol}": "what a unit is worth by what is known",
  "pegbot_fair_value_state{symbol,state}": "1 for how fair value stands",
  "pegbot_quote_age_seconds{symbol}": "age of the venue's last quote",
  "pegbot_par_premium_ratio{symbol}": "how far the middle of the quote is above par",
  pegbot_slot_utilisation_ratio:
    "requests of the last minute by whatever process of the key, of those that the pace allows",
  pegbot_slot_spacing_seconds: "time between two requests of the key",
  pegbot_queue_length: "wants that wait for a slot, of whatever process",
  pegbot_clock_skew_seconds: "our clock minus the venue's, which tells whole seconds only",
  pegbot_last_good_answer_age_seconds: "time since the venue last answered as it should",
  pegbot_venue_paused:
    "1 while the bot asks for nothing, or for doubts alone: a pause by the venue, a storm of 429, an unwritable journal",
  pegbot_venue_paused_until_timestamp_seconds: "end of the pause by the venue, 0 without one",
  "pegbot_mints{state}": "mints that have not come to their end, by state",
  "pegbot_mint_age_seconds{state}": "age of the oldest mint in that state, 0 without one",
  "pegbot_rails{state}": "rails that have not come to their end, by state",
  "pegbot_rail_age_seconds{state}": "age of the oldest rail in that state, 0 without one",
  pegbot_payment_awaited_seconds: "how long the oldest payment on a rail has been waited for, 0 without one",
  pegbot_payments_held: "payments on rails that the venue holds",
  pegbot_plans_waiting: "plans of rebalancing that wait for an approval",
  pegbot_rails_frozen: "1 while rails are frozen until a person has looked",
} as const;

type Values = { readonly [of in keyof typeof GAUGES]: Samples };

const FAIR_STATES = [
  "fair",
  "missing",
  "stale",
  "crossed",
  "disagreeing",
  "off-peg",
  "implausible",
  "closed",
] as const satisfies readonly (NoFair | "fair")[];
/** States in which a request that moves money can remain; `held` is a venue status of requests that have happened. */
const REQUEST_STATES = ["intended", "sending", "accepted", "held", "confirmed", "unknown", "escalated", "late"];

/** `silenceMs`: time since the venue's last good answer. */
export function gaugeValues(look: Look, known: Known, silenceMs: number): Values {
  const { status, vitals } = look;
  const { phase, standing, budget } = status;
  const { version, mode, environment } = known.build;
  const feeds = named(known.feeds, (feed) => status.feeds.find(({ name }) => name === feed));
  const limits = status.limits.filter(({ key }) => LIMIT_KEYS.includes(key));
  const stops = [standing, ...standing.also];
  return {
    "pegbot_build_info{version,mode,environment}": { [version]: { [mode]: { [environment]: 1 } } },
    pegbot_start_timestamp_seconds: seconds(status.startedAt ?? status.at),
    pegbot_ready: status.unready.length === 0,
    pegbot_trading: isTrading(status),
    "pegbot_state{state}": named(STATE_WORDS, (word) => word === status.state.word),
    pegbot_idle_seconds: oldest(status.idle === undefined ? [] : [status.idle], status),
    "pegbot_event_loop_lag_seconds{stat}": {
      p50: seconds(vitals.lag.p50Ms),
      p99: seconds(vitals.lag.p99Ms),
      max: seconds(vitals.lag.maxMs),
    },
    "pegbot_memory_bytes{kind}": { resident: vitals.memory.residentBytes, heap: vitals.memory.heapBytes },
    pegbot_journal_writable: phase.kind !== "unwritable",
    pegbot_journal_records: status.journal.records,
    pegbot_journal_size_bytes: vitals.journalBytes,
    "pegbot_feed_up{feed}": each(feeds, (feed) => feed?.ageMs !== undefined && feed.trouble === undefined),
    "pegbot_feed_age_seconds{feed}": each(feeds, (feed) => seconds(feed?.ageMs)),
    "pegbot_risk_state{state}": named(RISK_STATES, (state) => state === standing.state),
    "pegbot_stop_cause{cause}": named(STOP_CAUSES, (one) => stops.some(({ cause }) => cause === one)),
    pegbot_kill_switch: standing.cause === "person",
    "pegbot_limit{limit}": Object.fromEntries(limits.map(({ key, limit }) => [key, limit])),
    "pegbot_limit_used_ratio{limit}": Object.fromEntries(limits.map(({ key, usedBps }) => [key, ratio(usedBps)])),
    pegbot_open_doubts: doubtsOf(status).length,
    pegbot_oldest_doubt_age_seconds: oldest(doubtsOf(status), status),
    ...moneyValues(status, known),
    ...priceValues(status, known),
    pegbot_slot_utilisation_ratio: ratio(budget?.usedBps),
    pegbot_slot_spacing_seconds: seconds(budget?.spacingMs),
    pegbot_queue_length: budget?.waiting.length,
    pegbot_clock_skew_seconds: seconds(budget?.skewMs),
    pegbot_last_good_answer_age_seconds: seconds(silenceMs),
    pegbot_venue_paused: pauseOf(phase.kind === "unwritable", budget) !== undefined,
    pegbot_venue_paused_until_timestamp_seconds: budget && (seconds(budget.paused?.until) ?? 0),
    "pegbot_mints{state}": each(requestsOf("mint", status), (those) => those.length),
    "pegbot_mint_age_seconds{state}": each(requestsOf("mint", status), (those) => oldest(those, status)),
    "pegbot_rails{state}": each(requestsOf("rail", status), (those) => those.length),
    "pegbot_rail_age_seconds{state}": each(requestsOf("rail", status), (those) => oldest(those, status)),
    pegbot_payment_awaited_seconds: oldest(status.treasury?.awaited ?? [], status),
    pegbot_payments_held: status.treasury?.held?.length ?? 0,
    pegbot_plans_waiting: status.treasury?.plans.length ?? 0,
    pegbot_rails_frozen: status.treasury?.railsFrozen !== undefined,
  };
}

function moneyValues(status: Status, known: Known) {
  const { currency, now, atMid, atPar, markAgeMs, turnover } = status.equity;
  const { fees, mintFees, railFees } = status.equity;
  const { realised: all, unrealised, fx } = status.totals ?? {};
  /** No samples before the currency of the limits is known. */
  const money = (samples: Samples): Samples => (currency === "" ? undefined : { [currency]: samples });
  const assets = assetsOf(known);
  const parts = ({ held, available, pending, reserved, inFlight }: ShownHolding): Samples => ({
    ...{ held, available, pending, reserved, in_flight: inFlight },
  });
  return {
    "pegbot_equity{currency}": money(now),
    "pegbot_value{currency,basis}": money({ mid: atMid, par: atPar }),
    "pegbot_profit{currency,kind}": money({ realised: all, unrealised, fx }),
    pegbot_mark_age_seconds: seconds(markAgeMs),
    "pegbot_balance{asset,kind}": Object.fromEntries(
      status.holdings.filter(({ asset }) => assets.includes(asset)).map((one) => [one.asset, parts(one)]),
    ),
    "pegbot_day_source{currency,source}": money(status.equity.sources),
    "pegbot_day_fees{currency,kind}": money({ trade: fees, mint: mintFees, rail: railFees }),
    "pegbot_day_turnover{currency}": money(turnover),
    "pegbot_edge_per_request{currency}": money(status.equity.edgePerRequest),
  };
}

export function assetsOf({ currency, symbols }: Pick<Known, "currency" | "symbols">): readonly string[] {
  return [...new Set([currency, ...symbols.flatMap((symbol) => symbol.split("/"))])];
}

function priceValues(status: Status, { symbols, par }: Known) {
  const quotes = named(symbols, (symbol) => status.quotes.find((one) => one.symbol === symbol));
  const premium = ({ symbol, bid, ask }: ShownQuote): Samples =>
    par.has(symbol) && bid !== undefined && ask !== undefined ? (bid + ask) / 2 - 1 : undefined;
  return {
    "pegbot_venue_quote{symbol,side}": each(quotes, (quote) => ({ bid: quote?.bid, ask: quote?.ask })),
    "pegbot_fair_value{symbol}": each(quotes, (quote) => quote?.fair),
    "pegbot_fair_value_state{symbol,state}": each(quotes, (quote) => {
      const now = quote?.fair === undefined ? (quote?.noFair ?? "missing") : "fair";
      return named(FAIR_STATES, (state) => state === now);
    }),
    "pegbot_quote_age_seconds{symbol}": each(quotes, (quote) => seconds(quote?.ageMs)),
    "pegbot_par_premium_ratio{symbol}": each(quotes, (quote) => quote && premium(quote)),
  };
}

function requestsOf(kind: string, { open }: Status): Readonly<Record<string, readonly ShownSubmission[]>> {
  return named(REQUEST_STATES, (state) => open.filter((one) => one.kind === kind && stateOf(one) === state));
}

/** `escalated`: outcome unknown, and a person has been asked. */
function stateOf({ state, venueWord, isDoubt, decide }: ShownSubmission): string {
  if (isDoubt) return decide === undefined ? "unknown" : "escalated";
  return isHeld(venueWord) ? "held" : state;
}

function named<T>(names: readonly string[], read: (name: string) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

function each<T>(those: Readonly<Record<string, T>>, read: (one: T) => Samples): Samples {
  return Object.fromEntries(Object.entries(those).map(([name, one]) => [name, read(one)]));
}

function oldest(those: readonly { readonly since?: number | undefined }[], { at }: Status): number {
  return Math.max(0, ...those.map(({ since = at }) => at - since)) / 1_000;
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000;
}

function ratio(bps: number | undefined): number | undefined {
  return bps === undefined ? undefined : bps / 1e4;
}
