// POST /private/querySupplyChanges: mints of one asset, by requestid or txid. A row without an asset belongs to the
// requested one; a redemption belongs to its rail, whose payments show it.

import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import type { Money } from "../../domain/money/money.ts";
import type { SupplyChange } from "../port.ts";
import {
  amount,
  asset as assetShape,
  ifReadable,
  mapped,
  money,
  optional,
  own,
  prose,
  quantity,
  record,
  rows,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import { type ReadEndpoint, type RowRules, rowTime, statusIn } from "./endpoint.ts";

const row = (rules: RowRules) =>
  record({
    requestId: own(optional(word), "requestid"),
    transactionId: own(optional(word), "txid", "transaction_id", "tx_hash"),
    id: ifReadable(word),
    asset: [optional(assetShape), "asset", "token", "symbol"],
    currency: ifReadable(assetShape),
    blockchain: optional(word),
    quantity: [optional(quantity), "quantity", "amount"],
    spent: optional(amount),
    spentCurrency: [optional(assetShape), "spent_currency", "spent_asset"],
    fee: [optional(amount), "fee", "fees", "fee_amount", "commission"],
    feeCurrency: [optional(assetShape), "fee_currency", "fee_asset"],
    status: [statusIn(rules, "settlement"), "status", "state"],
    reason: prose,
    at: rowTime(rules),
    type: [optional(word), "type", "kind", "direction", "operation"],
  });

const REDEMPTION = /^(redemption|redeem|redeemed|burn|burned|burnt)$/i;

export function querySupplyChanges(asset: Asset, rules: RowRules): ReadEndpoint<readonly SupplyChange[]> {
  const shape = row(rules);
  const change = mapped(
    shape,
    ({
      type,
      currency,
      id,
      spent,
      spentCurrency,
      fee,
      feeCurrency = spentCurrency,
      ...entry
    }): SupplyChange | undefined => {
      if (type !== undefined && REDEMPTION.test(type)) return undefined;
      const { requestId = entry.transactionId === undefined ? id : undefined } = entry;
      if (requestId === undefined && entry.transactionId === undefined)
        throw new Unreadable("must have requestid or txid").lacks("requestid");
      // The currency of a row may be the fiat that paid; one that is a coin is the row's own.
      const coin = currency !== undefined && fiatOf(currency) !== undefined ? currency : asset;
      const cost = (text: string | undefined, of: Asset | undefined, field: string): Money | undefined =>
        text === undefined || of === undefined ? undefined : money(text, of, field);
      const costs = { spent: cost(spent, spentCurrency, "spent"), fee: cost(fee, feeCurrency, "fee") };
      return { ...entry, requestId, asset: entry.asset ?? coin, ...costs };
    },
  );
  return {
    path: "/private/querySupplyChanges",
    fields: { asset },
    answer: mapped(rows(change, shape.slots, "supplychanges", "changes", "supply"), minted),
    slots: shape.slots,
  };
}

function minted(rows: readonly (SupplyChange | undefined)[]): readonly SupplyChange[] {
  return rows.filter((row) => row !== undefined);
}
