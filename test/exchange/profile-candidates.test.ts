import { expect, test } from "vitest";
import { parse } from "yaml";
import { type SigningRequest, signingText } from "../../src/exchange/key/signer.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { type Profile, presets, profileSchema, resolveProfile } from "../../src/exchange/profile.ts";
import { candidateProfiles, profileYaml } from "../../src/exchange/profile-candidates.ts";

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

test("a profile as it is written into a configuration reads back as the same profile", () => {
  expect(profileYaml(presets.contract)).toBe("contract");
  expect(profileYaml({ ...presets.observed, signedPath: "relative" })).toBe(
    "{ preset: observed, signedPath: relative }",
  );
  for (const profile of candidateProfiles(presets.contract))
    expect(resolveProfile(profileSchema.parse(parse(profileYaml(profile))))).toEqual(profile);
});
