// POST /private/depositAddress: where to send crypto, an observed capability.

import type { Asset } from "../../domain/asset.ts";
import { mapped, record, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const answer = record({ address: word });

export function depositAddress(asset: Asset, blockchain: string): ReadEndpoint<string> {
  return {
    path: "/private/depositAddress",
    fields: { asset, blockchain },
    answer: mapped(answer, (body) => body.address),
  };
}
