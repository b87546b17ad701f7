import { describe, expect, it } from "vitest";
import { presets, profileSchema, resolveProfile } from "../../src/exchange/profile.ts";

describe("the venue profile", () => {
  it("is named by a preset, or by a preset and the switches that differ", () => {
    expect(resolveProfile(profileSchema.parse("observed"))).toBe(presets.observed);
    expect(resolveProfile(profileSchema.parse({ preset: "observed", curve: "secp256k1" }))).toEqual({
      ...presets.observed,
      curve: "secp256k1",
    });
    expect(resolveProfile(profileSchema.parse({ signedPath: "relative" }))).toEqual({
      ...presets.contract,
      signedPath: "relative",
    });
  });

  it("leaves a preset's value where a switch is set to nothing", () => {
    expect(resolveProfile({ curve: undefined })).toEqual(presets.contract);
  });

  it.each([
    ["an unknown preset", "strict"],
    ["an unknown value", { curve: "p384" }],
    ["a refusal that is also said of a request that landed", { refusals: ["Invalid-Nonce"] }],
    ["a refusal that has its meaning already", { refusals: ["unknown symbol"] }],
    ["a refusal that means success elsewhere", { refusals: ["200"] }],
    ["a status that has its meaning already", { statuses: { FILLED: "Rejected" } }],
    ["a status without a known meaning", { statuses: { done: "finished" } }],
    ["a destination under the name of another field", { mintDestination: "quantity" }],
  ])("refuses %s", (_, setting) => {
    expect(profileSchema.safeParse(setting).success).toBe(false);
  });
});
