// What the answer to a signed read says about key, signature and nonce. The venue answers 401 to all three, so its code
// and its words decide where they can; this is a diagnosis for a person, and nothing is traded on it.

import type { Failure, Reading } from "../../../exchange/port.ts";

export type SignatureVerdict =
  /** The signature holds, whatever else may be wrong. */
  | { readonly kind: "accepted" }
  /** Another form might do: of the signature, or (refused before the signature was looked at) of the body. */
  | { readonly kind: "refused"; readonly what: "signature" | "body"; readonly failure: Failure }
  | { readonly kind: "stale-nonce" | "unknown-key" | "locked" | "limited" | "forbidden"; readonly failure: Failure }
  /** Nothing was learnt. */
  | { readonly kind: "unanswered"; readonly reading: Exclude<Reading<unknown>, { kind: "read" }> };

const LOCKED = /\block(ed|-?out)\b|\bblocked\b|\bsuspended\b|\bbanned\b|\btoo many (failed|invalid|wrong|bad)\b/i;
const STALE_CODE = /nonce/i;
const STALE =
  /\b(invalid|stale|old|low|lower|reused|used) nonce|\bnonce\b.{0,16}\b(must|higher|greater|low|stale|used|increas)/i;
const UNKNOWN_CODE = /(unknown|unregistered|invalid)[_-]?(public|api)?[_-]?key/i;
const UNKNOWN =
  /\b(unknown|unregistered|no such) (public |api )?key\b|\bkey\b.{0,16}\b(not registered|not found|unknown)/i;
/** A message that names more than one of these lists what may be wrong, and says nothing of what is. */
const SUSPECTS = [/\bkey\b/i, /\bsign/i, /\bnonce\b/i];

export function judgeSignature(reading: Reading<unknown>): SignatureVerdict {
  if (reading.kind === "read") return { kind: "accepted" };
  if (reading.kind === "dropped") return { kind: "unanswered", reading };
  const { failure } = reading;
  const { code, status, message } = failure;
  if (status === undefined) return { kind: "unanswered", reading };
  if (status === 200 || code === "kyb-required" || code === "agreement-missing") return { kind: "accepted" };
  if (status >= 400 && status < 500 && LOCKED.test(message)) return { kind: "locked", failure };
  if (code === "rate-limited") return { kind: "limited", failure };
  if (code === "unauthorized") return { ...refusalOf(failure), failure };
  if (status === 400) return { kind: "refused", what: "body", failure };
  return status === 403 ? { kind: "forbidden", failure } : { kind: "unanswered", reading };
}

type Refusal = { kind: "stale-nonce" | "unknown-key" } | { kind: "refused"; what: "signature" };

function refusalOf({ message, venueCode = "" }: Failure): Refusal {
  if (STALE_CODE.test(venueCode)) return { kind: "stale-nonce" };
  if (UNKNOWN_CODE.test(venueCode)) return { kind: "unknown-key" };
  const words = message.startsWith(`${venueCode}: `) ? message.slice(venueCode.length + 2) : message;
  const named = SUSPECTS.filter((suspect) => suspect.test(words)).length;
  if (named === 1 && STALE.test(words)) return { kind: "stale-nonce" };
  return named === 1 && UNKNOWN.test(words) ? { kind: "unknown-key" } : { kind: "refused", what: "signature" };
}
