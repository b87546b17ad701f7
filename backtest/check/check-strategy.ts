// The look-ahead check. A strategy is run, run again, and run with the future changed after many cuts: as long as two
// runs show it the same views, it must give the same answers. Any other dependency of its answers is found here.

import { createRandom } from "../../src/domain/random.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { isoText } from "../../src/domain/time-text.ts";
import type { Market } from "../../src/simulator/market/market.ts";
import { textOf } from "../../src/strategy/error-text.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { DataSource } from "../data/source.ts";
import type { BacktestOptions } from "../options.ts";
import { type Backtest, runBacktest } from "../run-backtest.ts";
import { CHANGES, changedMarket, changeFrom, rotate } from "./other-prices.ts";
import { hearingStrays, Intrinsics, isOutside, watchingDoors, watchingLoad } from "./outside-world.ts";
import { BLOCKS_MIN, type Call, CallLog, compareForesight, compareLogs, watchedStrategy } from "./watched-strategy.ts";

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

type Power = ReturnType<typeof compareForesight>["power"][number];

export type CheckReport = {
  readonly strategy: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly calls: number;
  /** Calls that proposed something. */
  readonly answered: number;
  readonly runs: number;
  readonly cuts: readonly Millis[];
  readonly datesChecked: boolean;
  /** Of the comparison with other prices, the weakest by horizon. */
  readonly power: readonly Power[];
  readonly findings: readonly Finding[];
};

/** `shown-early` is a bug in pegbot and not in the strategy. */
type FindingKind =
  | "outside"
  | "throws"
  | "stray"
  | "does-not-repeat"
  | "carries-over"
  | "knows-dates"
  | "looks-ahead"
  | "knows-run"
  | "shown-early";

type Finding = { readonly kind: FindingKind; readonly text: string };

/** Keeps weekday and hour, and moves to a date outside any table made from the data. */
const SHIFT_MS = 364 * 86_400_000;
/** The run continues for this long after a cut; only the part before the cut is compared. */
const AFTER_MS = 2_000;
/** The bot's clock follows the venue's, which has whole seconds: a view may state a time this much before its data. */
const CLOCK_MS = 2_000;
const CALLS_A_LOOK = 64;
/** Distances from a decision to a cut right after it. */
const OFFSETS_MS = [1, 100, 250, 700, 1_000, 1_500];
/** Seeds of the other markets, relative to that of the run. */
const OTHER_SEEDS = [1, 2];

/** An error when a run could not start, or the strategy could not be loaded. */
export async function checkStrategy(parts: CheckParts): Promise<Result<CheckReport>> {
  try {
    return ok(await new Check(parts).report());
  } catch (error) {
    if (error instanceof Refused) return err(error.message);
    throw error;
  }
}

class Refused extends Error {}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}

class Check {
  readonly #parts: CheckParts;
  readonly #findings: Finding[] = [];
  readonly #imports = new Set<string>();
  /** Runtime facilities already reported. */
  readonly #named = new Set<string>();
  readonly #intrinsics = new Intrinsics();
  #power: readonly Power[] = [];
  #runs = 0;

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  async report(): Promise<CheckReport> {
    const { options, again, mayKnowDates = false } = this.#parts;
    // Watches from the start: a function stored during loading may be used much later.
    const strategy = await watchingLoad(
      () => this.#load(),
      (what) => this.#outside(what, `uses ${what} while it is loaded`),
    );
    for (const what of this.#imports) if (isOutside(what)) this.#outside(what, `imports ${what}`);
    this.#hooked();
    const log = await this.#run(strategy);
    if (log.thrown !== undefined) this.#threw(log.thrown);
    const repeats = await this.#same(log, "does-not-repeat", await this.#load());
    let cuts: readonly Millis[] = [];
    if (repeats) {
      await this.#same(log, "carries-over", unwrapped(again(strategy)));
      if (!mayKnowDates) await this.#same(log, "knows-dates", await this.#load(), SHIFT_MS);
      cuts = this.#cutsOf(log);
      for (const cut of cuts) for (const change of CHANGES) await this.#future(log, cut, change);
      if (log.orders.length > 0) await this.#otherRuns(log);
    }
    return {
      strategy: strategy.name,
      from: options.from,
      to: options.to,
      calls: log.calls.length,
      answered: log.answered.length,
      runs: this.#runs,
      cuts,
      datesChecked: !mayKnowDates,
      power: this.#power,
      findings: this.#findings,
    };
  }

  #threw({ at, error }: NonNullable<CallLog["thrown"]>): void {
    this.#found("throws", `throws at ${isoText(at)}: ${textOf(error)}`);
  }

