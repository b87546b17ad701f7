// POST /private/addPaymentRail: registers a rail, as JSON. A rail with the status rejected is a rejection; one with an
// unknown status is a doubt.

import type { Rail, RailRequest } from "../../domain/rail.ts";
import { err } from "../../domain/result.ts";
import { quoted } from "../../domain/sanitise.ts";
import { settlementOf } from "../../domain/settlement-status.ts";
import { type Profile, presets, statusWords } from "../profile.ts";
import { mapped, optional, prose, type Read, record, word } from "../wire/decoder.ts";
import { jsonBody, type MoneyEndpoint, type Receipt } from "./endpoint.ts";
import { railBody } from "./rail-body.ts";
import { errorFields, errorOf, failedResult, isGoodResult, refused } from "./venue-error.ts";

const answer = record({ ...errorFields, railid: optional(word), reason: prose });

export function addPaymentRail(
  rail: RailRequest,
  { statuses }: Pick<Profile, "statuses"> = presets.contract,
): MoneyEndpoint<Rail> {
  return {
    kind: "rail",
    path: "/private/addPaymentRail",
    body: () =>
      rail.type === "StablecoinToFiat" && rail.memo !== undefined
        ? err("memo must be absent on a rail to a bank, which has no place for it")
        : jsonBody(railBody(rail)),
    answer: mapped(answer, (body) =>
      receipt({ ...body, status: body.status && statusWords(statuses).settlement(body.status) }),
    ),
  };
}

function receipt(body: Read<typeof answer>): Receipt<Rail> {
  const { railid, status, reason, result } = body;
  const settlement = status === undefined ? undefined : settlementOf(status);
  // The rail's own `rejected` status does not contradict an error.
  const error = errorOf(settlement === "rejected" ? { ...body, status: undefined } : body);
  if (error !== undefined)
    return refused(error, {
      result,
      contradiction: railid === undefined ? undefined : "the rail came back with an id and with an error",
    });
  if (settlement === "rejected" && (isGoodResult(result) || result === "error")) {
    if (railid === undefined && reason === undefined)
      return { kind: "unclear", message: "a rejected rail must have railid or reason" };
    const message = `rail ${railid ?? "without id"} was rejected: ${reason ?? "no reason given"}`;
    return { kind: "rejected", message };
  }
  if (!isGoodResult(result)) return failedResult(result, railid !== undefined);
  if (railid === undefined || status === undefined)
    return { kind: "unclear", message: "a rail must have railid and status" };
  if (settlement !== "pending" && settlement !== "held")
    return {
      kind: "unclear",
      message: `status of rail ${railid} must be pending, rejected or held, was ${quoted(status)}`,
    };
  return { kind: "accepted", value: { railId: railid, status, reason } };
}
