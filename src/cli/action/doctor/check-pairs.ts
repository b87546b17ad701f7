// The pairs of the venue: is there something to trade, and is every pair that the limits allow online? Those of paper mode's own
// limits nobody has named: of them one that is listed and not online is a warning.

import type { Instrument } from "../../../domain/instrument.ts";
import type { Reading } from "../../../exchange/port.ts";
import { missingPairs } from "../../config/missing-pairs.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Finding } from "./finding.ts";

const check = "pairs";

export function checkPairs(
  reading: Reading<readonly Instrument[]>,
  wanted: readonly string[],
  areNamed: boolean,
): Finding {
  if (reading.kind !== "read") return { check, verdict: "problem", ...explainFailure(reading) };
  const online = new Set(reading.value.filter((pair) => pair.status === "online").map((pair): string => pair.symbol));
  const count = `${reading.value.length} listed, ${online.size} online`;
  const missing = missingPairs(wanted, reading.value, () => areNamed).map(({ symbol }) => symbol);
  if (missing.length > 0)
    return {
      check,
      verdict: areNamed || online.size === 0 ? "problem" : "warning",
      cause: `${missing.join(", ")} of ${areNamed ? "risk.symbols" : "paper mode's own limits"} cannot be traded now (${count})`,
      next: `pegbot pairs shows what can; ${areNamed ? "correct risk.symbols" : "name others in risk.symbols"}, or wait until the pair is online`,
    };
  if (online.size === 0)
    return { check, verdict: "problem", cause: `no pair can be traded (${count})`, next: "ask the venue's support" };
  const leftOut = reading.problems ?? [];
  if (leftOut.length > 0)
    return {
      check,
      verdict: "warning",
      cause: `${count}; rows that cannot be read: ${leftOut.join(", ")}`,
      next: "these pairs cannot be traded with this version",
    };
  return { check, verdict: "ok", cause: count };
}
