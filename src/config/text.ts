// Text and boolean fields of the configuration. The other field types are shared with other rooms' schemas in
// domain/field.ts.

import { z } from "zod";

/** A text of this pattern; `rule` is also the error for any other type. */
export function matching(pattern: RegExp, rule: string, about: string) {
  return z.string({ error: rule }).regex(pattern, { error: rule }).describe(about);
}

export function yesOrNo(about: string) {
  return z.boolean({ error: "must be true or false" }).describe(about);
}

const DAY = 'must be a day, quoted, like "2026-12-28"';

export function day(about: string) {
  return z.string({ error: DAY }).refine(isDay, { error: DAY }).describe(about);
}

/** The runtime reads the 30th of February as the 2nd of March. */
function isDay(text: string): boolean {
  const time = /^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function variableName(about: string) {
  return matching(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable", about);
}

const PATH = "must be the path of a file";

/** Relative paths are resolved against the configuration file when it is loaded. */
export function filePath(about: string) {
  return z
    .string({ error: PATH })
    .refine((text) => text.length > 0 && text.length <= 4096 && !/[\p{Cc}]/u.test(text), { error: PATH })
    .describe(about);
}
