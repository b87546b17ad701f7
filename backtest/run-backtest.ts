// One backtest, from options to its record: the same core, protocol and limits as the running bot, the simulator's
// venue, and the replay between them. It prints nothing and touches no file.

import { createHash } from "node:crypto";
import { createCore } from "../src/bot/core.ts";
import type { Engine } from "../src/bot/engine.ts";
import { pipelineDefaults } from "../src/bot/pipeline-settings.ts";
import { createTrace, type Trace } from "../src/bot/trace/trace.ts";
import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import { createIds } from "../src/domain/ids.ts";
import { createRandom } from "../src/domain/random.ts";
import { err, ok, type Result } from "../src/domain/result.ts";
import type { OrderIntent } from "../src/domain/step.ts";
import type { Millis } from "../src/domain/time.ts";
import type { WantClass } from "../src/exchange/port.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { TradingState } from "../src/risk/trading-state.ts";
import type { VenueCalls } from "../src/simulator/core/calls.ts";
import { NOT_REACHED } from "../src/simulator/core/execution.ts";
import { DEFAULT_PAIRS } from "../src/simulator/core/listing.ts";
import { DEFAULT_SETTINGS, settingsIn, type VenueSettings } from "../src/simulator/core/settings.ts";
import { createVenue, type Venue } from "../src/simulator/core/venue.ts";
import { depositAddressOf } from "../src/simulator/core/venue-core.ts";
import { createLatency } from "../src/simulator/latency.ts";
import type { Market } from "../src/simulator/market/market.ts";
import { createReferenceFeed } from "../src/simulator/market/reference.ts";
import { syntheticMarket } from "../src/simulator/market/synthetic.ts";
import { setUp } from "../src/simulator/stage.ts";
import { VenueLine } from "../src/simulator/venue-line.ts";
import { guestPlace, keepGuestsIn } from "../src/strategy/guest.ts";
import { settingsOf } from "./assumption.ts";
import { BacktestRecord, type BacktestRecordParts } from "./backtest-record.ts";
import { syntheticPairs } from "./caution.ts";
import { type OutsideUse, watchingDoors } from "./check/outside-world.ts";
import { ClosedTimes } from "./holes.ts";
import { type BacktestOptions, cadenceOf, latencyOf, PAYERS } from "./options.ts";
import { type Ended, type RunRecord, SLOT_CLASSES } from "./record/run-record.ts";
import { asQuotedBy, recordedFeeds, recordedOver, whyNotNamed, whyNotOnce } from "./recording.ts";
import { polledFeed } from "./replay/feed.ts";
import { NO_JOURNAL, type Payer, type ReplayParts, replay } from "./replay/replay.ts";

export type Backtest = {
  readonly record: RunRecord;
  /** Over every decision, fill, final balance, request and sample of equity. */
  readonly traceHash: string;
  /** The trading state at the end: a bot that halted did nothing from then on. */
  readonly standing: TradingState;
  readonly tradingCore: Engine;
  readonly venue: Venue;
  readonly key: string;
};

/** Names that a running bot generates; the result does not depend on them. */
const WRITER = "backtest";
const KEY = "the-key-of-the-backtest";
const SAMPLE_MS_MAX = 60_000;
const SAMPLES_MIN = 1_440;
const SAMPLE_MS_MIN = 1_000;
/** The bot reads histories in pages of a hundred. */
const RETAINED = 500;

/** The address for depositing coins into the account of a run. */
export function depositIn(seed: number, asset: Asset, chain: string): string {
  return depositAddressOf(seed, KEY, asset, chain);
}

/** An error when the bot refused to start. */
export function runBacktest(options: BacktestOptions): Result<Backtest> {
  const release = keepGuestsIn();
  const uses: { timer?: string; outside?: string } = {};
  let isWatcher = false;
  const used: OutsideUse = (name, kind) => {
    const use = kind === "timer" ? "timer" : "outside";
    // The progress display reads a clock, and capturing a stack is expensive.
    if (uses[use] !== undefined || (isWatcher && use === "outside")) return;
    const place = guestPlace(new Error().stack ?? "");
    if (place !== undefined) uses[use] = `${name} at ${place}`;
    else if (use === "timer") uses.timer = name;
  };
  const reached = (at: Millis): void => {
    isWatcher = true;
    options.watch?.reached?.(at);
    isWatcher = false;
  };
  try {
    return watchingDoors(used, () => run({ ...options, watch: { ...options.watch, reached } }, uses));
  } finally {
    release();
  }
}

