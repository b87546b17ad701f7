// Fills, each counted once: slippage against the quote at the decision, fees, and markouts against later prices.
// Positive slippage is a worse price than shown; a positive markout is a good trade.

import type { QuoteEvent } from "../../domain/event.ts";
import type { Fill, Side } from "../../domain/order.ts";
import type { Basis } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { JournalRecord, StepRecord } from "../../journal/record.ts";
import { Memory } from "../memory.ts";
import { OTHER, oneOf, type Shelf } from "./closed.ts";

const SIDES: readonly Side[] = ["buy", "sell"];
const HORIZONS = [1, 10, 60] as const;
/** A quote that is later than this says nothing about the price at the horizon. */
const LATE_MS_MAX = 5_000;
const WAITING_MAX = 1_000;
/** From half a basis point to one percent, in both directions. */
const RATIOS = [
  -0.01, -0.005, -0.002, -0.001, -0.0005, -0.0002, -0.0001, -0.00005, 0, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002,
  0.005, 0.01,
];

type Awaited = {
  readonly symbol: string;
  readonly side: Side;
  readonly price: number;
  readonly horizon: string;
  readonly at: number;
};

export function createFillMeter(shelf: Shelf, symbols: readonly string[], assets: readonly string[]) {
  const pairs = [...symbols, OTHER];
  const fills = shelf.counter(["pegbot_fills_total", "fills booked, each once"], { symbol: pairs, side: SIDES });
  const fees = shelf.counter(["pegbot_fees_total", "fees of those fills, in units of the asset"], {
    asset: [...assets, OTHER],
  });
  const slippage = shelf.histogram(
    ["pegbot_slippage_ratio", "price paid against the quote at the decision; above 0 it was worse"],
    {},
    RATIOS,
  );
  const markout = shelf.histogram(
    ["pegbot_markout_ratio", "venue's middle price some seconds after a fill against its price; above 0 it was good"],
    { horizon: HORIZONS.map((seconds) => `${seconds}s`) },
    RATIOS,
  );
  const missed = shelf.counter(["pegbot_markouts_missed_total", "markouts for which no quote came in time"], {
    horizon: HORIZONS.map((seconds) => `${seconds}s`),
  });
  const bases = new Memory<Basis>();
  const booked = new Memory<true>();
  let awaited: Awaited[] = [];

  function filled({ clientOrderId: id, symbol, side, bought, sold, fee }: Fill, at: Millis): void {
    if (booked.get(id)) return;
    booked.set(id, true);
    fills.inc({ symbol: oneOf(pairs, symbol), side });
    const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
    const price = quote.toNumber() / base.toNumber();
    if (fee.isPositive()) fees.inc({ asset: oneOf(assets, fee.asset) }, fee.toNumber());
    const basis = bases.get(id);
    const seen = side === "buy" ? basis?.ask : basis?.bid;
    if (!(price > 0)) return;
    if (seen !== undefined && seen > 0) slippage.observe(gain(side, price, seen));
    for (const seconds of HORIZONS)
      awaited.push({ symbol, side, price, horizon: `${seconds}s`, at: at + seconds * 1_000 });
    for (const { horizon } of awaited.splice(0, awaited.length - WAITING_MAX)) missed.inc({ horizon });
  }

  function stepped({ at, step: { event, decisions } }: StepRecord): void {
    for (const { verdict, basis } of decisions)
      if (verdict.kind === "approved") bases.set(verdict.intent.clientOrderId, basis);
    if (event.kind === "report" && event.report.kind === "filled") filled(event.report.fill, at);
  }

  return {
    record(record: JournalRecord) {
      if (record.kind === "step") stepped(record);
    },
    quote({ symbol, bid, ask, receivedAt }: QuoteEvent) {
      if (awaited.length === 0) return;
      const middle = (bid + ask) / 2;
      awaited = awaited.filter((one) => {
        if (receivedAt - one.at > LATE_MS_MAX) {
          missed.inc({ horizon: one.horizon });
          return false;
        }
        if (one.symbol !== symbol || receivedAt < one.at || !(middle > 0)) return true;
        markout.observe({ horizon: one.horizon }, gain(one.side, middle, one.price));
        return false;
      });
    },
  };
}

/** The relative gain from `from` to `price`: positive when the price rose after a buy or fell after a sale. */
function gain(side: Side, price: number, from: number): number {
  const change = price / from - 1;
  return side === "buy" ? change : -change;
}
