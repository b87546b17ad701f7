// The output seam of every command: results go to stdout, everything else to stderr. Colours only where the stream is a
// terminal and NO_COLOR does not forbid them. No line shows a secret, whatever a caller put into it.

import { readFileSync } from "node:fs";
import type { ReadStream } from "node:tty";
import { styleText } from "node:util";
import { redacted } from "../../domain/redact.ts";
import { printableJson } from "../../domain/sanitise.ts";
import { hanging, type Style } from "../../watch/text/screen-line.ts";
import { type Column, tableLines } from "./table.ts";

export interface Terminal {
  /** A person can answer: only then may a command prompt. */
  readonly interactive: boolean;
  /** Columns of a line: COLUMNS if set, otherwise those of the screen; undefined if stdout is not a terminal. */
  readonly width: number | undefined;
  /** A line of the result, on stdout. Values from outside go through `printable` first. */
  print(line?: string): void;
  /**
   * A head and a text of any length that wraps at words with a hanging indent; `indent` is its width if the head has
   * colours.
   */
  hang(head: string, text: string, indent?: number): void;
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** `--json` was given: the result is one document, and lines for people go to stderr. */
  readonly wantsJson: boolean;
  /** The result as one JSON document, indented by two blanks. */
  json(value: unknown): void;
  /**
   * Resolves once the result so far is written: the error, or undefined if there was none or the reader closed the
   * pipe.
   */
  lostResult(): Promise<string | undefined>;
  /** A remark on stderr: unbroken in a file, wrapped at words on a terminal. */
  note(line: string): void;
  /** Redraws the last line of remarks in place on a terminal; does nothing elsewhere. An empty line clears it. */
  renote(line: string): void;
  /** Colours text for stdout. */
  style(style: Style, text: string): string;
  /** Stdout is a terminal that can be redrawn in place. */
  readonly isScreen: boolean;
  /** `onKey`: called with each key where a person has the keyboard; Ctrl-C is a key then, too. */
  openScreen(onKey?: (key: string) => void): LiveScreen;
  /** Remarks go to a terminal as well, where they and a live screen would overwrite each other. */
  readonly notesAreSeen: boolean;
}

export function createTerminal(stdout: Stream, stderr: Stream, stdinIsTTY: boolean, columns?: number): Terminal {
  const print = (line = ""): void => void stdout.write(`${redacted(line)}\n`);
  const width = columns ?? (stdout.isTTY === true ? stdout.columns : undefined);
  return {
    interactive: stdinIsTTY && stdout.isTTY === true,
    width,
    print,
    hang(head, text, indent) {
      for (const line of hanging(head, redacted(text), width, indent)) print(line);
    },
    table(columns, rows) {
      for (const line of tableLines(columns, rows)) print(line);
    },
    wantsJson: false,
    json: (value) => print(printableJson(JSON.stringify(value, undefined, 2))),
    lostResult: () =>
      new Promise((tell) => {
        const told = (error?: Error | null): void => tell(error ? explainLoss(stdout.errored ?? error) : undefined);
        // With nothing pending, a full device would refuse the empty write too, although nothing is lost.
        if (stdout.writableLength === 0) told(stdout.errored);
        else stdout.write("", told);
      }),
    note(text) {
      const seen = stderr.isTTY === true ? (columns ?? stderr.columns) : undefined;
      const lines = redacted(text)
        .split("\n")
        .flatMap((line) => belowItself(line, seen));
      stderr.write(`${lines.join("\n")}\n`);
    },
    renote: (line) => void (stderr.isTTY === true && stderr.write(`\r${redacted(line)}\x1b[K`)),
    style: (style, text) => styleText(style, text, { stream: stdout, validateStream: true }),
    isScreen: stdout.isTTY === true,
    openScreen: (onKey) => openLiveScreen(stdout, stdinIsTTY && onKey && readKeys(process.stdin, onKey)),
    notesAreSeen: stderr.isTTY === true,
  };
}

/**
 * A closed pipe means that the reader has seen enough (`pegbot config schema | head -1`): not a failure, and nothing to
 * print.
 */
export function explainLoss(error: NodeJS.ErrnoException): string | undefined {
  return error.code === "EPIPE" ? undefined : `pegbot: the result cannot be written: ${error.message}`;
}

/** Keeps the indent of the line. */
function belowItself(line: string, width: number | undefined): readonly string[] {
  const text = line.trimStart();
  return hanging(line.slice(0, line.length - text.length), text, width);
}

/** The required parts of an output stream; process.stdout and process.stderr have them. */
export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Buffered and not written yet. */
  readonly writableLength?: number;
  /** The error that ended the stream. */
  readonly errored?: Error | null;
};

export type JsonTerminal = Terminal & {
  /** Prints the problem as the JSON document if the command has printed none. */
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
      // A printed result stays true: a venue's answer that could not be recorded was still given.
      if (!isTold) this.json(problem);
    },
  };
}

export interface LiveScreen {
  readonly size: { readonly width: number; readonly height: number };
  readonly takesKeys: boolean;
  draw(lines: readonly string[]): void;
  close(): void;
}

/** The returned function gives the keyboard back; undefined where it belongs to another program. */
export function readKeys(
  stdin: Pick<ReadStream, "setRawMode" | "on" | "off" | "pause">,
  onKey: (key: string) => void,
  isOurs = isForeground,
): (() => void) | undefined {
  if (!isOurs()) return undefined;
  // An arrow or a function key is one chunk with its code, and no key of ours.
  const read = (chunk: Buffer): void => {
    const text = String(chunk);
    if (!text.startsWith("\x1b")) for (const key of text) onKey(key);
  };
  stdin.setRawMode(true);
  stdin.on("data", read);
  return () => {
    stdin.off("data", read);
    stdin.pause();
    stdin.setRawMode(false);
  };
}

/** The system stops a background process that sets or reads its terminal. Without /proc the shell is trusted. */
function isForeground(): boolean {
  try {
    const text = readFileSync("/proc/self/stat", "utf8");
    const [, , , group, , , foreground] = text.slice(text.lastIndexOf(")")).split(" ");
    return group === foreground;
  } catch {
    return true;
  }
}

const ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE = "\x1b[?25h\x1b[?1049l";
/** Synchronised output: terminals that support it show a frame only when complete; others ignore it. */
const [BEGIN, END] = ["\x1b[?2026h", "\x1b[?2026l"];
const [HOME, REST_OF_LINE, REST_OF_SCREEN] = ["\x1b[H", "\x1b[K", "\x1b[J"];

export function openLiveScreen(stdout: Stream, leaveKeys?: false | (() => void)): LiveScreen {
  let shown: string | undefined;
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    process.off("exit", close);
    if (leaveKeys) leaveKeys();
    stdout.write(LEAVE);
  };
  process.on("exit", close);
  stdout.write(ENTER);
  return {
    takesKeys: Boolean(leaveKeys),
    get size() {
      return { width: stdout.columns ?? 80, height: stdout.rows ?? 24 };
    },
    draw(lines) {
      const frame = lines.map((line) => redacted(line) + REST_OF_LINE).join("\r\n");
      // The size is part of the key: text that a narrower terminal wrapped must be redrawn.
      const key = `${stdout.columns}x${stdout.rows}\n${frame}`;
      if (!open || key === shown) return;
      shown = key;
      stdout.write(`${BEGIN}${HOME}${frame}${REST_OF_SCREEN}${END}`);
    },
    close,
  };
}
