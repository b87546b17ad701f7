// Which pairs and prices are traded: the allow-list, the requirements of fair value, the collar around it, and the exit
// from a coin without one.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import type { Fair } from "../../domain/fair.ts";
import { unreachable } from "../../domain/invariant.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { Limits } from "../limits.ts";
import { type Assessment, PASS, type Rule, type Ruling } from "../rule.ts";
import { bpsText, capTo, capValue, isIn, isKnown, refusalOf, refuse, refuseUnknown } from "../ruling.ts";

// RC19: only the pairs listed in the limits, and only while the venue has them online.

export function allowList(symbols: ReadonlySet<PairSymbol>): Rule {
  const listed = [...symbols].join(", ");
  return {
    code: "RC19",
    review({ symbol, instrument }) {
      if (!symbols.has(symbol)) return refuse("RC19", "pair is", symbol, listed);
      if (instrument.symbol !== symbol) return refuse("RC19", `pair of ${symbol} is`, instrument.symbol, symbol);
      if (instrument.status !== "online") return refuse("RC19", `${symbol} is`, instrument.status, "online");
      return PASS;
    },
  };
}

// RC08 and RC09: the requirements of fair value: the age of its prices, the number of sources, and their spread.
// Without a fair value every order is refused.

type ReferenceLimits = {
  readonly ageMsMax: number;
  readonly sourcesMin: number;
  /** Undefined if turned off. */
  readonly spreadBpsMax: number | undefined;
};

/** One rule for all three: every order meets them twice, and each needs a fair value. */
export function reference(limits: ReferenceLimits): Rule {
  const { ageMsMax, sourcesMin, spreadBpsMax } = limits;
  const oldest = `${ageMsMax} ms`;
  const widest = `${spreadBpsMax} bp`;
  return {
    code: "RC08 RC09",
    atSend: true,
    review({ symbol, fair }) {
      if (fair.kind === "none")
        return refuse("RC08", `fair value of ${symbol} is`, fair.reason, brokenBy(fair, limits));
      const { value, ageMs, sources, disagreementBps } = fair;
      if (!isKnown(value) || !isKnown(ageMs) || ageMs < 0)
        return refuseUnknown("RC08", `age of the reference of ${symbol}`, oldest);
      if (ageMs > ageMsMax) return refuse("RC08", `age of the reference of ${symbol} is`, `${ageMs} ms`, oldest);
      if (!isKnown(sources)) return refuseUnknown("RC09", `number of sources for ${symbol}`, sourcesMin);
      if (sources < sourcesMin) return refuse("RC09", `number of sources for ${symbol} is`, sources, sourcesMin);
      if (spreadBpsMax === undefined) return PASS;
      if (!isKnown(disagreementBps) || disagreementBps < 0)
        return refuseUnknown("RC09", `disagreement of sources for ${symbol}`, widest);
      return disagreementBps <= spreadBpsMax
        ? PASS
        : refuse("RC09", `sources for ${symbol} disagree by`, bpsText(disagreementBps), widest);
    },
  };
}

/** The requirement that a pair without a fair value misses. */
function brokenBy({ reason, limit }: Extract<Fair, { kind: "none" }>, limits: ReferenceLimits): string {
  switch (reason) {
    case "stale":
      return `${limits.ageMsMax} ms`;
    case "missing":
      return `${limit ?? limits.sourcesMin} or more sources`;
    case "disagreeing":
      return limits.spreadBpsMax === undefined ? "one price" : `${limits.spreadBpsMax} bp between sources`;
    case "off-peg":
      return limit === undefined ? "the band around par" : `${limit} bp around par`;
    case "crossed":
      return "a bid below its ask";
    case "implausible":
      return "what the pair can cost";
    case "closed":
      return "open currency markets";
    default:
      return unreachable(reason);
  }
}

// RC07: the distance of a limit from fair value, in both directions. Beyond the hard collar the refusal has its own
// code, RC07H, which raises an alert: such a price is a mistake.

/** Undefined if turned off; the narrower of the two decides. */
export function priceCollar(softBps: number | undefined, hardBps: number | undefined): Rule | undefined {
  const narrowBps = Math.min(softBps ?? Number.POSITIVE_INFINITY, hardBps ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(narrowBps)) return undefined;
  return {
    code: "RC07",
    atSend: true,
    review({ symbol, limit, fair }) {
      const bounds = fair.kind === "fair" ? boundsOf(fair.value, narrowBps) : undefined;
      if (fair.kind === "none" || bounds === undefined)
        return refuseUnknown("RC07", `fair value of ${symbol}`, `${narrowBps} bp`);
      if (isInside(limit, bounds)) return inClosedMarket(limit, fair);
      const outer = hardBps === undefined ? undefined : boundsOf(fair.value, hardBps);
      const [code, bps] = outer !== undefined && !isInside(limit, outer) ? ["RC07H", hardBps] : ["RC07", narrowBps];
      const what = `limit ${limit} is away from fair value ${fair.value} by`;
      return refuse(code, what, distance(limit, fair.value), `${bps} bp`);
    },
  };
}

