// Mints, rails and rebalancing. This version has none, so both mappings take no keys yet.

import { z } from "zod";

export const treasurySchema = z.strictObject({
  targets: z.strictObject({}).default({}).describe("what to hold of each asset; this version takes none"),
  approvals: z.strictObject({}).default({}).describe("what may happen without asking; this version takes none"),
});
