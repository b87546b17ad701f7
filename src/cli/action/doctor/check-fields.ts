// Calls with fields show what a call without cannot: whether they are sent as a form or as JSON, and where the fields
// stand in the signing text. The harmless one is querySupplyChanges; refused, the other ways are tried, when allowed.

import type { Asset } from "../../../domain/asset.ts";
import type { Exchange, Reading, Want } from "../../../exchange/port.ts";
import type { Profile } from "../../../exchange/profile.ts";
import { fieldCandidates } from "../../../exchange/profile-candidates.ts";
import { snippet } from "./check-signature.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Finding } from "./finding.ts";

const check = "fields";

export type FieldsCheck = {
  speaking(profile: Profile): Exchange;
  readonly profile: Profile;
  readonly asset: Asset;
  want(): Want;
  /** May so many requests be sent that could be refused? */
  permission(tries: number): Promise<boolean>;
};

export async function checkFields({ speaking, profile, asset, want, permission }: FieldsCheck): Promise<Finding> {
  const ask = (using: Profile): Promise<Reading<unknown>> => speaking(using).supplyChanges(asset, want());
  const reading = await ask(profile);
  if (reading.kind === "read")
    return { check, verdict: "ok", cause: `a call with fields is taken, sent as ${profile.formCalls}` };
  const explained = explainFailure(reading);
  if (!isRefused(reading))
    return { check, verdict: "warning", cause: `querySupplyChanges: ${explained.cause}`, next: explained.next };
  const said = `the venue refuses a call with fields, sent as ${profile.formCalls} (${explained.cause})`;
  const others = fieldCandidates(profile);
  if (!(await permission(others.length)))
    return { check, verdict: "problem", cause: said, next: "pegbot doctor --try-signatures tries the other forms" };
  for (const other of others) {
    const answer = await ask(other);
    if (answer.kind === "read") return takesAnother(said, other);
    if (!isRefused(answer)) break;
  }
  return {
    check,
    verdict: "problem",
    cause: `${said}, and no other form was taken`,
    next: "compare venue.profile with what the venue documents; orders and mints would be refused too",
  };
}

function takesAnother(said: string, profile: Profile): Finding {
  const next = "set venue.profile in the configuration:";
  return { check, verdict: "problem", cause: `${said}, and takes another form`, next, yaml: snippet(profile) };
}

function isRefused(reading: Reading<unknown>): boolean {
  return reading.kind === "failed" && ["unauthorized", "bad-request"].includes(reading.failure.code);
}
