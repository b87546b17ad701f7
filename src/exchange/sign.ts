// Signatures: the text that a request signs, and ECDSA over one SHA-256 of it, in the form that the profile asks for.
// Nonces k are derived from key and text (RFC 6979), so a signature is a pure function and a bad random source cannot
// leak the key.

import type { ECDSA } from "@noble/curves/abstract/weierstrass.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { invariant } from "../domain/invariant.ts";
import type { Nonce } from "./port.ts";
import type { Curve, Profile } from "./profile.ts";

export const curves: Readonly<Record<Curve, ECDSA>> = { p256, secp256k1 };

const API_PREFIX = "/api/v1";

export type SigningRequest = {
  /** Relative to the base address, with its slash: `/private/addOrder`. */
  readonly path: string;
  /** Canonical JSON of the call's fields, or nothing (call-body.ts). */
  readonly body: string;
  readonly nonce: Nonce;
};

export function signingText(request: SigningRequest, profile: Profile): string {
  invariant(/^\/private\/[A-Za-z]+$/.test(request.path), "signed path must look like /private/<name>");
  invariant(Number.isSafeInteger(request.nonce) && request.nonce > 0, "nonce must be a positive whole number");
  const path = profile.signedPath === "full" ? API_PREFIX + request.path : request.path;
  const nonce = String(request.nonce);
  const parts = profile.signingOrder === "path-body-nonce" ? [path, request.body, nonce] : [request.body, path, nonce];
  return parts.join(profile.signingSeparator);
}

export function signText(
  secretKey: Uint8Array,
  text: string,
  profile: Pick<Profile, "curve" | "signatureBytes" | "signatureText">,
): string {
  // Low S on both curves: every verifier takes it, some (libsecp256k1's) take nothing else, and no second valid
  // signature of the same request can be made from it by negating s.
  const bytes = curves[profile.curve].sign(Buffer.from(text, "utf8"), secretKey, {
    prehash: true,
    lowS: true,
    format: profile.signatureBytes === "der" ? "der" : "compact",
  });
  return Buffer.from(bytes).toString(profile.signatureText);
}
