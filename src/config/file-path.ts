// A path in the configuration. The other kinds of setting are shared with the rooms whose schemas stand in it: domain/field.ts.

import { z } from "zod";

const RULE = "must be the path of a file";

/** Relative ones are resolved against the configuration file when it is loaded. */
export function filePath(about: string) {
  return z
    .string({ error: RULE })
    .refine((text) => text.length > 0 && text.length <= 4096 && !/[\p{Cc}]/u.test(text), { error: RULE })
    .describe(about);
}
