// `addresses`: whitelisted withdrawal addresses.

import type { WithdrawAddress } from "../../../exchange/port.ts";
import type { Report } from "./report.ts";

export const addresses: Report<WithdrawAddress> = {
  none: "no whitelisted addresses: they are added in the portal",
  fields: [
    { name: "asset", value: (row) => row.asset },
    { name: "blockchain", value: (row) => row.blockchain },
    { name: "label", value: (row) => row.label },
    { name: "status", value: (row) => row.status },
    { name: "address", value: (row) => row.address },
  ],
  ask: (exchange) => exchange.withdrawAddresses({ class: "other" }),
};
