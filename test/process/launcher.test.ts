import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, type TestContext, test } from "vitest";
import { needs } from "../support/needs.ts";
import { isAlive, type Program, start, until } from "../support/program.ts";

const FOLDER = resolve("test/fixture/process");
const LAUNCHER = resolve("bin/pegbot.js");

/** Some npm versions put the bundled runtime on PATH as `node`, others do not: both have to work. */
const PATHS = {
  "the bundled Node on PATH": [resolve("node_modules/.bin"), ...systemPath()],
  "only the system's Node on PATH": systemPath(),
} as const;

const BEHIND_SHELL = `node "$LAUNCHER" ${FOLDER}/runs-until-stopped.ts; true`;

type Chain = { readonly npm: Program; readonly launcher: number; readonly script: number };

type Test = Pick<TestContext, "onTestFinished">;

function startFor(test: Test, command: string, args: readonly string[], options: Parameters<typeof start>[2]): Program {
  const program = start(command, args, options);
  test.onTestFinished(() => {
    try {
      program.killGroup("SIGKILL"); // also what npm left behind
    } catch {
      // nobody was left: what every test here expects
    }
  });
  return program;
}

function systemPath(): readonly string[] {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
}

/** What tests keep of the sources is not there for people. */
function envWith(path: readonly string[]): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: undefined, PATH: path.join(delimiter), LAUNCHER };
}

/** npm, `exec`, launcher, runtime: the way of `npm start`, from a folder where npm itself adds nothing to PATH. */
async function startChain(test: Test, path: readonly string[]): Promise<Chain> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-chain-"));
  cpSync(FOLDER, folder, { recursive: true });
  test.onTestFinished(() => rmSync(folder, { recursive: true }));
  const npm = startFor(test, "npm", ["run", "--silent", "start"], { cwd: folder, env: envWith(path) });
  const ready = JSON.parse((await npm.line(/^ready /)).slice("ready ".length)) as { pid: number; parent: number };
  // A Node that is new enough runs the script itself: launcher and script are one process then.
  return { npm, launcher: ready.parent === npm.pid ? ready.pid : ready.parent, script: ready.pid };
}

async function nobodyLeft({ npm, launcher, script }: Chain): Promise<void> {
  const alive = () => [npm.pid, launcher, script].filter(isAlive);
  await until(() => alive().length === 0, `npm, launcher and script to end; alive are ${alive().join(", ")}`);
}

/** The same wish that comes within a second is no second one; on a busy machine a signal is late by seconds. */
const WISH_MS = 2_500;

// Side by side: they mostly wait.
const waiting = { concurrent: true };

describe.each(Object.entries(PATHS))("a program started through npm, with %s,", waiting, (_, path) => {
  test("ends by SIGTERM to npm, with the exit code it chose, and leaves nobody behind", async (context) => {
    const chain = await startChain(context, path);
    expect([chain.npm.pid, chain.launcher, chain.script].every(isAlive)).toBe(true);
    chain.npm.kill("SIGTERM");
    expect(await chain.npm.ended()).toEqual({ code: 43, signal: null });
    await nobodyLeft(chain);
  });

  test("ends when its launcher is killed by SIGKILL", async (context) => {
    const chain = await startChain(context, path);
    process.kill(chain.launcher, "SIGKILL");
    if (chain.launcher !== chain.script) await chain.npm.line(/^stopped by SIGTERM$/);
    await nobodyLeft(chain);
  });

  test("hears SIGUSR2, SIGUSR1 as the same, and SIGHUP that are sent to the launcher", async (context) => {
    const chain = await startChain(context, path);
    const followed = () => chain.npm.lines().filter((line) => line === "latched by SIGUSR2").length;
    process.kill(chain.launcher, "SIGUSR2");
    await until(() => followed() === 1, "the stop to be heard");
    // One digit beside it; the runtime by itself would open its debugger to every user of the machine.
    process.kill(chain.launcher, "SIGUSR1");
    await until(() => followed() === 2, "SIGUSR1 to the launcher to be heard");
    process.kill(chain.script, "SIGUSR1");
    await until(() => followed() === 3, "SIGUSR1 to the program to be heard");
    expect(chain.npm.stderr()).not.toContain("Debugger");
    expect([chain.launcher, chain.script].every(isAlive)).toBe(true);
    process.kill(chain.launcher, "SIGHUP");
    expect((await chain.npm.ended()).code).toBe(44);
    await nobodyLeft(chain);
  });

  test("hears one Ctrl-C once, though terminal, npm and launcher each deliver it, and the next one again", async (context) => {
    const chain = await startChain(context, path);
    chain.npm.killGroup("SIGINT");
    await chain.npm.line(/^interrupt 1$/);
    process.kill(chain.script, "SIGINT"); // a late copy of the same burst
    await sleep(WISH_MS);
    expect(chain.npm.lines().filter((line) => line.startsWith("interrupt"))).toEqual(["interrupt 1"]);
    chain.npm.killGroup("SIGINT");
    expect((await chain.npm.ended()).code).toBe(45);
    await nobodyLeft(chain);
  });

  test("takes SIGKILL to npm for a person's stop, which it is told before it ends", async (context) => {
    const chain = await startChain(context, path);
    chain.npm.kill("SIGKILL");
    await chain.npm.line(/^stopped by SIGTERM$/);
    expect(chain.npm.lines().slice(-2)).toEqual(["latched by SIGUSR2", "stopped by SIGTERM"]);
    await nobodyLeft(chain);
  });

  test("does not live on behind that shell after SIGKILL to npx", async (context) => {
    const env = { ...envWith(path), npm_command: "exec", BEHIND_SHELL };
    // As npx does it: one process that waits for a shell that waits for us.
    const npx = startFor(context, "sh", ["-c", 'sh -c "$BEHIND_SHELL"; true'], { env });
    const { pid } = JSON.parse((await npx.line(/^ready /)).slice("ready ".length)) as { pid: number };
    npx.kill("SIGKILL");
    await npx.line(/^stopped by SIGTERM$/);
    expect(npx.lines().slice(-2)).toEqual(["latched by SIGUSR2", "stopped by SIGTERM"]);
    await until(() => !isAlive(pid), "the program to end");
  });
});

