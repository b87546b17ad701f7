// `doctor`: what is wrong between the configuration and the account, and what to do about it.

import type { Command } from "commander";
import type { DoctorOptions } from "../action/doctor.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

export function registerDoctor(program: Command, run: Run): void {
  program
    .command("doctor")
    .helpGroup(group.setup)
    .description("check configuration, key, ledger, connection, clock, signature and account; reads only")
    .option(
      "--try-signatures",
      "when the venue refuses the signature, try the other forms, one a second, without asking",
    )
    .option("--json", "print the findings as JSON")
    .action((options: DoctorOptions) =>
      run(async (shell) => (await import("../action/doctor.ts")).doctor(shell, options)),
    );
}
