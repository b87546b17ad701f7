import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsOf, type Example, examplesOf } from "./support/examples.ts";
import { start, until } from "./support/program.ts";

const page = readFileSync("README.md", "utf8");
const LINES_MAX = 100;
/** What a developer's checkout may hold and a fresh clone does not. */
const OWN = /^(data|keys|reports|.*\.yaml)$/;
/** A checkout as a reader has it, so that examples may write files: links to what is in this one. */
let checkout: string;
let home: string;

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "pegbot-readme-"));
  home = mkdtempSync(join(tmpdir(), "pegbot-home-"));
  for (const entry of readdirSync(".")) {
    if (!OWN.test(entry)) symlinkSync(resolve(entry), join(checkout, entry));
  }
});
afterAll(() => {
  for (const folder of [checkout, home]) rmSync(folder, { recursive: true });
});

function sh(script: string) {
  const env = { ...process.env, HOME: home, npm_config_cache: join(home, "npm") };
  return start("sh", ["-euc", script], { cwd: checkout, env });
}

async function runExample({ text }: Example): Promise<string> {
  const program = sh(text);
  const { code } = await program.ended();
  const said = [...program.lines(), program.stderr()].join("\n");
  expect(code, said).toBe(0);
  return said;
}

/** Ends by itself with 0, or runs until it is told to stop: then with 0 too, or as npm and npx end by SIGTERM. */
async function startAndStop(command: string): Promise<void> {
  const program = sh(`exec ${command}`);
  let code: number | null | undefined;
  void program.ended().then((ended) => {
    code = ended.code;
  });
  await until(() => program.lines().length > 0 || code !== undefined, `${command} to say something`);
  let stopped = false;
  await until(() => code !== undefined, `${command} to end`, 3_000).catch(() => {
    stopped = true;
    program.kill("SIGTERM");
  });
  await until(() => code !== undefined, `${command} to end after SIGTERM`);
  expect(stopped ? [0, null, 143] : [0], program.stderr()).toContain(code);
  expect(program.lines().length).toBeGreaterThan(0);
  expect(program.stderr()).not.toMatch(/^\s+at .*:\d+:\d+/m);
}

describe("the README", () => {
  const examples = examplesOf(page);

  test("has examples of both kinds, and the two commands are among them", () => {
    expect(new Set(examples.map(({ mode }) => mode))).toEqual(new Set(["run", "start"]));
    const text = examples.map((example) => example.text).join("");
    expect(text).toMatch(/^npm ci && npm start\b/m);
    expect(text).toMatch(/^npm ci && npm test\b/m);
  });

  for (const example of examples) {
    if (example.mode === "run") {
      test(`example at line ${example.line} runs as it stands`, async () => {
        const said = await runExample(example);
        if (example.text.includes("bad.yaml")) {
          expect(said).toContain('bad.yaml:1:7: mode must be paper, shadow or live, was "papr"; did you mean paper?');
          expect(said).toContain("bad.yaml:2:1: unknown key venu; did you mean venue?");
          expect(said).toContain("exit code 2");
        }
      });
      continue;
    }
    for (const command of commandsOf(example)) {
      test(`\`${command}\` at line ${example.line} starts, speaks and ends without a stack trace`, () =>
        startAndStop(command));
    }
  }

  test("its library, against its simulator, settles a lost answer as it stands", async () => {
    const text = /```ts library\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    writeFileSync(join(checkout, "library.ts"), text);
    expect(await runExample({ mode: "run", text: "node bin/pegbot.js library.ts", line: 0 })).toContain(
      "unknown is filled",
    );
  });

  test("has at most 100 lines", () => {
    expect(page.split("\n").length - 1).toBeLessThanOrEqual(LINES_MAX);
  });

  test("leads to a map of the rooms that exist, all of them and no other", () => {
    const map = readFileSync("docs/inside/reading.md", "utf8").split("## Map of the tree")[1] ?? "";
    const mapped = [...map.matchAll(/^\| `([^`]+)\/` \|/gm)].map((match) => match[1] ?? "");
    expect(mapped.filter((folder) => !existsSync(folder))).toEqual([]);
    const rooms = readdirSync("src").map((room) => `src/${room}`);
    expect(rooms.filter((room) => !mapped.includes(room))).toEqual([]);
  });
});
