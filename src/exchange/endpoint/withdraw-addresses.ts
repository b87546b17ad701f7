// POST /private/withdrawAddresses: the whitelisted addresses. A label is kept to the letter; a row without a chain is
// no use to anyone and is left out by name.

import type { WithdrawAddress } from "../port.ts";
import { asset, listOfReadable, mapped, optional, prose, record, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record(
  { asset: optional(asset), blockchain: word, address: optional(word), label: prose, status: optional(word) },
  { chain: "blockchain", network: "blockchain", destination: "address", name: "label", state: "status" },
);

const answer = record({ addresses: listOfReadable(row) }, { withdrawaddresses: "addresses" });

export const withdrawAddresses: ReadEndpoint<readonly WithdrawAddress[]> = {
  path: "/private/withdrawAddresses",
  fields: {},
  answer: mapped(answer, (body) => body.addresses),
};