describe("the launcher says in one line", () => {
  test("that a file is not there", () => {
    const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, "no-such.ts"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "pegbot: there is no file no-such.ts\n" });
  });

  test("that sources do not run in node_modules", ({ onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "pegbot-packed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const packed = join(folder, "node_modules", "pegbot");
    cpSync("bin", join(packed, "bin"), { recursive: true });
    cpSync("package.json", join(packed, "package.json"));
    mkdirSync(join(packed, "src", "cli"), { recursive: true });
    writeFileSync(join(packed, "src", "cli", "main.ts"), "export {};\n");
    const args = [join(packed, "bin", "pegbot.js"), "--version"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^pegbot: these are the sources, .*npm run build makes the package\n$/);
  });
});

describe("a program that hears nothing", waiting, () => {
  type Deaf = { readonly launcher: Program; readonly pid: number };

  async function deaf(context: TestContext, script: string): Promise<Deaf> {
    const launcher = startFor(context, "node", [LAUNCHER, `${FOLDER}/${script}`], { env: envWith(systemPath()) });
    const pid = Number(/"pid":(\d+)/.exec(await launcher.line(/^ready /))?.[1]);
    if (pid === launcher.pid) context.skip("a Node that needs no bundled runtime has no launcher beside it");
    return { launcher, pid };
  }

  async function insisted(launcher: { kill(signal: NodeJS.Signals): void }): Promise<void> {
    launcher.kill("SIGTERM");
    await sleep(WISH_MS);
    launcher.kill("SIGTERM");
  }

  test("because it computes without end is killed after a second SIGTERM, and that is said", async (context) => {
    const { launcher, pid } = await deaf(context, "computes-without-end.ts");
    await insisted(launcher);
    expect(await launcher.ended()).toEqual({ code: 128 + 9, signal: null });
    expect(launcher.stderr()).toMatch(
      /^pegbot: it was still there 5 s after a second SIGTERM, and was killed: it computes without end, or stands still\n/,
    );
    expect(isAlive(pid)).toBe(false);
  });

  test("and was stopped by a person before is not killed: the stop would be lost", async (context) => {
    const { launcher, pid } = await deaf(context, "runs-until-stopped.ts");
    process.kill(pid, "SIGSTOP");
    launcher.kill("SIGUSR2");
    await insisted(launcher);
    await until(() => launcher.stderr().includes("it was not killed"), "the launcher to say so");
    expect(launcher.stderr()).toContain(
      `nor SIGUSR2 before: it was not killed, because that stop would be lost with it`,
    );
    expect(launcher.stderr()).toContain(`then: kill -KILL ${pid}`);
    process.kill(pid, "SIGCONT");
    expect(await launcher.ended()).toEqual({ code: 43, signal: null });
    expect(launcher.lines()).toContain("latched by SIGUSR2");
  });
});

