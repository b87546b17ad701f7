// `doctor`: what is wrong between the configuration and the account, and what to do about it.

import type { Command } from "commander";
import type { DoctorOptions } from "../action/doctor.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const HELP = `
Takes some ten seconds: it asks in the key's turn, one request a second. At a
terminal it asks you before it tries other signatures. Ends with 0 when there is
no problem, with 1 when there is one, with 2 when the configuration is wrong.`;

export function registerDoctor(program: Command, run: Run): void {
  program
    .command("doctor")
    .helpGroup(group.setup)
    .description("check configuration, key, ledger, connection, clock, signature and account; reads only")
    .option(
      "--try-signatures",
      "when the venue refuses the signature, try the other forms, one a second, without asking",
    )
    .option("--send-notice", "send a test message by each channel of notices, as the bot would")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", HELP)
    .action((options: DoctorOptions) =>
      run(async (shell) => (await import("../action/doctor.ts")).doctor(shell, options)),
    );
}
