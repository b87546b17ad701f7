// `addresses --deposit`: where an asset may be sent to, at venues that say so.

import { parseAsset } from "../../../domain/asset.ts";
import { orFail } from "../../command-failure.ts";
import type { Report } from "./report.ts";

type Deposit = { readonly asset: string; readonly blockchain: string; readonly address: string };

export function depositAddress(assetName: string, blockchain: string): Report<Deposit> {
  const asset = orFail(parseAsset(assetName));
  return {
    none: "the venue gave no deposit address",
    fields: [
      { name: "asset", value: (row) => row.asset },
      { name: "blockchain", value: (row) => row.blockchain },
      { name: "address", value: (row) => row.address },
    ],
    async ask(exchange) {
      const reading = await exchange.depositAddress(asset, blockchain, { class: "other" });
      return reading.kind === "read" ? { ...reading, value: [{ asset, blockchain, address: reading.value }] } : reading;
    },
  };
}
