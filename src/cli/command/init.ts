// `init`: asks for the purpose and what it needs, then writes a configuration and its key side by side. It changes no
// existing file, and removes the key if the configuration cannot be written.

import { existsSync, unlinkSync } from "node:fs";
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
import { parseBaseUrl } from "../../exchange/base-url.ts";
import { createSecretFile } from "../../exchange/key/secret-file.ts";
import { type Curve, presets, profileOf } from "../../exchange/profile.ts";
import { readProfile } from "./profile.ts";

export function defineInit(command: Command, run: Run): void {
  command
    .addOption(new Option("--purpose <what>", "what it is for").choices(["look", "shadow", "live"]))
    .option("--base-url <address>", "the venue's, ending in /api/v1/; to look at a simulator of your own, its address")
    .option("--profile <file>", "how the venue is spoken to, as rehearse or doctor wrote it, or the name of a preset")
    .addOption(new Option("--environment <name>", "the venue's environment").choices(["test", "production"]))
    .addOption(new Option("--curve <name>", "elliptic curve of the key").choices(["p256", "secp256k1"]))
    .addOption(new Option("--key <kind>", "a PEM file, or a keystore under a passphrase").choices(["file", "keystore"]))
    .option("--passphrase-file <file>", "file with the keystore's passphrase (mode 0600), instead of asking")
    .addOption(
      new Option("--strategy <name>", "live: trade by it; without it standing conversions alone move money").choices([
        "peg-arbitrage",
      ]),
    )
    .option("--currency <asset>", "what limits are counted in; CHF unless told")
    .option("--equity <amount>", "what the account is worth in it, about: the limits of the preset are shares of it")
    .option("--yes", "take the default wherever no flag answers: look, test, p256, file")
    .action((options: InitOptions) => run((shell) => init(shell, options)));
}

type InitOptions = Partial<
  Pick<InitAnswers, "purpose" | "environment" | "key" | "currency" | "equity" | "baseUrl" | "strategy">
> & {
  readonly curve?: Curve;
  readonly profile?: string;
  readonly passphraseFile?: string;
  readonly yes?: boolean;
};

const DEFAULTS = { purpose: "look", environment: "test", curve: "p256", key: "file" } as const;

export async function init(shell: Shell, options: InitOptions, prompts: Prompts = terminalPrompts): Promise<ExitCode> {
  const { configFile } = shell;
  const folder = dirname(configFile);
  refuseToOverwrite(configFile);
  const answers = await answersOf(shell, options, prompts);
  const { passphraseFile } = options;
  const keyFile = join(folder, "keys", `${answers.environment}.${answers.key === "file" ? "pem" : "age"}`);
  const paths = {
    key: fromFolder(folder, keyFile),
    passphraseFile: passphraseFile === undefined ? undefined : fromFolder(folder, passphraseFile),
  };
  const template = configTemplate(answers, paths);
  const next = `next         read ${configFile}, change what you like, then`;
  const { terminal } = shell;
  if (answers.baseUrl === undefined) {
    writeConfig(undefined, configFile, template);
    if (terminal.wantsJson) terminal.json({ configFile });
    else for (const line of [`wrote        ${configFile}`, `${next} pegbot run`]) terminal.print(line);
    return exitCode.done;
  }
  refuseToOverwrite(keyFile);
  if (answers.key === "file") refuseUnusedPassphrase(passphraseFile, "--key keystore");
  const sealing = answers.key === "keystore" ? { shell, prompts, passphraseFile } : undefined;
  const { content, ...key } = await newKey(answers.profile.curve, sealing);
  orFail(createSecretFile(keyFile, content, "key file"));
  content.fill(0);
  writeConfig(keyFile, configFile, template);
  if (terminal.wantsJson) terminal.json({ configFile, keyFile, ...key });
  else
    for (const line of [
      `wrote        ${configFile}, ${keyFile}`,
      `fingerprint  ${key.fingerprint}`,
      `public key   ${key.publicKey}`,
      `Register the public key in the portal of the ${answers.environment} environment; ${keyFile} is the only copy`,
      "of the private one.",
      `${next} ${answers.purpose === "live" ? LIVE : "pegbot doctor"}`,
    ])
      terminal.print(line);
  return exitCode.done;
}

const LIVE = "take the # off confirm, then pegbot doctor and pegbot rehearse";

