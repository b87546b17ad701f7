// `assets`: the assets that the venue lists.

import type { ListedAsset } from "../../../exchange/port.ts";
import type { Report } from "./report.ts";

export const assets: Report<ListedAsset> = {
  none: "the venue lists no assets",
  fields: [
    { name: "asset", value: (row) => row.asset },
    { name: "name", value: (row) => row.name },
    { name: "blockchains", value: chains },
  ],
  ask: (exchange) => exchange.assets({ class: "other" }),
};

/** Chains that are switched off stand in brackets. */
function chains({ blockchains }: ListedAsset): string | undefined {
  return blockchains?.map(({ blockchain, active }) => (active ? blockchain : `(${blockchain})`)).join(" ");
}
