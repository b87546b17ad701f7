// The venue's own prices, which not every venue has.

import type { Quote } from "../../../domain/quote.ts";
import type { Reading } from "../../../exchange/port.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Finding } from "./finding.ts";

const check = "quotes";
const WITHOUT = "prices then come from reference feeds and from the outcomes of orders";

export function checkQuotes(reading: Reading<readonly Quote[]>): Finding {
  if (reading.kind === "read") return { check, verdict: "ok", cause: `${reading.value.length} pairs have a price` };
  if (reading.kind === "failed" && reading.failure.code === "not-available")
    return {
      check,
      verdict: "ok",
      cause: `this venue has none; ${WITHOUT}`,
      ...(reading.failure.status === undefined
        ? {}
        : { next: "set venue.profile.quotes to absent: that saves a request each time" }),
    };
  return { check, verdict: "warning", ...explainFailure(reading) };
}
