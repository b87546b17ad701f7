// Loads a key from a PEM file, an environment variable or an encrypted keystore, and makes its signer. Every buffer of
// ours that held the secret is overwritten afterwards; copies that signing makes in memory cannot be.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { secret } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Curve } from "../profile.ts";
import { readSecretFile } from "./secret-file.ts";
import { createSigner, curves, type Signer } from "./signer.ts";

export type KeySource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly name: string; readonly value: string | undefined }
  /** The passphrase is requested only after the file has passed its checks. */
  | { readonly kind: "keystore"; readonly path: string; readonly passphrase: () => Promise<Result<string>> };

export type KeyExpectation = {
  /** The profile's curve; undefined accepts any. */
  readonly curve: Curve | undefined;
  /** The public key as the portal shows it. */
  readonly publicKey: string | undefined;
};

// Also keeps a key that was entered instead of a variable's name out of messages.
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

export async function loadSigner(source: KeySource, expected: KeyExpectation): Promise<Result<Signer>> {
  const pem = await readPem(source);
  if (!pem.ok) return pem;
  const key = parsePrivateKey(pem.value);
  pem.value.fill(0);
  if (!key.ok) return err(`${placeOf(source)}: ${key.error}`);
  const { curve, secretKey } = key.value;
  if (expected.curve !== undefined && expected.curve !== curve) {
    secretKey.fill(0);
    return err(
      `${placeOf(source)}: curve of the key must be the profile's ${expected.curve}, was ${curve}: use another key, or set venue.profile.curve`,
    );
  }
  return ok(createSigner(curve, secretKey, expected.publicKey));
}

/** For a file whose form the user did not state. */
export function sourceOfFile(path: string, passphrase: () => Promise<Result<string>>): Result<KeySource> {
  const file = readSecretFile(path, "key file");
  if (!file.ok) return file;
  const keystore = isKeystore(file.value);
  file.value.fill(0);
  return ok(keystore ? { kind: "keystore", path, passphrase } : { kind: "file", path });
}

async function readPem(source: KeySource): Promise<Result<Buffer>> {
  switch (source.kind) {
    case "file":
      return readSecretFile(source.path, "key file");
    case "environment":
      if (!VARIABLE.test(source.name))
        return err("name of the key's environment variable must be letters, digits and _");
      if (source.value === undefined || source.value.trim() === "") {
        const was = source.value === undefined ? "not set" : "empty";
        return err(`environment variable ${source.name} must hold a private key, was ${was}`);
      }
      return ok(pemOfText(source.value));
    case "keystore":
      return readKeystore(source.path, source.passphrase);
  }
}

/** A passphrase file follows the same rules as a key file; its final line break is not part of the passphrase. */
export function readPassphraseFile(path: string): Result<string> {
  const bytes = readSecretFile(path, "passphrase file");
  if (!bytes.ok) return bytes;
  const text = bytes.value.toString("utf8").replace(/\r?\n$/, "");
  bytes.value.fill(0);
  return text === "" ? err(`passphrase file ${path} must not be empty`) : ok(secret(text));
}

async function readKeystore(path: string, passphrase: () => Promise<Result<string>>): Promise<Result<Buffer>> {
  const file = readSecretFile(path, "keystore");
  if (!file.ok) return file;
  const given = await passphrase();
  if (!given.ok) return given;
  const { openKeystore } = await import("./keystore.ts");
  const pem = await openKeystore(file.value, given.value);
  return pem.ok ? pem : err(`keystore ${path}: ${pem.error}`);
}

function placeOf(source: KeySource): string {
  return source.kind === "environment"
    ? `environment variable ${source.name}`
    : `${source.kind === "file" ? "key file" : "keystore"} ${source.path}`;
}

export type PrivateKey = {
  readonly curve: Curve;
  /** 32 bytes; the signer takes ownership of them. */
  readonly secretKey: Uint8Array;
};

const CURVES: Readonly<Record<string, Curve>> = { prime256v1: "p256", secp256k1: "secp256k1" };
const OPENSSL_NAMES: Readonly<Record<Curve, string>> = { p256: "prime256v1", secp256k1: "secp256k1" };
const RULE = "private key must be a PKCS#8 or SEC1 PEM of P-256 or secp256k1";
// The head of SEC1's ECPrivateKey: a sequence, version 1, then an octet string of 32 bytes.
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

/** A new key as PKCS#8 PEM, from the system's random source. */
export function generatePrivateKey(curve: Curve): Buffer {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: OPENSSL_NAMES[curve] });
  return Buffer.from(privateKey.export({ type: "pkcs8", format: "pem" }));
}

/** An environment variable holds the PEM itself or its base64 in one line. */
function pemOfText(text: string): Buffer {
  const trimmed = text.trim();
  return trimmed.startsWith("-----") ? Buffer.from(`${trimmed}\n`) : Buffer.from(trimmed, "base64");
}

/** Whether it looks like an age file, armored or not. */
function isKeystore(file: Buffer): boolean {
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
