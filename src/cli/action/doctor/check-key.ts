// The key: is it there, does nobody else read it, and is it on the curve that the profile names? The checks go on with
// the key's own curve, so that the rest is told as well.

import { existsSync } from "node:fs";
import type { Config } from "../../../config/schema.ts";
import type { Signer } from "../../../exchange/key/signer.ts";
import { resolveProfile } from "../../../exchange/profile.ts";
import { isEmbedded, paperPlace } from "../../bot/paper/paper-place.ts";
import { CommandFailure } from "../../command-failure.ts";
import { openKey } from "../../key/open-signer.ts";
import type { Shell } from "../../shell.ts";
import type { Prompts } from "../../terminal/prompts.ts";
import type { Finding } from "./finding.ts";

const check = "key";

const LOST = "mend it as the message says, or make a key with pegbot keys generate";
/** A journal takes no other key than its own. */
const LOST_BESIDE_BOOKS =
  'mend it as the message says, or bring the key back; if it is lost for good: docs/OPERATIONS.md, "A new key for the same account"';

export type KeyCheck = { readonly finding: Finding; readonly signer: Signer | undefined };

/** Whoever is given a signer closes it. */
export async function checkKey(shell: Shell, config: Config, prompts: Prompts): Promise<KeyCheck> {
  const { key, venue, journal } = config;
  if (isEmbedded(config) && !existsSync(paperPlace(journal.path).key))
    return {
      finding: { check, verdict: "skipped", cause: "none is needed: a paper account's is made at its first start" },
      signer: undefined,
    };
  try {
    const signer = await openKey(shell, key, undefined, prompts);
    return { finding: found(signer, resolveProfile(venue.profile).curve), signer };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = error.next ?? (existsSync(journal.path) ? LOST_BESIDE_BOOKS : LOST);
    return { finding: { check, verdict: "problem", cause: error.message, next }, signer: undefined };
  }
}

function found({ curve, fingerprint, publicKey }: Signer, expected: Signer["curve"]): Finding {
  const about = `fingerprint ${fingerprint}, curve ${curve}, sent as ${publicKey}`;
  if (curve === expected) return { check, verdict: "ok", cause: about };
  return {
    check,
    verdict: "problem",
    cause: `curve of the key is ${curve}, the profile says ${expected} (${about})`,
    next: `set venue.profile.curve to ${curve} if the portal took this key, or use a key on ${expected}`,
  };
}
