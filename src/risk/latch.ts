// The state as the text of a file that survives everything. Reading fails closed: what is missing beside a journal with
// records, cannot be read or is not exactly what was written means KILLED, until a person resumes.

import { z } from "zod";
import { jsonOf } from "../domain/json-of.ts";
import { STOP_CAUSES } from "../domain/stop-cause.ts";
import { type Millis, millis } from "../domain/time.ts";
import { FRESH, type Standing, type Stop, stopsOf, transition } from "./standing.ts";

const stop = {
  state: z.enum(["ACTIVE", "REDUCED", "HALTED", "KILLED"]),
  reason: z.string(),
  wayOut: z.string(),
  by: z.string(),
  since: z.number().int().min(0).transform(millis),
  // Absent in ACTIVE.
  cause: z.enum(STOP_CAUSES).optional(),
  subject: z.string().optional(),
  finding: z.string().optional(),
};

const latchSchema = z.strictObject({
  pegbot: z.literal("latch"),
  version: z.literal(2),
  ...stop,
  also: z.array(z.strictObject(stop)),
});

/** What a shell found where the latch should be. */
export type Found =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing"; readonly journalHasRecords: boolean }
  | { readonly kind: "unreadable"; readonly cause: string };

export function formatLatch({ also, ...first }: Standing): string {
  return `${JSON.stringify({ pegbot: "latch", version: 2, ...plain(first), also: also.map(plain) })}\n`;
}

function plain({ state, reason, wayOut, by, since, cause, subject, finding }: Stop): Stop {
  return { state, reason, wayOut, by, since, cause, subject, finding };
}

/** `at` is when it was found so. */
export function readLatch(found: Found, at: Millis): Standing {
  if (found.kind === "unreadable") return killed(`latch cannot be read: ${found.cause}`, at);
  if (found.kind === "missing")
    return found.journalHasRecords ? killed("latch is missing, but the journal has records", at) : FRESH;
  const standing = parse(found.text);
  return standing ?? killed("latch is malformed", at);
}

function parse(text: string): Standing | undefined {
  const latch = latchSchema.safeParse(jsonOf(text));
  if (!latch.success) return undefined;
  const { pegbot: _, version: _2, ...standing } = latch.data;
  if (stopsOf(standing).some(({ cause }) => cause === undefined)) return undefined;
  // Exactly as we write it: a second copy of a key, or a line cut off and mended, is not ours.
  return formatLatch(standing) === text ? standing : undefined;
}

function killed(reason: string, since: Millis): Standing {
  return transition(FRESH, { kind: "kill", reason, by: "latch", cause: "latch" }, since);
}
