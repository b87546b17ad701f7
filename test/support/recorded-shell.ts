// A shell for running a command's action inside a test: what it prints is kept, and questions get scripted answers.

import { Writable } from "node:stream";
import type { Shell } from "../../src/app/shell.ts";
import type { Prompts } from "../../src/app/terminal/prompts.ts";
import { createTerminal, jsonTerminal } from "../../src/app/terminal/terminal.ts";
import { millis, mono } from "../../src/domain/time.ts";

export type RecordedShell = Shell & { stdout(): string; stderr(): string };

export function recordedShell(
  options: {
    interactive?: boolean;
    notesAreSeen?: boolean;
    configFile?: string;
    columns?: number;
    json?: boolean;
  } = {},
): RecordedShell {
  const out = recorder(options.interactive === true);
  const err = recorder(options.notesAreSeen === true);
  const terminal = createTerminal(out.stream, err.stream, options.interactive === true, options.columns);
  return {
    terminal: options.json === true ? jsonTerminal(terminal) : terminal,
    clock: { now: () => millis(1_794_731_400_000), monotonic: () => mono(0) },
    configFile: options.configFile ?? "pegbot.yaml",
    isConfigNamed: options.configFile !== undefined,
    stopSignal: () => new AbortController().signal,
    stdout: out.text,
    stderr: err.text,
  };
}

/** Answers in the order in which they will be asked for; a question too many fails the test. */
export function scriptedPrompts(...answers: string[]): Prompts & { asked: string[] } {
  const asked: string[] = [];
  const next = (message: string): string => {
    asked.push(message);
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`no answer for the question "${message}"`);
    return answer;
  };
  return {
    asked,
    password: async (message) => next(message),
    text: async (message) => next(message),
    async choice<T extends string>(message: string, choices: readonly { value: T }[]): Promise<T> {
      const answer = next(message);
      const chosen = choices.find((choice) => choice.value === answer);
      if (chosen === undefined) throw new Error(`"${message}" has no choice "${answer}"`);
      return chosen.value;
    },
  };
}

function recorder(isTTY: boolean): { stream: Writable & { isTTY: boolean }; text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => chunks.join("") };
}
