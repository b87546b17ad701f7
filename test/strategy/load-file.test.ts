// Strategy files as users write them, in a folder of their own, loaded by the real runtime in a process of its own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pegbot } from "../cli/pegbot.ts";
import { marked } from "../support/examples.ts";

const LOADER = fileURLToPath(new URL("./processes/load.ts", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-strategy-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Order = {
  readonly file: string;
  readonly text?: string;
  readonly params?: unknown;
  readonly drive?: readonly number[];
};
type Outcome = {
  readonly name?: string;
  readonly params?: unknown;
  readonly lines?: readonly string[];
  readonly error?: string;
};

async function load(...orders: readonly Order[]): Promise<readonly Outcome[]> {
  const args = orders.map(({ file, text, params, drive }) => {
    const path = join(folder, file);
    if (text !== undefined) writeFileSync(path, text);
    return JSON.stringify({ path, params, drive });
  });
  const { stdout, stderr, code } = await pegbot([LOADER, ...args], { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Outcome);
}

const HEAD = 'import { defineStrategy, z, ema } from "pegbot/strategy";\n';

describe("a strategy file", () => {
  it("finds pegbot from a folder that npm calls commonjs, and so does its test", async () => {
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "package.json"), '{ "type": "commonjs" }');
    const text = `${HEAD}export default defineStrategy({ name: "own", decide: () => undefined });`;
    const [loaded] = await load({ file: join("own", "own.ts"), text });
    expect(loaded).toMatchObject({ name: "own" });
    const bench = '{ symbols: ["VCHF/CHF"], balances: {} }';
    const said = `console.log(own.name, strategyBench(own, ${bench}).lines().length)`;
    writeFileSync(
      join(own, "try.ts"),
      `import { strategyBench } from "pegbot/testing";\nimport own from "./own.ts";\n${said};\n`,
    );
    const { stdout, stderr } = await pegbot([join(own, "try.ts")], { cwd: folder });
    expect({ stdout, stderr }).toEqual({ stdout: "own 0\n", stderr: "" });
  });

  it("of a page is loaded as it stands, and the README's trades on the bench", async () => {
    const drive = [1, 1, 0.9995, 0.9985, 0.9995];
    const orders = marked("ts strategy").map(({ text }, at) => ({
      file: `page-${at}.ts`,
      text,
      ...(at === 0 && { drive }),
    }));
    const outcomes = await load(...orders);
    expect(outcomes.map(({ name }) => name)).toEqual(["below-par", "likely", "up-to-two-thousand"]);
    // 8 bp below par: 0.9985 is, 0.9995 is not.
    expect(outcomes[0]).toEqual({
      name: "below-par",
      params: { edgeBps: 8, size: "500" },
      lines: ["buy 500 VCHF/CHF at 0.9985: below fair value"],
    });
  });

  it("that is broken is refused with file, line and reason", async () => {
    const wrong: readonly (readonly [file: string, text: string, reason: string])[] = [
      [
        "enum.ts",
        `${HEAD}enum Side { Buy }\nexport default 1;`,
        ":2: TypeScript enum is not supported in strip-only mode: types",
      ],
      ["syntax.ts", `${HEAD}\nconst a = ;\n`, ":3: syntax error: Expression expected"],
      [
        "absent-package.ts",
        'import x from "no-such-package";\nexport default x;',
        "absent-package.ts: Cannot find package 'no-such-package': it is neither beside the file nor among pegbot's own",
      ],
      [
        "absent-name.ts",
        'import { nothing } from "pegbot/strategy";\nexport default nothing;',
        ":1: syntax error: The requested module",
      ],
      ["throws.ts", `${HEAD}\n\nthrow new Error("boom");`, ":4: boom"],
      ["none.ts", `${HEAD}export const strategy = 1;`, ": must have a default export"],
      ["number.ts", "export default 7;", ": the default export must be defineStrategy({ ... }), was number"],
      ["name.ts", 'export default { name: "No Spaces", decide() {} };', ": name must be lower case letters"],
      ["decide.ts", 'export default { name: "a" };', ": decide must be a function, was undefined"],
      [
        "async.ts",
        'export default { name: "a", async decide() {} };',
        ": decide must be a plain function, was AsyncFunction",
      ],
      ["extra.ts", 'export default { name: "a", decide() {}, onTick() {} };', "was given onTick"],
      [
        "wakes.ts",
        'export default { name: "a", wakes: ["quotes"], decide() {} };',
        'timer, was given "quotes"; did you mean quote?',
      ],
      [
        "unwoken.ts",
        'export default { name: "a", wakes: [], decide() {} };',
        "timer, was empty: leave it out to be called at",
      ],
      ["version.ts", 'export default { name: "a", stateVersion: "2", decide() {} };', ": stateVersion was removed: "],
      [
        "map.ts",
        `${HEAD}export default { name: "a", state: () => ({ deep: { seen: new Map() } }), decide() {} };`,
        ": state.deep.seen must be plain data or a signal, was a Map",
      ],
      [
        "state-throws.ts",
        'export default { name: "a", state() { throw new Error("no"); }, decide() {} };',
        ": state or params of a threw: no",
      ],
      [
        "shared.ts",
        `${HEAD}const one = ema(3);\nexport default { name: "a", state: () => ({ one }), decide() {} };`,
        ": state.one must be fresh each time",
      ],
    ];
    const outcomes = await load(
      ...wrong.map(([file, text]) => ({ file, text })),
      { file: "no-such-file.ts" },
      { file: "." },
    );
    wrong.forEach(([file, , reason], i) => {
      expect(outcomes[i]?.error, file).toContain(join(folder, file));
      expect(outcomes[i]?.error, file).toContain(reason);
    });
    expect(outcomes.at(-2)?.error).toBe(`${join(folder, "no-such-file.ts")}: there is no such file`);
    expect(outcomes.at(-1)?.error).toBe(`${folder}: must be the file of a strategy, was a folder`);
  });

  it("has its parameters checked, unknown ones included", async () => {
    const text = `${HEAD}export default defineStrategy({ name: "a", params: z.object({ edgeBps: z.number().min(1) }), decide() { return undefined; } });`;
    const outcomes = await load(
      { file: "params.ts", text, params: { edgeBps: 5 } },
      { file: "params.ts", params: { edgeBps: 0 } },
      { file: "params.ts", params: { edgeBps: 5, edgBps: 6 } },
      { file: "params.ts", params: { edgeBps: "two" } },
      { file: "params.ts", params: {} },
    );
    expect(outcomes[0]).toMatchObject({ name: "a", params: { edgeBps: 5 } });
    expect(outcomes[1]?.error).toContain("params.edgeBps must be at least 1, was 0");
    expect(outcomes[2]?.error).toContain("params has no edgBps: there are edgeBps");
    expect(outcomes[3]?.error).toContain('params.edgeBps must be a number, was "two"');
    expect(outcomes[4]?.error).toContain("params.edgeBps is missing: it must be a number");
  });

  it("is a fresh module each time it is loaded, and so is what it imports beside it", async () => {
    writeFileSync(join(folder, "count.ts"), "export const seen = { count: 0 };");
    const text =
      'import { seen } from "./count.ts";\nseen.count++;\nexport default { name: "loaded-" + seen.count, decide() {} };';
    const outcomes = await load({ file: "fresh.ts", text }, { file: "fresh.ts" });
    expect(outcomes.map(({ name }) => name)).toEqual(["loaded-1", "loaded-1"]);
  });
});
