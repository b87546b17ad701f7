// `backtest check` as a user runs it, with strategy files that cheat.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../support/run-here.ts";
import { writeColumns } from "../support/write-columns.ts";
import { type Finished, pegbot } from "./pegbot.ts";

const T0 = Date.UTC(2026, 0, 5, 12);
const ROWS = 200;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-check-"));
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const middle = 1 + 0.002 * Math.sin(i / 7);
    return `${new Date(T0 + i * 1_000).toISOString()},${middle - 0.0001},${middle + 0.0001}`;
  });
  const table = `${["time,bid,ask", ...rows].join("\n")}\n`;
  writeFileSync(join(folder, "VCHF-CHF.csv"), table);
  writeColumns(join(folder, "VCHF-CHF.columns"), table);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The table of all prices, with the price three seconds from now. */
const LOOKS = `
const rows = new Map(readFileSync(import.meta.dirname + "/VCHF-CHF.csv", "utf8").split("\\n").slice(1).map((line) => {
  const [time, bid] = line.split(",");
  return [Math.floor(Date.parse(time) / 1000), Number(bid)];
}));
export default defineStrategy({
  name: "reads-the-file",
  decide({ quote, now, buy }) {
    const later = rows.get(Math.floor(now / 1000) + 3) ?? 0;
    if (quote.symbol === "VCHF/CHF" && later > quote.ask)
      return buy(quote.symbol, { limit: quote.ask, size: "100", reason: "it will rise" });
  },
});`;
const HEAD = 'import { defineStrategy } from "pegbot/strategy";\n';

const place = (name: string): string => join(folder, name);

async function check(name: string, text: string, ...more: string[]): Promise<Finished> {
  writeFileSync(place(name), text);
  return pegbot(["backtest", "check", place(name), "--data", place("VCHF-CHF.columns"), "--cuts", "1", ...more], {
    cwd: folder,
  });
}

describe("backtest check", () => {
  it("finds a strategy that imports the file system and has the prices from the data file, with exit code 1", async () => {
    const { code, stdout } = await check("reads.ts", `${HEAD}import { readFileSync } from "node:fs";${LOOKS}`);
    expect(stdout).toContain("imports node:fs: a strategy has no clock, no chance and no input of its own");
    expect(stdout).toContain("knows dates: the same prices on another date, another answer, at 2026-01-05T12:");
    expect(code).toBe(1);
  });

  it("says as JSON that a strategy is clean, with exit code 0", async () => {
    const { code, stdout, stderr } = await check(
      "honest.ts",
      `${HEAD}export default defineStrategy({
        name: "honest",
        decide: ({ quote, buy }) =>
          quote.symbol === "VCHF/CHF" && quote.ask < 0.999 && buy(quote.symbol, { limit: quote.ask, size: "100", reason: "cheap" }),
      });`,
      "--json",
    );
    const { verdict, findings, answered, runs } = JSON.parse(stdout);
    expect({ code, stderr, verdict, findings, runs }).toEqual({
      code: 0,
      stderr: "",
      verdict: "clean",
      findings: [],
      runs: 7,
    });
    expect(answered).toBeGreaterThan(5);
  });

  it("refuses what is no strategy, and a flag that is not for it, with exit code 2", async () => {
    expect(await runHere(["backtest", "check", "unheard-of"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("built in: peg-arbitrage"),
    });
    expect(await runHere(["backtest", "check", "peg-arbitrage", "--out", "x.html"])).toMatchObject({ code: 2 });
  });
});
