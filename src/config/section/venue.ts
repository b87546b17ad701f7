// Which venue, and how it is spoken to.

import { z } from "zod";
import { profileSchema } from "../../exchange/profile.ts";
import { isLoopback } from "../loopback.ts";

const ENDING = "/api/v1/";

export const venueSchema = z.strictObject({
  baseUrl: z
    .string({ error: "must be an address that ends in /api/v1/" })
    .superRefine((text, context) => {
      const problem = addressProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem, input: text });
    })
    .describe("base address of the venue, ending in /api/v1/; without it paper mode embeds the simulator")
    .optional(),
  environment: z
    .enum(["test", "production"])
    .default("test")
    .describe("which of the venue's environments this is; keys and journals belong to one of them"),
  profile: profileSchema.default("contract"),
});

function addressProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return "must be an http or https address";
  if (url.username !== "" || url.password !== "") return "must not hold a user name or a password";
  if (url.search !== "" || url.hash !== "" || !url.pathname.endsWith(ENDING) || !text.endsWith(ENDING))
    return `must end in ${ENDING}`;
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return "must be https, except on loopback";
  return undefined;
}
