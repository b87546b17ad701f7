// Stdout of a command that was asked for JSON: exactly one value, the result or why there is none. Lines for people go to stderr.

import type { Problem } from "../shell.ts";
import { type Column, tableLines } from "./table.ts";
import type { Terminal } from "./terminal.ts";

export type JsonTerminal = Terminal & {
  /** The value, where the command has given none. */
  refuse(problem: Problem): void;
};

export function jsonTerminal(terminal: Terminal): JsonTerminal {
  let isTold = false;
  const print = (line = ""): void => terminal.note(line);
  return {
    ...terminal,
    print,
    hang: (head, text) => print(`${head}${text}`),
    table(columns: readonly Column[], rows) {
      for (const line of tableLines(columns, rows)) print(line);
    },
    json(value) {
      isTold = true;
      terminal.json(value);
    },
    refuse(problem) {
      // What was said stays true: a venue's answer that could not be recorded was given all the same.
      if (!isTold) this.json(problem);
    },
  };
}
