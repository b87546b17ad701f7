// The only holder of a private key. The bytes are in a closure: no property, inspection, clone or JSON of the signer
// shows them, and the signer can only sign requests with them.

import { createHash } from "node:crypto";
import type { ECDSA } from "@noble/curves/abstract/weierstrass.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { invariant } from "../../domain/invariant.ts";
import type { Nonce } from "../port.ts";
import type { Curve, Profile } from "../profile.ts";

export interface Signer extends PublicHalf {
  readonly curve: Curve;
  /** The value of x-app-signed-data; the request's nonce must be used for it only. */
  sign(request: SigningRequest, profile: Profile): string;
  /** Overwrites the key; the signer cannot be used afterwards. */
  close(): void;
}

const CLOSED = "signer must not be used after it was closed";

/**
 * Takes ownership of the bytes: the caller must not keep them. The portal's public-key string takes precedence over the
 * derived one.
 */
export function createSigner(curve: Curve, secretKey: Uint8Array, portalPublicKey?: string): Signer {
  invariant(curves[curve].utils.isValidSecretKey(secretKey), "private key must be a valid scalar of its curve");
  const { publicKey, fingerprint } = publicHalf(curve, secretKey);
  let open = true;
  return Object.freeze({
    curve,
    publicKey: portalPublicKey ?? publicKey,
    fingerprint,
    sign(request: SigningRequest, profile: Profile): string {
      invariant(open, CLOSED);
      invariant(profile.curve === curve, `curve of the profile must be the key's ${curve}, was ${profile.curve}`);
      return signText(secretKey, signingText(request, profile), profile);
    },
    close(): void {
      open = false;
      secretKey.fill(0);
    },
  });
}

export const curves: Readonly<Record<Curve, ECDSA>> = { p256, secp256k1 };

const API_PREFIX = "/api/v1";

export type SigningRequest = {
  /** Relative to the base address, with a leading slash: `/private/addOrder`. */
  readonly path: string;
  /** Canonical JSON of the call's fields, or empty (endpoint/endpoint.ts). */
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
  // Low S on both curves: every verifier accepts it, some (libsecp256k1's) accept nothing else, and negating s yields
  // no second valid signature of the same request.
  const bytes = curves[profile.curve].sign(Buffer.from(text, "utf8"), secretKey, {
    prehash: true,
    lowS: true,
    format: profile.signatureBytes === "der" ? "der" : "compact",
  });
  const isPadded = profile.signatureText === "base64url-padded";
  const signature = Buffer.from(bytes).toString(profile.signatureText === "base64" ? "base64" : "base64url");
  return isPadded ? signature.padEnd(Math.ceil(signature.length / 4) * 4, "=") : signature;
}

// SubjectPublicKeyInfo up to the point: ecPublicKey, the curve's object id, and a bit string of 65 bytes.
const SPKI_HEADS: Readonly<Record<Curve, Buffer>> = {
  p256: Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex"),
  secp256k1: Buffer.from("3056301006072a8648ce3d020106052b8104000a034200", "hex"),
};
// A separate domain, so that the fingerprint equals no other hash of the same key.
const FINGERPRINT_DOMAIN = "pegbot key fingerprint v1\0";
const FINGERPRINT_DIGITS = 16;

export type PublicHalf = {
  /** Standard base64 of the DER SubjectPublicKeyInfo, one line. */
  readonly publicKey: string;
  readonly fingerprint: string;
};

export function publicHalf(curve: Curve, secretKey: Uint8Array): PublicHalf {
  const spki = Buffer.concat([SPKI_HEADS[curve], curves[curve].getPublicKey(secretKey, false)]);
  const hash = createHash("sha256").update(FINGERPRINT_DOMAIN).update(spki).digest("hex");
  return { publicKey: spki.toString("base64"), fingerprint: hash.slice(0, FINGERPRINT_DIGITS) };
}
