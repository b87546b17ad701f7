import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { holdsPrivateKey, redacted, secret } from "../../src/domain/redact.ts";
import { printable } from "../../src/domain/sanitise.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const other = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));

describe("a private key in a text is seen and cut out", () => {
  it.each([
    ["as PKCS#8 PEM", pem],
    ["as SEC1 PEM", String(privateKey.export({ type: "sec1", format: "pem" }))],
    ["in one line", pem.replaceAll("\n", " ")],
    ["as base64 of the PEM", Buffer.from(pem).toString("base64")],
    ["as base64 of SEC1 on secp256k1", other.export({ type: "sec1", format: "der" }).toString("base64")],
  ])("%s", (_, key) => {
    expect(holdsPrivateKey(key)).toBe(true);
    expect(holdsPrivateKey(`before ${key}`)).toBe(true);
    expect(redacted(`before ${key}`).trimEnd()).toBe("before <private key>");
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
      expect(redacted(text)).toBe(text);
    }
  });
});

describe("a secret that was loaded is shown by no text", () => {
  const password = 'quote"back\\slash';
  const address = "https://hooks.example/services/T0/B0?key=abc";
  for (const text of [password, address, "inner-part", "an-inner-part-of-it"]) secret(text);

  it.each([
    ["as it is", `535 ${password} refused`, "535 *** refused"],
    ["in JSON", JSON.stringify({ text: password }), '{"text":"***"}'],
    ["in base64, as AUTH LOGIN sends it", Buffer.from(password).toString("base64"), "***"],
    ["an address by its path", "POST /services/T0/B0?key=abc: 404", "POST ***: 404"],
    ["one that contains another", "an-inner-part-of-it", "***"],
    ["a login of another program", "authorization: Basic Ym90Ondyb25nLXdvcmQ=", "authorization: Basic ***"],
  ])("%s", (_, text, shown) => expect(redacted(text)).toBe(shown));

  it("also where the text is cut within it", () => {
    expect(printable(`${"x".repeat(36)}an-inner-part-of-it`, 40)).toBe(`${"x".repeat(36)}***`);
  });

  it("and a text too short to be one stays", () => {
    secret("halt");
    expect(redacted("halt by anna")).toBe("halt by anna");
  });
});

it("a key without an end leaves the JSON around it whole", () => {
  const text = JSON.stringify({ reason: "-----BEGIN PRIVATE KEY-----\nabc", at: 1 });
  expect(JSON.parse(redacted(text))).toEqual({ reason: "<private key>", at: 1 });
});
