// Where passphrases come from: a file that only its owner can read, or a person at the terminal. Never an argument and
// never the environment, which other programs can see.

import { secret } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { readPassphraseFile } from "../../exchange/key/load.ts";
import type { Prompts } from "../terminal/prompts.ts";

export type PassphraseOptions = {
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
