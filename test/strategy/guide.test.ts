// docs/guides/strategy.md, followed word for word: files are written as they stand there, commands typed as they stand there in a
// checkout, and what the page says is printed is compared. Its lists of mistakes are made and their words compared.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { pegbot } from "../cli/pegbot.ts";
import { logText, start } from "../support/program.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const LOADER = fileURLToPath(new URL("./processes/load.ts", import.meta.url));
const page = readFileSync("docs/guides/strategy.md", "utf8");

type Block = { readonly kind: string; readonly more: string; readonly text: string; readonly line: number };

function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\S+)(?: ([^\n]*))?\n(.*?)^```$/gms)].map((match) => ({
    kind: match[1] ?? "",
    more: match[2] ?? "",
    text: match[3] ?? "",
    line: markdown.slice(0, match.index).split("\n").length + 1,
  }));
}

/** What a developer's checkout may hold and a fresh clone does not. */
const OWN = /^(data|keys|reports|my-bot|.*\.yaml|.*\.html|\.git)$/;

/** What npx does with the one name that is used here, without npm's own start, which takes longest: test/readme.test.ts has that. */
const NPX = `#!/bin/sh
[ "$1" = pegbot ] || { echo "npx $1 is no command of this page" >&2; exit 1; }
shift
exec node bin/pegbot.js "$@"
`;

describe("docs/start/own-strategy.md", () => {
  const guide = page.slice(page.indexOf("## Ten minutes"), page.indexOf("## The definition"));
  const offset = page.slice(0, page.indexOf("## Ten minutes")).split("\n").length - 1;
  let checkout: string;
  let home: string;
  /** Of the last command. */
  let printed = "";

  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), "pegbot-guide-"));
    home = mkdtempSync(join(tmpdir(), "pegbot-home-"));
    for (const entry of readdirSync(".")) if (!OWN.test(entry)) symlinkSync(resolve(entry), join(checkout, entry));
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "bin", "npx"), NPX, { mode: 0o755 });
  });
  afterAll(() => {
    for (const folder of [checkout, home]) rmSync(folder, { recursive: true });
  });

  async function typed(script: string, wanted: number): Promise<void> {
    const env = { ...process.env, HOME: home, PATH: [join(home, "bin"), process.env.PATH].join(delimiter) };
    // Both streams as a person sees them, in one.
    const program = start("sh", ["-euc", `exec 2>&1\n${script}`], { cwd: checkout, env });
    const { code } = await program.ended();
    // A terminal gets the log as text.
    printed = logText(program.lines().join("\n"));
    expect(code, printed).toBe(wanted);
  }

  it("write files, type commands and show what they print, in this order", () => {
    const kinds = new Set(blocksOf(guide).map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["sh", "ts", "text", "yaml"]));
    expect(guide).toContain("pegbot backtest --strategy");
    expect(guide).toContain("pegbot run --config");
  });

  for (const { kind, more, text, line } of blocksOf(guide)) {
    const at = `line ${line + offset}`;
    if (kind === "sh")
      test(`${at}: ${text.trim().replaceAll("\n", "; ")}`, () =>
        typed(text, Number(/^fails (\d+)$/.exec(more)?.[1] ?? 0)));
    else if (kind === "text") test(`${at}: is what is printed`, () => expect(printed).toMatch(patternOf(text)));
    else test(`${at}: ${more} is written`, () => writeFileSync(join(checkout, more), text));
  }
});

/** A line of only "…" stands for any lines, "…" within a line for any text of it. */
function patternOf(text: string): RegExp {
  const lines = text.trimEnd().split("\n");
  const body = lines.map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}[^\\S\\n]*(?:\\n|$)`,
  );
  return new RegExp(`^${body.join("")}`, "m");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

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
