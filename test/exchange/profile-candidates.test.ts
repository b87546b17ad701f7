import { expect, test } from "vitest";
import { parse } from "yaml";
import { type SigningRequest, signingText } from "../../src/exchange/key/signer.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { type Profile, presets, profileSchema, resolveProfile } from "../../src/exchange/profile.ts";
import { candidateProfiles, fieldCandidates, profileYaml } from "../../src/exchange/profile-candidates.ts";

/** All that the venue sees of a call without fields. */
function seen(profile: Profile): string {
  const body = profile.emptyCall === "empty" ? "" : "{}";
  const request: SigningRequest = { path: "/private/accountBalance", body, nonce: 1 as Nonce };
  const sent = profile.emptyCall === "braces" ? "{}" : "";
  return JSON.stringify([signingText(request, profile), sent, profile.signatureBytes, profile.signatureText]);
}

test("no candidate repeats what was tried, and no two of them look the same to the venue", () => {
  for (const tried of [presets.contract, presets.observed, { ...presets.contract, signingSeparator: "|" }]) {
    const texts = [tried, ...candidateProfiles(tried)].map(seen);
    expect(new Set(texts).size).toBe(texts.length);
  }
});

test("a mixture of path form, empty call, signature bytes and text is tried before any other order or separator", () => {
  const plain = candidateProfiles(presets.contract).map(
    ({ signingOrder, signingSeparator }) => signingOrder === "path-body-nonce" && signingSeparator === "",
  );
  expect(plain.slice(0, 35)).not.toContain(false);
  expect(plain.slice(35)).not.toContain(true);
});

test("the other preset comes first", () => {
  const [first] = candidateProfiles(presets.contract);
  expect(first && seen(first)).toBe(seen(presets.observed));
});

test("the curve and the switches that a signature does not show stay as they are", () => {
  const tried: Profile = { ...presets.observed, curve: "secp256k1", quotes: "absent", mintMinimum: "waived" };
  for (const { curve, quotes, mintMinimum, formCalls } of candidateProfiles(tried))
    expect({ curve, quotes, mintMinimum, formCalls }).toEqual({
      curve: "secp256k1",
      quotes: "absent",
      mintMinimum: "waived",
      formCalls: "json",
    });
});

test("a call with fields has no other order to try once a call without fields has shown it", () => {
  expect(fieldCandidates(presets.contract)).toHaveLength(3);
  expect(fieldCandidates(presets.observed)).toEqual([{ ...presets.observed, formCalls: "form" }]);
});

test("a profile as it is written into a configuration reads back as the same profile", () => {
  expect(profileYaml(presets.contract)).toBe("contract");
  expect(profileYaml({ ...presets.observed, signedPath: "relative" })).toBe(
    "{ preset: observed, signedPath: relative }",
  );
  for (const profile of candidateProfiles(presets.contract))
    expect(resolveProfile(profileSchema.parse(parse(profileYaml(profile))))).toEqual(profile);
});
