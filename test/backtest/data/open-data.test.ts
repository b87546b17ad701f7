import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { cacheEntry } from "../../../backtest/data/file/cache.ts";
import type { Declaration } from "../../../backtest/data/format/format.ts";
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import { importData } from "../../../backtest/data/import-data.ts";
import { sha256Of } from "../../../backtest/data/input/file-bytes.ts";
import { manifestPath } from "../../../backtest/data/manifest.ts";
import { type OpenSettings, openData } from "../../../backtest/data/open-data.ts";
import { problemLine } from "../../../backtest/data/problem.ts";
import { parseZone } from "../../../backtest/data/zone.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { fileOf, GBPCHF, newFolder, quotesCsv, rowsOf, T0 } from "./stage.ts";

const rows = (bid: string, count = 5): string =>
  quotesCsv(Array.from({ length: count }, (_, i) => `${T0 + i * 1_000},${bid},1.06`));

async function opened(path: string, settings: Partial<OpenSettings> = {}) {
  const result = await openData(path, { cacheFolder: undefined, memory: "whole", ...settings });
  if (!result.ok) throw new Error(result.error.problems.map(problemLine).join("\n"));
  return result.value;
}

const columnFiles = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith(".columns"));

it("what is kept of a table is named by its bytes and by all that was declared of it", () => {
  const symbol = "GBP/CHF" as PairSymbol;
  const name = (declared: Partial<Declaration>, digest = "d", format = "csv"): string =>
    cacheEntry("kept", digest, format, { symbol, ...declared });
  const zone = (text: string) => ({ zone: unwrap(parseZone(text)) });
  const declared: Partial<Declaration>[] = [
    {},
    { symbol: "EUR/CHF" as PairSymbol },
    zone("UTC"),
    zone("Europe/Zurich"),
    { timeUnit: "s" },
    { delimiter: ";" },
    { decimalComma: true },
    { pricePer: 100 },
    { sizeTimes: 100 },
    { halfSpreadBps: 1 },
    { intervalMs: 1 },
    { jumpMax: 3 },
    { tolerate: ["fields"] },
    { entry: "a.csv" },
  ];
  const names = [...declared.map((one) => name(one)), name({}, "e"), name({}, "d", "ccxt")];
  expect(new Set(names).size).toBe(names.length);
  // In whatever order it was declared.
  expect(name({ timeUnit: "s", jumpMax: 3 })).toBe(name({ jumpMax: 3, timeUnit: "s" }));
});

