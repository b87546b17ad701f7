// Private keys as text: PKCS#8 and SEC1 PEM in, PKCS#8 PEM out. node:crypto reads the container and says which curve it
// is; what we keep is the scalar. Messages are our own: what a parser says about a secret stays here.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Curve } from "../profile.ts";
import { curves } from "../sign.ts";

export type PrivateKey = {
  readonly curve: Curve;
  /** 32 bytes, to be handed to a signer, which owns them from then on. */
  readonly secretKey: Uint8Array;
};

const CURVES: Readonly<Record<string, Curve>> = { prime256v1: "p256", secp256k1: "secp256k1" };
const OPENSSL_NAMES: Readonly<Record<Curve, string>> = { p256: "prime256v1", secp256k1: "secp256k1" };
const RULE = "private key must be a PKCS#8 or SEC1 PEM of P-256 or secp256k1";
// SEC1's ECPrivateKey: a sequence, version 1, then an octet string of 32 bytes.
const SEC1_HEAD = /^30..0201010420$/;
const SEC1_HEAD_LENGTH = 7;
const SCALAR_LENGTH = 32;

export function parsePrivateKey(pem: Buffer): Result<PrivateKey> {
  const problem = labelProblem(pem);
  if (problem !== undefined) return err(`${RULE}, ${problem}`);
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: "pem" });
  } catch {
    return err(`${RULE}, could not be read`);
  }
  if (key.asymmetricKeyType !== "ec") return err(`${RULE}, was of type ${key.asymmetricKeyType}`);
  const name = key.asymmetricKeyDetails?.namedCurve ?? "unnamed";
  const curve = CURVES[name];
  if (curve === undefined) return err(`${RULE}, its curve was ${name}`);
  return scalarOf(key, curve);
}

/** PKCS#8 PEM of a new key from the system's random source. */
export function generatePrivateKey(curve: Curve): Buffer {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: OPENSSL_NAMES[curve] });
  return Buffer.from(privateKey.export({ type: "pkcs8", format: "pem" }));
}

/** The PEM may stand in an environment variable as it is or, in one line, as its base64. */
export function pemOfText(text: string): Buffer {
  const trimmed = text.trim();
  return trimmed.startsWith("-----") ? Buffer.from(`${trimmed}\n`) : Buffer.from(trimmed, "base64");
}

/** Does it look like an age file, armored or not? */
export function isKeystore(file: Buffer): boolean {
  const text = file.toString("latin1", 0, 64).trimStart();
  return text.startsWith("age-encryption.org/") || text.startsWith("-----BEGIN AGE ENCRYPTED FILE-----");
}

function scalarOf(key: KeyObject, curve: Curve): Result<PrivateKey> {
  const der = key.export({ type: "sec1", format: "der" });
  try {
    if (!SEC1_HEAD.test(der.toString("hex", 0, SEC1_HEAD_LENGTH))) return err(`${RULE}, had no scalar of 32 bytes`);
    // A copy, because the DER is overwritten below.
    const secretKey = Uint8Array.from(der.subarray(SEC1_HEAD_LENGTH, SEC1_HEAD_LENGTH + SCALAR_LENGTH));
    if (!curves[curve].utils.isValidSecretKey(secretKey)) return err(`${RULE}, its scalar was out of range`);
    return ok({ curve, secretKey });
  } finally {
    der.fill(0);
  }
}

function labelProblem(pem: Buffer): string | undefined {
  if (isKeystore(pem)) return "was an age keystore: name it as key.keystore, not key.file";
  const text = pem.toString("latin1");
  if (text.includes("ENCRYPTED PRIVATE KEY") || text.includes("Proc-Type: 4,ENCRYPTED"))
    return "was encrypted by a password of its own: decrypt it with openssl, then use `pegbot keys encrypt`";
  if (text.includes("PUBLIC KEY-----")) return "was a public key";
  if (!text.includes("PRIVATE KEY-----")) return "had no PEM label";
  return undefined;
}
