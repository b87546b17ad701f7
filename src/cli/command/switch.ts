// `halt`, `resume` and `heartbeat`: the switch, from another process than the bot's.

import type { Command } from "commander";
import type { HaltOptions } from "../action/halt.ts";
import type { HeartbeatOptions } from "../action/heartbeat.ts";
import type { ResumeOptions } from "../action/resume.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

export function registerSwitch(program: Command, run: Run): void {
  program
    .command("halt")
    .helpGroup(group.trading)
    .description("stop: no order, mint or rail leaves until a person resumes; reading and resolving go on")
    .argument("<reason...>", "why, for the journal and for whoever resumes; all words, quoted or not")
    .option("--json", "print the state as JSON")
    .action((words: readonly string[], options: HaltOptions) =>
      run(async (shell) => (await import("../action/halt.ts")).halt(shell, words.join(" "), options)),
    );
  program
    .command("resume")
    .helpGroup(group.trading)
    .description("take a stop back, whoever set it; asks for a reason and a typed confirmation")
    .option("--reason <text>", "why it is right to go on")
    .option("--yes", "confirm without a terminal")
    .option("--json", "print the state as JSON")
    .action((options: ResumeOptions) =>
      run(async (shell) => (await import("../action/resume.ts")).resume(shell, options)),
    );
  program
    .command("heartbeat")
    .helpGroup(group.trading)
    .description("say that sending is still wanted, where risk.heartbeatMsMax asks for it; for a timer or a watchdog")
    .option("--json", "print until when as JSON")
    .action((options: HeartbeatOptions) =>
      run(async (shell) => (await import("../action/heartbeat.ts")).heartbeat(shell, options)),
    );
}
