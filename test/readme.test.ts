import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { marked } from "./support/examples.ts";
import { freshCheckout } from "./support/follow.ts";
import { start, until } from "./support/program.ts";

const LINES_MAX = 100;
let checkout: string;
let home: string;

beforeAll(() => {
  checkout = freshCheckout();
  home = mkdtempSync(join(tmpdir(), "pegbot-home-"));
});
afterAll(() => {
  for (const folder of [checkout, home]) rmSync(folder, { recursive: true });
});

function sh(script: string) {
  const env = { ...process.env, HOME: home, npm_config_cache: join(home, "npm") };
  return start("sh", ["-euc", script], { cwd: checkout, env });
}

async function run(script: string): Promise<string> {
  const program = sh(script);
  const { code } = await program.ended();
  const said = [...program.lines(), program.stderr()].join("\n");
  expect(code, said).toBe(0);
  return said;
}

/** Without comments, and without installing and testing, which are how we came here. */
function commandsOf(text: string): readonly string[] {
  const commands = text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, "").trim());
  return commands.map((line) => line.replace(/^npm ci && /, "")).filter((line) => line !== "" && line !== "npm test");
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
  test("has the two commands", () => {
    expect(marked("sh start")[0]?.text).toMatch(/^npm ci && npm start\b.*\nnpm ci && npm test\b/);
  });

  for (const command of marked("sh start").flatMap(({ text }) => commandsOf(text)))
    test(`\`${command}\` starts, speaks and ends without a stack trace`, () => startAndStop(command));

  test.for(marked("sh run"))("$page:$line names each mistake of a configuration, and ends with 2", async ({ text }) => {
    const said = await run(text);
    expect(said).toMatch(/^bad.yaml:1:7: mode .*\bpaper\?$/m);
    expect(said).toMatch(/^bad.yaml:2:1: .*\bvenu\b.*\bvenue\?$/m);
    expect(said).toContain("exit code 2");
  });

  test.for(marked("ts library"))(
    "its library at $page:$line settles a lost answer against its simulator",
    async ({ text }) => {
      writeFileSync(join(checkout, "library.ts"), text);
      expect(await run("node bin/pegbot.js library.ts")).toMatch(/unknown is filled|the venue has seen 1 order/);
    },
  );

  test("has at most 100 lines", () => {
    expect(readFileSync("README.md", "utf8").split("\n").length - 1).toBeLessThanOrEqual(LINES_MAX);
  });

  test("leads to a map of the rooms that exist, all of them and no other", () => {
    const map = readFileSync("docs/inside/reading.md", "utf8").split("## Map of the tree")[1] ?? "";
    const mapped = [...map.matchAll(/^\| `([^`]+)\/` \|/gm)].map((match) => match[1] ?? "");
    expect(mapped.filter((folder) => !existsSync(folder))).toEqual([]);
    const rooms = readdirSync("src").map((room) => `src/${room}`);
    expect(rooms.filter((room) => !mapped.includes(room))).toEqual([]);
  });
});
