// What whoever asks for `--json` gets on stdout, whatever becomes of the command: one value.

import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";

/** No configuration decides what these do. */
const WITHOUT = new Set([
  "backtest",
  "check",
  "sweep",
  "walk-forward",
  "generate",
  "import",
  "inspect",
  "encrypt",
  "init",
  "schema",
]);

function leaves(command: Command, path: readonly string[] = []): (readonly [readonly string[], Command])[] {
  const below = command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
  return below.length === 0 ? [[path, command]] : below;
}

test("every command takes --json but those that run until they are ended, one that takes it before its name, and help", async () => {
  const program = await createProgram(recordedShell().terminal, async () => {});
  const without = leaves(program).filter(([, { options }]) => !options.some(({ long }) => long === "--json"));
  expect(without.map(([path]) => path.join(" "))).toEqual([
    "start",
    "run",
    "mcp",
    "completion",
    "simulator",
    "backtest check",
    "worker",
    "help",
  ]);
});

test("a refusal is JSON too, of every command that has --json and a configuration: one value, and the text on stderr", async () => {
  const program = await createProgram(recordedShell().terminal, async () => {});
  const asked = leaves(program).filter(
    ([path, { options }]) =>
      !WITHOUT.has(path.at(-1) ?? "") && options.some(({ long, required }) => long === "--json" && !required),
  );
  expect(asked.length).toBeGreaterThan(25);
  for (const [path, command] of asked) {
    const args = command.registeredArguments.map(({ argChoices }) => argChoices?.[0] ?? "1");
    const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? "", "1"]);
    const line = [...path, ...args, ...needed, "--json", "--config", "nowhere.yaml"];
    const { code, stdout } = await runHere(line);
    expect([code, typeof JSON.parse(stdout)], line.join(" ")).toEqual([2, "object"]);
  }
});

test("what is said of a refusal has the message, what to do next and the exit code", async () => {
  const { stdout, stderr, code } = await runHere(["halt", " ", "--json"]);
  const { error, next, exitCode } = JSON.parse(stdout);
  expect([code, exitCode]).toEqual([2, 2]);
  expect(stderr).toBe(`pegbot: ${error}; ${next}\n`);
});

test("a line that cannot be read is a refusal as well", async () => {
  const { stdout, code } = await runHere(["resume", "--yse", "--json"]);
  expect([code, JSON.parse(stdout)]).toEqual([2, { error: expect.stringContaining("--yse"), exitCode: 2 }]);
  const { stdout: stopped } = await runHere(["halt", "--json"]);
  expect(JSON.parse(stopped).error).toMatch(/^NOT STOPPED: /);
});
