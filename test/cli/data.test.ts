import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { runHere } from "../support/run-here.ts";
import type { Finished } from "./pegbot.ts";

const T0 = Date.UTC(2026, 0, 5);

function stage() {
  const cwd = temporaryFolder();
  const at = (arg: string): string => (/^[A-Za-z-]+\.[a-z]+$|^(?:one|two|x)$/.test(arg) ? join(cwd, arg) : arg);
  const data = async (...args: string[]): Promise<Finished> => {
    const { code, stdout, stderr } = await runHere(["data", ...args.map(at)]);
    const plain = (text: string): string => text.replaceAll(`${cwd}/`, "");
    return { code, stdout: plain(stdout), stderr: plain(stderr) };
  };
  return { cwd, write: (name: string, text: string): void => writeFileSync(join(cwd, name), text), data };
}

const csv = (...rows: string[]): string => `${["time,bid,ask", ...rows].join("\n")}\n`;
const good = (i: number): string => `${T0 + i * 1_000},1.05${i % 10},1.06`;

/** How a program ended that was told to while half of its file was there. */

describe("data generate", () => {
  it("writes one file per pair that inspect reads, the same for the same seed", async () => {
    const { cwd, data } = stage();
    const args = ["generate", "--pair", "VCHF/CHF,VGBP/VCHF", "--days", "1", "--interval", "1m", "--seed", "7"];
    const made = await data(...args, "--out", "one", "--json");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const [coin] = JSON.parse(made.stdout);
    expect(coin).toMatchObject({ symbol: "VCHF/CHF", rows: 1_440, source: { kind: "generated", seed: 7 } });
    expect(readdirSync(join(cwd, "one")).sort()).toEqual([
      "VCHF-CHF.columns",
      "VCHF-CHF.columns.manifest.json",
      "VGBP-VCHF.columns",
      "VGBP-VCHF.columns.manifest.json",
    ]);
    await data(...args, "--out", "two");
    const [one, two] = ["one", "two"].map((folder) => readFileSync(join(cwd, folder, "VCHF-CHF.columns")));
    expect(one?.equals(two as Buffer)).toBe(true);
    const seen = await data("inspect", "one");
    expect(seen).toMatchObject({ code: 0, stderr: "" });
    expect(seen.stdout).toContain("VCHF/CHF, 1440 quotes");
    expect(seen.stdout).toContain("generated, seed 7");
  });

  it.each([
    [["--out", "x", "--pair", "GBP/CHF"], "the synthetic market has no pair GBP/CHF"],
    [["--out", "x", "--param", "pegs.VCHF.x=1"], '--param "pegs.VCHF.x" is no parameter'],
    [["--out", "x.columns", "--pair", "VCHF/CHF,VGBP/GBP"], "--out must be a folder for 2 pairs"],
    [["--out", "x.parquet"], "--out must be a folder, or end in .columns"],
  ])("refuses %j with exit code 2", async (args, expected) => {
    const { cwd, data } = stage();
    const { code, stderr } = await data("generate", "--days", "1", ...args);
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

const PAIR = ["--pair", "GBP/CHF"];

describe("data import", () => {
  it("writes a column file with a manifest that names the original, its digest, licence and what was left out", async () => {
    const { cwd, write, data } = stage();
    write("prices.csv", csv(good(0), good(1), "x,1,2", good(2)));
    const more = ["--licence", "CC0", "--origin", "a friend", "--tolerate", "time"];
    const { code, stdout, stderr } = await data("import", "prices.csv", ...PAIR, "--out", "GBP-CHF.columns", ...more);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("left out    time 1");
    expect(stderr).toContain("prices.csv:4: time: ");
    const manifest = JSON.parse(readFileSync(join(cwd, "GBP-CHF.columns.manifest.json"), "utf8"));
    expect(manifest).toMatchObject({
      rows: 3,
      leftOut: { time: 1 },
      source: { kind: "import", file: "prices.csv", licence: "CC0", origin: "a friend" },
    });
    expect((await data("inspect", "GBP-CHF.columns")).stdout).toContain("origin      a friend, licence: CC0");
  });

  it("ends at bad rows with every line and reason, exit code 2, and writes nothing", async () => {
    const { cwd, write, data } = stage();
    write("prices.csv", csv(good(0), `${T0 + 500},2,1`, good(1), `${T0 + 1_500},NaN,1`));
    const { code, stderr } = await data("import", "prices.csv", ...PAIR, "--out", "x.columns");
    expect(stderr).toContain("prices.csv:3: crossed: ");
    expect(stderr).toContain("prices.csv:5: number: ");
    expect(stderr).toContain("--tolerate crossed,number leaves such rows out");
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual(["prices.csv"]);
  });
});
