import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageFindings } from "../scripts/campaign/package-findings.ts";
import { versionText } from "../src/app/version.ts";
import { apiOf } from "./support/api.ts";
import { needs } from "./support/needs.ts";
import { start } from "./support/program.ts";

type Lock = { readonly packages: Readonly<Record<string, { version?: string; integrity?: string; dev?: boolean }>> };
type Sbom = {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { name: string; version: string; hashes: { content: string }[] }[];
};

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
      stdout: 'pegbot.yaml:1:7: mode must be paper, shadow or live, was "papr"; did you mean paper?\n',
    });
  });

  test("starts the bot with the simulator in its thread, and ends as asked", async ({ onTestFinished }) => {
    const env = {
      PATH: process.env.PATH,
      XDG_STATE_HOME: join(folder, "state"),
      PEGBOT_TIME_SCALE: `10@${Date.now()}`,
    };
    const args = [join(installed, "bin", "pegbot.js"), "start", "--port", "0", "--market", "demo"];
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
      (file) => readFileSync(join("src", file), "utf8").match(/\bdocs\/[\w/-]+\.md/g) ?? [],
    );
    expect(linked.length * named.length).toBeGreaterThan(100);
    const missing = new Set([...linked, ...named].filter((path) => !existsSync(join(installed, path as string))));
    expect([...missing]).toEqual([]);
  });

  test("runs a user's test of a strategy", () => {
    const text = `import { strategyBench } from "pegbot/testing";
import { defineStrategy } from "pegbot/strategy";
const own = defineStrategy({ name: "own", decide: () => undefined });
console.log(strategyBench(own, { symbols: [], balances: {} }).lines().length);`;
    writeFileSync(join(folder, "try.ts"), text);
    const { status, stdout, stderr } = pegbot("try.ts");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "0\n", stderr: "" });
  });

  test("brings examples that run as they stand, copied next to it", async () => {
    const own = join(folder, "examples");
    cpSync(join(installed, "examples"), own, { recursive: true });
    const files = readdirSync(own);
    const env = {
      PATH: process.env.PATH,
      XDG_STATE_HOME: join(folder, "state"),
      PEGBOT_TIME_SCALE: `10@${Date.now()}`,
    };
    const [, first] = readFileSync(join(own, "first-order.ts"), "utf8").split("first-order.ts\n\n");
    expect(readFileSync("docs/guides/library.md", "utf8")).toContain(first);
    // A module that no test imports is run itself.
    const tried = files.filter((file) => file.endsWith(".test.ts") || !files.includes(file.replace(/ts$/, "test.ts")));
    expect(tried.length).toBeGreaterThan(3);
    for (const file of tried) {
      const program = start(process.execPath, [...(file.endsWith(".test.ts") ? ["--test"] : []), file], {
        cwd: own,
        env,
      });
      expect(await program.ended(), `${file}: ${program.lines().join("\n")} ${program.stderr()}`).toMatchObject({
        code: 0,
      });
      if (file === "first-order.ts") expect(program.lines()).toContain("the venue has seen 1 order");
    }
  });

  test("exports what test/api.txt lists, by the signatures of its declarations", async () => {
    const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const entries = Object.entries<{ types?: string }>(exports).flatMap(([name, { types }]) =>
      types === undefined ? [] : [[name, join(installed, types)] as const],
    );
    await expect(apiOf(entries)).toMatchFileSnapshot("api.txt");
  });

  test("loads pegbot/venue within 150 ms, and the rest of it when a venue is opened", () => {
    const text = `const began = performance.now();
await import("pegbot/venue");
const ms = performance.now() - began;
await import("pegbot/simulator");
console.log(ms, performance.now() - began - ms);`;
    writeFileSync(join(folder, "load.mjs"), text);
    const times = [1, 2, 3].map(() => node(["load.mjs"], folder).stdout.split(" ").map(Number));
    process.stdout.write(`pegbot/venue, then pegbot/simulator: ${JSON.stringify(times)} ms\n`);
    expect(Math.min(...times.map(([ms]) => ms ?? Number.NaN))).toBeLessThan(150);
  });

  test("brings the tested production packages: published and installed again, npm takes them from its shrinkwrap", async ({
    onTestFinished,
  }) => {
    needs("npm", "tar");
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    const tested = pinned(packages, "node_modules/");
    expect(Object.keys(tested).length).toBeGreaterThan(30);
    const shrinkwrap = readFileSync(join(installed, "npm-shrinkwrap.json"), "utf8");
    expect(pinned((JSON.parse(shrinkwrap) as Lock).packages, "node_modules/")).toEqual(tested);
    expect(shrinkwrap).not.toMatch(/"resolved"|registry\./);
    // A registry that knows this one package: without the shrinkwrap npm finds none of the others.
    const registry = await startRegistry();
    onTestFinished(() => registry.close());
    const user = join(folder, "user");
    mkdirSync(user);
    const settings = [
      `registry=${registry.url}`,
      `${registry.url.slice(5)}:_authToken=none`,
      `cache=${join(user, "npm")}`,
    ];
    writeFileSync(join(user, ".npmrc"), `${settings.join("\n")}\nloglevel=error\n`);
    const npm = (cwd: string, ...args: string[]) =>
      promisify(execFile)("npm", args, { cwd, env: { PATH: process.env.PATH, HOME: user } });
    await npm(installed, "publish");
    writeFileSync(join(user, "package.json"), "{}");
    await npm(user, "install", "--package-lock-only", "--no-audit", "pegbot");
    const lock = JSON.parse(readFileSync(join(user, "package-lock.json"), "utf8")) as Lock;
    expect(pinned(lock.packages, "node_modules/pegbot/node_modules/")).toEqual(tested);
  });

  test("is what publint and attw find nothing in", () => {
    needs("npm");
    const args = ["pack", installed, "--silent", "--pack-destination", folder];
    const { stdout, stderr } = spawnSync("npm", args, {
      encoding: "utf8",
      env: { ...process.env, npm_config_loglevel: "error" },
    });
    expect(stdout, stderr).toMatch(/\.tgz/);
    return expect(packageFindings(installed, readFileSync(join(folder, stdout.trim())))).resolves.toEqual([]);
  });

  test("leaves the bundled Node to the checkout, and an older Node is refused in one line", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect([manifest.optionalDependencies, manifest.private, manifest.engines]).toEqual([
      undefined,
      undefined,
      { node: ">=24" },
    ]);
    expect(readFileSync(join(installed, "npm-shrinkwrap.json"), "utf8")).not.toMatch(/node_modules\/node-/);
    const older = `Object.defineProperty(process.versions, "node", { value: "20.0.0" }); import(process.argv[1]);`;
    // Alone, without the packages of this checkout around it.
    const alone = mkdtempSync(join(tmpdir(), "pegbot-old-"));
    cpSync(join(installed, "bin"), join(alone, "bin"), { recursive: true });
    cpSync(join(installed, "src", "cli"), join(alone, "src", "cli"), { recursive: true });
    const { status, stderr } = node(["-e", older, join(alone, "bin", "pegbot.js")]);
    rmSync(alone, { recursive: true });
    expect([status, stderr.split("\n").length]).toEqual([78, 2]);
  });

  test("lists the same packages with their hashes in its SBOM, and names no host", () => {
    const text = readFileSync(join(installed, "sbom.json"), "utf8");
    const { bomFormat, metadata, components } = JSON.parse(text) as Sbom;
    expect([bomFormat, metadata.component.name]).toEqual(["CycloneDX", "pegbot"]);
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    const tested = Object.entries(pinned(packages, "node_modules/"));
    const said = components.map(({ name, version, hashes }) => `${name}@${version} ${hashes[0]?.content}`);
    const expected = tested.map(([path, pin]) => {
      const [version, integrity = ""] = pin.split(" ");
      return `${path.split("node_modules/").at(-1)}@${version} ${Buffer.from(integrity.slice(7), "base64").toString("hex")}`;
    });
    expect(said.sort()).toEqual([...new Set(expected)].sort());
    expect(text).not.toMatch(/registry\./);
  });

  test("is not built over a folder that is there already", () => {
    const { status, stderr } = node(["bin/pegbot.js", "scripts/build.ts", installed]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `build: the folder to build in must not exist yet, was ${installed}\n`,
    });
  });
});

