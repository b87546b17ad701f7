// What a bot really did, as the record of a run, from its journal. A journal has no bare quotes and no reads: prices are those
// that decisions rested on, equity is sampled at decisions and reports, and requests are not counted.

import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { parOf, priceAt, type Statement, type StatementPrices, statementOf } from "../../src/bot/accounts/statement.ts";
import { netWorth } from "../../src/bot/accounts/worth.ts";
import { Fold } from "../../src/bot/engine/fold.ts";
import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../src/domain/asset.ts";
import { standsFor } from "../../src/domain/coin.ts";
import type { Event } from "../../src/domain/event.ts";
import { Price } from "../../src/domain/money/money.ts";
import type { Basis, Decision, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { coinMark } from "../../src/market/mark.ts";
import { createCounters } from "../../src/risk/create-counters.ts";
import { minute } from "../report/format.ts";
import type { Assumption, RunRecord, RunSettings, Settlement } from "./run-record.ts";
import { RunRecorder } from "./run-recorder.ts";
import { StepReader } from "./step-reader.ts";

export type JournalSettings = Omit<RunSettings, "source" | "traceHash" | "seed"> & {
  /** What a unit is issued and redeemed at, for each coin against its own fiat. */
  readonly pars: ReadonlyMap<PairSymbol, number>;
  /** One unit in the currency by another source, for assets that no decision of the journal has a rate of. */
  readonly otherRate?: (asset: Asset, at: Millis) => string | undefined;
  /** That rate counts also where decisions say one, which may be of long before. */
  readonly isOtherFirst?: (asset: Asset) => boolean;
};

/**
 * `steps` gives the steps of the journal from its beginning, oldest first, and is called two or four times; only what lies in
 * the settings' time is recorded, and of that what comes after everything held has a rate: profit and what was traded for it
 * must be of one time.
 */
export function fromJournal(steps: () => Iterable<Step>, settings: JournalSettings): RunRecord {
  const record = recorded(steps, settings);
  const openedAt = record.samples.time[0];
  if (openedAt === undefined || !isBusyBefore(record, openedAt)) return record;
  const from = millis(openedAt);
  const name = "beginning of the journal's part";
  const value = `${minute(from)}: before that nobody says what all of its holdings are worth in ${settings.currency}, so fills and fees from ${minute(settings.from)} until then are in no figure`;
  const assumptions = [{ name, value }, ...settings.assumptions];
  return recorded(steps, { ...settings, from, data: `${settings.data}; it begins at ${value}`, assumptions });
}

/** Something that no profit could be told of. */
function isBusyBefore({ fills, settings, settlements = [] }: RunRecord, openedAt: number): boolean {
  return (
    (fills.time[0] ?? openedAt) < openedAt || settlements.some(({ from }) => from >= settings.from && from < openedAt)
  );
}

function recorded(
  steps: () => Iterable<Step>,
  { pars, otherRate, isOtherFirst, ...settings }: JournalSettings,
): RunRecord {
  const { from, to, currency } = settings;
  // All rates until the end: an asset is valued by the journal or by the other source, and not by one after the other.
  const said = new JournalPrices(currency);
  const { assets, symbols } = namesIn(learning(steps(), said, to), currency);
  const recorder = new RunRecorder(
    assets,
    symbols.map((symbol) => {
      const par = pars.get(symbol);
      return par === undefined ? { symbol } : { symbol, par };
    }),
  );
  const fold = new Fold(new Accounts(0), createCounters(currency));
  let last: Millis = from;
  const byOthers = new Set<Asset>();
  const prices = new JournalPrices(currency, (asset) => {
    const isByOther = isOtherFirst?.(asset) === true;
    if (!isByOther && said.isKnown(asset)) return undefined;
    const rate = otherRate?.(asset, last);
    if (rate !== undefined && !isByOther) byOthers.add(asset);
    return rate;
  });
  const reader = new StepReader({ recorder, assets, from, markOf: (asset) => prices.mark(asset)?.price });
  let isBegun = false;
  for (const step of steps()) {
    // Both borders are valued at what is known then, so that a part begins with the worth that the one before it ends at.
    if (!isBegun && step.at >= from) {
      isBegun = true;
      reader.sample(from);
    }
    if (step.at >= to) break;
    // As the reader does: a record never goes back, though the clocks of two writers may.
    last = millis(Math.max(last, step.at));
    for (const decision of step.decisions) {
      const symbol = symbolOf(decision);
      if (symbol === undefined) continue;
      prices.learn(symbol, decision.basis, last);
      const { bid, ask, fair } = decision.basis;
      if (step.at >= from && bid !== undefined && ask !== undefined) recorder.price(symbol, last, bid, ask, fair);
    }
    fold.step(step);
    reader.step(step);
    reader.sample(step.at);
  }
  // Also where the journal ends before: what it holds then it still holds, and is worth what it is worth by then.
  if (isBegun) {
    last = to;
    reader.sample(to);
  }
  const source = { source: "journal", traceHash: undefined, seed: undefined } as const;
  const assumptions = [...settings.assumptions, ...[...byOthers].map(byOther)];
  const record = reader.finish({
    settings: { ...settings, ...source, assumptions },
    slots: undefined,
    settlements: settlementsOf(reader.settlements),
  });
  return { ...record, statement: statementIn(fold, prices) };
}

function* learning(steps: Iterable<Step>, prices: JournalPrices, to: Millis): Generator<Step> {
  for (const step of steps) {
    if (step.at < to)
      for (const decision of step.decisions) {
        const symbol = symbolOf(decision);
        if (symbol !== undefined) prices.learn(symbol, decision.basis, step.at);
      }
    yield step;
  }
}

/** As its bot would show it, by the prices that its decisions knew; what is open then counts as it stands. */
function statementIn({ accounts, counters }: Fold, prices: JournalPrices): Statement {
  const worth = netWorth(accounts, prices.currency, (asset) => prices.mark(asset)?.price, { bps: 0, heldBps: 0 });
  return statementOf(accounts, counters.shown.totals, prices, worth.total);
}

function byOther(asset: Asset): Assumption {
  return { name: `rate of ${asset} in the journal`, value: "that of the backtest: no decision of the bot says it" };
}

/** A journal does not say whether there was a treasury: where nothing was moved, it is unknown. */
function settlementsOf(settlements: readonly Settlement[]): RunRecord["settlements"] {
  return settlements.length === 0 ? undefined : settlements;
}

// Which assets and pairs a journal speaks of: a record names them at its start.

function namesIn(
  steps: Iterable<Step>,
  currency: Asset,
): { readonly assets: readonly Asset[]; readonly symbols: readonly PairSymbol[] } {
  const assets = new Set<Asset>([currency]);
  const symbols = new Set<PairSymbol>();
  for (const { event, decisions } of steps) {
    for (const asset of assetsIn(event)) assets.add(asset);
    for (const decision of decisions) {
      const symbol = symbolOf(decision);
      if (symbol !== undefined) symbols.add(symbol);
    }
  }
  for (const symbol of symbols) for (const asset of Object.values(assetsOf(symbol))) assets.add(asset);
  return { assets: [...assets].sort(), symbols: [...symbols].sort() };
}

/** What a strategy proposed may name a pair that cannot be. */
function symbolOf({ verdict, proposal }: Decision): PairSymbol | undefined {
  if (verdict.kind === "approved") return verdict.intent.symbol;
  const symbol = parseSymbol(proposal?.symbol);
  return symbol.ok ? symbol.value : undefined;
}

function assetsIn(event: Event): readonly Asset[] {
  if (event.kind === "adoption") return event.amounts.map(({ asset }) => asset);
  if (event.kind !== "report" || event.report.kind !== "filled") return [];
  const { bought, sold, fee } = event.report.fill;
  return [bought.asset, sold.asset, fee.asset];
}

// What assets were worth by what decisions knew: the quote asset by its stated rate, the base asset by the prices of the pair at that
// rate, those against the currency that a coin stands for before all others. The last known ones stand until a newer decision.

type OfBase = Pick<Basis, "bid" | "ask" | "fair"> & { readonly at: Millis };

class JournalPrices implements StatementPrices {
  readonly currency: Asset;
  readonly #rates = new Map<Asset, Price>();
  /** Of the base assets of other pairs: what one is sold for. */
  readonly #bids = new Map<Asset, Price>();
  readonly #own = new Map<Asset, OfBase>();
  readonly #other: (asset: Asset) => string | undefined;
  #now = Number.NaN;

  /** `other`: a mark that counts before what decisions say. */
  constructor(currency: Asset, other: (asset: Asset) => string | undefined = () => undefined) {
    this.currency = currency;
    this.#other = other;
  }

  mark(asset: Asset): { readonly price: Price; readonly ageMs: number } | undefined {
    const { bid, fair, at = this.#now } = this.#own.get(asset) ?? {};
    const least = Math.min(bid ?? Number.POSITIVE_INFINITY, fair ?? Number.POSITIVE_INFINITY);
    const par = this.par(asset);
    const isOwn = least > 0 && least < Number.POSITIVE_INFINITY;
    const own = isOwn ? par && priceAt(coinMark(least), par) : this.#sold(asset, par);
    const price = this.#otherRate(asset) ?? own;
    return price && { price, ageMs: Math.max(0, this.#now - at) };
  }

  /** A coin by its price in another asset than its own currency, no more than par. */
  #sold(asset: Asset, par: Price | undefined): Price | undefined {
    const bid = this.#bids.get(asset) ?? this.#rates.get(asset);
    const isAbovePar = standsFor(asset) !== undefined && bid && par && bid.toNumber() > par.toNumber();
    return isAbovePar || asset === this.currency ? par : bid;
  }

  mid(asset: Asset): Price | undefined {
    const { bid, ask } = this.#own.get(asset) ?? {};
    const par = this.par(asset);
    return par && bid !== undefined && ask !== undefined ? priceAt((bid + ask) / 2, par) : this.#rate(asset);
  }

  par(asset: Asset): Price | undefined {
    return parOf(asset, this.currency, (fiat) => this.#rate(fiat));
  }

  #rate(asset: Asset): Price | undefined {
    return this.#otherRate(asset) ?? this.#rates.get(asset);
  }

  #otherRate(asset: Asset): Price | undefined {
    const text = asset === this.currency ? undefined : this.#other(asset);
    return text === undefined ? undefined : Price.of(text);
  }

  isKnown(asset: Asset): boolean {
    return asset === this.currency || this.#rates.has(asset);
  }

  learn(symbol: PairSymbol, { bid, ask, fair, rate }: Basis, at: Millis): void {
    const { base, quote } = assetsOf(symbol);
    this.#now = at;
    if (rate === undefined) return;
    if (standsFor(base) === quote) this.#own.set(base, { bid, ask, fair, at });
    this.#rates.set(quote, rate);
    keep(this.#bids, base, bid ?? fair, rate);
    keep(this.#rates, base, bid === undefined || ask === undefined ? fair : (bid + ask) / 2, rate);
  }
}

/** A signal may be anything; what is no price is no rate. */
function keep(prices: Map<Asset, Price>, asset: Asset, signal: number | undefined, rate: Price): void {
  const price = signal === undefined ? undefined : priceAt(signal, rate);
  if (price !== undefined) prices.set(asset, price);
}
