// The run record of a live bot, built from its journal. A journal has no bare quotes and no reads: prices are those
// that decisions were based on, equity is sampled at decisions and reports, and requests are not counted.

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
  /** The price at which a coin is issued and redeemed, by pair of coin and own fiat. */
  readonly pars: ReadonlyMap<PairSymbol, number>;
  /** One unit in the currency according to another source, for assets without a rate in any decision of the journal. */
  readonly otherRate?: (asset: Asset, at: Millis) => string | undefined;
  /** Assets for which that rate takes precedence over rates in decisions, which may be old. */
  readonly isOtherFirst?: (asset: Asset) => boolean;
};

/**
 * `steps` yields the journal's steps from its start, oldest first, and is called two or four times. Only the period of
 * the settings is recorded, and of it only the part after everything held has a rate: profit and the trades behind it
 * must cover the same time.
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

/** Whether there were fills or settlements before the opening, for which no profit can be stated. */
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
  // Collects all rates until the end first, so that an asset is valued either by the journal or by the other source,
  // never by one after the other.
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
    // Both ends are valued with the prices known at that moment, so that a part starts with the worth at which the
    // previous one ended.
    if (!isBegun && step.at >= from) {
      isBegun = true;
      reader.sample(from);
    }
    if (step.at >= to) break;
    // As in the reader: a record never goes back in time, although the clocks of two writers may differ.
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
  // Sampled even if the journal ends earlier: its holdings remain, valued at the rates of `to`.
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

/** The statement as the bot would show it, at the prices that its decisions knew; open orders have no effect on it. */
function statementIn({ accounts, counters }: Fold, prices: JournalPrices): Statement {
  const worth = netWorth(accounts, prices.currency, (asset) => prices.mark(asset)?.price, { bps: 0, heldBps: 0 });
  return statementOf(accounts, counters.shown.totals, prices, worth.total);
}

function byOther(asset: Asset): Assumption {
  return { name: `rate of ${asset} in the journal`, value: "that of the backtest: no decision of the bot says it" };
}

/** A journal does not show whether there was a treasury: without any movement it is unknown. */
function settlementsOf(settlements: readonly Settlement[]): RunRecord["settlements"] {
  return settlements.length === 0 ? undefined : settlements;
}

// The assets and pairs that occur in a journal: a record names them at its start.

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

/** A strategy's proposal may name an invalid pair. */
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

// Asset prices from the basis of decisions: the quote asset by its stated rate, the base asset by the prices of the
// pair at that rate. Pairs against a coin's own currency take precedence over all others. A price stands until a newer
// decision.

type OfBase = Pick<Basis, "bid" | "ask" | "fair"> & { readonly at: Millis };

class JournalPrices implements StatementPrices {
  readonly currency: Asset;
  readonly #rates = new Map<Asset, Price>();
  /** Bids of the base assets of other pairs. */
  readonly #bids = new Map<Asset, Price>();
  readonly #own = new Map<Asset, OfBase>();
  readonly #other: (asset: Asset) => string | undefined;
  #now = Number.NaN;

  /** `other`: a mark that takes precedence over the decisions. */
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

  /** The price of a coin in an asset other than its own currency, capped at par. */
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

/** A signal may have any value; one that is not a valid price gives no rate. */
function keep(prices: Map<Asset, Price>, asset: Asset, signal: number | undefined, rate: Price): void {
  const price = signal === undefined ? undefined : priceAt(signal, rate);
  if (price !== undefined) prices.set(asset, price);
}
