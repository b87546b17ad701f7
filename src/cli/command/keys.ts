// `keys generate|show|encrypt`: only the public half is ever printed.

import { extname } from "node:path";
import { type Command, Option } from "commander";
import { requireConfig } from "../../app/config/load-config.ts";
import { newKey, refuseToOverwrite, refuseUnusedPassphrase, sealedKey } from "../../app/key/new-key.ts";
import { askPassphrase, openSigner } from "../../app/key/open-signer.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { orFail } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { loadSigner, sourceOfFile } from "../../exchange/key/load.ts";
import { createSecretFile, readSecretFile } from "../../exchange/key/secret-file.ts";
import type { PublicHalf, Signer } from "../../exchange/key/signer.ts";
import type { Curve } from "../../exchange/profile.ts";

const PASSPHRASE_FILE = [
  "--passphrase-file <file>",
  "file with the passphrase (mode 0600), instead of asking",
] as const;

export function defineGenerate(command: Command, run: Run): void {
  command
    .addOption(new Option("--curve <name>", "elliptic curve").choices(["p256", "secp256k1"]).default("p256"))
    .option("--out <file>", "file of the private key (default: keys/pegbot.pem, or keys/pegbot.age with --encrypt)")
    .option("--encrypt", "write an age keystore under a passphrase instead of a plain PEM")
    .option(...PASSPHRASE_FILE)
    .action((options: GenerateOptions) => run((shell) => generateKey(shell, options)));
}

export function defineShow(command: Command, run: Run): void {
  command
    .argument("[file]", "PEM file or keystore (default: the configured key)")
    .option(...PASSPHRASE_FILE)
    .action((file: string | undefined, options: Common) => run((shell) => showKey(shell, file, options)));
}

export function defineEncrypt(command: Command, run: Run): void {
  command
    .argument("<file>", "PEM file")
    .option("--out <file>", "the keystore (default: the same name with .age)")
    .option(...PASSPHRASE_FILE)
    .action((file: string, options: EncryptOptions) => run((shell) => encryptKey(shell, file, options)));
}

type Common = { readonly passphraseFile?: string };
type EncryptOptions = Common & { readonly out?: string };
type GenerateOptions = EncryptOptions & { readonly curve: Curve; readonly encrypt?: boolean };

export async function generateKey(
  shell: Shell,
  options: GenerateOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const file = options.out ?? (options.encrypt ? "keys/pegbot.age" : "keys/pegbot.pem");
  if (!options.encrypt) refuseUnusedPassphrase(options.passphraseFile, "--encrypt");
  refuseToOverwrite(file);
  const sealing = options.encrypt ? { shell, prompts, passphraseFile: options.passphraseFile } : undefined;
  const { content, ...key } = await newKey(options.curve, sealing);
  orFail(createSecretFile(file, content, "key file"));
  content.fill(0);
  show(shell, file, key);
  shell.terminal.note("register the public key in the portal; the file is the only copy of the private key");
  return exitCode.done;
}

/** Without a file it shows the configured key, with the portal's public-key string if one is set. */
export async function showKey(
  shell: Shell,
  file: string | undefined,
  options: Common,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const signer =
    file === undefined
      ? await openSigner(shell, requireConfig(shell).config, prompts)
      : await signerOf(shell, file, options, prompts);
  show(shell, file, signer);
  signer.close();
  return exitCode.done;
}

async function encryptKey(
  shell: Shell,
  file: string,
  options: EncryptOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const out = options.out ?? `${file.slice(0, file.length - extname(file).length)}.age`;
  refuseToOverwrite(out);
  const pem = orFail(readSecretFile(file, "key file"));
  const { content, ...key } = await sealedKey(pem, { shell, prompts, passphraseFile: options.passphraseFile });
  orFail(createSecretFile(out, content, "keystore"));
  show(shell, out, key);
  shell.terminal.note(`${file} is still there: remove it once \`pegbot keys show ${out}\` opens the keystore`);
  return exitCode.done;
}

async function signerOf(shell: Shell, file: string, options: Common, prompts: Prompts): Promise<Signer> {
  const { interactive } = shell.terminal;
  const passphrase = () => askPassphrase(prompts, { interactive, file: options.passphraseFile, isNew: false });
  const source = orFail(sourceOfFile(file, passphrase));
  return orFail(await loadSigner(source, { curve: undefined, publicKey: undefined }));
}

function show(
  { terminal }: Shell,
  file: string | undefined,
  { curve, fingerprint, publicKey }: PublicHalf & { readonly curve: Curve },
): void {
  if (terminal.wantsJson) {
    terminal.json({ file, curve, fingerprint, publicKey });
    return;
  }
  if (file !== undefined) terminal.print(`file         ${file}`);
  terminal.print(`curve        ${curve}`);
  terminal.print(`fingerprint  ${fingerprint}`);
  terminal.print(`public key   ${publicKey}`);
}
