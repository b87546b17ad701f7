// What the library is opened with, checked as strictly as a configuration: a limit that is misspelt must not be one that
// does not hold.

import { z } from "zod";
import { orFail } from "../domain/command-failure.ts";
import { amount, assetName, pairSymbol, wholeNumber } from "../domain/field.ts";
import { err, ok } from "../domain/result.ts";
import { complaintsOf } from "../domain/schema-complaint.ts";
import type { KeySource } from "../exchange/key/load.ts";
import { profileSchema } from "../exchange/profile.ts";
import type { VenueOptions } from "./contract.ts";

const MAX = "1000000000";

const limitsSchema = z.strictObject({
  orderQuantityMax: z.record(pairSymbol("a pair"), amount("0.000001", MAX, "base units of one order")).optional(),
  ordersPerMinuteMax: wholeNumber(1, 60, "orders in any minute").optional(),
  // No fee of this venue reaches one percent.
  feeBpsMax: wholeNumber(0, 100, "highest fee in basis points").default(100),
  mintMax: z.record(assetName("a coin"), amount("0.000001", MAX, "units of one mint")).default({}),
  destinations: z.array(z.string().min(1)).default([]),
  equity: amount("1", MAX, "what the account is worth").optional(),
  currency: assetName("its currency").default("CHF"),
});

const optionsSchema = z.strictObject({
  url: z.string(),
  key: z.custom<KeySource>((key) => typeof key === "object" && key !== null && "kind" in key, {
    error: "must be a key, such as fileKey(path)",
  }),
  profile: profileSchema.default("contract"),
  state: z.string().min(1).optional(),
  environment: z.enum(["test", "production"]).optional(),
  limits: limitsSchema.prefault({}),
  proxy: z.string().refine(URL.canParse, "must be an address").optional(),
  authority: z.string().optional(),
});

export type Limits = Readonly<z.output<typeof limitsSchema>>;

export function readOptions(given: VenueOptions) {
  const read = optionsSchema.safeParse(given);
  const complaints = complaintsOf(read.error?.issues ?? [], given, (path) => path.join(".") || "createVenue");
  return orFail(read.success ? ok(read.data) : err(complaints.join("; ")));
}
