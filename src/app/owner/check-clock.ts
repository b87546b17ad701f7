// Compares this machine's clock with the Date of the venue's latest answer. A Date is truncated to the second, so a
// difference of up to a second means nothing.

import type { Finding } from "../finding.ts";

const OK_MS_MAX = 2_000;
const WARNING_MS_MAX = 30_000;
/** One answer does not show whose clock is wrong. */
const CLOCKS_APART =
  "orders go by the venue's time; if NTP says that this machine's clock is right (timedatectl, chronyc tracking) tell the venue, else let NTP set it";
const DATE_MS = 1_000;
const SHOWN_MS_MIN = 50;

/** `skewMs` is our wall clock minus the Date; undefined if the answer had none. */
export function checkClock(skewMs: number | undefined): Finding {
  const check = "clock";
  if (skewMs === undefined)
    return {
      check,
      verdict: "problem",
      cause: "the venue's answer has no readable Date, and without one no nonce is drawn",
      next: "is there a proxy in between that takes it away? check venue.baseUrl",
    };
  const offMs = skewMs < 0 ? -skewMs : Math.max(0, skewMs - DATE_MS);
  // A difference that would print as 0.0 s is network latency, not clock skew.
  if (offMs < SHOWN_MS_MIN) return { check, verdict: "ok", cause: "within a second of the venue's" };
  const cause = `${(offMs / 1_000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead of"} the venue's, limit is ${WARNING_MS_MAX / 1_000} s`;
  if (offMs <= OK_MS_MAX) return { check, verdict: "ok", cause };
  const verdict = offMs <= WARNING_MS_MAX ? "warning" : "problem";
  return { check, verdict, cause, next: CLOCKS_APART };
}
