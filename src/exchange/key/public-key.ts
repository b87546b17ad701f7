// The public half of a key: the string that the portal registers and every request carries, and the fingerprint that
// names the key in files and logs.

import { createHash } from "node:crypto";
import type { Curve } from "../profile.ts";
import { curves } from "../sign.ts";

// SubjectPublicKeyInfo up to the point: ecPublicKey, the curve's object id, and a bit string of 65 bytes.
const SPKI_HEADS: Readonly<Record<Curve, Buffer>> = {
  p256: Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex"),
  secp256k1: Buffer.from("3056301006072a8648ce3d020106052b8104000a034200", "hex"),
};
// Its own domain, so that the fingerprint equals no other hash of the same key.
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
