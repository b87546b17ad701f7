import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../journal/place.ts";
import { BUSY } from "../../support/busy.ts";
import { runHere } from "../../support/run-here.ts";

/** Sums of much larger amounts have no twelve digits left for a profit. */
const FUNDS = ["--funds", "CHF=100000,VCHF=100000,GBP=100000,VGBP=100000"];

async function exported(...args: string[]) {
  const cwd = temporaryFolder();
  const [folder, out] = [join(cwd, "of", "run"), join(cwd, "report.html")];
  const done = await runHere(["backtest", ...BUSY, ...FUNDS, "--export", folder, "--out", out, "--json", ...args]);
  return { ...done, folder };
}

describe("--export", () => {
  it("names every column of every table in its schema, with the number of rows", async () => {
    const { folder } = await exported("--to", "2026-01-01T00:20:00Z");
    const { tables } = JSON.parse(readFileSync(join(folder, "schema.json"), "utf8"));
    const files = readdirSync(folder).filter((name) => name.endsWith(".csv"));
    expect(tables.map(({ file }: { file: string }) => file).sort()).toEqual(files.sort());
    for (const { file, rows, columns } of tables) {
      const [head, ...lines] = readFileSync(join(folder, file), "utf8").trim().split("\n");
      expect(head).toBe(columns.map(({ name }: { name: string }) => name).join(","));
      expect([file, lines.length]).toEqual([file, rows]);
    }
  });
});
