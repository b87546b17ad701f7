// One command line from its words to its exit code, with everything that is said about it: text on stderr for whatever ended it,
// and the same as JSON on stdout for whoever asked for that.

import { CommanderError } from "commander";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { configWanted, createProgram, jsonWanted, usageText } from "./program.ts";
import { explain, problemOf, type Shell } from "./shell.ts";
import { type JsonTerminal, jsonTerminal } from "./terminal/json-terminal.ts";

export interface CommandLine {
  /** `words`: behind the program's name. */
  run(words: readonly string[]): Promise<ExitCode>;
  /** Says why it ended, where it ended by an error that nobody caught. */
  report(error: unknown): ExitCode;
}

/** Refusals are thrown, and say why; a search that was stopped has nothing to say. */
const UNSAID = "there is no result: the lines on stderr say why";

/** `shell`: its configuration is used where the line names none. */
export function createCommandLine(shell: Shell): CommandLine {
  const { terminal } = shell;
  let json: JsonTerminal | undefined;
  let code: ExitCode = exitCode.done;
  const program = createProgram(terminal, async (work) => {
    const wanted = configWanted(program);
    code = await work({ ...shell, ...(wanted.isConfigNamed ? wanted : {}), terminal: json ?? terminal });
    if (code !== exitCode.done) json?.refuse({ error: UNSAID, exitCode: code });
  });
  // The flag of `backtest` is its check's too.
  program.hook("preAction", (_, command) => {
    if (command.optsWithGlobals().json === true) json = jsonTerminal(terminal);
  });
  const report = (error: unknown): ExitCode => {
    if (error instanceof CommanderError) return reportUsage(error);
    const { lines, code } = explain(error);
    for (const line of lines) terminal.note(line);
    json?.refuse(problemOf(error));
    return code;
  };
  /** Commander has printed its own message, or the help that was asked for. */
  const reportUsage = ({ exitCode: said, message }: CommanderError): ExitCode => {
    if (said === 0) return exitCode.done;
    const error = usageText(program, message)
      .replace(/^error: /, "")
      .replaceAll("\n", " ");
    if (jsonWanted(program)) terminal.json({ error, exitCode: exitCode.usage });
    return exitCode.usage;
  };
  return {
    async run(words) {
      try {
        await program.parseAsync(words, { from: "user" });
        return code;
      } catch (error) {
        return report(error);
      }
    },
    report,
  };
}