describe("a table that is opened", () => {
  it("is the same streamed, whole, cached and not", async () => {
    const path = fileOf(rows("1.05"));
    const cacheFolder = newFolder();
    const seen = [];
    for (const folder of [undefined, cacheFolder, cacheFolder])
      for (const memory of ["stream", "whole"] as const)
        seen.push(rowsOf((await opened(path, { cacheFolder: folder, memory }))[0]?.source ?? raise()));
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(columnFiles(cacheFolder)).toHaveLength(1);
  });

  it("is not read a second time", async () => {
    const path = fileOf(rows("1.05"));
    const cacheFolder = newFolder();
    await opened(path, { cacheFolder });
    const [entry = ""] = columnFiles(cacheFolder);
    const before = statSync(join(cacheFolder, entry), { bigint: true });
    await opened(path, { cacheFolder });
    expect(statSync(join(cacheFolder, entry), { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  });

  it("is read again when its content changes, also within the same millisecond and at the same length", async () => {
    const path = fileOf(rows("1.05"));
    const cacheFolder = newFolder();
    const first = await opened(path, { cacheFolder });
    const { atime, mtime } = statSync(path);
    writeFileSync(path, rows("1.04"));
    utimesSync(path, atime, mtime);
    const [second] = await opened(path, { cacheFolder });
    expect(rowsOf(second?.source ?? raise())[0]?.[1]).toBe(1.04);
    expect(second?.digest).not.toBe(first[0]?.digest);
    expect(columnFiles(cacheFolder)).toHaveLength(2);
  });

  it("is read again where a version that read it otherwise has kept it", async () => {
    const header = (amount: string): string => `time,bid,ask,${amount}\n`;
    const lines = `${T0},1.05,1.06,3\n${T0 + 1},1.05,1.06,4\n`;
    const cacheFolder = newFolder();
    await opened(fileOf(`${header("unknown")}${lines}`), { cacheFolder });
    const [unsized = ""] = columnFiles(cacheFolder);
    const path = fileOf(`${header("bid_amount")}${lines}`);
    // The last version that did not know this column.
    const declared = JSON.stringify(Object.entries({ format: "csv", symbol: GBPCHF, version: 4 }));
    const reading = createHash("sha256").update(declared).digest("hex").slice(0, 16);
    renameSync(join(cacheFolder, unsized), join(cacheFolder, `${sha256Of(path)}-${reading}.columns`));
    const [{ source } = raise()] = await opened(path, { cacheFolder });
    expect(rowsOf(source).map((row) => row[3])).toEqual([3, 4]);
  });

  it("has an entry of its own for everything that was declared differently", async () => {
    const path = fileOf(rows("1.05"));
    const cacheFolder = newFolder();
    await opened(path, { cacheFolder });
    const [other] = await opened(path, { cacheFolder, declared: { pricePer: 2 } });
    expect(rowsOf(other?.source ?? raise())[0]?.[1]).toBe(0.525);
    expect(columnFiles(cacheFolder)).toHaveLength(2);
  });

  it.each(["stream", "whole"] as const)("is read again when its entry in the cache is damaged (%s)", async (memory) => {
    const path = fileOf(rows("1.05"));
    const cacheFolder = newFolder();
    await opened(path, { cacheFolder, memory });
    const entry = join(cacheFolder, columnFiles(cacheFolder)[0] ?? "");
    const bytes = readFileSync(entry);
    bytes[40] = (bytes[40] as number) ^ 1;
    writeFileSync(entry, bytes);
    const [again] = await opened(path, { cacheFolder, memory });
    expect(rowsOf(again?.source ?? raise())[0]).toEqual([T0, 1.05, 1.06, Number.NaN, Number.NaN]);
    expect(again?.notes.join()).toContain("block 1 does not match its checksum; read again from");
    expect((await opened(path, { cacheFolder, memory }))[0]?.notes).toEqual([]);
  });

  it("remembers what was left out when it comes from the cache", async () => {
    const path = fileOf(`${rows("1.05")}${T0 + 9_000},2,1\n`);
    const cacheFolder = newFolder();
    const settings = { cacheFolder, declared: { tolerate: ["crossed"] } } as const;
    for (let time = 0; time < 2; time++)
      expect((await opened(path, settings))[0]?.source.leftOut).toEqual({ crossed: 1 });
  });

  it("is not hashed again once its stamp has settled, until it changes", async () => {
    const path = fileOf(rows("1.05"));
    const cacheFolder = newFolder();
    const [first] = await opened(path, { cacheFolder });
    const stamp = join(cacheFolder, readdirSync(cacheFolder).find((name) => name.endsWith(".stamp")) ?? raise());
    // A digest that hashing would never give shows whether the stamp was believed.
    const planted = "ab".repeat(32);
    const plant = (aheadS: number): void => {
      writeFileSync(stamp, readFileSync(stamp, "utf8").replace(/"sha256":"[0-9a-f]*"/, `"sha256":"${planted}"`));
      const at = Number(statSync(path).ctimeMs) / 1_000 + aheadS;
      utimesSync(stamp, at, at);
    };
    plant(1);
    expect((await opened(path, { cacheFolder }))[0]?.digest).toBe(first?.digest);
    plant(3);
    expect((await opened(path, { cacheFolder }))[0]?.digest).toBe(planted);
    writeFileSync(path, rows("1.04"));
    expect((await opened(path, { cacheFolder }))[0]?.digest).not.toBe(planted);
  });

  it("is read without a cache where none can be written", async () => {
    const path = fileOf(rows("1.05"));
    const [data] = await opened(path, { cacheFolder: join(path, "no-folder") });
    expect(data?.source.rows).toBe(5);
    if (process.platform !== "linux") return;
    const [unkept] = await opened(path, { cacheFolder: "/proc/pegbot/columns" });
    expect(unkept).toMatchObject({ cached: undefined, source: { rows: 5 } });
  });

  it("tells how many of its bytes are done", async () => {
    const text = rows("1.05", 60_000);
    const seen: number[] = [];
    await opened(fileOf(text), { watch: (bytes) => void seen.push(bytes) });
    expect(seen).toEqual([1_048_576, text.length]);
  });

  it("leaves nothing in the cache when it is refused", async () => {
    const cacheFolder = newFolder();
    const result = await openData(fileOf(`${rows("1.05")}x,y,z\n`), { cacheFolder, memory: "stream" });
    expect(result.ok).toBe(false);
    expect(readdirSync(cacheFolder).filter((name) => !name.endsWith(".stamp"))).toEqual([]);
  });
});

it.each(["stream", "whole"] as const)("a damaged column file is refused when it is opened (%s)", async (memory) => {
  const cacheFolder = newFolder();
  await opened(fileOf(rows("1.05")), { cacheFolder });
  const path = join(newFolder(), "x.columns");
  const bytes = readFileSync(join(cacheFolder, columnFiles(cacheFolder)[0] ?? ""));
  writeFileSync(path, bytes);
  expect((await opened(path, { memory }))[0]?.source.rows).toBe(5);
  bytes[40] = (bytes[40] as number) ^ 1;
  writeFileSync(path, bytes);
  await expect(opened(path, { memory })).rejects.toThrow("damaged: block 1 does not match its checksum");
});

it("nothing can be declared of a column file, which says everything itself", async () => {
  const cacheFolder = newFolder();
  await opened(fileOf(rows("1.05")), { cacheFolder });
  const path = join(cacheFolder, columnFiles(cacheFolder)[0] ?? "");
  await expect(opened(path, { declared: { pricePer: 100, tolerate: ["jump"] } })).rejects.toThrow(
    "format: --price-per, --tolerate must not be given: a column file says everything itself",
  );
  await expect(opened(path, { declared: { symbol: "EUR/USD" as PairSymbol } })).rejects.toThrow(
    "format: it is of GBP/CHF, declared is EUR/USD",
  );
  expect((await opened(path, { declared: { symbol: GBPCHF } }))[0]?.source.rows).toBe(5);
});

describe("which pair a table is about", () => {
  it("is declared, or stands in its name", async () => {
    const path = fileOf(rows("1.05"), "VGBP-USDC_2026.csv");
    expect((await opened(path))[0]?.source.symbol).toBe("VGBP/USDC");
    expect((await opened(path, { declared: { symbol: "GBP/CHF" as never } }))[0]?.source.symbol).toBe("GBP/CHF");
  });

  it("is asked for when neither says it", async () => {
    for (const name of ["prices.csv", "2026-01.csv", "JAN-2026.csv"])
      await expect(opened(fileOf(rows("1.05"), name)), name).rejects.toThrow(
        "format: the pair must be declared (--pair does), or stand in the name as in GBP-CHF.csv",
      );
  });
});

describe("a folder", () => {
  it("has one file per pair, in the order of their names", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "deeper"));
    for (const name of ["VGBP-GBP.csv", "VCHF-CHF.csv", "README.txt"]) writeFileSync(join(folder, name), rows("1.05"));
    expect((await opened(folder)).map(({ source }) => source.symbol)).toEqual(["VCHF/CHF", "VGBP/GBP"]);
    writeFileSync(join(folder, "VCHF-CHF_2.csv"), rows("1.05"));
    await expect(opened(folder)).rejects.toThrow("a folder must have one file of a pair, VCHF/CHF has two");
  });

  it("without data is refused, as is a file that is not there or of a kind nobody knows", async () => {
    await expect(opened(newFolder())).rejects.toThrow("empty: there is no data file in this folder");
    await expect(opened(join(newFolder(), "x.csv"))).rejects.toThrow("missing: there is no such file");
    await expect(opened(fileOf("x", "GBP-CHF.xls"))).rejects.toThrow(
      "the name must end in .columns, .csv, .parquet or .arrow",
    );
  });
});

