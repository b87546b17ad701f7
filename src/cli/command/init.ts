// `init`: prompts for the settings, then writes a configuration, a key and a package.json side by side. It changes no
// existing file, and removes its files if one cannot be written.

import { existsSync, readFileSync, unlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Command, Option } from "commander";
import { configTemplate, type InitAnswers } from "../../app/config/config-template.ts";
import { newKey, refuseToOverwrite, refuseUnusedPassphrase } from "../../app/key/new-key.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { createFile } from "../../disk/new-file.ts";
import { parseAsset } from "../../domain/asset.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { Quantity } from "../../domain/money/money.ts";
import { createSecretFile } from "../../exchange/key/secret-file.ts";

export function defineInit(command: Command, run: Run): void {
  command
    .addOption(new Option("--environment <name>", "the venue's environment").choices(["test", "production"]))
    .addOption(new Option("--curve <name>", "elliptic curve of the key").choices(["p256", "secp256k1"]))
    .addOption(new Option("--key <kind>", "a PEM file, or a keystore under a passphrase").choices(["file", "keystore"]))
    .option("--passphrase-file <file>", "file with the keystore's passphrase (mode 0600), instead of asking")
    .option("--currency <asset>", "what limits are counted in; CHF unless told")
    .option("--equity <amount>", "what the account is worth in it, about: the limits of the preset are shares of it")
    .option("--yes", "take the default wherever no flag answers: test, p256, file")
    .action((options: InitOptions) => run((shell) => init(shell, options)));
}

type InitOptions = Partial<InitAnswers> & {
  readonly passphraseFile?: string;
  readonly yes?: boolean;
};

const DEFAULTS = { environment: "test", curve: "p256", key: "file" } as const;

export async function init(shell: Shell, options: InitOptions, prompts: Prompts = terminalPrompts): Promise<ExitCode> {
  const { configFile } = shell;
  const folder = dirname(configFile);
  refuseToOverwrite(configFile);
  const answers = await answersOf(shell, options, prompts);
  const keyFile = join(folder, "keys", `${answers.environment}.${answers.key === "file" ? "pem" : "age"}`);
  refuseToOverwrite(keyFile);
  const { passphraseFile } = options;
  if (answers.key === "file") refuseUnusedPassphrase(passphraseFile, "--key keystore");
  const sealing = answers.key === "keystore" ? { shell, prompts, passphraseFile } : undefined;
  const { content, ...key } = await newKey(answers.curve, sealing);
  const template = configTemplate(answers, {
    key: fromFolder(folder, keyFile),
    passphraseFile: passphraseFile === undefined ? undefined : fromFolder(folder, passphraseFile),
  });
  orFail(createSecretFile(keyFile, content, "key file"));
  content.fill(0);
  const packageFile = writeBeside(keyFile, configFile, template);
  if (shell.terminal.wantsJson) shell.terminal.json({ configFile, keyFile, packageFile, ...key });
  else report(shell, { configFile, keyFile, packageFile }, answers, key);
  return exitCode.done;
}

/** A flag answers a prompt; without a terminal every prompt needs its flag. */
async function answersOf(shell: Shell, options: InitOptions, prompts: Prompts): Promise<InitAnswers> {
  const {
    environment,
    curve,
    key,
    currency = "CHF",
    equity = "10000",
  } = options.yes ? { ...DEFAULTS, ...options } : options;
  if (!parseAsset(currency).ok) throw usageFailure(`--currency must be an asset, was ${currency}`, "CHF, for example");
  if (!Quantity.parse(equity, "positive").ok)
    throw usageFailure(`--equity must be an amount, was ${equity}`, "100000, for example");
  const missing = Object.entries({ environment, curve, key }).filter(([, value]) => value === undefined);
  if (missing.length > 0 && !shell.terminal.interactive) {
    const flags = missing.map(([name]) => `--${name}`).join(", ");
    throw usageFailure(`there is no terminal to ask at: give ${flags}`, "or --yes for the defaults");
  }
  return {
    currency,
    equity,
    environment: environment ?? (await prompts.choice("Which environment of the venue is the key for?", ENVIRONMENTS)),
    curve: curve ?? (await prompts.choice("Which elliptic curve has the key?", CURVES)),
    key: key ?? (await prompts.choice("How shall the private key be kept?", KINDS)),
  };
}

const ENVIRONMENTS = [
  { value: "test", label: "test", hint: "begin here" },
  { value: "production", label: "production", hint: "real money, once mode is live" },
] as const;
const CURVES = [
  { value: "p256", label: "P-256", hint: "unless the portal says otherwise" },
  { value: "secp256k1", label: "secp256k1" },
] as const;
const KINDS = [
  { value: "file", label: "in a file that only you can read", hint: "starts unattended" },
  { value: "keystore", label: "in a keystore under a passphrase", hint: "asks at each start" },
] as const;

/** Writes the files without secrets. If one fails, all files of this run are removed, including the new key. */
function writeBeside(keyFile: string, configFile: string, template: string): string | undefined {
  const folder = dirname(configFile);
  const packageFile = join(folder, "package.json");
  const ownPackage = !existsSync(packageFile);
  const written = [keyFile];
  const write = (path: string, text: string): void => {
    createFile(path, text);
    written.push(path);
  };
  try {
    // Keeps the keys out of a commit of the folder.
    if (!existsSync(join(folder, "keys", ".gitignore"))) write(join(folder, "keys", ".gitignore"), "*\n");
    if (ownPackage) write(packageFile, `${JSON.stringify({ private: true, type: "module" }, undefined, 2)}\n`);
    write(configFile, template);
  } catch (error) {
    for (const path of written) unlinkSync(path);
    throw error;
  }
  return ownPackage ? packageFile : undefined;
}

type Written = { readonly configFile: string; readonly keyFile: string; readonly packageFile: string | undefined };

function report(
  { terminal }: Shell,
  { configFile, keyFile, packageFile }: Written,
  { environment }: InitAnswers,
  { publicKey, fingerprint }: { readonly publicKey: string; readonly fingerprint: string },
): void {
  terminal.print(`wrote        ${[configFile, keyFile, packageFile].filter((file) => file !== undefined).join(", ")}`);
  terminal.print(`fingerprint  ${fingerprint}`);
  terminal.print(`public key   ${publicKey}`);
  terminal.print();
  terminal.print(
    `Register the public key in the portal of the ${environment} environment; ${keyFile} is the only copy of`,
  );
  terminal.print(`the private one. Next: read ${configFile}, change what you like, then run pegbot doctor.`);
  if (packageFile === undefined && !isModule(join(dirname(configFile), "package.json")))
    terminal.note('package.json was there already: strategies in TypeScript need "type": "module" in it');
}

function isModule(packageFile: string): boolean {
  try {
    return JSON.parse(readFileSync(packageFile, "utf8"))?.type === "module";
  } catch {
    return false;
  }
}

/** As the configuration names it: relative, with a leading `./`, and the same on every system. */
function fromFolder(folder: string, path: string): string {
  const way = relative(resolve(folder), resolve(path)).split(sep).join("/");
  return way.startsWith("..") ? resolve(path) : `./${way}`;
}