  /** Whether the same prices get the same answers. */
  async #same(log: CallLog, kind: keyof typeof SAME, strategy: Strategy, shiftMs = 0): Promise<boolean> {
    const compared = compareLogs(log, await this.#run(strategy, {}, shiftMs));
    if (compared.kind === "different") this.#found(kind, `${SAME[kind]}, another answer, ${shownText(compared)}`);
    return compared.kind === "same";
  }

  async #future(log: CallLog, cut: Millis, change: (typeof CHANGES)[number]): Promise<void> {
    const end = millis(Math.min(this.#parts.options.to, cut + AFTER_MS));
    const bend = (market: Market): Market => changedMarket(market, cut, change);
    const other = await this.#changed((source) => changeFrom(source, cut, change), { to: end, bend });
    const compared = compareLogs(log, other);
    const from = `prices from ${isoText(cut)} on were changed (${change})`;
    if (compared.kind === "different")
      this.#found(
        "looks-ahead",
        `looks ahead: ${from}, which no view had shown, and it answered otherwise, ${shownText(compared)}`,
      );
    else if (compared.partedAt !== undefined && compared.partedAt < cut - CLOCK_MS)
      this.#found("shown-early", `was shown at ${isoText(compared.partedAt)} that ${from}: this is a bug in pegbot`);
  }

  /**
   * Runs on prices that no table of this run fits. A strategy that knows this run foresees its moves here, and not
   * there; one that judges what it is shown foresees as much in all of them.
   */
  async #otherRuns(log: CallLog): Promise<void> {
    const { seed, recordings } = this.#parts.options;
    const compare = (other: CallLog, what: string): void => {
      const { text, power } = compareForesight(log, other);
      this.#power = power.map((one, place) => weaker(one, this.#power[place]));
      if (text !== undefined) this.#found("knows-run", `knows the prices of this run: ${text} ${what}`);
    };
    if (recordings.length > 0) compare(await this.#changed(rotate), "with its rows in another order");
    else
      for (const by of OTHER_SEEDS)
        compare(await this.#run(await this.#load(), { seed: seed + by }), `with seed ${seed + by}`);
  }

  /** A run on changed recordings, which are as they were afterwards. */
  async #changed(change: (source: DataSource) => () => void, changes: Partial<BacktestOptions> = {}): Promise<CallLog> {
    const strategy = await this.#load();
    const undo = this.#parts.options.recordings.map(({ source }) => change(source));
    try {
      return await this.#run(strategy, changes);
    } finally {
      for (const one of undo) one();
    }
  }

