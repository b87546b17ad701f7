// GET /client/assets: the venue's assets. The contract gives {symbol, name}; {asset, blockchains} was seen too.

import type { ListedAsset } from "../port.ts";
import { asset, flag, list, optional, prose, record, rows, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record({
  asset: [asset, "symbol", "asset"],
  name: prose,
  blockchains: optional(list(record({ blockchain: word, active: [flag, "isactive"] }))),
});

export const assets: ReadEndpoint<readonly ListedAsset[]> = {
  path: "/client/assets",
  fields: {},
  answer: rows(row, row.slots, "assets"),
  slots: row.slots,
};
