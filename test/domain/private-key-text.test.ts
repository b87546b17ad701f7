import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { holdsPrivateKey, withoutPrivateKeys } from "../../src/domain/private-key-text.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const other = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));

describe("a private key in a text is seen and cut out", () => {
  it.each([
    ["as PKCS#8 PEM", pem],
    ["as SEC1 PEM", String(privateKey.export({ type: "sec1", format: "pem" }))],
    ["in one line", pem.replaceAll("\n", " ")],
    ["without its end", pem.slice(0, 120)],
    ["as base64 of the PEM", Buffer.from(pem).toString("base64")],
    ["as base64 of PKCS#8", privateKey.export({ type: "pkcs8", format: "der" }).toString("base64")],
    ["as base64url of SEC1", privateKey.export({ type: "sec1", format: "der" }).toString("base64url")],
    ["as base64 of PKCS#8 on secp256k1", other.export({ type: "pkcs8", format: "der" }).toString("base64")],
    ["as base64 of SEC1 on secp256k1", other.export({ type: "sec1", format: "der" }).toString("base64")],
  ])("%s", (_, key) => {
    expect(holdsPrivateKey(key)).toBe(true);
    expect(holdsPrivateKey(`before ${key}`)).toBe(true);
    expect(withoutPrivateKeys(`before ${key}`).trimEnd()).toBe("before <private key>");
  });

  it("and texts without one stay as they are", () => {
    const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const texts = [
      "./keys/test.pem",
      spki,
      String(publicKey.export({ type: "spki", format: "pem" })),
      "",
      "unknown option",
    ];
    for (const text of texts) {
      expect(holdsPrivateKey(text)).toBe(false);
      expect(withoutPrivateKeys(text)).toBe(text);
    }
  });
});
