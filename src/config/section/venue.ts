// Which venue, and how it is spoken to.

import { z } from "zod";
import { parseBaseUrl } from "../../exchange/base-url.ts";
import { profileSchema } from "../../exchange/profile.ts";

export const venueSchema = z.strictObject({
  baseUrl: z
    .string({ error: "must be an address that ends in /api/v1/" })
    .superRefine((text, context) => {
      const address = parseBaseUrl(text);
      if (!address.ok) context.addIssue({ code: "custom", message: address.error, input: text });
    })
    .describe("base address of the venue, ending in /api/v1/; without it paper mode embeds the simulator")
    .optional(),
  environment: z
    .enum(["test", "production"])
    .default("test")
    .describe("which of the venue's environments this is; keys and journals belong to one of them"),
  profile: profileSchema.default("contract"),
});
