// The output seam of every command: results go to stdout, everything else to stderr. Colours only where the stream is a
// terminal and NO_COLOR does not forbid them. No line shows a private key, whatever a caller put into it.

import { styleText } from "node:util";
import { withoutPrivateKeys } from "../../domain/private-key-text.ts";
import { printableJson } from "../../domain/sanitise.ts";
import { hanging, type Style } from "../../watch/text/screen-line.ts";
import { type Column, tableLines } from "./table.ts";

export interface Terminal {
  /** Someone is there to answer: only then may a command ask. */
  readonly interactive: boolean;
  /** Columns that lines may have: what COLUMNS says, else those of the screen; undefined when stdout is not one. */
  readonly width: number | undefined;
  /** A line of the result, on stdout. Values from outside go through `printable` first. */
  print(line?: string): void;
  /** A head and a text of any length, broken at words below each other; `indent` where the head has colours. */
  hang(head: string, text: string, indent?: number): void;
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** `--json` was given: the result is one document, and lines for people go to stderr. */
  readonly wantsJson: boolean;
  /** The result as data: one document, two blanks of indent. */
  json(value: unknown): void;
  /** Once all of the result so far is out: why it was not written; undefined when it was, or its reader has seen enough. */
  lostResult(): Promise<string | undefined>;
  /** A remark beside the result, on stderr: whole where it goes to a file, broken at words on a terminal. */
  note(line: string): void;
  /** Why the last remark was not written; undefined when it was. */
  lostNotes(): string | undefined;
  /** The last line of remarks again, in place, where they are seen; nothing elsewhere. Empty clears it. */
  renote(line: string): void;
  /** Colours text for stdout. */
  style(style: Style, text: string): string;
  /** Stdout is a screen that can be drawn in place. */
  readonly isScreen: boolean;
  openScreen(): LiveScreen;
  /** Remarks go to a terminal as well: then they and a screen would write over each other. */
  readonly notesAreSeen: boolean;
}

export function createTerminal(stdout: Stream, stderr: Stream, stdinIsTTY: boolean, columns?: number): Terminal {
  const print = (line = ""): void => void stdout.write(`${withoutPrivateKeys(line)}\n`);
  const width = columns ?? (stdout.isTTY === true ? stdout.columns : undefined);
  let lost: string | undefined;
  return {
    interactive: stdinIsTTY && stdout.isTTY === true,
    width,
    print,
    hang(head, text, indent) {
      for (const line of hanging(head, text, width, indent)) print(line);
    },
    table(columns, rows) {
      for (const line of tableLines(columns, rows, width)) print(line);
    },
    wantsJson: false,
    json: (value) => print(printableJson(JSON.stringify(value, undefined, 2))),
    lostResult: () =>
      new Promise((tell) => {
        const told = (error?: Error | null): void => tell(error ? explainLoss(stdout.errored ?? error) : undefined);
        // Where all is out, a full device would refuse the empty write too, and nothing would be lost with it.
        if (stdout.writableLength === 0) told(stdout.errored);
        else stdout.write("", told);
      }),
    note(text) {
      const seen = stderr.isTTY === true ? (columns ?? stderr.columns) : undefined;
      const lines = withoutPrivateKeys(text)
        .split("\n")
        .flatMap((line) => belowItself(line, seen));
      stderr.write(`${lines.join("\n")}\n`, (error?: NodeJS.ErrnoException | null) => {
        lost = error ? (error.code ?? error.message) : undefined;
      });
    },
    lostNotes: () => lost,
    renote: (line) => void (stderr.isTTY === true && stderr.write(`\r${withoutPrivateKeys(line)}\x1b[K`)),
    style: (style, text) => styleText(style, text, { stream: stdout, validateStream: true }),
    isScreen: stdout.isTTY === true,
    openScreen: () => openLiveScreen(stdout),
    notesAreSeen: stderr.isTTY === true,
  };
}

/** A closed pipe means that the reader has seen enough (`pegbot config schema | head -1`): not a failure, nothing to say. */
export function explainLoss(error: NodeJS.ErrnoException): string | undefined {
  return error.code === "EPIPE" ? undefined : `pegbot: the result cannot be written: ${error.message}`;
}

/** What is set in stays so. */
function belowItself(line: string, width: number | undefined): readonly string[] {
  const text = line.trimStart();
  return hanging(line.slice(0, line.length - text.length), text, width);
}

/** What a stream must have to be written to; process.stdout and process.stderr do. */
export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** What was given to it and is not out yet. */
  readonly writableLength?: number;
  /** What ended it. */
  readonly errored?: Error | null;
};

export type JsonTerminal = Terminal & {
  /** The value, where the command has given none. */
  refuse(problem: object): void;
};

export function jsonTerminal(terminal: Terminal): JsonTerminal {
  let isTold = false;
  const print = (line = ""): void => terminal.note(line);
  return {
    ...terminal,
    wantsJson: true,
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

export interface LiveScreen {
  readonly size: { readonly width: number; readonly height: number };
  draw(lines: readonly string[]): void;
  close(): void;
}

const ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE = "\x1b[?25h\x1b[?1049l";
/** Terminals that know them hold the picture back until the frame is complete; the others ignore them. */
const [BEGIN, END] = ["\x1b[?2026h", "\x1b[?2026l"];
const [HOME, REST_OF_LINE, REST_OF_SCREEN] = ["\x1b[H", "\x1b[K", "\x1b[J"];

export function openLiveScreen(stdout: Stream): LiveScreen {
  let shown: string | undefined;
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    process.off("exit", close);
    stdout.write(LEAVE);
  };
  process.on("exit", close);
  stdout.write(ENTER);
  return {
    get size() {
      return { width: stdout.columns ?? 80, height: stdout.rows ?? 24 };
    },
    draw(lines) {
      const frame = lines.map((line) => line + REST_OF_LINE).join("\r\n");
      // The size is part of it: what a narrower terminal wrapped must be drawn anew.
      const key = `${stdout.columns}x${stdout.rows}\n${frame}`;
      if (!open || key === shown) return;
      shown = key;
      stdout.write(`${BEGIN}${HOME}${frame}${REST_OF_SCREEN}${END}`);
    },
    close,
  };
}
