// Rows of the venue's histories as people read them, each with the one key by which it is told from the others.

import { assetsOf } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { quoted } from "../../domain/outside-text.ts";
import type { Rail } from "../../domain/rail.ts";
import type { OrderRecord, SupplyChange, TradeRecord } from "../../exchange/port.ts";
import { environmentOf } from "../client-order-id.ts";
import type { HistoryRow } from "./foreign.ts";

export function tradeRow(row: TradeRecord): HistoryRow {
  const { clientOrderId, orderId, tradeId, bought, sold, fee, at } = row;
  const name = clientOrderId === undefined ? "without a client order id" : `of ${quoted(clientOrderId)}`;
  const text = `trade ${quoted(tradeId ?? orderId)} of order ${quoted(orderId)} ${name}: ${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
  const assets = [bought.asset, sold.asset, fee.asset];
  const moved = [bought, sold.negated(), fee.negated()];
  const isNameless = tradeId === undefined;
  const isLost = clientOrderId !== undefined && environmentOf(clientOrderId) !== undefined;
  return {
    key: `trade:${tradeId ?? orderId}`,
    at,
    text,
    isNameless,
    subject: `order ${orderId}`,
    assets,
    moved,
    isLost,
  };
}

export function orderRow({ clientOrderId, orderId, status, symbol, side, quantity, at }: OrderRecord): HistoryRow {
  const name = clientOrderId === undefined ? "without a client order id" : `of ${quoted(clientOrderId)}`;
  const what = [side, quantity, symbol].filter((part) => part !== undefined).join(" ");
  const text = `order ${quoted(orderId ?? "of no id")} ${name}${what === "" ? "" : `: ${what}`}, ${quoted(status ?? "of no status")}`;
  const moved = symbol === undefined || status === "Rejected" ? undefined : assetsOf(symbol);
  const assets = moved === undefined ? [] : [moved.base, moved.quote];
  const id = orderId ?? clientOrderId;
  return { key: `order:${id}`, at, text, isNameless: id === undefined, subject: `order ${id}`, assets };
}

export function mintRow({ requestId, transactionId, asset, quantity, status, at }: SupplyChange): HistoryRow {
  const id = requestId ?? transactionId ?? "";
  const text = `mint ${quoted(id)} of ${quantity === undefined ? "" : `${quantity} `}${asset}, ${quoted(status)}`;
  const fiat = fiatOf(asset);
  const subject = `mint ${id} of ${asset}`;
  return { key: `mint:${asset}:${id}`, at, text, subject, assets: fiat === undefined ? [asset] : [asset, fiat] };
}

/** By itself it moves nothing: what is paid on it is news. */
export function railRow({ railId, status }: Rail): HistoryRow {
  const text = `rail ${quoted(railId)}, ${quoted(status)}`;
  return { key: `rail:${railId}`, at: undefined, text, subject: `rail ${railId}`, assets: [] };
}
