// `keys`: key pairs for the venue.

import { type Command, Option } from "commander";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const passphraseFile = ["--passphrase-file <file>", "file with the passphrase (mode 0600), instead of asking"] as const;
const json = ["--json", "print the result as JSON"] as const;

export function registerKeys(program: Command, run: Run): void {
  const keys = program.command("keys").helpGroup(group.setup).description("key pairs: generate, show, encrypt");
  keys
    .command("generate")
    .description("make a key pair; the private half goes to a file only you can read, the public half is printed")
    .addOption(new Option("--curve <name>", "elliptic curve").choices(["p256", "secp256k1"]).default("p256"))
    .option("--out <file>", "file of the private key (default: keys/pegbot.pem, or keys/pegbot.age with --encrypt)")
    .option("--encrypt", "write an age keystore under a passphrase instead of a plain PEM")
    .option(...passphraseFile)
    .option(...json)
    .action((options) => run(async (shell) => (await import("../action/keys.ts")).generateKey(shell, options)));
  keys
    .command("show")
    .description("public key, fingerprint and curve of a key; never the private half")
    .argument("[file]", "PEM file or keystore (default: the configured key)")
    .option(...passphraseFile)
    .option(...json)
    .action((file, options) => run(async (shell) => (await import("../action/keys.ts")).showKey(shell, file, options)));
  keys
    .command("encrypt")
    .description("put the private key of a PEM file into an age keystore")
    .argument("<file>", "PEM file")
    .option("--out <file>", "the keystore (default: the same name with .age)")
    .option(...passphraseFile)
    .option(...json)
    .action((file, options) =>
      run(async (shell) => (await import("../action/keys.ts")).encryptKey(shell, file, options)),
    );
}
