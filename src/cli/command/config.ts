// `config check|show|schema`: the configuration, with every mistake at its line and column.

import type { Command } from "commander";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

type Options = { readonly json?: true };

export function registerConfig(program: Command, run: Run): void {
  const config = program
    .command("config")
    .helpGroup(group.setup)
    .description("check, show or describe the configuration");
  config
    .command("check")
    .description("every mistake in the file and in PEGBOT__ variables; exit code 2 when there is one")
    .option("--json", "print as JSON")
    .action((options: Options) =>
      run(async (shell) => (await import("../action/config-check.ts")).checkConfig(shell, options)),
    );
  config
    .command("show")
    .description("the configuration in force, secrets masked, and where each value came from")
    .option("--json", "print as JSON")
    .action((options: Options) =>
      run(async (shell) => (await import("../action/config-show.ts")).showConfiguration(shell, options)),
    );
  config
    .command("schema")
    .description("the JSON Schema of the configuration, for editors")
    .option("--json", "taken as everywhere: it is JSON without it too")
    .action(() => run(async (shell) => (await import("../action/config-schema.ts")).showSchema(shell)));
}
