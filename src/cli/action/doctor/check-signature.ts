// The signature, by a read that moves nothing (accountBalance). Refused, it is sent once more with a fresh nonce, because
// a stale nonce looks the same; then, when allowed, the other forms are tried. Nonces are never chased.

import type { Balance } from "../../../domain/balance.ts";
import type { Millis } from "../../../domain/time.ts";
import { utcText } from "../../../domain/time-text.ts";
import type { Failure, Reading } from "../../../exchange/port.ts";
import type { Profile } from "../../../exchange/profile.ts";
import { candidateProfiles, profileYaml } from "../../../exchange/profile-candidates.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Explanation, Finding } from "./finding.ts";
import { judgeSignature, type SignatureVerdict } from "./judge-signature.ts";
import { type Search, type SignedRead, trySignatures } from "./try-signatures.ts";

const check = "signature";

export type SignatureCheck = {
  readonly finding: Finding;
  /** The form that works, and what was read with it; undefined when there is none. */
  readonly works: { readonly profile: Profile; readonly balances: Reading<readonly Balance[]> } | undefined;
};

export type SearchHooks = {
  /** Other forms were asked for by name. */
  readonly isWanted?: boolean;
  /** When the venue last took this key, where that is known: the form was right then. */
  readonly takenAt?: Millis | undefined;
  /** May so many refused requests be sent? */
  permission(tries: number): Promise<boolean>;
  progress(tries: number, of: number): void;
};

type Trouble = Exclude<SignatureVerdict, { kind: "accepted" | "refused" }>;

export async function checkSignature(ask: SignedRead, profile: Profile, hooks: SearchHooks): Promise<SignatureCheck> {
  const first = await ask(profile);
  const verdict = judgeSignature(first);
  if (verdict.kind === "accepted") return taken(profile, first);
  if (verdict.kind !== "refused" && verdict.kind !== "stale-nonce") return fails(explainTrouble(verdict));
  const second = await ask(profile);
  const again = judgeSignature(second);
  if (again.kind === "accepted") return takenAtLast(verdict.failure, profile, second);
  if (again.kind !== "refused") return fails(explainTrouble(again));
  const tries = candidateProfiles(profile).length;
  const said = `the venue refuses the signature as configured (${again.failure.message})`;
  if (hooks.takenAt !== undefined && hooks.isWanted !== true) return fails(refusedNow(said, hooks.takenAt));
  if (!(await hooks.permission(tries)))
    return fails({
      cause: said,
      next: `pegbot doctor --try-signatures tries up to ${tries} other forms, one a second, until one is taken; or set venue.profile as the venue documents it`,
    });
  const start = { profile, bodyRefused: again.what === "body" };
  return searched(said, await trySignatures(ask, start, hooks.progress), tries);
}

/** The usual case of a bare 401: many refused signatures might lock the key besides. */
function refusedNow(said: string, takenAt: Millis): Explanation {
  return {
    cause: `${said}, and took this key until ${utcText(takenAt)}`,
    next: "look in the venue's portal: was the key revoked, or does somebody else use it? Then it may have leaked: revoke it, and go on with a new one (docs/OPERATIONS.md). Another form of signature (pegbot doctor --try-signatures) is to blame only where venue.profile or the key's settings were changed since",
  };
}

function searched(said: string, search: Search, tries: number): SignatureCheck {
  switch (search.kind) {
    case "found": {
      const { profile, reading } = search;
      const finding: Finding = {
        check,
        verdict: "problem",
        cause: `${said}, and takes another form`,
        next: "set venue.profile in the configuration:",
        yaml: snippet(profile),
      };
      return { finding, works: { profile, balances: reading } };
    }
    case "none":
      return fails({
        cause: `${said}, and each of the ${tries} other forms as well, so the key is likelier to blame than the form`,
        next: "is the public key above registered, in the portal of this environment? If the portal shows it in another form, set key.publicKey",
      });
    case "stopped": {
      const { verdict } = search;
      // After so many refusals a 403 is about them, whatever it says.
      const { cause, next } = explainTrouble(verdict.kind === "forbidden" ? { ...verdict, kind: "locked" } : verdict);
      const at = `the search stopped at ${profileYaml(search.profile)}`;
      return fails({ cause: `${said}; ${at}: ${cause}`, next });
    }
  }
}

export function snippet(profile: Profile): readonly string[] {
  return ["venue:", `  profile: ${profileYaml(profile)}`];
}

function explainTrouble(verdict: Trouble): Explanation {
  switch (verdict.kind) {
    case "unanswered":
      return explainFailure(verdict.reading);
    case "limited":
    case "forbidden":
      return explainFailure({ kind: "failed", failure: verdict.failure });
    case "stale-nonce":
      return {
        cause: `the signature is not the trouble: the venue has seen a higher nonce with this key (${verdict.failure.message})`,
        next: "does another machine or user use this key, or did one whose clock was ahead? Give each its own key; a nonce from the future is outlived by waiting until its time, or by a new key",
      };
    case "unknown-key":
      return {
        cause: `the venue does not know the public key (${verdict.failure.message})`,
        next: "register the public key above in the portal of this environment; if the portal shows it in another form, set key.publicKey",
      };
    case "locked":
      return {
        cause: `the venue seems to lock the key or the account (${verdict.failure.message})`,
        next: "send nothing more with this key until the venue's support or portal says that it is open again",
      };
  }
}

function takenAtLast({ message }: Failure, profile: Profile, balances: Reading<readonly Balance[]>): SignatureCheck {
  const finding: Finding = {
    check,
    verdict: "warning",
    cause: `refused once (${message}), then taken with a fresh nonce`,
    next: "another program may use this key on another machine or under another user: give it a key of its own",
  };
  return { finding, works: { profile, balances } };
}

function taken(profile: Profile, balances: Reading<readonly Balance[]>): SignatureCheck {
  const finding: Finding = { check, verdict: "ok", cause: "the venue takes it as configured" };
  return { finding, works: { profile, balances } };
}

function fails(explanation: Explanation): SignatureCheck {
  return { finding: { check, verdict: "problem", ...explanation }, works: undefined };
}
