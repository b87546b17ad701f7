// `supply`: mints of an asset and their states.

import { parseAsset } from "../../../domain/asset.ts";
import type { SupplyChange } from "../../../exchange/port.ts";
import { orFail } from "../../command-failure.ts";
import { type Report, timeText } from "./report.ts";

export function supply(assetName: string): Report<SupplyChange> {
  const asset = orFail(parseAsset(assetName));
  return {
    none: `no supply changes of ${asset}`,
    fields: [
      { name: "at", value: (row) => timeText(row.at) },
      { name: "asset", value: (row) => row.asset },
      { name: "blockchain", value: (row) => row.blockchain },
      { name: "quantity", align: "right", value: (row) => row.quantity?.toString() },
      { name: "status", value: (row) => row.status },
      { name: "reason", value: (row) => row.reason },
      { name: "requestId", value: (row) => row.requestId },
      { name: "transactionId", value: (row) => row.transactionId },
    ],
    ask: (exchange) => exchange.supplyChanges(asset, { class: "treasury" }),
  };
}