describe("a manifest beside a file", () => {
  it("that names another digest refuses it, as does one that is none", async () => {
    const path = fileOf(rows("1.05"));
    const { digest } = (await opened(path))[0] ?? raise();
    const manifest = {
      format: "pegbot-data",
      version: 1,
      file: "GBP-CHF.csv",
      sha256: digest,
      symbol: "GBP/CHF",
      kind: "quotes",
      rows: 5,
      from: "2026-01-05T00:00:00.000Z",
      to: "2026-01-05T00:00:04.000Z",
      source: { kind: "generated", seed: 1, parameters: {} },
      leftOut: {},
      report: {},
    };
    writeFileSync(manifestPath(path), JSON.stringify(manifest));
    expect((await opened(path))[0]?.manifest?.source).toEqual({ kind: "generated", seed: 1, parameters: {} });
    writeFileSync(manifestPath(path), JSON.stringify({ ...manifest, sha256: "0".repeat(64) }));
    await expect(opened(path)).rejects.toThrow(`manifest: its sha256 must be ${"0".repeat(64)}, as its manifest says`);
    writeFileSync(manifestPath(path), JSON.stringify({ ...manifest, sha256: "abc", source: { kind: "found" } }));
    await expect(opened(path)).rejects.toThrow(
      'is no manifest: sha256 must be 64 hexadecimal digits, was "abc"; source.kind must be import or generated, was "found"',
    );
    writeFileSync(manifestPath(path), "{");
    await expect(opened(path)).rejects.toThrow("is no manifest");
  });
});

