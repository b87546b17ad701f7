// The command line as commander sees it. Each command is one file under command/ that registers names and options, and
// whose action imports its implementation (action/) only when it runs, so that --help and --version stay quick.

import { Command, CommanderError } from "commander";
import { printable } from "../domain/outside-text.ts";
import { withoutPrivateKeys } from "../domain/private-key-text.ts";
import { registerBacktest } from "./command/backtest.ts";
import { registerBooks } from "./command/books.ts";
import { registerConfig } from "./command/config.ts";
import { registerData } from "./command/data.ts";
import { registerDoctor } from "./command/doctor.ts";
import { registerHelp } from "./command/help.ts";
import { registerInit } from "./command/init.ts";
import { registerJournal } from "./command/journal.ts";
import { registerKeys } from "./command/keys.ts";
import { registerLimits } from "./command/limits.ts";
import { registerOrder } from "./command/order.ts";
import { registerReads } from "./command/read.ts";
import { registerRebalance } from "./command/rebalance.ts";
import { registerSimulator } from "./command/simulator.ts";
import { registerStart } from "./command/start.ts";
import { registerSweep } from "./command/sweep.ts";
import { registerSwitch } from "./command/switch.ts";
import { registerTreasury } from "./command/treasury.ts";
import { registerWalkForward } from "./command/walk-forward.ts";
import { registerWorker } from "./command/worker.ts";
import { exitCode } from "./exit-code.ts";
import { describedOption } from "./option/described-option.ts";
import { watchGivenTwice } from "./option/given-twice.ts";
import { CONFIG_FILE, type Run } from "./shell.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { versionText } from "./version.ts";

const LINE_MAX = 2000;

const HELP = `
To begin: pegbot start, on paper with nothing to configure; for a configuration
of your own pegbot init, then pegbot doctor. Results go to stdout, the rest to
stderr. Exit codes: 0 done, 1 failed, 2 bad usage or configuration, 3 refused by
the venue or by risk, 4 outcome unknown (money may have moved), 5 halted or
killed, 78 no runtime.`;

/** Which configuration a command line asks for, once it was read. */
export function configWanted(program: Command): { readonly configFile: string; readonly isConfigNamed: boolean } {
  return { configFile: program.opts().config, isConfigNamed: program.getOptionValueSource("config") === "cli" };
}

/** The same of a line that could not be read to its end. */
export function jsonWanted({ rawArgs = [] }: Command & { readonly rawArgs?: readonly string[] }): boolean {
  return rawArgs.includes("--json");
}

/** What commander says of a line that it cannot use. */
export function usageText(program: Command, text: string): string {
  return harmless(isHalt(program) ? notStopped(text) : text);
}

export function createProgram(terminal: Terminal, run: Run): Command {
  const program = new Command("pegbot");
  program
    .description("A trading bot for a venue of fiat-backed stablecoins.")
    .option("--config <file>", "configuration file", CONFIG_FILE)
    .option("-V, --version", "version and commit")
    .helpOption("-h, --help", "help for a command")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, optionDescription: describedOption })
    .configureOutput({
      writeErr: (text) => terminal.note(text.replace(/\n$/, "")),
      outputError: (text, write) => write(usageText(program, text)),
    })
    .addHelpText("after", HELP)
    .showHelpAfterError("(--help says more)")
    .exitOverride()
    .on("option:version", () => {
      terminal.print(versionText());
      throw new CommanderError(exitCode.done, "commander.version", "version shown");
    });
  registerStart(program, run);
  registerOrder(program, run);
  registerRebalance(program, run);
  registerBooks(program, run);
  registerSwitch(program, run);
  registerLimits(program, run);
  registerTreasury(program, run);
  registerInit(program, run);
  registerConfig(program, run);
  registerKeys(program, run);
  registerDoctor(program, run);
  registerReads(program, run);
  registerJournal(program, run);
  registerSimulator(program, run);
  registerData(program, run);
  registerBacktest(program, run);
  registerSweep(program, run);
  registerWalkForward(program, run);
  registerWorker(program, run);
  registerHelp(program);
  // A group does not have its own: --help is the way there.
  for (const command of program.commands) command.helpCommand(false);
  watchGivenTwice(program, (text) => terminal.note(text));
  return program;
}

/** Also where the mistake stands before the command, and nothing after it was read. */
function isHalt({ commands, rawArgs = [] }: Command & { readonly rawArgs?: readonly string[] }): boolean {
  return rawArgs.find((word) => commands.some((command) => command.name() === word)) === "halt";
}

/** Whoever is in a hurry must not take a word about usage for a stop. */
function notStopped(text: string): string {
  return text.replace(/^error: /, "error: NOT STOPPED: ");
}

/** Commander repeats what was typed, which may have come from anywhere. */
function harmless(text: string): string {
  const lines = withoutPrivateKeys(text).split("\n");
  return lines.map((line) => printable(line, LINE_MAX)).join("\n");
}
