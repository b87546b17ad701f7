import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTerminal } from "../../src/app/terminal/terminal.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createProgram } from "../../src/cli/program.ts";
import { needs } from "../support/needs.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";
import { type Finished, LAUNCHER, pegbot } from "./pegbot.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-program-"));
beforeAll(() => {
  writeFileSync(join(folder, "bad.yaml"), "mode: papr\nvenu: {}\n");
  writeFileSync(join(folder, "pegbot.yaml"), "mode: paper\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
/** A line of a stack trace; help may have a line that begins with "at". */
const STACK = /^\s+at .*:\d+:\d+/m;
const MINE = new URL("../../strategies/buy-below-average.ts", import.meta.url).pathname;
const LISTING = new URL("../fixture/cli/list-modules.mjs", import.meta.url).href;

/** The same in this process, with what commander prints by itself: a start costs several times what most of these do. */
async function here(...args: string[]): Promise<Finished> {
  const printed = { stdout: "", stderr: "" };
  const keep = (name: keyof typeof printed) =>
    vi.spyOn(process[name], "write").mockImplementation((part) => {
      printed[name] += part;
      return true;
    });
  const kept = [keep("stdout"), keep("stderr")];
  try {
    const { code, stdout, stderr } = await runHere(args, recordedShell());
    return { code, stdout: printed.stdout + stdout, stderr: printed.stderr + stderr };
  } finally {
    for (const one of kept) one.mockRestore();
  }
}

describe("a quick start", () => {
  test.each(["--version", "--help"])("%s loads commander and our own files, and no other package", async (flag) => {
    const { code, stderr } = await pegbot([flag], { execArgv: ["--import", LISTING] });
    const packages = stderr.split("\n").flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
    expect(code).toBe(0);
    expect(stderr).toContain("/src/cli/program.ts");
    expect([...new Set(packages)]).toEqual(["commander"]);
  });

  test("config check does load what it needs, so that the listing is seen to work", async () => {
    const { stderr } = await pegbot(["config", "check"], { execArgv: ["--import", LISTING] });
    expect(stderr).toContain("/node_modules/zod/");
  });
});

describe("what pegbot says of itself", () => {
  test("--version is the version and, in a checkout, the commit", async () => {
    const { code, stdout } = await pegbot(["--version"]);
    needs("git");
    const root = new URL("../..", import.meta.url);
    const git = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
    const commit = git.status === 0 ? ` (${git.stdout.slice(0, 12)})` : "";
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}${commit}\n` });
  });

  test.each([
    ["help journal show", "journal show --help"],
    ["order buy VCHF/CHF --help", "order --help"],
  ])("%s says what %s says", async (asked, same) => {
    const said = await here(...asked.split(" "));
    expect(said.stdout + said.stderr).toMatch(/Usage: pegbot|error: unknown command/);
    expect(said).toEqual(await here(...same.split(" ")));
  });

  test("every command has a heading, and every command and option says what it does", async () => {
    const program = await createProgram(createTerminal(process.stdout, process.stderr, false), async () => undefined);
    const headings: readonly string[] = Object.keys(COMMANDS);
    for (const command of program.commands) expect(headings, command.name()).toContain(command.helpGroup());
    const visit = (command: Command): void => {
      expect(command.description(), command.name()).not.toBe("");
      for (const option of command.options)
        expect(option.description, `${command.name()} ${option.flags}`).not.toBe("");
      // One way to help: --help, of every command.
      expect(command.helpInformation(), command.name()).not.toContain("help [command]");
      for (const inner of command.commands) visit(inner);
    };
    visit(program);
  });
});

test("bash completes commands, choices and options by the script that is printed", async () => {
  const line = (...words: string[]): string =>
    `COMP_WORDS=(pegbot ${words.join(" ")}); COMP_CWORD=${words.length}; _pegbot; echo "\${COMPREPLY[*]}"`;
  const script = `pegbot() { "${process.execPath}" "${LAUNCHER}" "$@"; }
eval "$(pegbot completion bash)"
${[line("jour"), line("journal", "l"), line("journal", "list", "--l"), line("order", "s"), line("run", "--mode", "l")].join("\n")}`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-euc", script], { encoding: "utf8" });
  expect({ lines: stdout.trimEnd().split("\n"), stderr }).toEqual({
    lines: ["journal", "list", "--last", "sell", "live"],
    stderr: "",
  });
});

describe("bad usage ends with 2 and a word of help:", () => {
  test.each([
    [["start", "--prot"], "unknown option '--prot'"],
    [["start", "--port", "65536"], "must be a whole number from 0 to 65535"],
    [["run", "--mode", "dry"], "Allowed choices are paper, shadow, live"],
    [["run", "--shadow", "--mode", "live"], "cannot be used with"],
    [["journal", "export", "--csv", "x.csv"], "--books FILE each movement of money as CSV"],
    [["st\u001b[31mrat\u202e"], "unknown command 'st\\x1b[31mrat\\u202e'"],
    [[], "Usage: pegbot"],
  ])("%j", async (args, reason) => {
    const { code, stdout, stderr } = await here(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(STACK);
  });
});

describe("config", () => {
  test("check prints every mistake with line, column and suggestion, and ends with 2", async () => {
    const { code, stdout, stderr } = await pegbot(["config", "check", "--config", "bad.yaml"], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toBe(
      'bad.yaml:1:7: mode must be paper, shadow or live, was "papr"; did you mean paper?\n' +
        "bad.yaml:2:1: unknown key venu; did you mean venue?\n",
    );
    expect(stdout, "no colours where it is no terminal").not.toContain("\u001b");
    const json = await pegbot(["--config", "bad.yaml", "config", "check", "--json"], { cwd: folder });
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, mistakes: [{ place: { line: 1, column: 7 } }, {}] });
  });

  test("check says in one line what a good file means, variables included", async () => {
    const { code, stdout } = await pegbot(["config", "check"], {
      cwd: folder,
      env: { PEGBOT__STRATEGY__USE: MINE },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^pegbot.yaml is right: paper mode on the embedded simulator \(test\), strategy .*buy-below-average.ts, /,
    );
  });

  test("check looks at what the file names: a strategy that cannot be loaded is a mistake, a file that is missing is said", async () => {
    const check = (text: string) => {
      writeFileSync(join(folder, "named.yaml"), text);
      return here("config", "check", "--config", join(folder, "named.yaml"));
    };
    expect(await check("strategy: { use: ./mine.ts }\n")).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^\S*named\.yaml:1:18: .*mine\.ts: there is no such file\n$/),
    });
    expect(await check("strategy: { params: { edgebps: 3 } }\n")).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^\S*named\.yaml:1:21: strategy peg-arbitrage: params has no edgebps: there are /),
    });
    expect(await check("market: { source: ./gone.csv }\n")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^market\.source: there is no file .*gone\.csv; the bot does not start without it\n$/,
      ),
    });
  });

  test("show prints the configuration in force, and without a file ends with 2 and the next step in one line", async () => {
    const shown = await pegbot(["config", "show", "--json"], { cwd: folder, env: { PEGBOT__SERVER__PORT: "9000" } });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      config: { mode: "paper", server: { port: 9000 } },
      origins: { mode: "pegbot.yaml:1:7", "server.port": "PEGBOT__SERVER__PORT" },
    });
    const { code, stdout, stderr } = await pegbot(["config", "show"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^pegbot: pegbot.yaml: there is no such file; pegbot start needs none \(ask again some seconds after a first start\), pegbot init writes one, --config names another\n$/,
    );
  });

  test("schema is a JSON Schema", async () => {
    const { code, stdout } = await here("config", "schema");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: { mode: { enum: ["paper", "shadow", "live"] } },
    });
  });
});
