// The types that an editor shows in a folder of a user's own, outside the checkout: the compiler with the text of the page.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { marked } from "../support/examples.ts";

const STRATEGY = `import { defineStrategy, type ParamsOf, z } from "pegbot/strategy";
import { strategyBench } from "pegbot/testing";
import { test } from "node:test";

const params = z.object({ size: z.number().default(1), legs: z.array(z.object({ at: z.number() })).default([]) });

function sum({ legs }: ParamsOf<typeof params>): number {
  return legs.reduce((all, { at }) => all + at, 0);
}

const own = defineStrategy({
  name: "own",
  params,
  state: ({ size }) => ({ seen: size }),
  decide({ params, state, quote }) {
    state.seen += quote.ask + sum(params);
    params.size = 3;
    params.legs.push({ at: 1 });
    for (const leg of params.legs) leg.at = 3;
    return undefined;
  },
});
test("its state has its type", () => {
  const seen: string = strategyBench(own, { symbols: [], balances: {} }).state.seen;
});
`;

const [fence] = marked("json tsconfig");

test.for([
  ["an installed pegbot", "module", fence?.text ?? ""],
  ["a checkout", "commonjs", '{ "extends": "../pegbot/tsconfig.strategy.json" }'],
] as const)("a folder next to %s has the types, and they say what may not be changed", ([, type, config]) => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-editor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(readFileSync("docs/guides/strategy.md", "utf8")).toContain(config);
  writeFileSync(join(folder, "tsconfig.json"), config.replace("../pegbot", resolve(".")));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  symlinkSync(resolve("."), join(folder, "node_modules", "pegbot"));
  symlinkSync(resolve("node_modules/@types/node"), join(folder, "node_modules", "@types", "node"));
  for (const [index, { text }] of marked("ts strategy").entries())
    writeFileSync(join(folder, `page-${index}.ts`), text);
  writeFileSync(join(folder, "own.ts"), STRATEGY);
  const args = [resolve("node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(stdout.trimEnd().split("\n")).toEqual([
    "own.ts(17,12): error TS2540: Cannot assign to 'size' because it is a read-only property.",
    "own.ts(18,17): error TS2339: Property 'push' does not exist on type 'readonly { readonly at: number; }[]'.",
    "own.ts(19,40): error TS2540: Cannot assign to 'at' because it is a read-only property.",
    "own.ts(24,9): error TS2322: Type 'number' is not assignable to type 'string'.",
  ]);
});
