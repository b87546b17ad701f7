// What the pages tell people to type exists: each command of a code block and of inline code, with its options.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { blocksOf, PAGES } from "../support/examples.ts";
import { recordedShell } from "../support/recorded-shell.ts";

type Typed = { readonly page: string; readonly line: string };

/** From `pegbot` to the end of the command, in inline code to the end of the code. */
function typedIn(page: string): readonly Typed[] {
  const text = readFileSync(page, "utf8").replaceAll("\\\n", " ");
  const blocks = blocksOf(page).filter(({ mark }) => /^sh\b/.test(mark));
  const code = [
    ...blocks.map((block) => block.text.replaceAll("\\\n", " ")),
    ...(text.match(/(?<=`)[^`\n]+(?=`)/g) ?? []),
  ];
  const lines = code.flatMap((one) => one.split("\n"));
  return lines.flatMap((line) => {
    const found = /^(?:npx )?pegbot (.*?)(?: #| \||;|&&|$)/.exec(line.trim().replace(/^\$\(/, ""));
    return found === null ? [] : [{ page, line: found[1] ?? "" }];
  });
}

function problemOf(program: Command, line: string): string | undefined {
  const words = line.split(/\s+/).filter((word) => word !== "");
  let command = program;
  const known = new Set(["--help", "--version"]);
  for (const word of words) {
    for (const { long, short } of command.options) for (const flag of [long, short]) if (flag) known.add(flag);
    const child = command.commands.find((one) => word.split("|").includes(one.name()));
    if (child === undefined) break;
    command = child;
  }
  for (const { long, short } of command.options) for (const flag of [long, short]) if (flag) known.add(flag);
  if (command === program && /^[a-z-]+$/.test(words[0] ?? "")) return `there is no command ${words[0]}`;
  const strange = [...line.replace(/"[^"]*"|'[^']*'/g, "").matchAll(/(?<=^|\s|\[)--[a-z-]+/g)].find(
    ([flag]) => !known.has(flag),
  );
  return strange && `${command.name()} has no ${strange[0]}`;
}

test("every command and option that a page shows exists", async () => {
  const program = await createProgram(recordedShell().terminal, async () => {});
  const typed = ["AGENTS.md", ...PAGES].flatMap(typedIn);
  expect(typed.length).toBeGreaterThan(150);
  expect(problemOf(program, "backtest --param edgeBps=1 --nowhere")).toBe("backtest has no --nowhere");
  const problems = typed.map(({ page, line }) => ({ page, line, problem: problemOf(program, line) }));
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([]);
});
