// The venue's rows in the types of the port: the result of parsing the contract's answers, without the text in between.

import type { Instrument } from "../domain/instrument.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import type { MintReceipt, Payment, RailRecord, SupplyChange, WithdrawAddress } from "../exchange/port.ts";
import type { AddressRow, MintRow, OrderRow, Pair, PaymentRow, RailRow, SupplyRow } from "./core/record.ts";

export function pair(pair: Pair): Instrument {
  const { symbol, base, quote, status, quantityDecimals, priceDecimals, quantityMin } = pair;
  return { symbol, base, quote, status, quantityDecimals, priceDecimals, quantityMin };
}

export function fill(row: OrderRow): Fill {
  const { orderId, symbol, side, bought, sold, fee, at } = row;
  const clientOrderId = row.clientOrderId as ClientOrderId;
  return { clientOrderId, orderId, tradeId: undefined, symbol, side, bought, sold, fee, at };
}

export function mint({ requestId, transactionId, fee, spent }: MintRow): MintReceipt {
  return { requestId, transactionId, fee, spent };
}

/** The client skips redemptions. */
export function supplyChanges(rows: readonly SupplyRow[]): readonly SupplyChange[] {
  return rows.flatMap(({ isRedemption, requestId, transactionId, asset, blockchain, quantity, status, reason, at }) =>
    isRedemption ? [] : [{ requestId, transactionId, asset, blockchain, quantity, status, reason, at }],
  );
}

export function rail({ railId, status, reason }: RailRow): Rail {
  return { railId, status, reason };
}

/** As the list shows it, including the request. */
export function listedRail(row: RailRow): RailRecord {
  const { type, destination, memo, asset, currency, blockchain } = row;
  const request = { type, destination, asset, currency, blockchain, ...(memo !== undefined && { memo }) };
  return { ...rail(row), request };
}

export function payment({ railId, paymentId, status, received, fee, isFeeStated, at }: PaymentRow): Payment {
  return { railId, paymentId, status, amount: received, fee: isFeeStated ? fee : undefined, at };
}

export function address({ asset, blockchain, address, label, status }: AddressRow): WithdrawAddress {
  return { asset, blockchain, address, label, status };
}
