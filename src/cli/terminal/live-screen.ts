// A screen of its own on the terminal, redrawn in place: what was there before comes back when it closes, however the
// program ends. A frame that did not change is not written, and one that did is shown at once as a whole.

import { type Stream } from "./terminal.ts";

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
