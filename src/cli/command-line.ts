// Runs one command line and returns its exit code. Errors go to stderr as text, and with --json also to stdout as one
// value.

import { CommanderError } from "commander";
import { explain, problemOf, type Run, type Shell } from "../app/shell.ts";
import { type JsonTerminal, jsonTerminal } from "../app/terminal/terminal.ts";
import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import { createProgram, usageText } from "./program.ts";

interface CommandLine {
  /** `words` are the arguments after the program's name. */
  run(words: readonly string[]): Promise<ExitCode>;
  /** Prints the error and returns the exit code. */
  report(error: unknown): ExitCode;
}

/** A stopped search has neither a result nor an error. */
const NO_RESULT = "there is no result: the lines on stderr say why";

/** The configuration of `shell` applies if the command line names none. */
export function createCommandLine(shell: Shell): CommandLine {
  const { terminal } = shell;
  let json: JsonTerminal | undefined;
  let command = "";
  const report = (error: unknown): ExitCode => {
    const { lines, code } = explain(error);
    for (const line of lines) terminal.note(line);
    json?.refuse(problemOf(error));
    return code;
  };
  /** Commander has already printed its message, or the requested help. */
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
          code = await work({ ...shell, ...named, command, terminal: json ?? terminal });
          if (code !== exitCode.done) json?.refuse({ error: NO_RESULT, exitCode: code });
        };
        const program = await createProgram(terminal, run, words);
        // `backtest check` takes --json from `backtest`.
        program.hook("preAction", (_, called) => {
          const names = called.parent === program ? [called] : [called.parent, called];
          command = names.map((one) => one?.name()).join(" ");
          if (called.optsWithGlobals().json === true) json = jsonTerminal(terminal);
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
