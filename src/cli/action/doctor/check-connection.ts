// The connection, by the first question to the venue (which assets it lists): name, address, TLS and an answer in the
// API's own form. It goes through the key's budget like every other request.

import type { ListedAsset, Reading } from "../../../exchange/port.ts";
import { explainFailure, wasAnswered } from "./explain-failure.ts";
import type { Explanation, Finding } from "./finding.ts";

/** `slow`: why there was no slot, where it is known. */
export function checkConnection(reading: Reading<readonly ListedAsset[]>, baseUrl: URL, slow?: Explanation): Finding {
  const check = "connection";
  const secure = baseUrl.protocol === "https:" ? "TLS in order" : "without TLS, on loopback";
  if (reading.kind === "read" || wasAnswered(reading))
    return { check, verdict: "ok", cause: `${baseUrl.host} answers, ${secure}` };
  return { check, verdict: "problem", ...((reading.kind === "dropped" ? slow : undefined) ?? explainFailure(reading)) };
}

export function checkAssets(reading: Reading<readonly ListedAsset[]>): Finding {
  const check = "assets";
  if (reading.kind !== "read") return { check, verdict: "problem", ...explainFailure(reading) };
  if (reading.value.length === 0)
    return { check, verdict: "problem", cause: "the venue lists no asset", next: "check venue.baseUrl" };
  return { check, verdict: "ok", cause: reading.value.map(({ asset }) => asset).join(", ") };
}
