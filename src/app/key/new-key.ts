// Content for key files: a new or existing key, as PEM or sealed under a passphrase. The public half comes along,
// because people need it next.

import { existsSync } from "node:fs";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { generatePrivateKey, parsePrivateKey } from "../../exchange/key/load.ts";
import { type PublicHalf, publicHalf } from "../../exchange/key/signer.ts";
import type { Curve } from "../../exchange/profile.ts";
import type { Shell } from "../shell.ts";
import type { Prompts } from "../terminal/prompts.ts";
import { askPassphrase } from "./open-signer.ts";

export type Sealing = { readonly shell: Shell; readonly prompts: Prompts; readonly passphraseFile: string | undefined };

export type KeyContent = PublicHalf & { readonly curve: Curve; readonly content: Buffer };

/** With `sealing` the content is a keystore, without it the PEM. */
export async function newKey(curve: Curve, sealing: Sealing | undefined): Promise<KeyContent> {
  const pem = generatePrivateKey(curve);
  if (sealing !== undefined) return sealedKey(pem, sealing);
  return { ...publicHalfOf(pem), content: pem };
}

/** Overwrites the PEM in memory once it is sealed. */
export async function sealedKey(pem: Buffer, { shell, prompts, passphraseFile }: Sealing): Promise<KeyContent> {
  const half = publicHalfOf(pem);
  const { interactive } = shell.terminal;
  const passphrase = orFail(await askPassphrase(prompts, { interactive, file: passphraseFile, isNew: true }));
  const { sealKeystore } = await import("../../exchange/key/keystore.ts");
  const content = orFail(await sealKeystore(pem, passphrase));
  pem.fill(0);
  return { ...half, content };
}

/** A passphrase without a keystore is a mistake: the user expects the key to be encrypted. */
export function refuseUnusedPassphrase(passphraseFile: string | undefined, keystoreFlag: string): void {
  if (passphraseFile !== undefined)
    throw usageFailure(`--passphrase-file needs ${keystoreFlag}: a plain key file has no passphrase`);
}

/** Checked before any prompt; creating the file checks again. */
export function refuseToOverwrite(file: string): void {
  if (existsSync(file))
    throw usageFailure(
      `${file} exists already, and is never overwritten`,
      "begin in an empty folder, or name another file",
    );
}

function publicHalfOf(pem: Buffer): PublicHalf & { readonly curve: Curve } {
  const { curve, secretKey } = orFail(parsePrivateKey(pem));
  const half = publicHalf(curve, secretKey);
  secretKey.fill(0);
  return { curve, ...half };
}
