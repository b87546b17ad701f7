import { describe, expect, it } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { formBody, jsonBody } from "../../src/exchange/endpoint/endpoint.ts";
import { parsePrivateKey } from "../../src/exchange/key/load.ts";
import { createSigner, signingText } from "../../src/exchange/key/signer.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { presets, profileSchema, resolveProfile } from "../../src/exchange/profile.ts";
import file from "../fixture/sign-vectors.json" with { type: "json" };

type Vector = {
  name: string;
  profile: unknown;
  path: string;
  nonce: number;
  call: { form?: Record<string, string>; amounts?: string[]; json?: Record<string, unknown> };
  contentType: string;
  sent: string;
  signingText: string;
  publicKey: string;
  signature: string;
};

describe("a whole request has exactly these bytes:", () => {
  it.each(file.vectors as Vector[])("$name", (vector) => {
    const profile = resolveProfile(profileSchema.parse(vector.profile));
    const body = unwrap(
      vector.call.json
        ? jsonBody(vector.call.json)
        : formBody(fieldsOf(vector.call.form, vector.call.amounts), profile),
    );
    const { curve, secretKey } = unwrap(parsePrivateKey(Buffer.from(file.keys[profile.curve])));
    const signer = createSigner(curve, secretKey);
    const request = { path: vector.path, body: body.signed, nonce: vector.nonce as Nonce };
    expect({ contentType: body.contentType, sent: body.sent }).toEqual({
      contentType: vector.contentType,
      sent: vector.sent,
    });
    expect(signingText(request, profile)).toBe(vector.signingText);
    expect(signer.publicKey).toBe(vector.publicKey);
    expect(signer.sign(request, profile)).toBe(vector.signature);
  });
});

describe("the body of a call", () => {
  it("signs a form's values decoded and sends them encoded", () => {
    const body = unwrap(formBody({ name: "Zürich AG & Söhne+1", symbol: "VCHF/USDC" }, presets.contract));
    expect(body.signed).toBe('{"name":"Zürich AG & Söhne+1","symbol":"VCHF/USDC"}');
    expect(body.sent).toBe("name=Z%C3%BCrich+AG+%26+S%C3%B6hne%2B1&symbol=VCHF%2FUSDC");
    expect(Object.fromEntries(new URLSearchParams(body.sent))).toEqual(JSON.parse(body.signed));
  });

  it("is the same bytes signed and sent when it is JSON", () => {
    const body = unwrap(formBody({ z: "1", a: Quantity.of("0.10") }, presets.observed));
    expect(body.sent).toBe('{"a":"0.1","z":"1"}');
    expect(body.signed).toBe(body.sent);
  });

  it("is refused when a field has no exact text", () => {
    expect(formBody({ a: undefined as unknown as string }, presets.contract).ok).toBe(false);
    expect(formBody({ a: "\ud800" }, presets.contract).ok).toBe(false);
    expect(jsonBody({ a: 0.5 }).ok).toBe(false);
    expect(jsonBody({}).ok).toBe(false);
  });
});

function fieldsOf(form: Record<string, string> = {}, amounts: string[] = []): Record<string, string | Quantity> {
  return Object.fromEntries(
    Object.entries(form).map(([key, value]) => [key, amounts.includes(key) ? Quantity.of(value) : value]),
  );
}
