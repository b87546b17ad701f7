// The columns of the bookkeeper's tables. Amounts are exact decimals without signs of grouping; what does not apply is empty, and
// a cost that nobody knows is the word `unknown`.

import type { Booking, Leg } from "../../../bot/bookkeeping/bookings.ts";
import type { LotRow } from "../../../bot/bookkeeping/lots.ts";
import type { AssetTotals } from "../../../bot/bookkeeping/reconciled.ts";
import type { Change, Sums } from "../../../bot/bookkeeping/worth.ts";
import type { Asset } from "../../../domain/asset.ts";
import type { Millis } from "../../../domain/time.ts";

export const BOOKS_TITLES: readonly string[] = [
  ...["sequence", "at", "venue_at", "kind", "id", "venue_id", "trade_id", "pair", "side"],
  ...["in", "in_asset", "in_to", "in_after", "out", "out_asset", "out_of", "out_after"],
  ...["fee", "fee_asset", "fee_from", "fee_after", "price"],
  ...["closed", "cost", "proceeds", "realised", "profit_asset", "unknown_cost_of", "position", "position_cost"],
  ...["value", "fee_value", "realised_value", "value_currency", "by", "note"],
];

export const LOTS_TITLES: readonly string[] = [
  ...["lot", "pair", "side", "opened_at", "opened_by", "amount", "asset", "cost"],
  ...["closed_at", "closed_by", "proceeds", "realised", "profit_asset"],
];

export const DAYS_TITLES: readonly string[] = [
  ...["day", "opening", "brought", "profit", "closing", "currency", "closing_at"],
  ...["trades", "turnover", "fees", "realised", "mint_fees", "rail_fees", "without_rate"],
];

export const UNKNOWN = "unknown";

export function bookingCells(booking: Booking, currency: Asset): readonly string[] {
  const { sequence, at, venueAt, kind, id, venueId, tradeId, came, went, fee, trade, costless } = booking;
  const { value, feeValue, realisedValue, by, note } = booking;
  const hasValue = [value, feeValue, realisedValue].some((one) => one !== undefined);
  const closed = trade?.closed;
  return [
    ...[String(sequence), timeOf(at), timeOf(venueAt), kind, textOf(id), textOf(venueId), textOf(tradeId)],
    ...[textOf(trade?.pair), textOf(trade?.side), ...legCells(came), ...legCells(went), ...legCells(fee)],
    ...[textOf(trade?.price), textOf(closed?.amount)],
    costless !== undefined && closed === undefined ? UNKNOWN : textOf(closed?.cost),
    ...[textOf(closed?.proceeds), textOf(trade?.realised), textOf(trade?.after.realised.asset), textOf(costless)],
    ...[textOf(trade?.after.amount), textOf(trade?.after.cost)],
    ...[textOf(value), textOf(feeValue), textOf(realisedValue), hasValue ? currency : "", textOf(by), textOf(note)],
  ];
}

/** What all lines of an asset come to; what it began with is no `in`. */
export function totalCells({ asset, opening, came, went, fees, realised, onAccount, inFlight }: AssetTotals): string[] {
  const cells: Readonly<Record<string, unknown>> = {
    ...{ kind: "total", in: came, in_asset: asset, in_after: onAccount.plus(inFlight) },
    ...{ out: went, out_asset: asset, fee: fees, fee_asset: asset, realised, profit_asset: asset },
    note: `opening ${opening}, on account ${onAccount}, in flight ${inFlight}`,
  };
  return BOOKS_TITLES.map((title) => textOf(cells[title]));
}

export function lotCells({ lot, pair, side, opened, amount, cost, closed, proceeds, realised }: LotRow): string[] {
  return [
    ...[String(lot), pair, side, timeOf(opened.at), opened.id ?? "", String(amount), amount.asset],
    cost === undefined ? UNKNOWN : String(cost),
    ...[timeOf(closed?.at), textOf(closed?.id), textOf(proceeds), textOf(realised)],
    textOf((cost ?? proceeds)?.asset),
  ];
}

/** From one border to the next. */
export function dayCells(day: string, from: Sums, to: Sums, change: Change): readonly string[] {
  const since = (of: "turnover" | "fees" | "realised" | "mintFees" | "railFees"): string => `${to[of].minus(from[of])}`;
  const { opening, brought, profit, closing } = change;
  return [
    ...[day, textOf(opening?.value), textOf(brought), textOf(profit), textOf(closing?.value), to.brought.asset],
    ...[timeOf(closing?.at), String(to.fills - from.fills), since("turnover"), since("fees"), since("realised")],
    ...[since("mintFees"), since("railFees"), String(unratedOf(to) - unratedOf(from))],
  ];
}

function unratedOf({ unpriced, unvalued, unvaluedFees }: Sums): number {
  return unpriced + unvalued + unvaluedFees;
}

function legCells(leg: Leg | undefined): readonly string[] {
  return leg === undefined ? ["", "", "", ""] : [`${leg.amount}`, leg.amount.asset, leg.place, `${leg.after}`];
}

function textOf(value: unknown): string {
  return value === undefined ? "" : String(value);
}

function timeOf(at: Millis | undefined): string {
  return at === undefined ? "" : new Date(at).toISOString();
}