describe("a file that grows while it is read", () => {
  const CHANGED = "changed: the file changed while it was read: start again when nobody writes to it";
  const growing = () => {
    const path = fileOf(rows("1.05"));
    let left = 1;
    return { path, watch: () => left-- > 0 && appendFileSync(path, `${T0 + 60_000},1.05,1.06\n`) };
  };

  it("is refused, and leaves no entry in the cache", async () => {
    const { path, watch } = growing();
    const cacheFolder = newFolder();
    await expect(opened(path, { cacheFolder, watch })).rejects.toThrow(CHANGED);
    expect(columnFiles(cacheFolder)).toEqual([]);
  });

  it("is not imported", async () => {
    const { path, watch } = growing();
    const out = join(newFolder(), "x.columns");
    const original = { path, format: FORMATS.csv, declared: { symbol: GBPCHF }, watch };
    const result = await importData(original, out, { origin: "here", licence: "none", at: millis(T0) });
    expect(result.ok ? [] : result.error.problems.map(({ message }) => `changed: ${message}`)).toEqual([CHANGED]);
  });
});

describe("a table that was imported into text", () => {
  const imported = async (text: string, declared: Partial<Declaration>) => {
    const path = fileOf(text, "original.csv");
    const out = join(newFolder(), "GBP-CHF.csv");
    const original = { path, format: FORMATS.csv, declared: { symbol: GBPCHF, ...declared } };
    const done = await importData(original, out, { origin: "here", licence: "none", at: millis(T0) });
    expect(done.ok).toBe(true);
    return out;
  };
  // Every second minute is missing, and a row that is left out.
  const bars = [0, 2, 4].map((i) => `${T0 + i * 60_000},1.1,1.2,1,1.1`);
  const text = quotesCsv([...bars, "x,1,1,1,1"], "time,open,high,low,close");

  it("has the length of bars and the rows left out that its manifest says, from the cache too", async () => {
    const out = await imported(text, { intervalMs: 60_000, tolerate: ["time"] });
    const cacheFolder = newFolder();
    for (const folder of [undefined, cacheFolder, cacheFolder])
      expect((await opened(out, { cacheFolder: folder }))[0]?.source).toMatchObject({
        ...{ kind: "bars", intervalMs: 60_000, rows: 3, leftOut: { time: 1 } },
      });
    await expect(opened(out, { declared: { intervalMs: 120_000 } })).rejects.toThrow(
      "manifest: its manifest says that its bars are 60000 ms long, declared are 120000 ms",
    );
  });

  it("is read under the limit of leaps that it was imported under", async () => {
    const leaping = quotesCsv([`${T0},1,1.1`, `${T0 + 1},3,3.1`]);
    expect((await opened(await imported(leaping, { jumpMax: 4 })))[0]?.source.rows).toBe(2);
  });
});

