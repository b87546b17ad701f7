import { expect, test } from "vitest";
import { judgeSignature } from "../../src/cli/contact/signature.ts";
import type { Failure } from "../../src/exchange/port.ts";

function failed(status: number | undefined, code: string, message: string, venueCode?: string) {
  const failure: Failure = { code, status, venueCode, message: venueCode ? `${venueCode}: ${message}` : message };
  return { kind: "failed", failure } as const;
}

test.each([
  ["nonce must be higher than the last one", "signature_failure", "named"],
  ["try again", "invalid_nonce", "named"],
  ["stale nonce", undefined, "named"],
  ["public key is not registered", "signature_failure", "named"],
  ["no", "unknown_key", "named"],
  ["unknown API key", undefined, "named"],
  ["signature does not fit path, body and nonce", "signature_failure", "refused"],
  ["wrong key, bad signing string, or nonce not higher than the last", undefined, "refused"],
  ["signature invalid or key not found", undefined, "refused"],
  ["unauthorized", undefined, "refused"],
  ["account locked", undefined, "locked"],
  ["too many failed attempts", "signature_failure", "locked"],
])("401 with the words %j and the code %s is read as %s", (message, venueCode, kind) => {
  expect(judgeSignature(failed(401, "unauthorized", message, venueCode)).kind).toBe(kind);
});

test.each([
  [400, "bad-request", { kind: "refused", what: "body" }],
  [400, "unknown-code", { kind: "refused", what: "body" }],
  [400, "rate-limited", { kind: "limited" }],
  [429, "rate-limited", { kind: "limited" }],
  [403, "forbidden", { kind: "forbidden" }],
  [403, "kyb-required", { kind: "accepted" }],
  [200, "unreadable", { kind: "accepted" }],
  [503, "venue-down", { kind: "unanswered" }],
  [undefined, "timeout", { kind: "unanswered" }],
  [undefined, "no-nonce", { kind: "unanswered" }],
])("status %s with %s says of the signature: %o", (status, code, verdict) => {
  expect(judgeSignature(failed(status, code, "..."))).toMatchObject(verdict);
});
