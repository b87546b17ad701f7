// From the configuration to the signer of its key, in one call for every command that talks to a venue.

import { environment } from "../../config/environment.ts";
import type { Config } from "../../config/schema.ts";
import { type KeySource, loadSigner } from "../../exchange/key/load.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { type Curve, resolveProfile } from "../../exchange/profile.ts";
import { orFail, usageFailure } from "../command-failure.ts";
import type { Shell } from "../shell.ts";
import { type Prompts, terminalPrompts } from "../terminal/prompts.ts";
import { askPassphrase } from "./passphrase.ts";

/** The caller closes it. */
export async function openSigner(
  shell: Shell,
  { key, venue }: Pick<Config, "key" | "venue">,
  prompts: Prompts = terminalPrompts,
): Promise<Signer> {
  return openKey(shell, key, resolveProfile(venue.profile).curve, prompts);
}

/** The same with the caller's curve; undefined takes the key's own. */
export async function openKey(
  shell: Shell,
  key: Config["key"],
  curve: Curve | undefined,
  prompts: Prompts,
): Promise<Signer> {
  if (key === undefined) throw usageFailure("the configuration names no key", "add a section key: { file: ... }");
  const { interactive } = shell.terminal;
  const passphrase = () => askPassphrase(prompts, { interactive, file: key.passphraseFile, isNew: false });
  return orFail(await loadSigner(keySource(key, passphrase), { curve, publicKey: key.publicKey }));
}

type KeySection = NonNullable<Config["key"]>;
type Passphrase = Extract<KeySource, { kind: "keystore" }>["passphrase"];

/** The configuration's rules ensure that exactly one of them is set. */
function keySource(key: KeySection, passphrase: Passphrase): KeySource {
  if (key.keystore !== undefined) return { kind: "keystore", path: key.keystore, passphrase };
  if (key.file !== undefined) return { kind: "file", path: key.file };
  const name = key.env ?? "";
  return { kind: "environment", name, value: environment()[name] };
}