describe("files of months", () => {
  const row = (i: number): string => `${T0 + i * 60_000},1.1,1.2,1,1.1`;
  const months = (...parts: readonly (readonly number[])[]): readonly string[] =>
    parts.map((part, k) => fileOf(quotesCsv(part.map(row), "time,open,high,low,close"), `GBP-CHF_${k + 1}.csv`));
  const imported = async ([path = "", ...more]: readonly string[], declared: Partial<Declaration> = {}) => {
    const out = join(newFolder(), "GBP-CHF.columns");
    const original = { path, more, format: FORMATS.csv, declared: { symbol: GBPCHF, ...declared } };
    const done = await importData(original, out, { origin: "here", licence: "none", at: millis(T0) });
    return { done, out };
  };

  it("become one data file, each of them named in its manifest", async () => {
    const files = months([0, 1], [2], [5, 6]);
    const { done, out } = await imported(files);
    const [first, ...more] = files.map((file) => ({ file: basename(file), sha256: sha256Of(file) }));
    expect(unwrap(done).manifest).toMatchObject({ rows: 5, intervalMs: 60_000, source: { ...first, more } });
    const [{ source, manifest } = {}] = await opened(out);
    expect([source?.rows, source?.firstAt, source?.lastAt]).toEqual([5, T0, T0 + 360_000]);
    expect(manifest?.source).toMatchObject({ more });
  });

  it("that overlap, or are not in order of time, are refused by file and line; tolerated, the later rows are left out", async () => {
    const files = months([0, 1, 2, 3], [2, 3, 4, 5, 6]);
    const { done } = await imported(files);
    const problems = done.ok ? [] : done.error.problems;
    expect(problems.map(({ file, line, kind }) => [basename(file), line, kind])).toEqual([
      ["GBP-CHF_2.csv", 2, "backwards"],
      ["GBP-CHF_2.csv", 3, "duplicate"],
    ]);
    const kept = await imported(files, { tolerate: ["backwards", "duplicate"] });
    expect(unwrap(kept.done).manifest).toMatchObject({ rows: 7, leftOut: { backwards: 1, duplicate: 1 } });
    const [early = "", late = ""] = months([0, 1], [5, 6]);
    const turned = (await imported([late, early], { tolerate: ["backwards"] })).done;
    expect(turned.ok ? "" : turned.error.problems[0]?.message).toBe(
      `no row of it goes on where ${late} ended: files must have rows, and be named in order of time`,
    );
  });

  it("that are named twice are refused whatever is tolerated, under their own name", async () => {
    const [early = "", late = ""] = months([0, 1, 2], [3, 4]);
    const { done } = await imported([early, late, early], { tolerate: ["backwards", "duplicate"] });
    const [problem] = done.ok ? [] : done.error.problems;
    expect([problem?.file, problem?.message]).toEqual([
      early,
      `no row of it goes on where ${late} ended: files must have rows, and be named in order of time`,
    ]);
  });

  it.each([
    ["2026-01.csv", "2026-02.csv"],
    ["JAN-2026.csv", "FEB-2026.csv"],
    ["PART-01.csv", "PART-02.csv"],
    ["DATA-JAN.csv", "DATA-FEB.csv"],
    ["JAN-DATA.csv", "FEB-DATA.csv"],
    ["DATA-JAN_2026.csv", "DATA-FEB_2026.csv"],
  ])("that are named for months or numbers are of the pair that is declared (%s)", async (one, other) => {
    const files = months([0, 1], [2, 3]).map((file, i) => fileOf(readFileSync(file), i === 0 ? one : other));
    const { done } = await imported(files);
    expect(unwrap(done).manifest).toMatchObject({ symbol: GBPCHF, rows: 4 });
  });

  it("must be of one kind", async () => {
    const [bars = ""] = months([0, 1]);
    const { done } = await imported([bars, fileOf(quotesCsv([`${T0 + 600_000},1,1.1`]), "quotes.csv")]);
    expect(done.ok ? "" : done.error.problems[0]?.message).toBe(`it must have bars as ${bars}, has quotes`);
  });
});

