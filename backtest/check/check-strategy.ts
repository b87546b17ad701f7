// The look-ahead check. A strategy is run, run again, and run with the future changed after many cuts: as long as two
// runs show it the same views, it must give the same answers. Any other dependency of its answers is found here.

import { invariant } from "../../src/domain/invariant.ts";
import { createRandom } from "../../src/domain/random.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { isoText } from "../../src/domain/time-text.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import { textOf } from "../../src/strategy/error-text.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { DataSource } from "../data/source.ts";
import type { BacktestOptions } from "../options.ts";
import { type Backtest, runBacktest } from "../run-backtest.ts";
import { hearingStrays, isOutside, watchingDoors, watchingLoad } from "./outside-world.ts";
import {
  type Call,
  CallLog,
  type Comparison,
  compareLogs,
  foresightText,
  watchedStrategy,
} from "./watched-strategy.ts";

export type CheckParts = {
  /** The strategy in the options is not used: each run has its own. Recordings are in memory as a whole. */
  readonly options: BacktestOptions;
  /** Loads a fresh strategy from a fresh module, where there is a file. */
  readonly load: (imported: (specifier: string) => void) => Promise<Result<Strategy>>;
  /** Creates another strategy of the same module. */
  readonly again: (strategy: Strategy) => Result<Strategy>;
  readonly cuts: number;
  /** The strategy may depend on dates: a schedule, a calendar. */
  readonly mayKnowDates?: boolean;
  /** Receives the number of runs done and the total. */
  readonly watch?: (done: number, total: number) => void;
};

export type CheckReport = Extract<Awaited<ReturnType<Check["report"]>>, { readonly ok: true }>["value"];

/** Keeps weekday and hour, and moves to a date outside any table made from the data. */
const SHIFT_MS = 364 * 86_400_000;
/** The run continues for this long after a cut; only the part before the cut is compared. */
const AFTER_MS = 2_000;
/**
 * The bot's clock follows the venue's, which has whole seconds: a view may state a time this much earlier than its
 * data.
 */
const CLOCK_MS = 2_000;
/** Distances from a decision to a cut right after it. */
const OFFSETS_MS = [1, 100, 250, 700, 1_000, 1_500];
/** Seeds of the other markets, relative to that of the run. */
const OTHER_SEEDS = [1, 2];
/** The shifted prices are those of this much later. */
const LATER_MS = 3_600_000;

/** An error when a run could not start, or the strategy could not be loaded. */
export async function checkStrategy(parts: CheckParts): Promise<Result<CheckReport>> {
  return new Check(parts).report();
}

class Check {
  readonly #parts: CheckParts;
  readonly #findings: Finding[] = [];
  /** Runtime facilities already reported. */
  readonly #named = new Set<string>();
  readonly #total: number;
  #runs = 0;

  constructor(parts: CheckParts) {
    this.#parts = parts;
    const seeds = parts.options.recordings.length === 0 ? OTHER_SEEDS.length : 0;
    this.#total = 7 + 3 + seeds + parts.cuts * CHANGES.length;
  }

  async report() {
    const imports = new Set<string>();
    const load = (): Promise<Result<Strategy>> => this.#parts.load((specifier) => imports.add(specifier));
    // Watches from the start: a function stored during loading may be used much later.
    const loaded = await watchingLoad(load, (what) => this.#outside(what, `uses ${what} while it is loaded`));
    if (!loaded.ok) return loaded;
    for (const what of imports) if (isOutside(what)) this.#outside(what, `imports ${what}`);
    try {
      const log = await this.#run(loaded.value);
      this.#judge(log);
      const repeats = await this.#repeats(log, loaded.value);
      if (repeats) await this.#views(log);
      const cuts = repeats ? await this.#futures(log) : [];
      if (repeats && log.orders.length > 0) await this.#otherRuns(log);
      const { from, to } = this.#parts.options;
      return ok({
        strategy: loaded.value.name,
        from,
        to,
        calls: log.calls.length,
        // Calls that proposed something.
        answered: log.answered.length,
        runs: this.#runs,
        cuts,
        datesChecked: this.#parts.mayKnowDates !== true,
        findings: this.#findings,
      });
    } catch (error) {
      if (error instanceof Refused) return err(error.message);
      throw error;
    }
  }

  /** Findings of a single run. */
  #judge({ thrown }: CallLog): void {
    if (thrown === undefined) return;
    const { error } = thrown;
    const at = isoText(thrown.at);
    if (error instanceof Error && error.name === "ViewClosed")
      this.#found("keeps-view", `reads a view that it kept at ${at}: a view is valid only while decide runs`);
    else this.#found("throws", `throws at ${at}: ${textOf(error)}`);
  }

