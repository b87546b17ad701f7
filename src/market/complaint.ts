// Problems of references as text for status, page, metrics and log. No decision depends on it.

import type { PairSymbol } from "../domain/asset.ts";
import { PairMark, type Unquoted } from "./mark.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Pricing } from "./pricing.ts";
import type { SourcePrice } from "./source-price.ts";

export type Complaint = {
  readonly source: string;
  readonly symbol: PairSymbol;
  /** Constant while the same problem lasts, whatever the figures in the text. */
  readonly kind: string;
  readonly text: string;
};

type Asked = Pick<
  Pricing,
  "pairs" | "moment" | "marking" | "fair" | "ownDoubtOf" | "referenceAgeMsMax" | "disagreementBpsMax"
> &
  Unquoted;
type Wrong = Pick<Complaint, "kind" | "text">;

export function complaintsOf(pricing: Asked): readonly Complaint[] {
  return [...pricing.pairs.values()].flatMap((prices) => [
    ...prices.references.flatMap((source) => {
      const wrong = refused(prices, source) ?? doubted(pricing, prices, source);
      return wrong === undefined ? [] : [{ source: source.name, symbol: prices.symbol, ...wrong }];
    }),
    ...unpriced(prices, pricing),
  ]);
}

/** A coin whose last price is too old is marked down by the haircut. */
function unpriced(prices: PairPrices, pricing: Asked): readonly Complaint[] {
  const { moment, marking } = pricing;
  const mark = new PairMark(prices, marking, pricing);
  mark.look(Number.NaN, moment.now);
  if (!(mark.low > 0) || mark.downAt >= moment.now) return [];
  const { symbol } = prices;
  const since = Number.isFinite(mark.at) ? ` for ${seconds(moment.now - mark.at)}` : "";
  const text = `${symbol} has had no price${since}: it counts for ${marking.haircutBps} bp less`;
  return [{ source: "venue", symbol, kind: "unpriced", text }];
}

/** The problem of the source's last price on its own. */
function refused({ symbol }: PairPrices, { refusal }: SourcePrice): Wrong | undefined {
  return refusal && { kind: refusal, text: `${symbol} is ${refusal}` };
}

/** The problem of a valid price, at this moment and compared with the others. */
function doubted(pricing: Asked, prices: PairPrices, source: SourcePrice): Wrong | undefined {
  const fair = pricing.fair(prices);
  const reason = fair.kind === "fair" ? undefined : fair.reason;
  // While the markets are closed a price may be old.
  if (source.seen !== "good" || reason === "closed") return undefined;
  const doubt = pricing.ownDoubtOf(source);
  if (doubt === "stale") {
    const [age, limit] = [pricing.moment.now - source.since, pricing.referenceAgeMsMax].map(seconds);
    return { kind: doubt, text: `${prices.symbol} is ${age} old, limit is ${limit}` };
  }
  return doubt === undefined && reason === "disagreeing"
    ? { kind: reason, text: apartText(pricing, prices, source) }
    : undefined;
}

function apartText(pricing: Asked, prices: PairPrices, source: SourcePrice): string {
  const others = prices.references.filter((other) => other !== source && pricing.ownDoubtOf(other) === undefined);
  const texts = others.map((other) => `${other.name} says ${midOf(other)}`);
  if (prices.parBandBps !== undefined) texts.push("par is 1");
  return `${prices.symbol} is ${midOf(source)}, and ${texts.join(", ")}: limit is ${pricing.disagreementBpsMax} bp apart`;
}

function midOf({ bid, ask }: SourcePrice): string {
  return ((bid + ask) / 2).toPrecision(6);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