it("rows that were left out before a table was written are known of it ever after", async () => {
  const out = join(newFolder(), "GBP-CHF.columns");
  const original = {
    path: fileOf(rows("1.05")),
    format: FORMATS.csv,
    declared: { symbol: GBPCHF },
    leftOut: { jump: 40 },
  };
  const done = await importData(original, out, { origin: "here", licence: "none", at: millis(T0) });
  expect(done).toMatchObject({ ok: true, value: { manifest: { leftOut: { jump: 40 } } } });
  expect((await opened(out))[0]?.source.leftOut).toEqual({ jump: 40 });
});

it("and those of the same reason that its own reading leaves out are counted with them", async () => {
  const out = join(newFolder(), "GBP-CHF.columns");
  const original = {
    path: fileOf(quotesCsv([`${T0},1.05,1.06`, `${T0 + 1},1.07,1.06`])),
    format: FORMATS.csv,
    declared: { symbol: GBPCHF, tolerate: ["crossed"] as const },
    leftOut: { crossed: 40, jump: 2 },
  };
  const done = await importData(original, out, { origin: "here", licence: "none", at: millis(T0) });
  expect(done).toMatchObject({ ok: true, value: { manifest: { leftOut: { crossed: 41, jump: 2 } } } });
});

it("the pair that is expected counts where nothing else says it", async () => {
  const otherwise = "GBP/USD" as PairSymbol;
  const symbolOf = async (name: string) => (await opened(fileOf(rows("1.05"), name), { otherwise }))[0]?.source.symbol;
  expect(await symbolOf("link.csv")).toBe("GBP/USD");
  expect(await symbolOf("GBP-CHF.csv")).toBe("GBP/CHF");
});

it("what is no file is refused by name", async () => {
  const folder = newFolder();
  const original = { path: folder, format: FORMATS.csv, declared: { symbol: GBPCHF } };
  const provenance = { origin: "here", licence: "none", at: millis(T0) };
  const result = await importData(original, join(folder, "x.columns"), provenance);
  expect(result.ok ? [] : result.error.problems.map(problemLine)).toEqual([
    `${folder}: format: it must be a file, was a folder`,
  ]);
});

it("a file moved to another place is found in the cache by its content", async () => {
  const path = fileOf(rows("1.05"));
  const cacheFolder = newFolder();
  await opened(path, { cacheFolder });
  const moved = join(newFolder(), "GBP-CHF.csv");
  renameSync(path, moved);
  await opened(moved, { cacheFolder });
  expect(columnFiles(cacheFolder)).toHaveLength(1);
});

function raise(): never {
  throw new Error("nothing was opened");
}
