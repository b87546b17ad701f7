// From where a key is kept to the signer that holds it: a PEM file, an environment variable, or an encrypted keystore.
// Every buffer of ours that held the secret on the way is overwritten; what signing makes of it in memory nobody can.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Curve } from "../profile.ts";
import { isKeystore, parsePrivateKey, pemOfText } from "./private-key.ts";
import { readSecretFile } from "./secret-file.ts";
import { createSigner, type Signer } from "./signer.ts";

export type KeySource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly name: string; readonly value: string | undefined }
  /** The passphrase is asked for only once the file has passed its checks. */
  | { readonly kind: "keystore"; readonly path: string; readonly passphrase: () => Promise<Result<string>> };

export type KeyExpectation = {
  /** The profile's; undefined takes the key as it is. */
  readonly curve: Curve | undefined;
  /** The portal's public-key string. */
  readonly publicKey: string | undefined;
};

// Also keeps a key that was put in the place of its variable's name out of the messages.
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

/** For a file that a person names without saying what it is. */
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

/** A passphrase kept in a file obeys the same rules as a key; its last line end is not part of it. */
export function readPassphraseFile(path: string): Result<string> {
  const bytes = readSecretFile(path, "passphrase file");
  if (!bytes.ok) return bytes;
  const text = bytes.value.toString("utf8").replace(/\r?\n$/, "");
  bytes.value.fill(0);
  return text === "" ? err(`passphrase file ${path} must not be empty`) : ok(text);
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
