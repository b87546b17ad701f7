// POST /private/withdrawAddresses: the whitelisted addresses. Labels are kept verbatim; a row without a chain is
// useless and is left out and reported.

import type { WithdrawAddress } from "../port.ts";
import { asset, optional, prose, record, rows, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record({
  asset: [optional(asset), "asset", "currency", "token"],
  blockchain: [word, "blockchain", "chain", "network"],
  address: [optional(word), "address", "destination"],
  label: [prose, "label", "name"],
  status: [optional(word), "status", "state"],
});

export const withdrawAddresses: ReadEndpoint<readonly WithdrawAddress[]> = {
  path: "/private/withdrawAddresses",
  fields: {},
  answer: rows(row, row.slots, "addresses", "withdrawaddresses"),
  slots: row.slots,
};
