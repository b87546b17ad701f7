import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { createSigner, curves, signingText, signText } from "../../src/exchange/key/signer.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { type Curve, presets } from "../../src/exchange/profile.ts";

const { contract } = presets;
const request = { path: "/private/addOrder", body: '{"a":"1"}', nonce: 1_700_000_000_123 as Nonce };

describe("the signing text", () => {
  it("is full path, canonical JSON and nonce digits without separators by default", () => {
    expect(signingText(request, contract)).toBe('/api/v1/private/addOrder{"a":"1"}1700000000123');
  });

  it("has the relative path, the separator and the order that the profile names", () => {
    expect(signingText(request, { ...contract, signedPath: "relative", signingSeparator: "|" })).toBe(
      '/private/addOrder|{"a":"1"}|1700000000123',
    );
    expect(signingText(request, { ...contract, signingOrder: "body-path-nonce", signingSeparator: "\n" })).toBe(
      '{"a":"1"}\n/api/v1/private/addOrder\n1700000000123',
    );
  });

  it.each([
    ["https://host/api/v1/private/addOrder"],
    ["/private/addOrder?x=1"],
    ["private/addOrder"],
    ["/client/assets"],
  ])("refuses to sign the path %s", (path) => {
    expect(() => signingText({ ...request, path }, contract)).toThrow("signed path must look like /private/<name>");
  });

  it.each([[Number.NaN], [0], [-1], [1.5], [2 ** 53]])("refuses the nonce %s", (nonce) => {
    expect(() => signingText({ ...request, nonce: nonce as Nonce }, contract)).toThrow("nonce must be");
  });
});

// RFC 6979, appendix A.2.5: P-256 with SHA-256. The s of "sample" is in the upper half there: ours is n - s.
describe("signatures on P-256", () => {
  const key = Buffer.from("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", "hex");
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  it.each([
    [
      "sample",
      "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
      "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    ],
    [
      "test",
      "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
      "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
    ],
  ])('equal the published vector for "%s", with s in the lower half', (text, r, s) => {
    const published = BigInt(`0x${s}`);
    const low = published > order / 2n ? order - published : published;
    const signature = signText(key, text, { curve: "p256", signatureBytes: "raw", signatureText: "base64" });
    expect(Buffer.from(signature, "base64").toString("hex")).toBe(r + low.toString(16).padStart(64, "0"));
  });
});

describe.each(["p256", "secp256k1"] as const)("signatures on %s", (curve: Curve) => {
  const seed = 20_261;
  it(`verify with node:crypto for random keys and texts, in every form (seed ${seed})`, () => {
    const random = createRandom(seed).fork(curve);
    for (let i = 0; i < 150; i++) {
      const secret = randomKey(random, curve);
      const text = randomText(random);
      const signatureBytes = i % 2 === 0 ? "der" : "raw";
      const signatureText = i % 4 < 2 ? "base64url" : "base64";
      const signature = signText(secret, text, { curve, signatureBytes, signatureText });
      const { publicKey } = createSigner(curve, secret);
      const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
      const dsaEncoding = signatureBytes === "der" ? "der" : "ieee-p1363";
      const bytes = Buffer.from(signature, signatureText);
      expect(bytes.toString(signatureText)).toBe(signature);
      expect(verify("sha256", Buffer.from(text), { key, dsaEncoding }, bytes)).toBe(true);
      expect(verify("sha256", Buffer.from(`${text} `), { key, dsaEncoding }, bytes)).toBe(false);
    }
  });

  it("are always in the lower half of s", () => {
    const secret = randomKey(createRandom(3).fork(curve), curve);
    for (let i = 0; i < 40; i++) {
      const signature = signText(secret, `text ${i}`, { curve, signatureBytes: "raw", signatureText: "base64" });
      expect(curves[curve].Signature.fromBytes(Buffer.from(signature, "base64"), "compact").hasHighS()).toBe(false);
    }
  });
});

describe("a signer", () => {
  it("refuses a profile of another curve", () => {
    const signer = createSigner("p256", randomKey(createRandom(5), "p256"));
    expect(() => signer.sign(request, { ...contract, curve: "secp256k1" })).toThrow(
      "curve of the profile must be the key's p256, was secp256k1",
    );
  });

  it("signs no more after it was closed, and its bytes are overwritten", () => {
    const secret = randomKey(createRandom(6), "p256");
    const signer = createSigner("p256", secret);
    signer.close();
    expect(secret.every((byte) => byte === 0)).toBe(true);
    expect(() => signer.sign(request, contract)).toThrow("signer must not be used after it was closed");
  });

  it("carries the portal's own public-key string instead of the derived one", () => {
    const secret = randomKey(createRandom(7), "p256");
    expect(createSigner("p256", secret, "portal-says-so").publicKey).toBe("portal-says-so");
    expect(createSigner("p256", secret, "portal-says-so").fingerprint).toBe(createSigner("p256", secret).fingerprint);
  });
});

function randomKey(random: Random, curve: Curve): Uint8Array {
  for (;;) {
    const bytes = Uint8Array.from({ length: 32 }, () => random.integer(0, 255));
    if (curves[curve].utils.isValidSecretKey(bytes)) return bytes;
  }
}

const LETTERS = ["a", "Z", "7", "/", "{", '"', "ü", "–", "漢", "🪙", "\n", " "];

function randomText(random: Random): string {
  return Array.from({ length: random.integer(0, 60) }, () => LETTERS[random.integer(0, LETTERS.length - 1)]).join("");
}
