// Mints, rails and rebalancing.

import { z } from "zod";
import { destinationsSchema } from "./destination.ts";
import { mintSchema } from "./mint.ts";
import { railsSchema } from "./rail.ts";
import { approvalsSchema, planningSchema, targetsSchema } from "./rebalancing.ts";

export const treasurySchema = z.strictObject({
  targets: targetsSchema.default({}),
  approvals: approvalsSchema.prefault({}).describe("what may happen without asking, and who is asked"),
  planning: planningSchema.prefault({}).describe("what plans reckon with"),
  mint: mintSchema.prefault({}).describe("bounds of mints"),
  destinations: destinationsSchema
    .default({})
    .describe("wallets and bank accounts that may be sent to, by a name of ours"),
  rails: railsSchema.default({}).describe("templates of payment rails, by name"),
});
