// POST /private/depositAddress: the address for crypto deposits, an observed capability.

import type { Asset } from "../../domain/asset.ts";
import { only, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

export function depositAddress(asset: Asset, blockchain: string): ReadEndpoint<string> {
  return { path: "/private/depositAddress", fields: { asset, blockchain }, answer: only(word, "address") };
}
