// Problems of references as text for status, page, metrics and log. No decision depends on it.

import type { PairSymbol } from "../domain/asset.ts";
import { GUARD_DEFAULTS } from "./guard.ts";
import { PairMark, type Unquoted } from "./mark.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Pricing } from "./pricing.ts";
import type { SourcePrice } from "./source-price.ts";

const ANCHOR_MS_MAX = GUARD_DEFAULTS.anchorAgeMsMax;

export type Complaint = {
  readonly source: string;
  readonly symbol: PairSymbol;
  /** Constant while the same problem lasts, whatever the figures in the text. */
  readonly kind: string;
  readonly text: string;
  /** The text describes the effect of its silence on the prices of others, not the cause. */
  readonly isForOthers?: true;
};

type Asked = Pick<
  Pricing,
  "pairs" | "moment" | "marking" | "fair" | "ownDoubtOf" | "referenceAgeMsMax" | "disagreementBpsMax"
> &
  Unquoted;
type Wrong = Pick<Complaint, "kind" | "text">;

export function complaintsOf(pricing: Asked): readonly Complaint[] {
  return [...pricing.pairs.values()].flatMap((prices) => [
    ...prices.references.flatMap((source, place) => {
      const wrong = refused(prices, place) ?? doubted(pricing, prices, place);
      return wrong === undefined ? [] : [{ source: source.name, symbol: prices.symbol, ...wrong }];
    }),
    ...unmeasured(prices, pricing.moment.now),
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
function refused({ symbol, references, guards }: PairPrices, place: number): Wrong | undefined {
  const { refusal, isBad } = guards[place] ?? {};
  const kind =
    refusal ?? (isBad ? "not good for long enough yet" : references[place]?.seen === "held" ? "jumping" : undefined);
  return kind === undefined ? undefined : { kind, text: `${symbol} is ${kind}` };
}

/**
 * The problem of a valid price, at this moment and compared with the others. A problem of another pair is reported for
 * that pair.
 */
function doubted(pricing: Asked, prices: PairPrices, place: number): Wrong | undefined {
  const { symbol, guards, references } = prices;
  const source = references[place] as SourcePrice;
  const fair = pricing.fair(prices);
  const reason = fair.kind === "fair" ? undefined : fair.reason;
  // While the markets are closed a price may be old and unchanged.
  if (source.seen !== "good" || reason === "closed") return undefined;
  const { now } = pricing.moment;
  const doubt = pricing.ownDoubtOf(prices, source);
  switch (doubt) {
    case "stale": {
      const limit = `limit is ${seconds(pricing.referenceAgeMsMax)}`;
      const heardMs = now - (guards[place]?.heardAt ?? Number.NaN);
      return heardMs <= pricing.referenceAgeMsMax
        ? { kind: "behind", text: `${symbol} is ${seconds(now - source.since)} old by the feed's own clock, ${limit}` }
        : { kind: "stale", text: `${symbol} was last heard ${seconds(heardMs)} ago, ${limit}` };
    }
    case "frozen": {
      const limit = `limit is ${seconds(source.frozenMsMax)}`;
      return { kind: doubt, text: `${symbol} has stood still for ${seconds(now - source.changedAt)}, ${limit}` };
    }
    case "implausible":
      return { kind: doubt, text: `${symbol} is ${midOf(source)}, far from the venue's quotes or par` };
    case undefined:
      return reason === "disagreeing" ? { kind: reason, text: apartText(pricing, prices, source) } : undefined;
    default:
      return undefined;
  }
}

function apartText(pricing: Asked, prices: PairPrices, source: SourcePrice): string {
  const others = prices.references.filter(
    (other) => other !== source && pricing.ownDoubtOf(prices, other) === undefined,
  );
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

/** A configured daily rate that is missing rejects nothing, so this must be reported. */
function unmeasured({ symbol, references, measuredBy, anchor, guards }: PairPrices, now: number): readonly Complaint[] {
  if (measuredBy === undefined || references.length === 0 || guards.length === 0) return [];
  const isThere = anchor?.seen === "good" && now - anchor.since <= ANCHOR_MS_MAX;
  const text = `prices of ${symbol} are measured with no daily rate`;
  return isThere ? [] : [{ source: measuredBy, symbol, kind: "no measure", text, isForOthers: true }];
}
