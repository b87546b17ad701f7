// From the configuration to the signer of its key, in one call for every command that talks to a venue.

import { environment } from "../../config/environment.ts";
import type { Config } from "../../config/schema.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { secret } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { type KeySource, loadSigner, readPassphraseFile } from "../../exchange/key/load.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { type Curve, resolveProfile } from "../../exchange/profile.ts";
import type { Shell } from "../shell.ts";
import { type Prompts, terminalPrompts } from "../terminal/prompts.ts";

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

// Where passphrases come from: a file that only its owner can read, or a person at the terminal. Never an argument and
// never the environment, which other programs can see.

type PassphraseOptions = {
  /** Prompts are possible. */
  readonly interactive: boolean;
  readonly file: string | undefined;
  /** Prompts twice, because a mistyped new passphrase would lock the key for ever. */
  readonly isNew: boolean;
};

export async function askPassphrase(prompts: Prompts, options: PassphraseOptions): Promise<Result<string>> {
  if (options.file !== undefined) return readPassphraseFile(options.file);
  if (!options.interactive)
    return err(
      "a passphrase is needed and there is no terminal to ask at: name a file with --passphrase-file or key.passphraseFile",
    );
  const passphrase = await prompts.password(options.isNew ? "New passphrase" : "Passphrase of the keystore");
  if (options.isNew && (await prompts.password("The same again")) !== passphrase)
    return err("the two passphrases must be the same, were different");
  return ok(secret(passphrase));
}
