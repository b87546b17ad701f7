// The pages of docs/start/, followed word for word in a fresh checkout each: files are written and commands typed as they stand there,
// and what a page says is printed is compared.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "./cli/bot-stage.ts";
import { type Block, blocksOf } from "./support/examples.ts";
import { logText, start } from "./support/program.ts";

/** What a developer's checkout may hold and a fresh clone does not. */
const OWN = /^(data|keys|reports|my-bot|.*\.yaml|.*\.html|\.git)$/;

/** What npx does with the one name that is used here, without npm's own start, which takes longest: test/readme.test.ts has that. */
const NPX = `#!/bin/sh
[ "$1" = pegbot ] || { echo "npx $1 is no command of this page" >&2; exit 1; }
shift
exec node bin/pegbot.js "$@"
`;

/** The block, and what the page says is printed by it. */
type Step = Block & { readonly printed: string | undefined };

function stepsOf(page: string): readonly Step[] {
  const blocks = blocksOf(readFileSync(page, "utf8")).filter(({ more }) => more !== "skip");
  const steps = blocks.map((block, at) => ({
    ...block,
    printed: blocks[at + 1]?.kind === "text" ? blocks[at + 1]?.text : undefined,
  }));
  return steps.filter(({ kind }) => kind !== "text");
}

const pages = readdirSync("docs/start").map((name) => join("docs/start", name));

test("there are seven pages, and each is followed to something that can be seen", () => {
  expect(pages).toHaveLength(7);
  for (const page of pages)
    expect(stepsOf(page).filter(({ printed }) => printed !== undefined).length, page).toBeGreaterThan(0);
});

describe.each(pages)("%s", (page) => {
  let checkout: string;
  let home: string;
  const running: ReturnType<typeof start>[] = [];

  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), "pegbot-start-"));
    home = mkdtempSync(join(tmpdir(), "pegbot-home-"));
    for (const entry of readdirSync(".")) if (!OWN.test(entry)) symlinkSync(resolve(entry), join(checkout, entry));
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "bin", "npx"), NPX, { mode: 0o755 });
  });
  afterAll(async () => {
    for (const program of running) program.killGroup("SIGKILL");
    await Promise.all(running.map((program) => program.ended()));
    for (const folder of [checkout, home]) rmSync(folder, { recursive: true });
  });

  function sh(script: string) {
    const env = { ...process.env, HOME: home, PATH: [join(home, "bin"), process.env.PATH].join(delimiter) };
    // Both streams as a person sees them, in one.
    return start("sh", ["-euc", `exec 2>&1\n${script}`], { cwd: checkout, env });
  }

  async function typed(script: string): Promise<readonly [code: number | null, printed: string]> {
    const program = sh(script);
    const { code } = await program.ended();
    // A terminal gets the log as text.
    return [code, logText(program.lines().join("\n"))];
  }

  for (const { kind, more, text, line, printed } of stepsOf(page)) {
    const pattern = printed === undefined ? /(?:)/ : patternOf(printed);
    if (kind !== "sh") test(`line ${line}: ${more} is written`, () => writeFileSync(join(checkout, more), text));
    else if (more === "background") test(`line ${line}: ${text.trim()} goes on`, () => void running.push(sh(text)));
    else if (more === "until")
      test(`line ${line}: ${text.trim()}, until it is as shown`, async () => {
        let last: readonly [number | null, string] = [null, ""];
        const holds = async (): Promise<boolean> => {
          last = await typed(text);
          return last[0] === 0 && pattern.test(last[1]);
        };
        await eventually(holds, text).catch(() => expect(last).toEqual([0, expect.stringMatching(pattern)]));
      });
    else
      test(`line ${line}: ${text.trim().replaceAll("\n", "; ")}`, async () => {
        const [code, told] = await typed(text);
        expect(code, told).toBe(Number(/^fails (\d+)$/.exec(more)?.[1] ?? 0));
        expect(told).toMatch(pattern);
      });
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
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ +/g, " +");
}