/** A flag answers a prompt; without a terminal every prompt needs its flag. */
async function answersOf(shell: Shell, options: InitOptions, prompts: Prompts): Promise<InitAnswers> {
  const { currency = "CHF", equity = "10000", ...given } = options.yes ? { ...DEFAULTS, ...options } : options;
  if (!parseAsset(currency).ok) throw usageFailure(`--currency must be an asset, was ${currency}`, "CHF, for example");
  if (!Quantity.parse(equity, "positive").ok)
    throw usageFailure(`--equity must be an amount, was ${equity}`, "100000, for example");
  const file = options.profile === undefined ? undefined : readProfile(options.profile);
  const known = file && profileOf(file);
  if (known !== undefined && options.curve !== undefined && options.curve !== known.curve)
    throw usageFailure(`--curve is ${options.curve}, the profile's is ${known.curve}`, "leave --curve out");
  const curve = known?.curve ?? given.curve;
  const ask = (name: string, value: string | undefined): Promise<string> => {
    if (value !== undefined) return Promise.resolve(value);
    const [question, choices] = QUESTIONS[name] as readonly [string, Choices?];
    const offered = choices?.map(([one, label, hint]) => ({ value: one, label, hint }));
    if (shell.terminal.interactive) return offered ? prompts.choice(question, offered) : prompts.text(question);
    const { purpose, environment, key, baseUrl } = given;
    const all = { purpose, ...(needsVenue(given) && { "base-url": baseUrl, environment, curve, key }) };
    const flags = Object.entries(all)
      .flatMap(([flag, one]) => (one === undefined ? [`--${flag}`] : []))
      .join(", ");
    throw usageFailure(`there is no terminal to ask at: give ${flags}`, "or --yes for the defaults");
  };
  const purpose = (await ask("purpose", given.purpose)) as InitAnswers["purpose"];
  const own = { purpose, currency, equity, strategy: given.strategy, instruments: file?.instruments ?? {} };
  if (!needsVenue({ ...given, purpose }))
    return { ...own, environment: "test", key: "file", profile: known ?? presets.contract };
  const baseUrl = orFail(parseBaseUrl(await ask("baseUrl", given.baseUrl)), "--base-url").href;
  const environment = (await ask("environment", given.environment)) as InitAnswers["environment"];
  const profile = { ...(known ?? presets.contract), curve: (await ask("curve", curve)) as Curve };
  return { ...own, baseUrl, environment, profile, key: (await ask("key", given.key)) as InitAnswers["key"] };
}

/** A look at the simulator inside the bot needs neither address nor key. */
function needsVenue({ purpose, baseUrl }: Pick<InitOptions, "purpose" | "baseUrl">): boolean {
  return baseUrl !== undefined || (purpose !== undefined && purpose !== "look");
}

const TEST = ["test", "test", "begin here"] as const;
const P256 = ["p256", "P-256", "unless the portal says otherwise"] as const;
const FILE = ["file", "in a file that only you can read", "starts unattended"] as const;

type Choices = readonly (readonly [value: string, label: string, hint: string])[];

const QUESTIONS: Readonly<Record<string, readonly [question: string, choices?: Choices]>> = {
  purpose: [
    "What is it for?",
    [
      ["look", "to look", "paper money on a simulator inside the bot"],
      ["shadow", "shadow", "the real venue, read and never paid"],
      ["live", "live", "real money, once you confirm it"],
    ],
  ],
  baseUrl: ["The base address of the venue, ending in /api/v1/"],
  environment: [
    "Which environment is the key for?",
    [TEST, ["production", "production", "real money, once mode is live"]],
  ],
  curve: ["Which elliptic curve has the key?", [P256, ["secp256k1", "secp256k1", ""]]],
  key: [
    "How shall the private key be kept?",
    [FILE, ["keystore", "in a keystore", "asks for a passphrase at each start"]],
  ],
};

/** If it fails, the new key is removed. */
function writeConfig(keyFile: string | undefined, configFile: string, template: string): void {
  const written = keyFile === undefined ? [] : [keyFile];
  try {
    const ignore = join(dirname(configFile), "keys", ".gitignore");
    if (keyFile !== undefined && !existsSync(ignore)) {
      // Keeps the keys out of a commit of the folder.
      createFile(ignore, "*\n");
      written.push(ignore);
    }
    createFile(configFile, template);
  } catch (error) {
    for (const path of written) unlinkSync(path);
    throw error;
  }
}

/** As the configuration names it: relative, with a leading `./`, and the same on every system. */
function fromFolder(folder: string, path: string): string {
  const way = relative(resolve(folder), resolve(path)).split(sep).join("/");
  return way.startsWith("..") ? resolve(path) : `./${way}`;
}
