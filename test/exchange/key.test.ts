import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ok, unwrap } from "../../src/domain/result.ts";
import { openKeystore, sealKeystore } from "../../src/exchange/key/keystore.ts";
import {
  generatePrivateKey,
  type KeySource,
  loadSigner,
  parsePrivateKey,
  readPassphraseFile,
} from "../../src/exchange/key/load.ts";
import { createSecretFile, readSecretFile } from "../../src/exchange/key/secret-file.ts";
import { needs } from "../support/needs.ts";

const PASSPHRASE = "correct horse battery";
const anyKey = { curve: undefined, publicKey: undefined };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-key-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const p256 = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const secp256k1 = generateKeyPairSync("ec", { namedCurve: "secp256k1" });

describe("a private key is read from", () => {
  it.each([
    ["PKCS#8 on P-256", p256.privateKey, "pkcs8", "p256"],
    ["SEC1 on P-256", p256.privateKey, "sec1", "p256"],
    ["PKCS#8 on secp256k1", secp256k1.privateKey, "pkcs8", "secp256k1"],
    ["SEC1 on secp256k1", secp256k1.privateKey, "sec1", "secp256k1"],
  ] as const)("%s, with its curve and its public key as node:crypto sees it", async (_, key, type, curve) => {
    const path = secret(`${curve}-${type}.pem`, key.export({ type, format: "pem" }));
    const signer = unwrap(await loadSigner({ kind: "file", path }, { curve, publicKey: undefined }));
    expect(signer.curve).toBe(curve);
    expect(signer.publicKey).toBe(spkiOf(key));
    expect(signer.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it("a file, and goes by the portal's own name for it where that is known", async () => {
    const path = secret("portal.pem", p256.privateKey.export({ type: "pkcs8", format: "pem" }));
    const signer = unwrap(
      await loadSigner({ kind: "file", path }, { curve: "p256", publicKey: "as the portal has it" }),
    );
    expect(signer.publicKey).toBe("as the portal has it");
  });

  it("an environment variable, as PEM or as base64 of the PEM", async () => {
    const pem = String(p256.privateKey.export({ type: "pkcs8", format: "pem" }));
    for (const value of [pem, Buffer.from(pem).toString("base64"), ` ${Buffer.from(pem).toString("base64")}\n`]) {
      const signer = unwrap(await loadSigner({ kind: "environment", name: "KEY", value }, anyKey));
      expect(signer.publicKey).toBe(spkiOf(p256.privateKey));
    }
  });

  it("a key whose scalar begins with zeros, with all its 32 bytes", () => {
    // Scalar 1: the public key is the curve's generator.
    const scalar = `${"00".repeat(31)}01`;
    const key = unwrap(parsePrivateKey(sec1WithScalar(scalar)));
    expect(Buffer.from(key.secretKey).toString("hex")).toBe(scalar);
  });
});

describe("a private key is refused when it", () => {
  const rule = "private key must be a PKCS#8 or SEC1 PEM of P-256 or secp256k1";
  const p384 = generateKeyPairSync("ec", { namedCurve: "secp384r1" }).privateKey;
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const pkcs8 = { type: "pkcs8", format: "pem" } as const;
  it.each([
    ["is on another curve", p384.export(pkcs8), "its curve was secp384r1"],
    ["is of another kind", rsa.export(pkcs8), "was of type rsa"],
    ["is a public key", p256.publicKey.export({ type: "spki", format: "pem" }), "was a public key"],
    [
      "has a password of PEM's own",
      p256.privateKey.export({ ...pkcs8, cipher: "aes-256-cbc", passphrase: "x" }),
      "was encrypted by a password of its own: decrypt it with openssl, then use `pegbot keys encrypt`",
    ],
    ["is no PEM", "0123456789abcdef", "had no PEM label"],
    ["is empty", "", "had no PEM label"],
    ["is cut off", String(p256.privateKey.export(pkcs8)).replace(/.{20}\n-----END/, "\n-----END"), "could not be read"],
  ])("%s", (_, pem, problem) => {
    expect(parsePrivateKey(Buffer.from(pem))).toEqual({ ok: false, error: `${rule}, ${problem}` });
  });

  it("has a scalar that is zero or the order of the curve", () => {
    const order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    for (const scalar of ["00".repeat(32), order]) expect(parsePrivateKey(sec1WithScalar(scalar)).ok).toBe(false);
  });

  it("is on another curve than the profile's", async () => {
    const path = secret("k1.pem", secp256k1.privateKey.export(pkcs8));
    expect(await loadSigner({ kind: "file", path }, { curve: "p256", publicKey: undefined })).toEqual({
      ok: false,
      error: `key file ${path}: curve of the key must be the profile's p256, was secp256k1: use another key, or set venue.profile.curve`,
    });
  });

  it("is named by another word than the name of a variable, which may be the key itself and is not repeated", async () => {
    const name = "MIGHAgEAMBMGByqGSM49AgEG/CCqG+";
    const loaded = await loadSigner({ kind: "environment", name, value: "x" }, anyKey);
    expect(loaded).toEqual({
      ok: false,
      error: "name of the key's environment variable must be letters, digits and _",
    });
  });

  it("should come from a variable that is not set, or is empty", async () => {
    for (const value of [undefined, "", "  "])
      expect(await loadSigner({ kind: "environment", name: "PEGBOT_KEY", value }, anyKey)).toEqual({
        ok: false,
        error: `environment variable PEGBOT_KEY must hold a private key, was ${value === undefined ? "not set" : "empty"}`,
      });
  });
});

describe("a file with a secret is refused when it", () => {
  it.each(["0640", "0604"])("has mode %s", (shown) => {
    const mode = Number.parseInt(shown, 8);
    const path = secret(`mode-${mode}`, "x");
    chmodSync(path, mode);
    expect(readSecretFile(path, "key file")).toEqual({
      ok: false,
      error: `key file ${path} must be readable by its owner only (mode 0600), was ${shown}: chmod 600 ${path}`,
    });
  });

  it("is a symbolic link, even to a good file", () => {
    const path = join(folder, "link");
    symlinkSync(secret("target", "x"), path);
    expect(readSecretFile(path, "key file")).toMatchObject({ error: expect.stringContaining("symbolic link") });
  });

  it("is a folder, a pipe or missing, without waiting for a writer", () => {
    needs("mkfifo");
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    expect(readSecretFile(pipe, "key file")).toMatchObject({ error: expect.stringContaining("a device or a pipe") });
    expect(readSecretFile(folder, "key file")).toMatchObject({ error: expect.stringContaining("was a folder") });
    expect(readSecretFile(join(folder, "none"), "key file")).toMatchObject({
      error: expect.stringContaining("does not exist"),
    });
  });

  it("belongs to somebody else", () => {
    const root = process.getuid?.() === 0;
    const path = root ? secret("foreign", "x") : "/etc/passwd";
    if (root) chownSync(path, 12_345, 12_345);
    expect(readSecretFile(path, "key file")).toMatchObject({
      error: expect.stringContaining(`belongs to ${root ? 12_345 : 0}`),
    });
  });
});

describe("a new secret file", () => {
  it("is readable by its owner only, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const path = join(folder, "fresh.pem");
      const pem = generatePrivateKey("p256");
      expect(createSecretFile(path, pem, "key file")).toEqual(ok(undefined));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      // All of it: what is lost here is lost for good.
      expect(readSecretFile(path, "key file")).toEqual(ok(pem));
    } finally {
      process.umask(before);
    }
  });

  it("never replaces a file or a link", () => {
    const path = secret("there", "precious");
    const link = join(folder, "dangling");
    symlinkSync(join(folder, "nowhere"), link);
    for (const taken of [path, link])
      expect(createSecretFile(taken, Buffer.from("y"), "key file")).toEqual({
        ok: false,
        error: `key file ${taken} exists already, and is never overwritten`,
      });
    expect(unwrap(readSecretFile(path, "key file")).toString()).toBe("precious");
  });

  it("comes with its folders, made for the owner alone, and is refused where none can be", () => {
    const path = join(folder, "new", "deep", "x");
    expect(createSecretFile(path, Buffer.from("y"), "key file").ok).toBe(true);
    expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700);
    expect(createSecretFile(join(path, "below-a-file"), Buffer.from("y"), "key file").ok).toBe(false);
  });
});

