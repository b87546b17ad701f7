// The lists of mistakes of docs/guides/strategy.md are made, and their words compared.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, test } from "vitest";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { pegbot } from "../cli/pegbot.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const LOADER = fileURLToPath(new URL("./processes/load.ts", import.meta.url));
const page = readFileSync("docs/guides/strategy.md", "utf8");

/** Rows of the tables below a heading: code, and what is said of it. */
function rowsOf(from: string, to: string): readonly (readonly [string, string])[] {
  const part = page.slice(page.indexOf(from), page.indexOf(to));
  return [...part.matchAll(/^\| `(.+)` \| `(.+)` \|$/gm)].map((row) => [row[1] ?? "", row[2] ?? ""]);
}

describe("a mistake of the list in docs/guides/strategy.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-mistakes-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const loaded = rowsOf("## Mistakes, and what they look like", "These show while it runs.");
  const running = rowsOf("These show while it runs.", "And these are not refused");

  it("is one of those that are told when the file is loaded, or while it runs", () => {
    expect([loaded.length, running.length]).toEqual([9, 6]);
  });

  it("is told by those words when a bot loads the file, every one of them", async () => {
    const orders = loaded.map(([code], index) => {
      const path = join(folder, `mistake-${index}.ts`);
      writeFileSync(path, `import { defineStrategy } from "pegbot/strategy";\n${code};\n`);
      return JSON.stringify({ path });
    });
    const { stdout, stderr, code } = await pegbot([LOADER, ...orders], { cwd: folder });
    expect([code, stderr]).toEqual([0, ""]);
    const outcomes = stdout.trimEnd().split("\n");
    for (const [index, [mistake, said]] of loaded.entries()) {
      const { error = "it was taken" } = JSON.parse(outcomes[index] ?? "{}") as { error?: string };
      expect(error, mistake).toContain(said);
      expect(error, mistake).toContain(`mistake-${index}.ts`);
    }
  });

  test.each(running)("while it runs: %s", (code, said) => {
    const answer = new Function("quote", "buy", `return ${code}`) as (...given: unknown[]) => never;
    const strategy = defineStrategy({ name: "mistaken", decide: ({ quote, buy }) => answer(quote, buy) });
    const bench = strategyBench(strategy, { symbols: ["VCHF/CHF"], balances: { CHF: "1000", VCHF: "0" } });
    bench.quote("VCHF/CHF", 0.998, 0.999);
    expect(bench.lines().join("\n")).toContain(said);
  });
});
