// POST /private/withdrawAddresses: the whitelisted addresses. A label is kept to the letter; a row without a chain is
// no use to anyone and is left out by name.

import type { WithdrawAddress } from "../port.ts";
import { asset, listOfReadable, only, optional, prose, record, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record({
  asset: optional(asset),
  blockchain: [word, "blockchain", "chain", "network"],
  address: [optional(word), "address", "destination"],
  label: [prose, "label", "name"],
  status: [optional(word), "status", "state"],
});

export const withdrawAddresses: ReadEndpoint<readonly WithdrawAddress[]> = {
  path: "/private/withdrawAddresses",
  fields: {},
  answer: only(listOfReadable(row), "addresses", "withdrawaddresses"),
};
