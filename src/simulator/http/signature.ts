// Verifies signatures with node:crypto, so that client and server are two independent implementations. The key is the
// registered string: standard base64 of the DER SubjectPublicKeyInfo.

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { Acceptance } from "./acceptance.ts";
import { API_PREFIX } from "./endpoint.ts";

export type SignedCall = {
  /** Without the prefix, for example `/private/addOrder`. */
  readonly path: string;
  readonly bodies: readonly string[];
  readonly nonce: string;
  readonly signature: string;
};

const CURVES = { prime256v1: "p256", secp256k1: "secp256k1" } as const;
type Curve = (typeof CURVES)[keyof typeof CURVES];
export type VerifyingKey = { readonly object: KeyObject; readonly curve: Curve };

export function parsePublicKey(text: string): Result<VerifyingKey> {
  const der = Buffer.from(text, "base64");
  if (der.length === 0 || der.toString("base64") !== text)
    return err("public key must be standard base64 of a DER SubjectPublicKeyInfo on one line");
  let object: KeyObject;
  try {
    object = createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return err("public key must be a DER SubjectPublicKeyInfo");
  }
  const name = object.asymmetricKeyDetails?.namedCurve;
  if (name !== "prime256v1" && name !== "secp256k1")
    return err(`public key must be on P-256 or secp256k1, was ${name ?? object.asymmetricKeyType}`);
  return ok({ object, curve: CURVES[name] });
}

export function signatureHolds(key: VerifyingKey, call: SignedCall, accept: Acceptance): boolean {
  if (!accept.curve.has(key.curve)) return false;
  const signature = signatureBytes(call.signature, accept);
  if (signature === undefined) return false;
  const encodings = [...accept.signatureBytes].map((form) => (form === "der" ? "der" : "ieee-p1363"));
  for (const text of signingTexts(call, accept))
    for (const dsaEncoding of encodings)
      if (verify("sha256", Buffer.from(text, "utf8"), { key: key.object, dsaEncoding }, signature)) return true;
  return false;
}

function signatureBytes(text: string, accept: Acceptance): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  for (const form of accept.signatureText) if (written(bytes, form) === text) return bytes;
  return undefined;
}

function written(bytes: Buffer, form: Profile["signatureText"]): string {
  if (form !== "base64url-padded") return bytes.toString(form);
  return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

function* signingTexts(call: SignedCall, accept: Acceptance): Generator<string> {
  for (const form of accept.signedPath)
    for (const body of call.bodies)
      for (const order of accept.signingOrder)
        for (const separator of accept.signingSeparator) {
          const path = form === "full" ? API_PREFIX + call.path : call.path;
          const parts = order === "path-body-nonce" ? [path, body, call.nonce] : [body, path, call.nonce];
          yield parts.join(separator);
        }
}
