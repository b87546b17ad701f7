// The search for the form of signature that the venue takes: one candidate after the other, each with a slot and a nonce
// of its own, until one holds twice or the venue speaks of a lock or a limit. A form that was taken once could have been
// a fluke: some signatures have the same text in two encodings.

import type { Balance } from "../../../domain/balance.ts";
import type { Reading } from "../../../exchange/port.ts";
import type { Profile } from "../../../exchange/profile.ts";
import { candidateProfiles } from "../../../exchange/profile-candidates.ts";
import { judgeSignature, type SignatureVerdict } from "./judge-signature.ts";

export type SignedRead = (profile: Profile) => Promise<Reading<readonly Balance[]>>;

export type Search =
  | { readonly kind: "found"; readonly profile: Profile; readonly reading: Reading<readonly Balance[]> }
  | { readonly kind: "none" }
  | { readonly kind: "stopped"; readonly verdict: Stop; readonly profile: Profile };

type Stop = Exclude<SignatureVerdict, { kind: "accepted" | "refused" }>;
type Tried = { readonly verdict: SignatureVerdict; readonly reading: Reading<readonly Balance[]> };

/** With our pace kept a rate-limit answer can be another program's fault, a second one cannot be chance. */
const LIMITED_MAX = 1;

export async function trySignatures(
  ask: SignedRead,
  start: { readonly profile: Profile; readonly bodyRefused: boolean },
  progress: (tries: number, of: number) => void,
): Promise<Search> {
  const waiting = [...candidateProfiles(start.profile)];
  const of = waiting.length;
  const bodiesRefused = new Set(start.bodyRefused ? [start.profile.emptyCall] : []);
  let limited = 0;
  const attempt = async (profile: Profile): Promise<Tried> => {
    for (;;) {
      const reading = await ask(profile);
      const verdict = judgeSignature(reading);
      if (verdict.kind !== "limited" || limited >= LIMITED_MAX) return { verdict, reading };
      limited += 1;
    }
  };
  while (waiting.length > 0) {
    const profile = takeLikeliest(waiting, bodiesRefused);
    progress(of - waiting.length, of);
    const first = await attempt(profile);
    const { verdict, reading } = first.verdict.kind === "accepted" ? await attempt(profile) : first;
    if (verdict.kind === "accepted") return { kind: "found", profile, reading };
    if (verdict.kind !== "refused") return { kind: "stopped", verdict, profile };
    if (verdict.what === "body") bodiesRefused.add(profile.emptyCall);
  }
  return { kind: "none" };
}

/** A body that was refused before its signature was looked at would be refused again: the other form goes first. */
function takeLikeliest(waiting: Profile[], bodiesRefused: ReadonlySet<Profile["emptyCall"]>): Profile {
  const open = waiting.findIndex(({ emptyCall }) => !bodiesRefused.has(emptyCall));
  const [profile] = waiting.splice(Math.max(0, open), 1);
  return profile as Profile;
}
