// Which forms of a signed request the server takes: for each switch of the venue profile the set of values that are
// right. One profile gives a strict server; several give one that takes any mixture of them.

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

/** Both presets, and keys on either curve: the key itself says which it is. */
export const ACCEPT_BY_DEFAULT: readonly Profile[] = [
  presets.contract,
  presets.observed,
  { ...presets.contract, curve: "secp256k1" },
];

export function acceptanceOf(profiles: readonly Profile[]): Acceptance {
  const values = SWITCHES.map((name) => [name, new Set(profiles.map((one) => one[name]))]);
  return Object.fromEntries(values) as Acceptance;
}
