// The forms in which a signed request may come: every open point of the interface as a switch that a server can enforce.

import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { refused, rows } from "../contract/answer.ts";
import { type Answer, canonical, send } from "../contract/client.ts";
import { openAccount, openSimulator, openStage, type Stage } from "./server-stage.ts";

/** Signs and sends a mint below the minimum, or the empty accountBalance, exactly as a profile says. */
async function callAs(profile: Profile, { server, client }: Stage, empty = false): Promise<Answer> {
  const name = empty ? "accountBalance" : "mintTokens";
  const fields = { asset: "VGBP", blockchain: "ETH", quantity: "5" };
  const body = empty ? (profile.emptyCall === "empty" ? "" : "{}") : signedFields(fields, profile);
  const path = profile.signedPath === "full" ? `/api/v1/private/${name}` : `/private/${name}`;
  const nonce = client.nonce();
  const parts = profile.signingOrder === "path-body-nonce" ? [path, body, nonce] : [body, path, nonce];
  const text = Buffer.from(parts.join(profile.signingSeparator), "utf8");
  const dsaEncoding = profile.signatureBytes === "der" ? "der" : "ieee-p1363";
  const signature = tellingSignature(() => sign("sha256", text, { key: client.key.privateKey, dsaEncoding }));
  const asJson = empty ? profile.emptyCall === "braces" : profile.formCalls === "json";
  return send(server.baseUrl, {
    method: "POST",
    path: `private/${name}`,
    headers: {
      "user-agent": "test",
      "content-type": asJson ? "application/json" : "application/x-www-form-urlencoded",
      "x-app-public-key": client.key.publicKey,
      "x-app-nonce": nonce,
      "x-app-signed-data": written(signature, profile.signatureText),
    },
    body:
      profile.emptyCall === "braces-signed" && empty
        ? ""
        : asJson || empty
          ? body
          : new URLSearchParams(fields).toString(),
  });
}

/** Most signatures differ in alphabet and padding; one that does not would show nothing. */
function tellingSignature(make: () => Buffer): Buffer {
  for (;;) {
    const signature = make();
    const text = signature.toString("base64");
    if (/[+/]/.test(text) && text.endsWith("=")) return signature;
  }
}

function signedFields(fields: Record<string, string>, profile: Profile): string {
  const text = canonical(fields);
  return profile.formNumbers === "numbers" ? text.replace('"5"', "5") : text;
}

function written(bytes: Buffer, form: Profile["signatureText"]): string {
  const text = bytes.toString("base64");
  return form === "base64"
    ? text
    : text
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replace(/=+$/, form === "base64url" ? "" : "$&");
}

/** The signature held when the mint got as far as its minimum. */
const held = (answer: Answer) => refused(answer, [400, "min_amount_below_threshold"]);

const variants: [string, Partial<Profile>][] = [
  ["body before path", { signingOrder: "body-path-nonce" }],
  ["a separator", { signingSeparator: "\n" }],
  ["a relative path", { signedPath: "relative" }],
  ["raw signature bytes", { signatureBytes: "raw" }],
  ["standard base64", { signatureText: "base64" }],
  ["base64url with padding", { signatureText: "base64url-padded" }],
  ["form calls as JSON", { formCalls: "json" }],
  ["amounts as bare numbers in a form", { formNumbers: "numbers" }],
  ["amounts as bare numbers in JSON", { formNumbers: "numbers", formCalls: "json" }],
];

describe.concurrent("forms of a signed request", () => {
  test("contract and observed requests are both taken where the profile sends forms as JSON", async () => {
    const stage = await openStage({ profile: "observed" });
    for (const profile of [presets.contract, presets.observed]) {
      held(await callAs(profile, stage));
      rows(await callAs(profile, stage, true));
    }
  });

  test.each(variants)("%s is refused by a strict server and taken by one that is set so", async (_name, change) => {
    const variant = { ...presets.contract, ...change };
    const strict = await openStage({ accept: [presets.contract] });
    const answer = await callAs(variant, strict);
    expect([400, 401]).toContain(answer.status);
    expect(answer.text).not.toContain("min_amount");
    held(await callAs(presets.contract, strict));
    const bent = await openStage({ accept: [variant] });
    held(await callAs(variant, bent));
    expect([400, 401]).toContain((await callAs(presets.contract, bent)).status);
  });

  test("an empty call may sign {} and send nothing, where a server is set so", async () => {
    const signed: Profile = { ...presets.contract, emptyCall: "braces-signed" };
    const strict = await openStage({ accept: [presets.contract] });
    expect((await callAs(signed, strict, true)).status).toBe(401);
    rows(await callAs(signed, await openStage({ accept: [signed] }), true));
  });

  test("an empty call as {} is refused by a strict server and taken by one that is set so", async () => {
    const braces: Profile = { ...presets.contract, emptyCall: "braces" };
    const strict = await openStage({ accept: [presets.contract] });
    expect([400, 401]).toContain((await callAs(braces, strict, true)).status);
    rows(await callAs(presets.contract, strict, true));
    const bent = await openStage({ accept: [braces] });
    rows(await callAs(braces, bent, true));
    expect([400, 401]).toContain((await callAs(presets.contract, bent, true)).status);
  });

  test("a key on secp256k1 signs by default and is refused where only P-256 is taken", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
    const key = { privateKey, publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64") };
    const server = await openSimulator();
    rows(await (await openAccount(server, key)).call("accountBalance"));
    const strict = await openSimulator({ accept: [presets.contract] });
    refused(await (await openAccount(strict, key)).call("accountBalance"), [401, "signature_failure"]);
  });
});
