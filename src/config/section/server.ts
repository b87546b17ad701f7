// The local page, metrics and control of a running bot. They stay on this machine.

import { z } from "zod";
import { wholeNumber } from "../../domain/field.ts";
import { isLoopback } from "../../domain/loopback.ts";

const RULE = "must be a loopback address: 127.0.0.1, ::1 or localhost";

export const serverSchema = z.strictObject({
  host: z
    .string({ error: RULE })
    .refine(isLoopback, { error: RULE })
    .default("127.0.0.1")
    .describe("address to listen on, always on this machine"),
  port: wholeNumber(0, 65_535, "port to listen on; 0 takes a free one").default(8787),
});
