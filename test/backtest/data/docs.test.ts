import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FORMAT_NAMES } from "../../../backtest/data/format/format.ts";
import { PROBLEMS } from "../../../backtest/data/problem.ts";

const page = readFileSync("docs/DATA.md", "utf8");

test("docs/DATA.md lists every problem with its meaning, and no other", () => {
  const checked = page.slice(page.indexOf("## What is checked"), page.indexOf("## The manifest"));
  const listed = [...checked.matchAll(/^\| `([a-z0-9-]+)` \| (.*) \|$/gm)].map((row) => [row[1], row[2]]);
  expect(Object.fromEntries(listed)).toEqual(PROBLEMS);
});

test("docs/DATA.md lists every format, and no other", () => {
  const table = page.slice(page.indexOf("| `--format` |"), page.indexOf("`.gz` and `.zip` are unpacked"));
  const listed = [...table.matchAll(/^\| (`[a-z].*?) \|/gm)].flatMap((row) => [
    ...(row[1] ?? "").matchAll(/`([a-z-]+)`/g),
  ]);
  expect(listed.map((match) => match[1])).toEqual([...FORMAT_NAMES]);
});
