import { PassThrough, Writable } from "node:stream";
import { expect, it } from "vitest";
import { openLiveScreen, readKeys } from "../../../src/app/terminal/terminal.ts";

function recorded(columns: number, rows: number) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: true, columns, rows }), chunks };
}

it("a screen is drawn in place as one write, not at all when nothing changed, and gives back what was there", () => {
  const { stream, chunks } = recorded(80, 24);
  const screen = openLiveScreen(stream);
  expect(screen.size).toEqual({ width: 80, height: 24 });
  screen.draw(["one", "two"]);
  screen.draw(["one", "two"]);
  screen.draw(["one", "three"]);
  screen.close();
  screen.draw(["late"]);
  screen.close();
  expect(chunks).toEqual([
    "\x1b[?1049h\x1b[?25l\x1b[2J",
    "\x1b[?2026h\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[J\x1b[?2026l",
    "\x1b[?2026h\x1b[Hone\x1b[K\r\nthree\x1b[K\x1b[J\x1b[?2026l",
    "\x1b[?25h\x1b[?1049l",
  ]);
});

it("keys come one by one without Enter, an arrow is none, and the keyboard is given back however the screen closes", () => {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const keys: string[] = [];
  const take = (isOurs: boolean) =>
    readKeys(
      stdin as never,
      (key) => keys.push(key),
      () => isOurs,
    );
  expect(take(false)).toBeUndefined();
  const screen = openLiveScreen(recorded(80, 24).stream, take(true));
  for (const chunk of ["h", "\x1b[A", "f?"]) stdin.emit("data", Buffer.from(chunk));
  screen.close();
  stdin.emit("data", Buffer.from("q"));
  screen.close();
  expect([keys, modes]).toEqual([
    ["h", "f", "?"],
    [true, false],
  ]);
});
