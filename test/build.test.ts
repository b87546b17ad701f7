import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { versionText } from "../src/app/version.ts";
import { start } from "./support/program.ts";

describe("the package for publishing", () => {
  let folder: string;
  /** Where npm would put it: there the runtime strips no types. */
  let installed: string;
  const node = (args: readonly string[], cwd = ".") => spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  const pegbot = (...args: string[]) => node([join(installed, "bin", "pegbot.js"), ...args], folder);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pegbot-build-"));
    installed = join(folder, "node_modules", "pegbot");
    const { status, stderr } = node(["bin/pegbot.js", "scripts/build.ts", installed]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    symlinkSync(resolve("node_modules"), join(installed, "node_modules"));
    // A build is the longest single step of all tests: on a busy machine it takes minutes.
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("runs from node_modules, and knows the commit it was made from", () => {
    const { status, stdout, stderr } = pegbot("--version");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${versionText(".")}\n`, stderr: "" });
  });

  test("checks a configuration, lazy parts included", () => {
    writeFileSync(join(folder, "pegbot.yaml"), "mode: papr\n");
    const { status, stdout } = pegbot("config", "check");
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: 'pegbot.yaml:1:7: mode must be paper or live, was "papr"; did you mean paper?\n',
    });
  });

  test("starts the bot with the simulator in its thread, and ends as asked", async ({ onTestFinished }) => {
    const env = {
      PATH: process.env.PATH,
      XDG_STATE_HOME: join(folder, "state"),
      PEGBOT_TIME_SCALE: `10@${Date.now()}`,
    };
    const args = [join(installed, "bin", "pegbot.js"), "start", "--port", "0"];
    const bot = start(process.execPath, args, { cwd: folder, env });
    onTestFinished(() => bot.kill("SIGKILL"));
    rmSync(join(folder, "pegbot.yaml"), { force: true });
    await bot.until(() => / filled: bought /.test(bot.stderr()), "a fill");
    bot.kill("SIGTERM");
    expect(await bot.ended()).toEqual({ code: 0, signal: null });
  });

  test("holds JavaScript only, and what it needs to run but not to develop", () => {
    const files = readdirSync(join(installed, "src"), { recursive: true, encoding: "utf8" });
    expect(files).toContain(join("cli", "main.js"));
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(readdirSync(join(installed, "test"))).toEqual(["support"]);
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest).toMatchObject({
      bin: { pegbot: "bin/pegbot.js" },
      dependencies: { commander: expect.any(String) },
    });
    expect(Object.keys(manifest)).not.toContain("devDependencies");
  });

  test("holds every page and file that its README and its messages name", () => {
    const linked = [...readFileSync("README.md", "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, path]) => path,
    );
    const messages = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const named = messages.flatMap(
      (file) => readFileSync(join("src", file), "utf8").match(/\bdocs\/[A-Z-]+\.md/g) ?? [],
    );
    expect(linked.length * named.length).toBeGreaterThan(100);
    const missing = new Set([...linked, ...named].filter((path) => !existsSync(join(installed, path as string))));
    expect([...missing]).toEqual([]);
  });

  test("runs a user's test of a strategy", () => {
    const text = `import { strategyBench } from "pegbot/testing";
import { defineStrategy } from "pegbot/strategy";
const own = defineStrategy({ name: "own", decide: () => undefined });
console.log(strategyBench(own, { symbols: [], balances: {} }).engine.strategy.name);`;
    writeFileSync(join(folder, "try.ts"), text);
    const { status, stdout, stderr } = pegbot("try.ts");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "own\n", stderr: "" });
  });

  test("is what is packed, and not the checkout", () => {
    expect(JSON.parse(readFileSync("package.json", "utf8")).scripts.prepack).toContain("scripts/prepack.ts");
    const { status, stderr } = node(["bin/pegbot.js", "scripts/prepack.ts"]);
    const said = "a checkout is not packed as it is: npm run build, then npm pack ./dist\n";
    expect({ status, stderr }).toEqual({ status: 1, stderr: said });
  });

  test("is not built over a folder that is there already", () => {
    const { status, stderr } = node(["bin/pegbot.js", "scripts/build.ts", installed]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `build: the folder to build in must not exist yet, was ${installed}\n`,
    });
  });
});
