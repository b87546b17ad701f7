// Nobody finds an option that only `--help` knows: each stands in a page that is about its command, or about another one that has it too.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { recordedShell } from "../support/recorded-shell.ts";

const FOLDER = "docs";
const PAGES = [
  "README.md",
  ...readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(FOLDER, name)),
].map((path) => readFileSync(path, "utf8"));

type Given = { readonly command: string; readonly option: Option };

function optionsOf(command: Command, path: readonly string[] = []): readonly Given[] {
  const own = command.options.map((option) => ({ command: path.join(" ") || "pegbot", option }));
  return [...own, ...command.commands.flatMap((one) => optionsOf(one, [...path, one.name()]))];
}

function isWritten({ command, option: { long = "" } }: Given): boolean {
  const words = [new RegExp(`${long}(?![a-z-])`), new RegExp(`\\b${command}\\b`)];
  return PAGES.some((page) => words.every((word) => word.test(page)));
}

test("every option of every command is named in a page", async () => {
  const program = await createProgram(recordedShell().terminal, async () => {});
  const all = optionsOf(program);
  expect(all.length).toBeGreaterThan(200);
  const written = new Set(all.filter(isWritten).map(({ option }) => option.flags));
  const missing = all.filter(({ option }) => !written.has(option.flags));
  expect(missing.map(({ command, option }) => `${command} ${option.flags}`)).toEqual([]);
});
