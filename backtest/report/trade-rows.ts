// A fill as one row of a table: what page, CSV and JSON show of it.

import { assetsOf } from "../../src/domain/asset.ts";
import { fillPrice } from "../../src/domain/order.ts";
import { type Fills, MARKOUT_SECONDS, type RunRecord } from "../record/run-record.ts";

export type TradeRow = {
  readonly time: number;
  readonly decidedAt: number;
  readonly id: string;
  readonly symbol: string;
  readonly side: "buy" | "sell";
  /** Exact, in the base and quote asset. */
  readonly quantity: string;
  readonly value: string;
  /** For reading: 12 digits, without the noise of the division. */
  readonly price: number;
  readonly limit: number;
  readonly touch: number;
  readonly fair: number;
  readonly fee: string;
  readonly feeAsset: string;
  readonly rate: string | undefined;
  /** In the quote asset, as `realisedAsset` says; times `rate` it is in the currency. */
  readonly realised: string | undefined;
  readonly realisedAsset: string | undefined;
  readonly reason: string;
  /** One for each of MARKOUT_SECONDS. */
  readonly mids: readonly number[];
};

export function tradeRows({ fills }: RunRecord, from = 0): TradeRow[] {
  return Array.from({ length: fills.length - from }, (_, index) => {
    const row = from + index;
    const isBuy = fills.side[row] === 0;
    const [base, quote] = isBuy ? [fills.bought[row], fills.sold[row]] : [fills.sold[row], fills.bought[row]];
    return {
      time: fills.time[row] as number,
      decidedAt: fills.decidedAt[row] as number,
      id: fills.id[row] as string,
      symbol: fills.symbol[row] as string,
      side: isBuy ? "buy" : "sell",
      quantity: base as string,
      value: quote as string,
      price: fillPrice(Number(quote), Number(base)),
      limit: fills.limit[row] as number,
      touch: fills.touch[row] as number,
      fair: fills.fair[row] as number,
      fee: fills.fee[row] as string,
      feeAsset: fills.feeAsset[row] as string,
      rate: fills.rate[row],
      realised: fills.realised[row],
      realisedAsset:
        fills.realised[row] === undefined ? undefined : assetsOf(fills.symbol[row] as Fills["symbol"][number]).quote,
      reason: fills.reason[row] as string,
      mids: MARKOUT_SECONDS.map((_, horizon) => fills.mids[horizon]?.[row] ?? NaN),
    };
  });
}
