// The one holder of a private key. The bytes live in a closure: no property, inspection, clone or JSON of the signer
// shows them, and all it can do with them is sign a request, and prove to others who have the key that it has it.

import { createHmac } from "node:crypto";
import { invariant } from "../../domain/invariant.ts";
import type { Curve, Profile } from "../profile.ts";
import { curves, type SigningRequest, signingText, signText } from "../sign.ts";
import { type PublicHalf, publicHalf } from "./public-key.ts";

export interface Signer extends PublicHalf {
  readonly curve: Curve;
  /** The value of x-app-signed-data; the nonce in the request must be spent on it and nothing else. */
  sign(request: SigningRequest, profile: Profile): string;
  /** Of a text, for those who have the same key: nobody else can make it, or check it. No request is signed by it. */
  proof(text: string): string;
  /** Overwrites the key; the signer is of no use afterwards. */
  close(): void;
}

const CLOSED = "signer must not be used after it was closed";
/** So that a proof equals no other use of the key. */
const PROOF_DOMAIN = "pegbot key proof v1\0";

/** Takes the bytes over: the caller must not keep them. A portal's own public-key string beats the derived one. */
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
    proof(text: string): string {
      invariant(open, CLOSED);
      return createHmac("sha256", secretKey).update(PROOF_DOMAIN).update(text).digest("hex");
    },
    close(): void {
      open = false;
      secretKey.fill(0);
    },
  });
}
