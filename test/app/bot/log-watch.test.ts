// That the log is lost is told to people, once, and shown as long as it lasts.

import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { logWatch } from "../../../src/app/bot/watches.ts";
import { createTerminal } from "../../../src/app/terminal/terminal.ts";

/** Stderr as of a process: what cannot be written is an error, and the next line is tried all the same. */
function disk() {
  const state = { isFull: false };
  const full = Object.assign(new Error("no space left on device, write"), { code: "ENOSPC" });
  const stream = new Writable();
  stream.write = ((_text: string, done: (error?: Error) => void) => {
    done(state.isFull ? full : undefined);
    return true;
  }) as typeof stream.write;
  return { state, stream };
}

it("a log on a full disk is a message, once, and a line of status until it is written again", () => {
  const { state, stream } = disk();
  const terminal = createTerminal(stream, stream, false);
  const said: string[] = [];
  let shown: string | undefined;
  const report = {
    warn: (text: string) => void said.push(`warn ${text}`),
    note: (text: string) => void said.push(`note ${text}`),
  };
  const look = logWatch(terminal.lostNotes, report, (text) => {
    shown = text;
  });
  const after = (isFull: boolean): readonly string[] => {
    said.length = 0;
    state.isFull = isFull;
    terminal.note("a line");
    look();
    look();
    return [...said];
  };
  const text =
    "the log cannot be written (ENOSPC): the bot continues without it, the journal is whole; make room where stderr leads, or restart the bot with another reader of it";
  expect([after(false), shown]).toEqual([[], undefined]);
  expect([after(true), shown]).toEqual([[`warn ${text}`], text]);
  expect([after(true), shown]).toEqual([[], text]);
  expect([after(false), shown]).toEqual([
    ["note the log is written again; lines before this one are missing"],
    undefined,
  ]);
});