describe("the launcher", () => {
  const node = (...args: string[]) => spawnSync("node", args, { encoding: "utf8", env: envWith(systemPath()) });
  const launch = (...args: string[]) => node(LAUNCHER, ...args);
  const systemMajor = Number(node("-p", "process.versions.node.split('.')[0]").stdout);
  const supervised = systemMajor < 24;

  test("passes the exit code, and 128 + n when the program died by signal n", () => {
    expect(launch(`${FOLDER}/exits-with.ts`, "0").status).toBe(0);
    expect(launch(`${FOLDER}/exits-with.ts`, "5").status).toBe(5);
    const { status, signal, stderr } = launch(`${FOLDER}/exits-with.ts`, "SIGKILL");
    if (supervised) {
      expect(status).toBe(128 + 9);
      expect(stderr).toBe("pegbot: it was killed (SIGKILL), by the kernel for want of memory perhaps\n");
    } else expect(signal).toBe("SIGKILL");
  });

  test("says of a program whose heap is full what it died of, and what to look at", (context) => {
    if (!supervised) context.skip(`Node ${systemMajor} needs no bundled runtime, and nobody is left to say it`);
    const { status, stderr } = launch(`${FOLDER}/exits-with.ts`, "SIGABRT", "start");
    expect(status).toBe(128 + 6);
    expect(stderr).toContain(
      "pegbot: it gave up (SIGABRT), for lack of memory if the lines above name the heap: look first at what your strategy keeps and never drops. The next start resolves what was in flight\n",
    );
  });

  test("gives a terminal its cursor and its own screen back when the program is killed", (context) => {
    // Without a supervisor nobody is left to do it; other systems have another `script`.
    if (!supervised || process.platform !== "linux") context.skip(`Node ${systemMajor} needs no bundled runtime`);
    needs("script");
    const killed = `node ${LAUNCHER} ${FOLDER}/exits-with.ts SIGKILL`;
    const options = { encoding: "utf8", env: { ...envWith(systemPath()), TERM: "xterm" } } as const;
    const { stdout } = spawnSync("script", ["-qec", killed, "/dev/null"], options);
    expect(stdout).toMatch(/^\x1b7\x1b\[\?25h\x1b\[\?1049lpegbot: it was killed \(SIGKILL\)/);
  });

  test("keeps a person's stop that comes while a bot is still being loaded, also one that was npm's", async () => {
    const late = `${FOLDER}/listens-late.ts`;
    const direct = node(LAUNCHER, late, "start", "itself");
    expect([direct.status, direct.stdout]).toEqual([0, "stopped\n"]);
    // What the supervising half says when npm was killed.
    const child = spawn(process.execPath, [LAUNCHER, late, "start"], {
      stdio: ["ignore", "pipe", "inherit", "pipe"],
      env: { ...process.env, PEGBOT_LIFELINE: "3" },
    });
    (child.stdio[3] as Writable).write("killed");
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const [code] = await once(child, "close");
    expect([code, said]).toEqual([0, "stopped\nended\n"]);
  });

  test("closes a debugger that SIGUSR1 opened before it could listen, and leaves one that was asked for", () => {
    const shown = (...options: string[]) => {
      const args = [...options, LAUNCHER, `${FOLDER}/shows-debugger.ts`];
      return spawnSync(process.execPath, args, { encoding: "utf8", env: envWith(systemPath()) }).stdout;
    };
    expect(shown("--import", `${FOLDER}/opens-debugger.ts`)).toBe("none\n");
    expect(shown("--inspect=127.0.0.1:0")).toMatch(/^ws:/);
  });

  test("runs a script with its arguments, its processes and threads, and no word from the runtime", () => {
    const { stdout, stderr } = launch(`${FOLDER}/quiet.ts`, "--a", "b.ts");
    expect(JSON.parse(stdout)).toEqual([{ one: 1 }, "forked", "threaded", ["--a", "b.ts"]]);
    expect(stderr).toBe("");
  });

  test("says what to do and exits with 78 when there is no runtime", (context) => {
    if (!supervised) context.skip(`Node ${systemMajor} on PATH needs no bundled runtime`);
    const folder = mkdtempSync(join(tmpdir(), "pegbot-launcher-"));
    try {
      cpSync("bin", join(folder, "bin"), { recursive: true });
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const absent = node(join(folder, "bin", "pegbot.js"), "start");
      expect(absent.stderr).toMatch(/^pegbot needs Node 24 or newer: this is v.*is not installed\.\nRun `npm ci`/);
      expect([absent.status, absent.stdout]).toEqual([78, ""]);

      const name = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
      const runtime = join(folder, "node_modules", `${name}-${process.platform}-${process.arch}`);
      mkdirSync(join(runtime, "bin"), { recursive: true });
      writeFileSync(join(runtime, "package.json"), "{}");
      writeFileSync(join(runtime, "bin", "node"), "no program");
      chmodSync(join(runtime, "bin", "node"), 0o600);
      const broken = node(join(folder, "bin", "pegbot.js"), "start");
      expect(broken.stderr).toContain("the bundled runtime did not start");
      expect([broken.status, broken.stdout]).toEqual([78, ""]);

      // What a loader does that misses a library.
      const program = (version: number): string => `#!/bin/sh\n[ "$1" = --version ] && exit ${version}\nexit 127\n`;
      writeFileSync(join(runtime, "bin", "node"), program(127));
      chmodSync(join(runtime, "bin", "node"), 0o700);
      const unloaded = node(join(folder, "bin", "pegbot.js"), "start");
      expect(unloaded.stderr).toContain("apt-get install libatomic1");
      expect(unloaded.status).toBe(78);
      // A runtime that loads: it is the script's own code.
      writeFileSync(join(runtime, "bin", "node"), program(0));
      const chosen = node(join(folder, "bin", "pegbot.js"), "start");
      expect([chosen.status, chosen.stderr]).toEqual([127, ""]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
