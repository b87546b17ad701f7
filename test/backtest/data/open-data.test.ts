import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { holesIn, stepsOf } from "../../../backtest/data/gaps.ts";
import { importData } from "../../../backtest/data/import-data.ts";
import { openData } from "../../../backtest/data/open-data.ts";
import { summaryOf } from "../../../backtest/data/summary.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { writeColumns } from "../../support/write-columns.ts";
import { fileOf, GBPCHF, newFolder, PROVENANCE, quotesCsv, read, rowsOf, T0 } from "./stage.ts";

const TABLE = quotesCsv(`${T0},1.05,1.06`, `${T0 + 1_000},1.05,1.07`);

async function imported(path: string, symbol = GBPCHF): Promise<void> {
  unwrap(await importData({ path: fileOf(TABLE), symbol, declared: {} }, path, PROVENANCE));
}

const countsOf = (path: string): unknown => {
  const result = openData(path, "stream");
  return result.ok ? {} : result.error.counts;
};

describe("data that a run opens", () => {
  it("is a column file, the same streamed and in memory, with its digest and manifest", async () => {
    const path = join(newFolder(), "GBP-CHF.columns");
    await imported(path);
    const [one, whole] = (["stream", "whole"] as const).map((memory) => unwrap(openData(path, memory))[0]);
    expect(one?.manifest?.sha256).toBe(one?.digest);
    expect(rowsOf(whole?.source as never)).toEqual(rowsOf(one?.source as never));
  });

  it("is a folder with a file of a pair, and folders of sources in it", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "kraken"));
    await imported(join(folder, "GBP-CHF.columns"));
    await imported(join(folder, "kraken", "GBP-CHF.columns"));
    await imported(join(folder, "EUR-CHF.columns"), "EUR/CHF" as PairSymbol);
    writeFileSync(join(folder, "trades.csv"), "whatever");
    expect(unwrap(openData(folder, "stream")).map(({ source }) => source.symbol)).toEqual([
      "EUR/CHF",
      "GBP/CHF",
      "GBP/CHF",
    ]);
    await imported(join(folder, "other.columns"));
    expect(countsOf(folder)).toEqual({ format: 1 });
  });

  it("is refused where it is missing, no column file, or nothing", () => {
    expect(countsOf(join(newFolder(), "x.columns"))).toEqual({ missing: 1 });
    expect(countsOf(fileOf(TABLE))).toEqual({ format: 1 });
    expect(countsOf(newFolder())).toEqual({ empty: 1 });
    expect(countsOf(fileOf("text", "x.columns"))).toEqual({ damaged: 1 });
  });

  it("is refused where its manifest is of another file, says otherwise, or cannot be read", async () => {
    const path = join(newFolder(), "GBP-CHF.columns");
    await imported(path);
    const manifest = readFileSync(`${path}.manifest.json`, "utf8");
    for (const wrong of [
      manifest.replace("GBP/CHF", "CHF/GBP"),
      manifest.replace('"rows": 2', '"rows": 3'),
      "{}",
      "{",
    ]) {
      writeFileSync(`${path}.manifest.json`, wrong);
      expect(countsOf(path)).toEqual({ manifest: 1 });
    }
    const other = join(newFolder(), "GBP-CHF.columns");
    writeColumns(other, quotesCsv(`${T0},1.05,1.06`, `${T0 + 1_000},1.05,1.08`));
    copyFileSync(other, path);
    writeFileSync(`${path}.manifest.json`, manifest);
    expect(countsOf(path)).toEqual({ manifest: 1 });
  });
});

describe("gaps", () => {
  it("of quotes are longer than a minute and than twenty usual steps, weekends apart", async () => {
    const hours = Array.from({ length: 24 * 14 }, (_, hour) => T0 + hour * 3_600_000);
    // The currency markets close on Friday at 22:00 and open on Sunday at 22:00; a Wednesday is missing.
    const isOpen = (at: number): boolean => {
      const hour = ((at - T0) / 3_600_000) % 168;
      return !(hour > 118 && hour < 166) && !(at - T0 > 48 * 3_600_000 && at - T0 < 72 * 3_600_000);
    };
    const source = await read(quotesCsv(...hours.filter(isOpen).map((at) => `${at},1.05,1.06`)));
    expect(stepsOf(source)).toMatchObject({ usualMs: 3_600_000, limitMs: 3 * 3_600_000 });
    expect(summaryOf(source).gaps).toEqual({
      limitMs: 3 * 3_600_000,
      count: 1,
      weekends: 2,
      longest: [{ from: "2026-01-07T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z", ms: 86_400_000 }],
    });
    expect(holesIn(source).from).toHaveLength(3);
  });

  it("of bars are missing bars", async () => {
    const bars = [0, 1, 2, 4].map((minute) => `${T0 + minute * 60_000},1,1,1,1`);
    const source = await read(`time,open,high,low,close\n${bars.join("\n")}\n`);
    expect(summaryOf(source)).toMatchObject({ gaps: { count: 1 }, stepMs: 60_000 });
  });
});
