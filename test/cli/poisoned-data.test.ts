// Poisoned data through the program: every command that reads a file names what is wrong with it, at its line, and ends with
// exit code 2 and nothing written. The first poison is met by processes of their own, the others by one that stays.

import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { type CommandHost, startHost } from "./command-host.ts";
import { pegbot } from "./pegbot.ts";

const T0 = Date.UTC(2026, 0, 5);
const NAME = "VCHF-CHF.csv";
const good = (i: number): string => `${T0 + i * 1_000},0.999${i % 10},1.001`;
const csv = (...rows: string[]): string => `${["time,bid,ask", ...rows].join("\n")}\n`;

const POISON: readonly (readonly [what: string, text: string, expected: string])[] = [
  ["NaN", csv(good(0), `${T0 + 1_000},NaN,1.001`, good(2)), `:3: number: bid must be a number, was "NaN"`],
  ["a crossed quote", csv(good(0), `${T0 + 1_000},1.2,1.1`), ":3: crossed: bid 1.2 is above ask 1.1"],
  [
    "time going back",
    csv(good(0), good(2), good(1)),
    ":4: backwards: time goes back from 2026-01-05T00:00:02.000Z to 2026-01-05T00:00:01.000Z",
  ],
  ["a duplicate row", csv(good(0), good(1), good(1)), ":4: duplicate: the same row again"],
  ["an empty file", "", ": empty: the file is empty"],
  ["wrong columns", `time,price,volume\n${good(0)}\n`, ":1: columns: columns must be time, bid, ask"],
  ["a cut in mid-row", csv(good(0), good(1)).slice(0, -8), ":3: open-end: the last row has no line end"],
  ["a cut before the last field", csv(good(0), `${T0 + 1_000},0.99`), ":3: fields: a row must have 3 fields, was 2"],
];

let host: CommandHost;
beforeAll(() => {
  host = startHost(tmpdir(), {});
});
afterAll(() => host.end());

describe.each(POISON)("%s", (what, text, expected) => {
  it("is named with its line by backtest, inspect and import, exit code 2, and nothing is written", async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, NAME);
    writeFileSync(path, text);
    const env = { XDG_CACHE_HOME: join(cwd, "cache") };
    const commands = [
      ["backtest", "--data", path, "--out", join(cwd, "report.html")],
      ["data", "inspect", path],
      ["data", "import", path, "--format", "csv", "--pair", "VCHF/CHF", "--out", join(cwd, "out.columns")],
    ];
    const isFirst = what === POISON[0]?.[0];
    const run = (args: readonly string[]) => (isFirst ? pegbot(args, { cwd, env }) : host.runAt({ cwd, env }, ...args));
    const ended = await Promise.all(commands.map(run));
    for (const [i, { code, stdout, stderr }] of ended.entries()) {
      const command = commands[i]?.slice(0, 2).join(" ");
      expect({ command, code, stdout, stderr }).toEqual({
        command,
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(path + expected),
      });
    }
    const left = readdirSync(cwd).filter((name) => name !== "cache" && name !== NAME);
    expect(left).toEqual([]);
  });
});
