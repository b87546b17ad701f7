// `keys generate|show|encrypt`: what is printed is always the public half.

import { existsSync } from "node:fs";
import { extname } from "node:path";
import { loadSigner, sourceOfFile } from "../../exchange/key/load-signer.ts";
import { generatePrivateKey, parsePrivateKey } from "../../exchange/key/private-key.ts";
import { publicHalf } from "../../exchange/key/public-key.ts";
import { createSecretFile, readSecretFile } from "../../exchange/key/secret-file.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import type { Curve } from "../../exchange/profile.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { requireConfig } from "../load-config.ts";
import { openSigner } from "../open-signer.ts";
import { askPassphrase } from "../passphrase.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";

type Common = { readonly passphraseFile?: string; readonly json?: boolean };
type Shown = {
  readonly file?: string;
  readonly curve: Curve;
  readonly fingerprint: string;
  readonly publicKey: string;
};

export async function generateKey(
  shell: Shell,
  options: Common & { readonly curve: Curve; readonly out?: string; readonly encrypt?: boolean },
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const file = options.out ?? (options.encrypt ? "keys/pegbot.age" : "keys/pegbot.pem");
  refuseToOverwrite(file);
  const pem = generatePrivateKey(options.curve);
  const shown = { file, ...publicHalfOf(pem) };
  if (options.encrypt) await writeKeystore(shell, prompts, pem, file, options.passphraseFile);
  else orFail(createSecretFile(file, pem, "key file"));
  pem.fill(0);
  show(shell, shown, options.json);
  shell.terminal.note("register the public key in the portal; the file is the only copy of the private key");
  return exitCode.done;
}

export async function showKey(
  shell: Shell,
  file: string | undefined,
  options: Common,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const signer =
    file === undefined ? await configuredSigner(shell, prompts) : await signerOf(shell, file, options, prompts);
  show(shell, { ...(file !== undefined && { file }), ...signer }, options.json);
  signer.close();
  return exitCode.done;
}

export async function encryptKey(
  shell: Shell,
  file: string,
  options: Common & { readonly out?: string },
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const out = options.out ?? `${file.slice(0, file.length - extname(file).length)}.age`;
  refuseToOverwrite(out);
  const pem = orFail(readSecretFile(file, "key file"));
  const shown = { file: out, ...publicHalfOf(pem) };
  await writeKeystore(shell, prompts, pem, out, options.passphraseFile);
  pem.fill(0);
  show(shell, shown, options.json);
  shell.terminal.note(`${file} is still there: remove it once \`pegbot keys show ${out}\` opens the keystore`);
  return exitCode.done;
}

async function signerOf(shell: Shell, file: string, options: Common, prompts: Prompts): Promise<Signer> {
  const { interactive } = shell.terminal;
  const passphrase = () => askPassphrase(prompts, { interactive, file: options.passphraseFile, isNew: false });
  const source = orFail(sourceOfFile(file, passphrase));
  return orFail(await loadSigner(source, { curve: undefined, publicKey: undefined }));
}

async function configuredSigner(shell: Shell, prompts: Prompts): Promise<Signer> {
  const { config } = requireConfig(shell);
  return openSigner(shell, config, prompts);
}

async function writeKeystore(
  shell: Shell,
  prompts: Prompts,
  pem: Buffer,
  file: string,
  passphraseFile: string | undefined,
): Promise<void> {
  const { interactive } = shell.terminal;
  const passphrase = orFail(await askPassphrase(prompts, { interactive, file: passphraseFile, isNew: true }));
  const { sealKeystore } = await import("../../exchange/key/keystore.ts");
  const sealed = orFail(await sealKeystore(pem, passphrase));
  orFail(createSecretFile(file, sealed, "keystore"));
}

function publicHalfOf(pem: Buffer): Shown {
  const { curve, secretKey } = orFail(parsePrivateKey(pem));
  const half = publicHalf(curve, secretKey);
  secretKey.fill(0);
  return { curve, ...half };
}

function show(shell: Shell, { file, curve, fingerprint, publicKey }: Shown, json: boolean | undefined): void {
  const { terminal } = shell;
  if (json) {
    terminal.json({ file, curve, fingerprint, publicKey });
    return;
  }
  if (file !== undefined) terminal.print(`file         ${file}`);
  terminal.print(`curve        ${curve}`);
  terminal.print(`fingerprint  ${fingerprint}`);
  terminal.print(`public key   ${publicKey}`);
}

/** Before any question is asked; creating the file refuses once more. */
function refuseToOverwrite(file: string): void {
  if (existsSync(file)) throw new CommandFailure(exitCode.usage, `${file} exists already, and is never overwritten`);
}