/** Prices of a closed market are thin, so orders that rest on them have their own collar. */
function inClosedMarket(limit: Price, fair: Fair): Ruling {
  if (fair.kind === "none" || fair.collarBps === undefined) return PASS;
  const bounds = boundsOf(fair.value, fair.collarBps);
  if (bounds !== undefined && isInside(limit, bounds)) return PASS;
  const what = `the currency markets are closed, and limit ${limit} is away from fair value ${fair.value} by`;
  return refuse("RC07", what, distance(limit, fair.value), `${fair.collarBps} bp`);
}

type Bounds = { readonly low: Price; readonly high: Price };

function isInside(limit: Price, { low, high }: Bounds): boolean {
  return limit.atLeast(low) && limit.atMost(high);
}

/**
 * Fair value is a float; a part in 10^9 of it is far below any collar, and the grid keeps the comparison exact. The
 * distance is worked out in whole steps, rounded down: both products stay far below 2^53.
 */
function boundsOf(value: number, bps: number): Bounds | undefined {
  if (!isKnown(value) || value <= 0) return undefined;
  const decimals = decimalsOf(value);
  const steps = Math.round(value * 10 ** decimals);
  const rest = steps % 10_000;
  const away = ((steps - rest) / 10_000) * bps + Math.floor((rest * bps) / 10_000);
  if (steps <= 0 || !Number.isSafeInteger(steps + away)) return undefined;
  return { low: Price.ofSteps(steps - away, decimals), high: Price.ofSteps(steps + away, decimals) };
}

function decimalsOf(value: number): number {
  return value < 4_000 ? 12 : 6;
}

function distance(limit: Price, fair: number): string {
  return bpsText(Math.abs((limit.toNumber() / fair - 1) * 1e4));
}

// RC35: the way out of a coin that is off its peg. There is no fair value then, so nothing may be bought; a holding may still
// be sold against the venue's own price: no further below its bid than a collar, not below a floor under par, so much in
// one order and so much on a UTC day. It only reduces. The price is asked again when a slot opens.

type Exit = NonNullable<Limits["exit"]>;

/** A sale of a coin for what it stands for, while the venue's quote is outside the band around par. */
export function isWayOut({ side, instrument, fair }: Pick<Assessment, "side" | "instrument" | "fair">): boolean {
  if (side !== "sell" || fair.kind !== "none" || fair.reason !== "off-peg") return false;
  return standsFor(instrument.base) === instrument.quote;
}

/** The rule, for every order but those on the way out: they have no fair value to be measured with. */
export function unlessWayOut(rule: Rule): Rule {
  const { review } = rule;
  if (review === undefined) return rule;
  return { ...rule, review: (order, context) => (isWayOut(order) ? PASS : review(order, context)) };
}

export function wayOutPrice({ collarBps, floorBps }: Exit): Rule {
  const floor = Price.of("1").shifted(-floorBps, "up");
  return {
    code: "RC35",
    atSend: true,
    review(order, { pricing }) {
      if (!isWayOut(order)) return PASS;
      const { symbol, limit } = order;
      const bid = pricing.bid(symbol);
      if (bid === undefined) return refuseUnknown("RC35", `bid of ${symbol}`, `${collarBps} bp`);
      const below = Number(((1 - limit.toNumber() / bid) * 1e4).toPrecision(9));
      if (!(below <= collarBps))
        return refuse("RC35", `limit ${limit} is below the bid ${bid} by`, bpsText(below), `${collarBps} bp`);
      return limit.atLeast(floor) ? PASS : refuse("RC35", "off its peg, the limit is", limit, `${floor} or more`);
    },
  };
}

/** Of one order, of what is held, and of the day: the least of them. */
export function wayOutSize(exit: Exit, currency: Asset): Rule {
  const [orderMax, dayMax] = [exit.orderValueMax.of(currency), exit.perDayMax.of(currency)];
  return {
    code: "RC35",
    review(order, { accounts, counters, pricing }) {
      if (!isWayOut(order)) return PASS;
      const { sold, value } = order;
      if (!isIn(value, currency)) return refuseUnknown("RC35", "value of the order", orderMax);
      const left = accounts.heldAtLeast(sold);
      if (!isIn(left, sold)) return refuseUnknown("RC35", `held ${sold}`, "what is held");
      const counted = counters.day.belowPar.plus(counters.openValue);
      const rulings = [
        capTo(Quantity.ofMoney(left) ?? Quantity.zero, order, () =>
          refusalOf("RC35", `off its peg, ${sold} sold is`, order.quantity, left),
        ),
        capValue(order, orderMax, pricing, () => refusalOf("RC35", "off its peg, the order is worth", value, orderMax)),
        capValue(order, dayMax.minus(counted), pricing, () =>
          refusalOf("RC35", "coins sold below par on the day could be", counted.plus(value), dayMax),
        ),
      ];
      // Each is asked again once the order is smaller.
      return rulings.find((ruling) => ruling !== PASS) ?? PASS;
    },
  };
}
