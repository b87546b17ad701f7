// The forms of a signed request that the server accepts: the set of valid values for each switch of the venue profile.
// One profile makes the server strict; several make it accept any mixture of them.

import { type Profile, presets } from "../../exchange/profile.ts";

const SWITCHES = [
  "curve",
  "signingOrder",
  "signingSeparator",
  "signedPath",
  "emptyCall",
  "signatureBytes",
  "signatureText",
  "formCalls",
  "formNumbers",
] as const;

export type Acceptance = { readonly [S in (typeof SWITCHES)[number]]: ReadonlySet<Profile[S]> };

/**
 * Signatures as in the profile and both presets, and keys on either curve: the key itself shows its curve. JSON in place of a form is
 * taken only where the profile says so.
 */
export function acceptByDefault(profile: Profile): readonly Profile[] {
  const { formCalls, emptyCall } = profile;
  const forms = [profile, presets.contract, presets.observed, { ...presets.contract, curve: "secp256k1" } as const];
  return formCalls === "json" ? forms : forms.map((one) => ({ ...one, formCalls, emptyCall }));
}

export function acceptanceOf(profiles: readonly Profile[]): Acceptance {
  const values = SWITCHES.map((name) => [name, new Set(profiles.map((one) => one[name]))]);
  return Object.fromEntries(values) as Acceptance;
}
