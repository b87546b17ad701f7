// Client and simulator are two implementations of one profile: noble signs, node:crypto verifies. Here they meet in
// combinations of all switches.

import { describe, expect, it } from "vitest";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import { type Result, unwrap } from "../../src/domain/result.ts";
import { type CallBody, formBody, jsonBody } from "../../src/exchange/endpoint/endpoint.ts";
import { createSigner, type Signer } from "../../src/exchange/key/signer.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { acceptanceOf } from "../../src/simulator/http/acceptance.ts";
import { readCallBody } from "../../src/simulator/http/body.ts";
import { API_PREFIX, type Endpoint, endpointAt } from "../../src/simulator/http/endpoint.ts";
import { parsePublicKey, signatureHolds } from "../../src/simulator/http/signature.ts";

type Call = { readonly path: string; readonly body: (profile: Profile) => Result<CallBody> };

const order = { symbol: "VCHF/USDC", clordid: "Zürich+1", orderqty: Quantity.of("30.0"), price: Price.of("0.0000001") };
const rail = { sender: { partyname: { name: "Zürich AG" } }, instructions: { currency: "CHF", asset: "VCHF" } };
const orderCall: Call = { path: "/private/addOrder", body: (profile) => formBody(order, profile) };
const railCall: Call = { path: "/private/addPaymentRail", body: () => jsonBody(rail) };

const signatureSwitches = {
  signingOrder: ["path-body-nonce", "body-path-nonce"],
  signingSeparator: ["", "|"],
  signedPath: ["full", "relative"],
  signatureBytes: ["der", "raw"],
  signatureText: ["base64url", "base64", "base64url-padded"],
} as const;
const fieldSwitches = {
  ...signatureSwitches,
  formCalls: ["form", "json"],
  formNumbers: ["strings", "numbers"],
} as const;

const signers = {
  p256: createSigner("p256", new Uint8Array(32).fill(7)),
  secp256k1: createSigner("secp256k1", new Uint8Array(32).fill(9)),
};

describe("the simulator takes what the client signs under the same profile, and not under another:", () => {
  it.each([
    ["an order", orderCall, fieldSwitches],
    ["a payment rail", railCall, signatureSwitches],
  ] as const)("%s, in combinations of all switches", (_, call, switches) => {
    // Every seventh: each value meets every other one.
    for (const profile of combinations(switches).filter((_, i) => i % 7 === 0)) {
      const sent = signed(call, profile, signers.p256);
      expect(taken(sent, profile), JSON.stringify(profile)).toBe(true);
      for (const other of neighbours(profile, switches))
        if (tellsApart(sent, other, call)) expect(taken(sent, other), JSON.stringify([profile, other])).toBe(false);
    }
  });

  it("a key on secp256k1, which a server of P-256 keys refuses", () => {
    for (const signatureBytes of ["der", "raw"] as const) {
      const profile: Profile = { ...presets.contract, curve: "secp256k1", signatureBytes };
      const sent = signed(orderCall, profile, signers.secp256k1);
      expect(taken(sent, profile)).toBe(true);
      expect(taken(sent, { ...profile, curve: "p256" })).toBe(false);
    }
  });
});

type Sent = CallBody & { readonly path: string; readonly signature: string; readonly publicKey: string };

const NONCE = 1_794_731_400_123;

function signed(call: Call, profile: Profile, signer: Signer): Sent {
  const body = unwrap(call.body(profile));
  const signature = signer.sign({ path: call.path, body: body.signed, nonce: NONCE as Nonce }, profile);
  return { ...body, path: call.path, signature, publicKey: signer.publicKey };
}

/** What a strict server of that profile says; it sees only what is sent. */
function taken(sent: Sent, profile: Profile): boolean {
  const accept = acceptanceOf([profile]);
  const endpoint = endpointAt(API_PREFIX + sent.path) as Endpoint;
  const body = readCallBody(endpoint, sent.contentType, Buffer.from(sent.sent), accept);
  if (!body.ok) return false;
  const { path, signature } = sent;
  const call = { path, bodies: body.value.signedTexts, nonce: String(NONCE), signature };
  return signatureHolds(unwrap(parsePublicKey(sent.publicKey)), call, accept);
}

/** Under some neighbours the very same bytes go out (an empty body has no place in the order): nothing to refuse then. */
function tellsApart(sent: Sent, other: Profile, call: Call): boolean {
  const { signature, sent: bytes } = signed(call, other, signers.p256);
  return bytes !== sent.sent || signature !== sent.signature;
}

type Switches = { readonly [S in keyof Profile]?: readonly Profile[S][] };

function combinations(switches: Switches): Profile[] {
  return Object.entries(switches).reduce<Profile[]>(
    (profiles, [name, values]) => profiles.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [presets.contract],
  );
}

function neighbours(profile: Profile, switches: Switches): Profile[] {
  return Object.entries(switches).flatMap(([name, values]) =>
    values.filter((value) => value !== profile[name as keyof Profile]).map((value) => ({ ...profile, [name]: value })),
  );
}
