// Mints, rails and rebalancing. This version rebalances nothing by itself, so both mappings take no keys yet.

import { z } from "zod";
import { destinationsSchema } from "./destination.ts";
import { mintSchema } from "./mint.ts";
import { railsSchema } from "./rail.ts";

export const treasurySchema = z.strictObject({
  targets: z.strictObject({}).default({}).describe("what to hold of each asset; this version takes none"),
  approvals: z.strictObject({}).default({}).describe("what may happen without asking; this version takes none"),
  mint: mintSchema.prefault({}).describe("bounds of mints"),
  destinations: destinationsSchema
    .default({})
    .describe("wallets and bank accounts that may be sent to, by a name of ours"),
  rails: railsSchema.default({}).describe("templates of payment rails, by name"),
});