/** Version and hash of every production package below a place of a lock; the bundled Node stays in the checkout. */
function pinned(packages: Lock["packages"], below: string): Readonly<Record<string, string>> {
  const production = Object.entries(packages).filter(
    ([path, { dev }]) =>
      path.startsWith(below) && dev !== true && !/^node-(bin-)?(linux|darwin|win)/.test(path.slice(below.length)),
  );
  return Object.fromEntries(
    production.map(([path, one]) => [path.slice(below.length), `${one.version} ${one.integrity}`]),
  );
}

/** Keeps what npm publishes and hands it out again; as registries do, it says which package has a shrinkwrap. */
async function startRegistry() {
  const files = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    if (request.method === "PUT") {
      const published = JSON.parse(await text(request));
      for (const [name, { data }] of Object.entries<{ data: string }>(published._attachments)) {
        const input = Buffer.from(data, "base64");
        files.set(`/pegbot/-/${name}`, input);
        const members = spawnSync("tar", ["-tzf", "-"], { input, encoding: "utf8" }).stdout.split("\n");
        for (const version of Object.values<Record<string, unknown>>(published.versions))
          version._hasShrinkwrap = members.includes("package/npm-shrinkwrap.json");
      }
      files.set("/pegbot", Buffer.from(JSON.stringify({ ...published, _attachments: undefined })));
      return void response.writeHead(201).end("{}");
    }
    const found = files.get(path);
    response.writeHead(found === undefined ? 404 : 200).end(found ?? "{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
