// A person's own signature of a plan: ECDSA over the digest, with a key that the bot's machine need not have.

import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

/** What a person says of a plan: a signature for one of them serves no other. */
export type PlanAnswer = "approve" | "decline";

/** Signs with a private key in PEM. */
export function signDigest(
  pem: string,
  digest: string,
  answer: PlanAnswer = "approve",
): { readonly signature: string; readonly publicKey: string } {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
  return { signature: sign("sha256", textOf(digest, answer), key).toString("base64"), publicKey };
}

export function isSignedBy(
  publicKey: string,
  digest: string,
  signature: string,
  answer: PlanAnswer = "approve",
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return verify("sha256", textOf(digest, answer), key, Buffer.from(signature, "base64"));
  } catch {
    // A key that cannot be read, or is of a kind that signs otherwise, has signed nothing.
    return false;
  }
}

/** The key itself, however its text is written: one that cannot be read stands for its text. */
export function keyIdentity(publicKey: string): string {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return JSON.stringify(key.export({ format: "jwk" }));
  } catch {
    return publicKey;
  }
}

/** Not the bare digest: whoever signs it elsewhere has said nothing here. */
function textOf(digest: string, answer: PlanAnswer): Buffer {
  return Buffer.from(`pegbot ${answer} ${digest}`);
}
