// One command line from its words to its exit code, with everything that is said about it: text on stderr for whatever ended it,
// and with --json the same as one value on stdout.

import { CommanderError } from "commander";
import { type ExitCode, exitCode } from "../app/exit-code.ts";
import { explain, problemOf, type Run, type Shell } from "../app/shell.ts";
import { type JsonTerminal, jsonTerminal } from "../app/terminal/terminal.ts";
import { createProgram, usageText } from "./program.ts";

interface CommandLine {
  /** `words`: behind the program's name. */
  run(words: readonly string[]): Promise<ExitCode>;
  /** Prints what ended it, and gives the exit code. */
  report(error: unknown): ExitCode;
}

/** A search that was stopped has no result and no error. */
const NO_RESULT = "there is no result: the lines on stderr say why";

/** `shell`: its configuration is used where the line names none. */
export function createCommandLine(shell: Shell): CommandLine {
  const { terminal } = shell;
  let json: JsonTerminal | undefined;
  const report = (error: unknown): ExitCode => {
    const { lines, code } = explain(error);
    for (const line of lines) terminal.note(line);
    json?.refuse(problemOf(error));
    return code;
  };
  /** Commander has printed its own message, or the help that was asked for. */
  const reportUsage = (words: readonly string[], { exitCode: said, message }: CommanderError): ExitCode => {
    if (said === 0) return exitCode.done;
    const error = usageText(words, message)
      .replace(/^error: /, "")
      .replaceAll("\n", " ");
    if (words.includes("--json")) terminal.json({ error, exitCode: exitCode.usage });
    return exitCode.usage;
  };
  return {
    async run(words) {
      let code: ExitCode = exitCode.done;
      try {
        const run: Run = async (work) => {
          const isConfigNamed = program.getOptionValueSource("config") === "cli";
          const named = isConfigNamed ? { configFile: program.opts().config, isConfigNamed } : {};
          code = await work({ ...shell, ...named, terminal: json ?? terminal });
          if (code !== exitCode.done) json?.refuse({ error: NO_RESULT, exitCode: code });
        };
        const program = await createProgram(terminal, run, words);
        // The flag of `backtest` is its check's too.
        program.hook("preAction", (_, command) => {
          if (command.optsWithGlobals().json === true) json = jsonTerminal(terminal);
        });
        await program.parseAsync(words, { from: "user" });
        return code;
      } catch (error) {
        return error instanceof CommanderError ? reportUsage(words, error) : report(error);
      }
    },
    report,
  };
}