/** `uses`: the first timer and the first clock or random source that the strategy used, set when it happens. */
function run(options: BacktestOptions, uses: Pick<RunRecord, "timer" | "outside">): Result<Backtest> {
  const named = whyNotNamed([...options.references, ...options.recordings]) ?? whyNotOnce(options.recordings);
  if (named !== undefined) return err(named);
  const { seed, from, to, strategy } = options;
  const scene = sceneOf(options);
  const venue = venueOf(options, scene.market);
  if (!venue.ok) return venue;
  const { venue: watched, whyUnfilled } = withKillReasons(venue.value);
  const latency = createLatency(createRandom(seed).fork("network"), latencyOf(options));
  const trace = createTrace();
  const slots = new SlotHash();
  const record = recordFor(options, scene, whyUnfilled);
  const { tradingCore, refusal } = replay({
    from,
    to,
    makeCore: coreMaker(options),
    strategy,
    venue: { line: new VenueLine(watched, latency), key: KEY },
    payer: payerOf(venue.value),
    feeds: feedsOf(options, scene),
    journal: NO_JOURNAL,
    identity: { codeVersion: options.codeVersion, configDigest: "none" },
    settings: replaySettings(options),
    watch: watching(options, record, trace, slots),
  });
  if (refusal !== undefined) return err(refusal);
  const { tradingState: standing } = tradingCore.books.counters;
  const finished = record.finish({ ...settingsOf(options), traceHash: undefined }, endedOf(standing));
  const { time, equity, benchmark } = finished.samples;
  const hash = createHash("sha256").update(trace.digest(tradingCore.books.accounts)).update(slots.digest());
  const traceHash = hash.update(time).update(equity).update(benchmark).digest("hex");
  return ok({
    record: { ...finished, settings: { ...finished.settings, traceHash }, ...uses },
    traceHash,
    standing,
    tradingCore,
    venue: venue.value,
    key: KEY,
  });
}

type Scene = {
  readonly market: Market;
  /** The same market again, from its start. */
  readonly marketAnew: () => Market;
  /** Recordings as the references report them. */
  readonly told: BacktestOptions["recordings"];
  readonly closed: ClosedTimes;
};

function sceneOf({ seed, from, to, references, recordings, market, bend = unbent }: BacktestOptions): Scene {
  const closed = new ClosedTimes(recordings, { from, to });
  const marketAnew = (): Market =>
    recordedOver(bend(syntheticMarket(seed, market)), recordings, (track, name) => closed.over(track, name));
  const told = recordings.map((recording) => asQuotedBy(references, recording));
  return { market: marketAnew(), marketAnew, told, closed };
}

/** What the venue deals at, from its start. */
export function marketOf(options: BacktestOptions): Market {
  return sceneOf(options).market;
}

function recordFor(
  options: BacktestOptions,
  { marketAnew, closed }: Scene,
  whyUnfilled: BacktestRecordParts["whyUnfilled"],
): BacktestRecord {
  const { from, limits, terms } = options;
  return new BacktestRecord({
    from,
    marketAnew,
    dealing: options.market.dealing,
    closed,
    symbols: symbolsOf(limits),
    limits,
    whyUnfilled,
    paceMs: terms.paceMs,
  });
}

export function coreMaker(options: BacktestOptions): ReplayParts["makeCore"] {
  const { limits, traded, par, protocol, rebalancer } = options;
  const ids = createIds("B", WRITER);
  return (hosted) => ({
    ...createCore(hosted, {
      limits: traded === undefined ? limits : { ...limits, symbols: [...traded] },
      par,
      isBlind: !options.market.venue.quotesShown,
      ...(options.prices === undefined ? {} : { prices: options.prices }),
      ids,
      writer: WRITER,
      settings: protocol,
    }),
    rebalancer: rebalancer?.(WRITER),
  });
}

function feedsOf(options: BacktestOptions, { market, told }: Scene): ReplayParts["feeds"] {
  const { seed, from, to, references, terms, limits } = options;
  const synthetic = syntheticPairs(options);
  const { referencesMs: everyMs } = cadenceOf(pipelineDefaults, terms, limits, options.market);
  const polled = references.map((parameters) =>
    polledFeed(createReferenceFeed(market, seed, parameters), synthetic, { from, everyMs }),
  );
  return [...polled, ...recordedFeeds(told, { from, to })];
}

function replaySettings({ from, to, terms, limits, market }: BacktestOptions): ReplayParts["settings"] {
  const { tickMs, polls } = cadenceOf(pipelineDefaults, terms, limits, market);
  return {
    ...pipelineDefaults,
    tickMs,
    polls,
    pacing: { spacingMs: terms.paceMs },
    decisionMs: terms.decisionMs,
    sampleMs: sampleMsOf(to - from),
  };
}

