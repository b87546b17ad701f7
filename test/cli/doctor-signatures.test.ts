// `doctor` against servers that take one form of signature each, side by side, one key per server.

import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Profile, presets, profileSchema, resolveProfile } from "../../src/exchange/profile.ts";
import { newKeyPair } from "../contract/client.ts";
import { openAccount, openSimulator } from "../simulator/server-stage.ts";
import { patient, talkingTo, useOwnState, type Visit, visit } from "./doctor-stage.ts";

useOwnState();

async function strictServer(profile: Profile) {
  const server = await openSimulator({ accept: [profile] });
  const key = newKeyPair();
  await openAccount(server, key);
  return { server, key };
}

/** The profile that the finding says to write, read as the configuration would. */
function writtenProfile(seen: Visit, check = "signature"): { line: string; profile: Profile } {
  const yaml = String(seen.finding(check).yaml);
  const setting = profileSchema.parse(parse(yaml).venue.profile);
  return { line: yaml.split("profile: ")[1] ?? "", profile: resolveProfile(setting) };
}

test.concurrent.each<[string, Partial<Profile>]>([
  ["the relative path", { signedPath: "relative" }],
  [
    "the least likely of all",
    {
      signingOrder: "body-path-nonce",
      signingSeparator: ":",
      signedPath: "relative",
      emptyCall: "braces",
      signatureBytes: "raw",
      signatureText: "base64",
    },
  ],
])("finds %s, and with the profile it prints nothing is wrong", async (_, switches) => {
  const profile = { ...presets.contract, ...switches };
  const { server, key } = await strictServer(profile);
  const { configFile, configure } = patient(key, talkingTo(server.baseUrl));
  const seen = await visit(configFile, { trySignatures: true });
  const { line, profile: written } = writtenProfile(seen);
  expect(written).toEqual(profile);
  // The rest of the checks went on with what was found.
  expect(seen.finding("balances").cause).toContain("1000000 CHF");
  configure(talkingTo(server.baseUrl, line));
  expect((await visit(configFile)).code).toBe(0);
});

test.concurrent.each<[string, Partial<Profile>]>([
  ["sent as JSON and signed before the path", { formCalls: "json", signingOrder: "body-path-nonce" }],
])("finds out that fields are %s, which the balances could not show", async (_, switches) => {
  const profile: Profile = { ...presets.contract, ...switches };
  const { server, key } = await strictServer(profile);
  const seen = await visit(patient(key, talkingTo(server.baseUrl)).configFile, { trySignatures: true });
  expect(seen.finding("signature").verdict).toBe("ok");
  expect(writtenProfile(seen, "fields").profile).toEqual(profile);
});
