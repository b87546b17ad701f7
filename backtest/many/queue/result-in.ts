// A result as a queue has it. Whoever can write there may have written it, so it is taken only in the shape that a run leaves: what
// is kept in a file of results stays there.

import { z } from "zod";
import type { TrialResult } from "../trial-result.ts";

const count = z.number().int().min(0);
const returns = z
  .strictObject({
    periodMs: z.number().positive(),
    perYear: z.number().positive(),
    equity: z.array(z.number()),
    holding: z.array(z.number()),
  })
  .refine(({ equity, holding }) => equity.length === holding.length);
const written = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("ran"),
    trial: z.string(),
    traceHash: z.string(),
    state: z.string(),
    fault: z.string().optional(),
    lapsed: z.string().optional(),
    orders: count,
    fills: count,
    figures: z.record(z.string(), z.number().nullable()),
    returns,
  }),
  z.strictObject({ kind: z.literal("refused"), trial: z.string(), reason: z.string() }),
]);

/** Undefined where it is none. */
export function resultIn(text: string): TrialResult | undefined {
  try {
    return written.parse(JSON.parse(text)) as TrialResult;
  } catch {
    return undefined;
  }
}