/** Every request with its time: without an order nothing else tells two runs apart. */
class SlotHash {
  readonly #hash = createHash("sha256");
  readonly #pending = new Float64Array(4_096);
  #count = 0;

  add(at: Millis, granted: WantClass): void {
    this.#pending[this.#count++] = at * SLOT_CLASSES.length + SLOT_CLASSES.indexOf(granted);
    if (this.#count < this.#pending.length) return;
    this.#hash.update(this.#pending);
    this.#count = 0;
  }

  digest(): Buffer {
    return this.#hash.update(this.#pending.subarray(0, this.#count)).digest();
  }
}

function watching(
  { watch }: BacktestOptions,
  record: BacktestRecord,
  trace: Trace,
  slots: SlotHash,
): ReplayParts["watch"] {
  return {
    core: (made) => record.sees(made),
    step(step) {
      trace.take(step);
      record.step(step);
      watch?.step?.(step);
    },
    told: () => record.told(),
    slot(at, chosen) {
      slots.add(at, chosen);
      record.slot(at, chosen);
    },
    sample(at) {
      record.sample(at);
      watch?.reached?.(at);
    },
  };
}

function endedOf({ state, since, reason }: TradingState): Ended {
  return state === "ACTIVE" ? { state } : { state, since, reason };
}

function unbent(market: Market): Market {
  return market;
}

/** The venue's settings, also for the same run on paper (`parity`). */
export function venueSettings({ seed, terms: { publicationMs }, market }: BacktestOptions): Partial<VenueSettings> {
  const publicationDelay = { chance: publicationMs > 0 ? 1 : 0, minMs: 0, maxMs: publicationMs };
  return {
    ...settingsIn(market),
    seed,
    historyRetainedMax: RETAINED,
    postingsRetainedMax: RETAINED,
    faults: { ...DEFAULT_SETTINGS.faults, publicationDelay },
  };
}

function venueOf(options: BacktestOptions, market: Market): Result<Venue> {
  const { terms, funds, from, whitelist = [] } = options;
  const venue = createVenue({
    market,
    settings: venueSettings(options),
    pairs: DEFAULT_PAIRS.map((pair) => ({ ...pair, feeBps: terms.feeBps })),
  });
  const moment = { venue: from, settlement: from };
  const done = setUp(venue, KEY, new Map(Object.entries(funds)), moment);
  if (!done.ok) return err(`funds: ${done.error.message}`);
  for (const address of whitelist) {
    const listed = venue.whitelist(KEY, address);
    if (!listed.ok) return err(`whitelist: ${listed.error.message}`);
  }
  return ok(venue);
}

/**
 * Payments that the bot requests on a rail are made as requested. A payment that the venue refuses is not made, as in
 * reality.
 */
function payerOf(venue: Venue): Payer {
  const { onRampMs, offRampMs } = PAYERS;
  return {
    afterMs: ({ type }) => (type === "FiatToStablecoin" ? onRampMs : offRampMs),
    pay: (railId, amount, at) => void venue.pay(railId, amount, { venue: at, settlement: at }),
  };
}

function sampleMsOf(spanMs: number): number {
  const even = Math.floor(spanMs / SAMPLES_MIN / SAMPLE_MS_MIN) * SAMPLE_MS_MIN;
  return Math.min(SAMPLE_MS_MAX, Math.max(SAMPLE_MS_MIN, even));
}

function symbolsOf({ symbols }: Limits): readonly PairSymbol[] {
  return symbols.filter((symbol) => DEFAULT_PAIRS.some((pair) => pair.symbol === symbol)) as PairSymbol[];
}

// The simulated venue knows why an order did not fill, and reports it here for the record; the bot does not see it.

type Reason = "unfilled-price" | "unfilled-depth";

function withKillReasons(venue: VenueCalls): {
  readonly venue: VenueCalls;
  readonly whyUnfilled: (intent: OrderIntent) => Reason | undefined;
} {
  const reasons = new Map<string, Reason>();
  const placeOrder: VenueCalls["placeOrder"] = (key, order, moment) => {
    const answer = venue.placeOrder(key, order, moment);
    const error = answer.ok ? answer.value.error : undefined;
    if (error?.code === DEFAULT_SETTINGS.fokErrorCode)
      reasons.set(order.clientOrderId, error.message === NOT_REACHED ? "unfilled-price" : "unfilled-depth");
    return answer;
  };
  const whyUnfilled = ({ clientOrderId }: OrderIntent): Reason | undefined => {
    const reason = reasons.get(clientOrderId);
    reasons.delete(clientOrderId);
    return reason;
  };
  return { venue: { ...venue, placeOrder }, whyUnfilled };
}