describe("a keystore", () => {
  const pem = generatePrivateKey("p256");

  it("gives the same key back under its passphrase, and nothing under another", async () => {
    const sealed = unwrap(await sealKeystore(pem, PASSPHRASE, 10));
    expect(sealed.toString()).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
    expect(sealed.includes("PRIVATE KEY")).toBe(false);
    expect(unwrap(await openKeystore(sealed, PASSPHRASE)).equals(pem)).toBe(true);
    expect(await openKeystore(sealed, `${PASSPHRASE}!`)).toMatchObject({ ok: false });
    // Blank lines above it are none of its own, to `age` either.
    expect(unwrap(await openKeystore(Buffer.concat([Buffer.from("\n \n"), sealed]), PASSPHRASE)).equals(pem)).toBe(
      true,
    );
    // As `age` writes it without --armor.
    const bare = Buffer.from(sealed.toString().replaceAll(/-----.*-----/g, ""), "base64");
    expect(unwrap(await openKeystore(bare, PASSPHRASE)).equals(pem)).toBe(true);
  });

  it("is refused when a byte of it was changed", async () => {
    const sealed = unwrap(await sealKeystore(pem, PASSPHRASE, 10));
    for (const at of [40, 200, sealed.length - 60]) {
      const changed = Buffer.from(sealed);
      changed[at] = changed[at] === 65 ? 66 : 65;
      expect((await openKeystore(changed, PASSPHRASE)).ok).toBe(false);
    }
  });

  it("loads into a signer, and asks for its passphrase only after the file's own checks", async () => {
    const path = secret("key.age", unwrap(await sealKeystore(pem, PASSPHRASE, 10)));
    let asked = 0;
    const source: KeySource = {
      kind: "keystore",
      path,
      passphrase: async () => {
        asked++;
        return ok(PASSPHRASE);
      },
    };
    expect(unwrap(await loadSigner(source, anyKey)).publicKey).toBe(
      createPublicKey(pem).export({ type: "spki", format: "der" }).toString("base64"),
    );
    chmodSync(path, 0o644);
    expect((await loadSigner(source, anyKey)).ok).toBe(false);
    expect(asked).toBe(1);
  });
});

describe("a passphrase file", () => {
  it("gives its text without the last line end, and only when nobody else can read it", () => {
    const path = secret("passphrase", "two words \n");
    expect(readPassphraseFile(path)).toEqual(ok("two words "));
    chmodSync(path, 0o640);
    expect(readPassphraseFile(path).ok).toBe(false);
    expect(readPassphraseFile(secret("empty", "\n")).ok).toBe(false);
  });
});

function secret(name: string, content: string | Buffer): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

function sec1WithScalar(hex: string): Buffer {
  const sec1 = Buffer.from(`30310201010420${hex}a00a06082a8648ce3d030107`, "hex").toString("base64");
  return Buffer.from(`-----BEGIN EC PRIVATE KEY-----\n${sec1}\n-----END EC PRIVATE KEY-----\n`);
}

function spkiOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
}