  /** Half of the cuts come right after a decision, where knowledge of the future would have changed it. */
  #cutsOf({ answered, calls }: CallLog): readonly Millis[] {
    const { from, to, seed } = this.#parts.options;
    const random = createRandom(seed).fork("cuts");
    const cuts = Array.from({ length: this.#parts.cuts }, (_, index) => {
      const anywhere = from + 1 + Math.floor(random.next() * (to - from - 1));
      if (index % 2 === 1 || answered.length === 0) return anywhere;
      const call = answered[random.integer(0, answered.length - 1)] as number;
      return (calls[call] as Call).at + (OFFSETS_MS[(index / 2) % OFFSETS_MS.length] as number);
    });
    return cuts.map((cut) => millis(Math.min(to, cut))).sort((a, b) => a - b);
  }

  async #load(): Promise<Strategy> {
    return unwrapped(await this.#parts.load((specifier) => this.#imports.add(specifier)));
  }

  async #run(strategy: Strategy, changes: Partial<BacktestOptions> = {}, shiftMs = 0): Promise<CallLog> {
    const { options: own, cuts, watch } = this.#parts;
    const log = new CallLog();
    const used = (name: string): void => {
      if (log.callAt !== undefined) this.#outside(name, `uses ${name} at ${isoText(log.callAt)}`);
    };
    // A hook has to stay between two calls to see anything.
    const called = (): void => void (log.calls.length % CALLS_A_LOOK === 0 && this.#hooked());
    const options = { ...own, ...changes, strategy: watchedStrategy(strategy, log, shiftMs, called) } as const;
    const run = (): Result<Backtest> => watchingDoors(used, () => runBacktest(options));
    unwrapped(await hearingStrays((error) => this.#stray(error), run));
    this.#hooked();
    watch?.(++this.#runs, 6 + cuts * CHANGES.length);
    return log;
  }

  #hooked(): void {
    for (const what of this.#intrinsics.changed()) this.#outside(what, `changes ${what}`);
  }

  /** Reports each facility once. */
  #outside(what: string, use: string): void {
    if (this.#named.has(what)) return;
    this.#named.add(what);
    this.#found("outside", `${use}: a strategy has no clock, no chance and no input of its own`);
  }

  #stray(error: unknown): void {
    const text = `throws in a timer or a promise of its own, where nothing can catch it: ${textOf(error)}: a running bot is ended by that`;
    if (!this.#findings.some(({ kind }) => kind === "stray")) this.#found("stray", text);
  }

  #found(kind: FindingKind, text: string): void {
    this.#findings.push({ kind, text });
  }
}

function weaker(one: Power, other: Power = one): Power {
  return one.bps === undefined || (other.bps !== undefined && one.bps > other.bps) ? one : other;
}

/** `down to 0.8 bp at 60 s; not tested at 1 h: ...`. */
export function powerText({ power }: CheckReport): string {
  const named = ({ seconds }: Power): string =>
    seconds < 600 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
  const tested = power.flatMap((one) => (one.bps === undefined ? [] : [`${one.bps.toFixed(1)} bp at ${named(one)}`]));
  const untested = power.filter(({ bps }) => bps === undefined).map(named);
  const why = `that takes proposals in ${BLOCKS_MIN} stretches of the length, here and on other prices: a longer --to has more`;
  const texts = tested.length === 0 ? [] : [`down to ${tested.join(", ")}`];
  if (untested.length > 0) texts.push(`not tested at ${untested.join(", ")}: ${why}`);
  return texts.length === 0 ? "no proposal was compared with other prices" : texts.join("; ");
}

const SAME = {
  "does-not-repeat": "does not repeat: the same prices",
  "carries-over": "carries something from one run to the next outside its state: the same prices",
  "knows-dates": "knows dates: the same prices on another date",
} as const;

/** No finding means something only if the strategy decided something. */
export function verdictOf({ findings, answered }: CheckReport): "clean" | "found" | "nothing-decided" {
  if (findings.length > 0) return "found";
  return answered === 0 ? "nothing-decided" : "clean";
}

/** One line per kind: twenty cuts show the same problem twenty times. */
export function findingLines({ findings }: CheckReport): readonly string[] {
  const kinds = Map.groupBy(findings, ({ kind, text }) => (kind === "outside" ? text : kind));
  return [...kinds.values()].map(([first, ...more]) => {
    const { text } = first as Finding;
    return more.length === 0 ? text : `${text} (and ${more.length} times more)`;
  });
}

/** Two answers to the same views. */
function shownText({
  index,
  one,
  other,
}: {
  readonly index: number;
  readonly one: Call;
  readonly other: Call;
}): string {
  const of = ({ answer }: Call): string => answer ?? "nothing";
  return `at ${isoText(one.at)} (call ${index + 1}, ${one.wake}): first ${of(one)}, then ${of(other)}`;
}