  async #repeats(log: CallLog, strategy: Strategy): Promise<boolean> {
    const fresh = difference(log, await this.#run(await this.#load()));
    const again = (): Strategy => unwrapped(this.#parts.again(strategy));
    let same = difference(log, await this.#run(again()));
    const [first] = log.answered;
    if (fresh === undefined && same === undefined && first !== undefined) {
      // A call counter may have wrapped around at the end of a run: a single call leaves it at another value.
      const end = millis(Math.min(this.#parts.options.to, (log.calls[first] as Call).at + AFTER_MS));
      await this.#run(calledOnce(again(), first), { to: end });
      same = difference(log, await this.#run(again()));
    }
    if (fresh !== undefined)
      this.#found("does-not-repeat", `does not repeat: the same prices, another answer, ${fresh}`);
    else if (same !== undefined)
      this.#found("carries-over", `carries something from one run to the next outside its state, ${same}`);
    return fresh === undefined;
  }

  async #views(log: CallLog): Promise<void> {
    const kept = difference(log, await this.#run(await this.#load(), { views: "reused" }));
    const isKnown = this.#findings.some(({ kind }) => kind === "keeps-view");
    if (kept !== undefined && !isKnown)
      this.#found("keeps-view", `keeps a view: it answers otherwise where every call has a view of its own, ${kept}`);
    if (this.#parts.mayKnowDates) return;
    const dated = difference(log, await this.#run(await this.#load(), {}, SHIFT_MS));
    if (dated !== undefined)
      this.#found("knows-dates", `knows dates: the same prices on another date, another answer, ${dated}`);
  }

  async #futures(log: CallLog): Promise<readonly Millis[]> {
    const cuts = this.#cutsOf(log);
    for (const cut of cuts) for (const change of CHANGES) await this.#future(log, cut, change);
    return cuts;
  }

  async #future(log: CallLog, cut: Millis, change: Change): Promise<void> {
    const { recordings, to } = this.#parts.options;
    const strategy = await this.#load();
    const undo = recordings.map(({ source }) => changeColumns(source, cut, change));
    try {
      const end = millis(Math.min(to, cut + AFTER_MS));
      const changed = await this.#run(strategy, { to: end, bend: (market) => changedMarket(market, cut, change) });
      const compared = compareLogs(log, changed);
      const from = `prices from ${isoText(cut)} on were changed (${change})`;
      if (compared.kind === "different")
        this.#found(
          "looks-ahead",
          `looks ahead: ${from}, and it had answered otherwise before, ${shownText(compared)}`,
        );
      else if (compared.partedAt !== undefined && compared.partedAt < cut - CLOCK_MS)
        this.#found("shown-early", `was shown at ${isoText(compared.partedAt)} that ${from}: this is a bug in pegbot`);
    } finally {
      for (const one of undo) one();
    }
  }

  /**
   * Runs on prices that no table of this run fits. A strategy that knows this run foresees its moves here, and not
   * there; one that judges what it is shown foresees as much in all of them.
   */
  async #otherRuns(log: CallLog): Promise<void> {
    const { from, to, seed, recordings } = this.#parts.options;
    const compare = async (what: string, changes: Partial<BacktestOptions>): Promise<void> => {
      const text = foresightText(log, await this.#run(await this.#load(), changes));
      if (text !== undefined) this.#found("knows-run", `knows the prices of this run: ${text} ${what}`);
    };
    if (recordings.length === 0)
      for (const other of OTHER_SEEDS) await compare(`with seed ${seed + other}`, { seed: seed + other });
    await compare("when it starts later", { from: millis(from + Math.floor((to - from) / 4)) });
    const jitter = recordings.map(({ source }) => changeColumns(source, from, "jitter"));
    await compare("with jittered prices", { bend: (market) => changedMarket(market, from, "jitter") });
    for (const undo of jitter) undo();
    const shift = recordings.map(({ source }) => rotateColumns(source));
    await compare("with shifted prices", { bend: laterMarket });
    for (const undo of shift) undo();
  }

  /**
   * Half of the cuts come right after a decision, where knowledge of the future would have changed it; half are
   * anywhere.
   */
  #cutsOf(log: CallLog): readonly Millis[] {
    const { from, to, seed } = this.#parts.options;
    const random = createRandom(seed).fork("cuts");
    const { answered } = log;
    const cuts = Array.from({ length: this.#parts.cuts }, (_, index) => {
      const anywhere = from + 1 + Math.floor(random.next() * (to - from - 1));
      if (index % 2 === 1 || answered.length === 0) return anywhere;
      const call = answered[random.integer(0, answered.length - 1)] as number;
      return (log.calls[call] as Call).at + (OFFSETS_MS[(index / 2) % OFFSETS_MS.length] as number);
    });
    return cuts.map((cut) => millis(Math.min(to, cut))).sort((a, b) => a - b);
  }

  async #load(): Promise<Strategy> {
    return unwrapped(await this.#parts.load(() => {}));
  }

  async #run(strategy: Strategy, changes: Partial<BacktestOptions> = {}, shiftMs = 0): Promise<CallLog> {
    const log = new CallLog();
    const watched = watchedStrategy(strategy, log, shiftMs);
    const uses = new Map<string, number>();
    const used = (name: string): void => void (uses.has(name) || uses.set(name, log.calls.length));
    const options: BacktestOptions = { ...this.#parts.options, views: "fresh", ...changes, strategy: watched };
    const run = (): Result<Backtest> => watchingDoors(used, () => runBacktest(options));
    unwrapped(await hearingStrays((error) => this.#stray(error), run));
    for (const [what, call] of uses)
      if (call < log.calls.length) this.#outside(what, `uses ${what} at ${isoText((log.calls[call] as Call).at)}`);
    this.#parts.watch?.(++this.#runs, this.#total);
    return log;
  }

  /** Reports each facility once. */
  #outside(what: string, use: string): void {
    if (this.#named.has(what)) return;
    this.#named.add(what);
    this.#found("outside", `${use}: a strategy has no clock, no chance and no input of its own`);
  }

  #stray(error: unknown): void {
    if (!this.#findings.some(({ kind }) => kind === "stray"))
      this.#found(
        "stray",
        `throws in a timer or a promise of its own, where nothing can catch it: ${textOf(error)}: a running bot is ended by that`,
      );
  }

  #found(kind: FindingKind, text: string): void {
    this.#findings.push({ kind, text });
  }
}

/** Calls `decide` once, at index `place`, and never again. */
function calledOnce(strategy: Strategy, place: number): Strategy {
  let calls = 0;
  const { definition } = strategy;
  return {
    ...strategy,
    definition: { ...definition, decide: (view) => (calls++ === place ? definition.decide(view) : undefined) },
  };
}

class Refused extends Error {}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}

/** Undefined where the logs agree. */
function difference(log: CallLog, other: CallLog): string | undefined {
  const compared = compareLogs(log, other);
  return compared.kind === "same" ? undefined : shownText(compared);
}

/** No finding means something only if the strategy decided something. */
export function verdictOf({ findings, answered }: CheckReport): "clean" | "found" | "nothing-decided" {
  if (findings.length > 0) return "found";
  return answered === 0 ? "nothing-decided" : "clean";
}

/** One line per kind: twenty cuts show the same problem twenty times. */
export function findingLines({ findings }: CheckReport): readonly string[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = finding.kind === "outside" ? finding.text : finding.kind;
    kinds.set(key, [...(kinds.get(key) ?? []), finding]);
  }
  return [...kinds.values()].map(([first, ...more]) => {
    const { text } = first as Finding;
    return more.length === 0 ? text : `${text} (and ${more.length} times more)`;
  });
}

/** `shown-early` is a bug in pegbot and not in the strategy. */
type FindingKind =
  | "outside"
  | "throws"
  | "stray"
  | "keeps-view"
  | "does-not-repeat"
  | "carries-over"
  | "knows-dates"
  | "looks-ahead"
  | "knows-run"
  | "shown-early";

export type Finding = { readonly kind: FindingKind; readonly text: string };

/** Two answers to the same views. */
function shownText({ index, one, other }: Extract<Comparison, { kind: "different" }>): string {
  const of = ({ answer }: Call): string => answer ?? "nothing";
  return `at ${isoText(one.at)} (call ${index + 1}, ${one.wake}): first ${of(one)}, then ${of(other)}`;
}

// Changes the future: everything before the cut stays identical to the bit, and every price from the cut on changes.
// The changes are coarse, so that any use of the future becomes visible.

const CHANGES = ["rise", "fall", "mirror", "scramble"] as const;
type Change = (typeof CHANGES)[number] | "jitter";

const LEAP = 1.03;
const SCRAMBLE = 0.004;
/** Half a basis point: less than a strategy acts on, and enough that no price is the one of a table. */
const JITTER = 0.00005;

/** `before` is the price at the cut. */
function factorOf(change: Change, at: number, price: number, before: number): number {
  switch (change) {
    case "rise":
      return LEAP;
    case "fall":
      return 1 / LEAP;
    case "mirror":
      return Math.min(2, Math.max(0.5, (2 * before - price) / price));
    case "scramble":
      return 1 + SCRAMBLE * (2 * drawn(at) - 1);
    case "jitter":
      return 1 + JITTER * (2 * drawn(at) - 1);
  }
}

function sizeFactor(change: Change, at: number): number {
  return change === "scramble" ? 0.5 + drawn(at + 1) : 1;
}

/** Uniform in [0, 1), derived from the time alone. */
function drawn(at: number): number {
  let word = Math.imul(Math.floor(at) ^ Math.floor(at / 0x1_0000_0000), 0x9e3779b1);
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return ((word ^ (word >>> 16)) >>> 0) / 0x1_0000_0000;
}

function changedMarket(market: Market, cut: Millis, change: Change): Market {
  const before = emptyTop();
  return {
    read(symbol, at, into, shift) {
      if (at < cut || !market.read(symbol, cut, before)) return market.read(symbol, at, into, shift);
      if (!market.read(symbol, at, into, shift)) return false;
      const middle = (before.bid + before.ask) / 2;
      const factor = factorOf(change, at, (into.bid + into.ask) / 2, middle);
      into.bid *= factor;
      into.ask *= factor;
      into.bidSize *= sizeFactor(change, at);
      into.askSize *= sizeFactor(change, at);
      return true;
    },
    rate(base, quote, at) {
      const rate = market.rate(base, quote, at);
      if (at < cut || rate === undefined || base === quote) return rate;
      return rate * factorOf(change, at, rate, market.rate(base, quote, cut) ?? rate);
    },
    stress: (asset, at) => market.stress(asset, at),
    depthEpoch: (at) => market.depthEpoch(at),
  };
}

/** The same market as it is later. */
function laterMarket(market: Market): Market {
  const later = (at: Millis): Millis => millis(at + LATER_MS);
  return {
    read: (symbol, at, into, shift) => market.read(symbol, later(at), into, shift),
    rate: (base, quote, at) => market.rate(base, quote, later(at)),
    stress: (asset, at) => market.stress(asset, later(at)),
    depthEpoch: (at) => market.depthEpoch(later(at)),
  };
}

type Undo = () => void;

/** The second and last third of the prices come first; times stay. */
function rotateColumns(source: DataSource): Undo {
  const undo: Undo[] = [];
  for (const chunk of source.chunks()) {
    const columns =
      "bid" in chunk
        ? [chunk.bid, chunk.ask, chunk.bidSize, chunk.askSize]
        : [chunk.open, chunk.high, chunk.low, chunk.close, chunk.volume];
    undo.push(...columns.map(kept));
    const third = Math.floor(chunk.length / 3);
    for (const column of columns) {
      const rows = column.slice(0, chunk.length);
      column.set(rows.subarray(third));
      column.set(rows.subarray(0, third), chunk.length - third);
    }
  }
  return () => {
    for (const one of undo) one();
  };
}

/**
 * Changes the columns in place, so that a strategy that holds them sees the change too; the returned function restores
 * them. A bar that is open at the cut keeps its open: the rest of it is not known yet.
 */
function changeColumns(source: DataSource, cut: Millis, change: Change): Undo {
  const undo: Undo[] = [];
  if (source.kind === "quotes") {
    for (const { time, bid, ask, bidSize, askSize, length } of source.chunks()) {
      invariant(length === source.rows, "columns must lie in memory as a whole to be changed there");
      undo.push(...[bid, ask, bidSize, askSize].map(kept));
      const first = firstFrom(time, length, cut);
      const last = Math.max(0, first - 1);
      const before = ((bid[last] as number) + (ask[last] as number)) / 2;
      for (let row = first; row < length; row++) {
        const at = time[row] as number;
        const factor = factorOf(change, at, ((bid[row] as number) + (ask[row] as number)) / 2, before);
        scale([bid, ask], row, factor);
        scale([bidSize, askSize], row, sizeFactor(change, at));
      }
    }
  } else {
    for (const { time, open, high, low, close, volume, length } of source.chunks()) {
      invariant(length === source.rows, "columns must lie in memory as a whole to be changed there");
      undo.push(...[open, high, low, close, volume].map(kept));
      const first = firstFrom(time, length, millis(cut - source.intervalMs + 1));
      const before = close[Math.max(0, first - 1)] as number;
      for (let row = first; row < length; row++) {
        const at = time[row] as number;
        const factor = factorOf(change, at, close[row] as number, before);
        scale(at < cut ? [high, low, close] : [open, high, low, close], row, factor);
        scale([volume], row, sizeFactor(change, at));
        const prices = [open[row], high[row], low[row], close[row]] as number[];
        high[row] = Math.max(...prices);
        low[row] = Math.min(...prices);
      }
    }
  }
  return () => {
    for (const one of undo) one();
  };
}

function scale(columns: readonly Float64Array[], row: number, factor: number): void {
  for (const column of columns) column[row] = (column[row] as number) * factor;
}

function kept(column: Float64Array): Undo {
  const copy = column.slice();
  return () => column.set(copy);
}

function firstFrom(time: Float64Array, length: number, at: number): number {
  let row = 0;
  while (row < length && (time[row] as number) < at) row++;
  return row;
}
