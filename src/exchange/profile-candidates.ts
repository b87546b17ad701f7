// The other request forms to try when one is refused, likeliest first: for a call without fields, and then for one with
// fields the forms that the first cannot distinguish. The curve is never varied, because the key determines it.

import { isDeepStrictEqual } from "node:util";
import { type PresetName, type Profile, type ProfileSetting, presets } from "./profile.ts";

type SigningSwitch =
  | "signedPath"
  | "emptyCall"
  | "signatureBytes"
  | "signatureText"
  | "signingOrder"
  | "signingSeparator";

/**
 * The values of each switch, the contract's first, and how unlikely the others are. The first four were all seen in
 * use; another order or a separator was only reported, so each comes after every combination of those. Not tried with
 * another order or separator: the last values of the first two, which would double the search.
 */
const SWITCHES: {
  readonly [S in SigningSwitch]: { readonly values: readonly Profile[S][]; readonly unlikely: number };
} = {
  emptyCall: { values: ["empty", "braces", "braces-signed"], unlikely: 10 },
  signatureText: { values: ["base64url", "base64", "base64url-padded"], unlikely: 11 },
  signedPath: { values: ["full", "relative"], unlikely: 13 },
  signatureBytes: { values: ["der", "raw"], unlikely: 14 },
  signingOrder: { values: ["path-body-nonce", "body-path-nonce"], unlikely: 50 },
  signingSeparator: { values: ["", "\n", "|", ":"], unlikely: 60 },
};
export const SIGNING_SWITCHES = Object.keys(SWITCHES) as SigningSwitch[];

/** Every form other than that of `tried`; all other switches keep their values. */
export function candidateProfiles(tried: Profile): readonly Profile[] {
  let profiles: readonly Profile[] = [tried];
  for (const name of SIGNING_SWITCHES)
    profiles = profiles.flatMap((profile) => SWITCHES[name].values.map((value) => ({ ...profile, [name]: value })));
  return profiles
    .filter((profile) => !signsAlike(profile, tried) && !(isRare(profile) && isReordered(profile)))
    .filter((profile) => !hidesOrder(profile) || profile.signingOrder === tried.signingOrder)
    .map((profile) => ({ profile, unlikely: unlikeliness(profile) }))
    .toSorted((a, b) => a.unlikely - b.unlikely)
    .map(({ profile }) => profile);
}

/**
 * The forms that an accepted call without fields could not distinguish: how fields are sent, or their place in the
 * signed text.
 */
export function fieldCandidates(taken: Profile): readonly Profile[] {
  const formCalls = taken.formCalls === "form" ? "json" : "form";
  const signingOrder = taken.signingOrder === "path-body-nonce" ? "body-path-nonce" : "path-body-nonce";
  const others: readonly Partial<Profile>[] = hidesOrder(taken)
    ? [{ formCalls }, { signingOrder }, { formCalls, signingOrder }]
    : [{ formCalls }];
  return others.map((other) => ({ ...taken, ...other }));
}

/** Presets are complete sets and come first; every other form counts by its distance from the contract. */
function unlikeliness(profile: Profile): number {
  if (Object.values(presets).some((preset) => signsAlike(profile, preset))) return 0;
  const distant = SIGNING_SWITCHES.filter((name) => profile[name] !== SWITCHES[name].values[0]);
  return distant.reduce((sum, name) => sum + SWITCHES[name].unlikely, 0);
}

function isRare({ emptyCall, signatureText }: Profile): boolean {
  return emptyCall === "braces-signed" || signatureText === "base64url-padded";
}

function isReordered({ signingOrder, signingSeparator }: Profile): boolean {
  return signingOrder !== "path-body-nonce" || signingSeparator !== "";
}

/** Whether a call without fields looks the same under both. */
function signsAlike(a: Profile, b: Profile): boolean {
  return SIGNING_SWITCHES.every(
    (name) => a[name] === b[name] || (name === "signingOrder" && hidesOrder(a) && hidesOrder(b)),
  );
}

/** With an empty body and no separator, a body before or after the path looks the same. */
function hidesOrder({ emptyCall, signingSeparator }: Profile): boolean {
  return emptyCall === "empty" && signingSeparator === "";
}

/** One line: `contract`, or `{ preset: contract, signedPath: relative }`. */
export function profileYaml(profile: Profile): string {
  const setting = profileSetting(profile);
  if (typeof setting === "string") return setting;
  const entries = Object.entries(setting).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? scalar(value) : JSON.stringify(value)}`,
  );
  return `{ ${entries.join(", ")} }`;
}

function profileSetting(profile: Profile): ProfileSetting {
  const settings = (Object.keys(presets) as PresetName[]).map((preset) => ({
    preset,
    ...differences(profile, preset),
  }));
  const nearest = settings.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)[0];
  if (nearest === undefined) return profile;
  return Object.keys(nearest).length === 1 ? nearest.preset : nearest;
}

function differences(profile: Profile, preset: PresetName): Partial<Profile> {
  const base: Profile = presets[preset];
  const names = Object.keys(profile) as (keyof Profile)[];
  return Object.fromEntries(
    names.filter((name) => !isDeepStrictEqual(profile[name], base[name])).map((name) => [name, profile[name]]),
  );
}

/** A JSON string is a valid YAML string; plain words need no quotes. */
function scalar(text: string): string {
  return /^[a-z][a-z0-9-]*$/.test(text) ? text : JSON.stringify(text);
}
