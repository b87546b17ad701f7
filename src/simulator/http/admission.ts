// The checks before a call is performed, in the order that docs/guides/simulator.md states: User-Agent, pace, size, content
// type and body, the three headers, key, signature, nonce. Only a request with a valid signature uses up its nonce.

import { err, ok, type Result } from "../../domain/result.ts";
import { type Refusal, refusal } from "../core/refusal.ts";
import type { Venue } from "../core/venue.ts";
import type { Acceptance } from "./acceptance.ts";
import { type CallBody, readCallBody } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";
import { type KeyGate, parseNonce } from "./key-gate.ts";
import { type ApiRequest, BODY_BYTES_MAX, type ErrorBody } from "./request.ts";
import { parsePublicKey, signatureHolds, type VerifyingKey } from "./signature.ts";

export type AdmissionRules = {
  readonly accept: Acceptance;
  readonly answers: "contract" | "observed";
};

export type Admitted = { readonly key: string; readonly body: CallBody };
type Denied = { readonly ok: false; readonly error: Refusal | ErrorBody };

export class Admission {
  private readonly venue: Pick<Venue, "knows">;
  private readonly gate: KeyGate;
  private readonly rules: AdmissionRules;
  private readonly keys = new Map<string, VerifyingKey>();

  constructor(venue: Pick<Venue, "knows">, gate: KeyGate, rules: AdmissionRules) {
    this.venue = venue;
    this.gate = gate;
    this.rules = rules;
  }

  /** The checks for every call; a public one with a registered key counts too. */
  arrive(request: ApiRequest): Result<void, Refusal> {
    if (!request.headers["user-agent"]?.trim()) return denied("bad_request", "User-Agent is required");
    const key = request.headers["x-app-public-key"];
    if (key !== undefined && this.venue.knows(key) && !this.gate.arrive(key, request.arrivedMono))
      return this.rules.answers === "observed"
        ? denied("invalid_request_limit", "at most one request a second per public key")
        : denied("rate_limited", "at most one request a second per public key");
    return ok(undefined);
  }

  /** The additional checks for signed calls. */
  admit(endpoint: Endpoint, request: ApiRequest): Result<Admitted, Refusal | ErrorBody> {
    if (request.body === undefined) return tooLarge();
    const body = readCallBody(endpoint, request.headers["content-type"], request.body, this.rules.accept);
    if (!body.ok) return denied("bad_request", body.error);
    const signed = this.checkSignature(endpoint, request, body.value);
    if (!signed.ok) return signed;
    const { key, nonce } = signed.value;
    const number = parseNonce(nonce);
    if (number === undefined) return this.staleNonce("nonce must be a uint64 in plain digits");
    if (!this.gate.spend(key, number)) return this.staleNonce("nonce must be higher than the last one");
    return ok({ key, body: body.value });
  }

  private checkSignature(
    endpoint: Endpoint,
    { headers }: ApiRequest,
    body: CallBody,
  ): Result<{ key: string; nonce: string }, Refusal> {
    const key = headers["x-app-public-key"];
    const nonce = headers["x-app-nonce"];
    const signature = headers["x-app-signed-data"];
    if (!key) return denied("signature_failure", "x-app-public-key is required");
    if (nonce === undefined) return denied("signature_failure", "x-app-nonce is required");
    if (!signature) return denied("signature_failure", "x-app-signed-data is required");
    const verifying = this.verifyingKey(key);
    if (verifying === undefined) return denied("signature_failure", "public key is not registered");
    const call = { path: endpoint.path, bodies: body.signedTexts, nonce, signature };
    if (!signatureHolds(verifying, call, this.rules.accept))
      return denied("signature_failure", "signature does not fit path, body and nonce");
    return ok({ key, nonce });
  }

  private verifyingKey(key: string): VerifyingKey | undefined {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    if (!this.venue.knows(key)) return undefined;
    const parsed = parsePublicKey(key);
    if (!parsed.ok) return undefined;
    this.keys.set(key, parsed.value);
    return parsed.value;
  }

  private staleNonce(message: string): Denied {
    return denied(this.rules.answers === "observed" ? "invalid_nonce" : "signature_failure", message);
  }
}

function denied(code: Refusal["code"], message: string): { readonly ok: false; readonly error: Refusal } {
  return err(refusal(code, message));
}

function tooLarge(): Denied {
  return err({ status: 413, code: "body_too_large", message: `body must be at most ${BODY_BYTES_MAX} bytes` });
}
