// `rails`: payment rails and their states.

import type { Rail } from "../../../domain/rail.ts";
import type { Report } from "./report.ts";

export const rails: Report<Rail> = {
  none: "no payment rails",
  fields: [
    { name: "railId", value: (row) => row.railId },
    { name: "status", value: (row) => row.status },
    { name: "reason", value: (row) => row.reason },
  ],
  ask: (exchange) => exchange.rails({ class: "treasury" }),
};
