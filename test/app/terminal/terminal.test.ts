import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, expect, test, vi } from "vitest";
import { createTerminal, type Stream } from "../../../src/app/terminal/terminal.ts";
import { secret } from "../../../src/domain/redact.ts";

afterEach(() => vi.unstubAllEnvs());

// The real one, which looks at NO_COLOR and TERM.
const getColorDepth = () => WriteStream.prototype.getColorDepth();

function terminalOn({ isTTY, columns }: { isTTY: boolean; columns?: number }) {
  const stdout = Object.assign(new PassThrough(), { isTTY, columns: 80, getColorDepth });
  const stderr = new PassThrough();
  const terminal = createTerminal(stdout as unknown as Stream, stderr, isTTY, columns);
  const written = (stream: PassThrough) => String(stream.read(stream.readableLength) ?? "");
  return { terminal, out: () => written(stdout), notes: () => written(stderr) };
}

test("results go to stdout and remarks to stderr", () => {
  const { terminal, out, notes } = terminalOn({ isTTY: false });
  terminal.print("result");
  terminal.json({ a: 1 });
  terminal.table([{ title: "t" }], [["x"]]);
  terminal.note("remark");
  expect(out()).toBe('result\n{\n  "a": 1\n}\nt\nx\n');
  expect(notes()).toBe("remark\n");
});

test("data from outside cannot steer the terminal that shows it as JSON, and means the same", () => {
  const { terminal, out } = terminalOn({ isTTY: true });
  const data = { reason: "a\u001b[2J\u009b31m\u202eb\n\u{e0041}\ud800", name: "Zürich 東京 🚀" };
  terminal.json(data);
  const text = out();
  expect(text).toContain(String.raw`"a\u001b[2J\u009b31m\u202eb\n\udb40\udc41\ud800"`);
  expect(text).toContain(data.name);
  expect(JSON.parse(text)).toEqual(data);
});

test("nobody is asked, and nothing coloured, where stdout is not a terminal", () => {
  const { terminal } = terminalOn({ isTTY: false });
  expect([terminal.interactive, terminal.width, terminal.style("red", "x")]).toEqual([false, undefined, "x"]);
});

test("a terminal gets colours, unless NO_COLOR forbids them", () => {
  vi.stubEnv("CI", undefined);
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("TERM", "xterm-256color");
  vi.stubEnv("NODE_DISABLE_COLORS", undefined);
  const { terminal } = terminalOn({ isTTY: true });
  expect([terminal.interactive, terminal.width, terminal.style("red", "x")]).toEqual([
    true,
    80,
    "\u001b[31mx\u001b[39m",
  ]);
  vi.stubEnv("NO_COLOR", "1");
  expect(terminal.style("red", "x")).toBe("x");
});

test("no way out of the program shows a secret that it has loaded", () => {
  const text = secret("hidden-from-every-line");
  const { terminal, out, notes } = terminalOn({ isTTY: true });
  terminal.print(text);
  terminal.hang("head ", `${"wide ".repeat(14)}${text}`);
  terminal.table([{ title: "t" }], [[text]]);
  terminal.json({ text });
  const screen = terminal.openScreen();
  screen.draw([text]);
  screen.close();
  terminal.note(`pegbot: ${text}`);
  const shown = out();
  expect(shown.match(/\*\*\*/g)).toHaveLength(5);
  expect(notes()).toBe("pegbot: ***\n");
  expect(shown).not.toMatch(/hidden|every-line/);
});
