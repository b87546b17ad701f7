// `init`: a configuration and a key pair to begin with.

import { type Command, Option } from "commander";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

export function registerInit(program: Command, run: Run): void {
  program
    .command("init")
    .helpGroup(group.setup)
    .description("write a commented configuration and a key pair, by questions or flags")
    .addOption(new Option("--environment <name>", "the venue's environment").choices(["test", "production"]))
    .addOption(new Option("--curve <name>", "elliptic curve of the key").choices(["p256", "secp256k1"]))
    .addOption(new Option("--key <kind>", "a PEM file, or a keystore under a passphrase").choices(["file", "keystore"]))
    .option("--passphrase-file <file>", "file with the keystore's passphrase (mode 0600), instead of asking")
    .option("--yes", "take the default wherever no flag answers: test, p256, file")
    .option("--json", "print the result as JSON")
    .action((options) => run(async (shell) => (await import("../action/init.ts")).init(shell, options)));
}
