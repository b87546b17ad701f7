// `help [command...]`: --help without the dashes, of a command below another too. It is not listed: --help is the one way that is told,
// but who types the word must not be asked whether halt was meant. Either way a misspelt command has no help.

import type { Command } from "commander";
import { nearestWord } from "../../domain/suggestion.ts";
import { group } from "../command-group.ts";

export function registerHelp(program: Command): void {
  program
    .command("help", { hidden: true })
    .helpGroup(group.setup)
    .description("what --help says, of the command that is named")
    .argument("[command...]")
    .allowUnknownOption()
    .action((words: readonly string[]) => commandNamed(program, words).help());
  // Commander shows the help of the last command that it knows.
  program.addHelpText("beforeAll", ({ command }) => {
    commandNamed(command, command.args);
    return "";
  });
}

/** Words behind a command that has none below it are its arguments, as in `help order buy`. */
function commandNamed(from: Command, words: readonly string[]): Command {
  let found = from;
  for (const word of words) {
    if (word.startsWith("-") || found.commands.length === 0) break;
    found = found.commands.find((one) => one.name() === word) ?? unknown(found, word);
  }
  return found;
}

/** As commander says it of a command that is misspelt. */
function unknown(command: Command, word: string): never {
  const names = command.commands.map((one) => one.name());
  const nearest = nearestWord(word, names);
  const hint = nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`;
  return command.error(`error: unknown command '${word}'${hint}`, { code: "commander.unknownCommand" });
}
