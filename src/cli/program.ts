// The command line for commander: the options of every command, help, and usage errors.

import { Command, CommanderError, Help, type Option } from "commander";
import { shipped } from "../app/code-page.ts";
import { CONFIG_FILE, type Run } from "../app/shell.ts";
import type { Terminal } from "../app/terminal/terminal.ts";
import { versionText } from "../app/version.ts";
import { exitCode } from "../domain/exit-code.ts";
import { redacted } from "../domain/redact.ts";
import { printable } from "../domain/sanitise.ts";
import { addCommands, COMMANDS } from "./commands.ts";
import { durationFlag } from "./option/values.ts";

const LINE_MAX = 2000;

const HELP = `
To begin: pegbot start, on paper with nothing to configure; for a configuration
of your own pegbot init, then pegbot doctor. Results go to stdout, the rest to
stderr. Exit codes: 0 done, 1 failed, 2 bad usage or configuration, 3 refused by
the venue or by risk, 4 outcome unknown (money may have moved), 5 halted or
killed, 78 no runtime.`;

/** `words` is the command line, of which only the named commands are loaded; without it all are. */
export async function createProgram(terminal: Terminal, run: Run, words?: readonly string[]): Promise<Command> {
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
      outputError: (text, write) => write(usageText(words ?? [], text)),
    })
    .addHelpText("after", HELP)
    .showHelpAfterError("(--help says more)")
    .exitOverride()
    .on("option:version", () => {
      terminal.print(versionText());
      throw new CommanderError(exitCode.done, "commander.version", "version shown");
    });
  await addCommands(program, run, words);
  addHelp(program);
  // Groups have no `help` command: --help replaces it.
  for (const command of program.commands) command.helpCommand(false);
  return program;
}

/**
 * The message for a command line that commander cannot parse. It repeats the typed words, which may have come from
 * anywhere.
 */
export function usageText(words: readonly string[], text: string): string {
  // A usage error must not read like a stop, even if the mistake comes before the command.
  const isHalt =
    words.find((word) => Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, word))) === "halt";
  const said = isHalt ? text.replace(/^error: /, "error: NOT STOPPED: ") : text;
  const gone = /unknown (?:option|command) '([a-z-]+)'/.exec(text)?.[1] ?? "";
  return redacted(`${said}${replacementOf(gone)}`).replace(/[^\n]+/g, (line) => printable(line, LINE_MAX));
}

/** What replaced an option or a command that is gone: CHANGELOG.md has a line of each. */
function replacementOf(name: string): string {
  const [, gone = ""] = shipped("CHANGELOG.md").split("### Options and commands that are gone\n");
  return (name && new RegExp(`^- .*\`${name}\`.*: (.*)$`, "m").exec(gone)?.[1]) ?? "";
}

const plain = new Help();

/** Help shows a default as typed, so that it can be copied. */
function describedOption(option: Option): string {
  const { description, defaultValue } = option;
  const shown = typedDefault(option);
  if (shown === undefined) return plain.optionDescription(option);
  // The description already says so.
  if (defaultValue === 0 || shown === "") return description;
  return `${description} (default: ${shown})`;
}

/** Undefined if commander's text is right. */
function typedDefault({ flags, defaultValue }: Option): string | undefined {
  if (Array.isArray(defaultValue)) return defaultValue.join(",");
  if (typeof defaultValue !== "number") return undefined;
  if (flags.endsWith("<time>")) return durationFlag(defaultValue);
  return flags.endsWith("<date>") ? new Date(defaultValue).toISOString().slice(0, 10) : undefined;
}

/** `help [command...]` is not listed, because --help is preferred, but `help` must not be corrected to `halt`. */
function addHelp(program: Command): void {
  program
    .command("help", { hidden: true })
    .description("what --help says, of the command that is named")
    .helpGroup(Object.keys(COMMANDS)[0] ?? "")
    .argument("[command...]")
    .allowUnknownOption()
    .action((words: readonly string[]) => {
      const named = (from: Command, word: string) => from.commands.find((one) => one.name() === word) ?? from;
      words.reduce(named, program).help();
    });
}
