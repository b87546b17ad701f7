// POST /private/querySupplyChanges: mints of one asset, by requestid or txid. A row that names no asset belongs to the
// asset that was asked for.

import type { Asset } from "../../domain/asset.ts";
import type { SupplyChange } from "../port.ts";
import {
  asset as assetShape,
  list,
  mapped,
  optional,
  prose,
  quantity,
  type Read,
  record,
  time,
  Unreadable,
  word,
} from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record(
  {
    requestid: optional(word),
    txid: optional(word),
    asset: optional(assetShape),
    blockchain: optional(word),
    quantity: optional(quantity),
    status: word,
    reason: prose,
    timestamp: time,
  },
  {
    id: "requestid",
    amount: "quantity",
    state: "status",
    time: "timestamp",
    created_at: "timestamp",
  },
);

const answer = record({ supplychanges: list(row) }, { changes: "supplychanges", supply: "supplychanges" });

export function querySupplyChanges(asset: Asset): ReadEndpoint<readonly SupplyChange[]> {
  return {
    path: "/private/querySupplyChanges",
    fields: { asset },
    answer: mapped(answer, (body) => body.supplychanges.map((entry) => supplyChange(entry, asset))),
  };
}

function supplyChange(entry: Read<typeof row>, asked: Asset): SupplyChange {
  if (entry.requestid === undefined && entry.txid === undefined)
    throw new Unreadable("must have requestid or txid").under("a supply change");
  return {
    requestId: entry.requestid,
    transactionId: entry.txid,
    asset: entry.asset ?? asked,
    blockchain: entry.blockchain,
    quantity: entry.quantity,
    status: entry.status,
    reason: entry.reason,
    at: entry.timestamp,
  };
}
