import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { writingTo } from "../../src/app/data/data-file.ts";
import { plotLine } from "../../src/cli/command/data-inspect.ts";
import { temporaryFolder } from "../journal/place.ts";
import { until } from "../support/program.ts";
import { runHere } from "../support/run-here.ts";
import { type Finished, LAUNCHER, pegbot } from "./pegbot.ts";

const T0 = Date.UTC(2026, 0, 5);

/** In this process, as quick as can be; what commander itself refuses is tried as a program. */
function stage() {
  const cwd = temporaryFolder();
  vi.stubEnv("XDG_CACHE_HOME", join(cwd, "cache"));
  onTestFinished(() => void vi.unstubAllEnvs());
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
async function interrupted(cwd: string, args: readonly string[], signal: NodeJS.Signals): Promise<unknown> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => void child.on("close", (code, by) => resolve(code ?? by)));
  await until(() => readdirSync(cwd).some((name) => name.endsWith(".new")), "half a file");
  child.kill(signal);
  return ended;
}

it("a file of data that finds the disk full is named, with what to do", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  await expect(writingTo("data/VCHF-CHF.columns", () => Promise.reject(full))).rejects.toMatchObject({
    message:
      "data/VCHF-CHF.columns could not be written (ENOSPC: no space left on device, write), and nothing of it is left",
    next: "free some disk space, or name another place with --out",
    code: 1,
  });
  const bug = new TypeError("not a function");
  await expect(writingTo("x.csv", () => Promise.reject(bug))).rejects.toBe(bug);
});

describe("data generate", () => {
  it.each(["x.csv", "x.columns"])("removes what killed processes left of %s, and nothing else", async (name) => {
    const { cwd, write, data } = stage();
    // No process has so high a number; our parent runs.
    const gone = ["999999999-0.new", "999999999-0.part", "999999999-0.text.json"].map((half) => `${name}.${half}`);
    const others = [
      `${name}.${process.ppid}-0.new`,
      "y.csv.999999999-0.new",
      `${name}.999999999-0.newer`,
      `${name}.2024.text`,
    ];
    for (const one of [...gone, ...others]) write(one, "half");
    expect(await data("generate", "--days", "1", "--interval", "1h", "--out", name)).toMatchObject({ code: 0 });
    expect(readdirSync(cwd).sort()).toEqual([...others, name, `${name}.manifest.json`].sort());
  });

  it("leaves nothing behind when it is interrupted", async () => {
    const { cwd } = stage();
    const args = ["data", "generate", "--days", "3660", "--interval", "1s", "--out", "x.csv"];
    expect(await interrupted(cwd, args, "SIGINT")).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });

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
    expect(seen.stdout).toMatch(/^1\.\d+ to 1\.\d+ {2}.*█/m);
  });

  it("gives the same prices as text", async () => {
    const { data } = stage();
    const args = ["generate", "--days", "1", "--interval", "1h"];
    await data(...args, "--out", "VCHF-CHF.csv");
    await data(...args, "--out", "VCHF-CHF.columns");
    const seen = async (file: string) => JSON.parse((await data("inspect", file, "--json")).stdout)[0];
    const { file: _one, sha256: _sha, ...text } = await seen("VCHF-CHF.csv");
    expect(await seen("VCHF-CHF.columns")).toMatchObject(text);
  });

  it.each([
    [["--out", "x", "--pair", "GBP/CHF"], "the synthetic market has no pair GBP/CHF"],
    [["--out", "x", "--param", "pegs.VCHF.x=1"], '--param "pegs.VCHF.x" is no parameter'],
    [["--out", "x", "--param", "gridMs=50"], "--param gridMs must be 103 or more, was 50"],
    [["--out", "x", "--interval", "300ms"], "--interval must be whole steps of 250 ms"],
    [["--out", "x.csv", "--pair", "VCHF/CHF,VGBP/GBP"], "--out must be a folder for 2 pairs"],
    [["--out", "x.parquet"], "--out must be a folder, or end in .columns or .csv"],
  ])("refuses %j with exit code 2", async (args, expected) => {
    const { cwd, data } = stage();
    const { code, stderr } = await data("generate", "--days", "1", ...args);
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("never overwrites", async () => {
    const { write, data } = stage();
    write("x.columns", "mine");
    const { code, stderr } = await data("generate", "--days", "1", "--out", "x.columns");
    expect([code, stderr]).toEqual([2, "pegbot: x.columns exists already, and is never overwritten\n"]);
  });
});

describe("data import", () => {
  it("says of a last row without a line end that it is kept, where that is tolerated, and of bars what their prices are", async () => {
    const { write, data, cwd } = stage();
    const bars = ["time,open,high,low,close", `${T0},1.1,1.4,0.9,1.2`, `${T0 + 60_000},1.2,1.3,1,1.15`].join("\n");
    write("bars.csv", bars);
    const options = ["--format", "csv", "--pair", "GBP/CHF", "--out", "GBP-CHF.columns"];
    expect((await data("import", "bars.csv", ...options)).stderr).toContain("--tolerate open-end keeps the row");
    const { code, stdout, stderr } = await data("import", "bars.csv", ...options, "--tolerate", "open-end");
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^kept, as tolerated:\nbars\.csv:3: open-end: /);
    expect(stdout).toContain("left out    none\nkept        open-end 1: ");
    expect(stdout).toContain("price       first open 1.1, last close 1.15, lowest 0.9, highest 1.4\n");
    const place = join(cwd, "GBP-CHF.columns.manifest.json");
    writeFileSync(place, readFileSync(place, "utf8").replace('"symbol": "GBP/CHF"', '"symbol": "CHF/GBP"'));
    const refused = await data("inspect", "GBP-CHF.columns");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("manifest: its manifest says that its symbol is CHF/GBP, the file has GBP/CHF"),
    });
  });

  it("writes a data file with a manifest that names the original, its digest, licence and what was left out", async () => {
    const { cwd, write, data } = stage();
    write("prices.csv", csv(good(0), good(1), "x,1,2", good(2)));
    const options = ["--format", "csv", "--pair", "GBP/CHF", "--out", "GBP-CHF.columns", "--tolerate", "time"];
    const { code, stdout, stderr } = await data(
      "import",
      "prices.csv",
      ...options,
      "--licence",
      "CC0",
      "--origin",
      "a friend",
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("left out    time 1");
    expect(stderr).toBe(
      'left out, as tolerated:\nprices.csv:4: time: time must be a time (2026-01-31T12:30:05.123Z, 2026-01-31 12:30, 31.01.2026 12:30:05, 20260131 123005, or a number), was "x"\n',
    );
    const manifest = JSON.parse(readFileSync(join(cwd, "GBP-CHF.columns.manifest.json"), "utf8"));
    expect(manifest).toMatchObject({
      symbol: "GBP/CHF",
      rows: 3,
      leftOut: { time: 1 },
      source: { kind: "import", file: "prices.csv", format: "csv", licence: "CC0", origin: "a friend" },
    });
    expect(manifest.source.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(manifest.source.importedAt).toMatch(/^20\d\d-/);
    expect((await data("inspect", "GBP-CHF.columns")).stdout).toContain("origin      a friend, licence: CC0");
  });

  it("ends at bad rows with every line and reason, exit code 2, and writes nothing", async () => {
    const { cwd, write, data } = stage();
    write("prices.csv", csv(good(0), `${T0 + 500},2,1`, good(1), `${T0 + 1_500},NaN,1`));
    const { code, stderr } = await data(
      "import",
      "prices.csv",
      "--format",
      "csv",
      "--pair",
      "GBP/CHF",
      "--out",
      "x.csv",
    );
    expect(stderr.split("\n")).toEqual([
      "prices.csv:3: crossed: bid 2 is above ask 1",
      'prices.csv:5: number: bid must be a number, was "NaN"',
      "pegbot: prices.csv has 2 problems: number 1, crossed 1; docs/DATA.md says what each means; --tolerate number,crossed leaves such rows out",
      "",
    ]);
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual(["prices.csv"]);
  });

  it.each([
    ["x.csv", "SIGINT", 130],
    ["x.columns", "SIGTERM", 143],
  ] as const)("leaves nothing of %s behind when %s interrupts it", async (out, signal, code) => {
    const { cwd, write } = stage();
    write("prices.csv", csv(Array.from({ length: 1_000_000 }, (_, i) => good(i)).join("\n")));
    const args = ["data", "import", "prices.csv", "--format", "csv", "--pair", "GBP/CHF", "--out", out];
    expect(await interrupted(cwd, args, signal)).toBe(code);
    expect(readdirSync(cwd)).toEqual(["prices.csv"]);
  });

  it.each(["x.csv", "x.columns"])("leaves nothing of %s behind when its manifest cannot be written", async (out) => {
    const { cwd, write, data } = stage();
    write("prices.csv", csv(good(0), good(1)));
    const part = out === "x.csv" ? "text" : "part";
    mkdirSync(join(cwd, `${out}.${process.pid}-${threadId}.${part}.json`));
    const { code, stderr } = await data("import", "prices.csv", "--format", "csv", "--pair", "GBP/CHF", "--out", out);
    expect([code, stderr]).toEqual([1, expect.stringContaining("EISDIR")]);
    expect(readdirSync(cwd)).not.toContain(out);
  });

  it.runIf(process.platform === "linux")("names the folder that takes no other, with exit code 2", async () => {
    const { write, data } = stage();
    write("prices.csv", csv(good(0), good(1)));
    const args = ["--format", "csv", "--pair", "GBP/CHF", "--out", "/proc/pegbot/x.columns"];
    const { code, stderr } = await data("import", "prices.csv", ...args);
    expect([code, stderr]).toEqual([2, "pegbot: /proc must take new folders, and does not (ENOENT)\n"]);
  });

  it("takes the pair from the name of a table, where no other is given", async () => {
    const { write, data } = stage();
    write("GBP-CHF.csv", csv(good(0), good(1)));
    const named = await data("import", "GBP-CHF.csv", "--format", "csv", "--out", "x.columns");
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining("pair        GBP/CHF, 2 quotes") });
    const given = await data("import", "GBP-CHF.csv", "--format", "csv", "--pair", "EUR/CHF", "--out", "y.columns");
    expect(given).toMatchObject({ code: 0, stdout: expect.stringContaining("pair        EUR/CHF, 2 quotes") });
  });

  it.each([
    [["--format", "csv", "--out", "x.csv"], "--pair is needed"],
    [["--format", "csv", "--pair", "GBP/CHF", "--out", "x.txt"], "--out must end in .columns or .csv"],
    [["--format", "histdata", "--pair", "GBP/CHF", "--zone", "UTC", "--out", "x.csv"], "--zone must not be given"],
    [["--format", "kraken-trades", "--pair", "GBP/CHF", "--out", "x.csv"], "--half-spread-bps is needed"],
    [
      ["--format", "ecb", "--pair", "GBP/CHF", "--size-times", "2", "--out", "x.csv"],
      "--size-times must not be given: the format ecb leaves nothing of the kind open",
    ],
    [
      ["--format", "csv", "--pair", "GBP/CHF", "--interval", "1m", "--out", "x.csv"],
      "--interval must not be given: the",
    ],
    [
      ["--format", "ccxt", "--pair", "GBP/CHF", "--half-spread-bps", "1", "--out", "x.csv"],
      "--half-spread-bps must not",
    ],
  ])("refuses %j with exit code 2", async (args, expected) => {
    const { cwd, write, data } = stage();
    write("prices.csv", csv(good(0)));
    const { code, stderr } = await data("import", "prices.csv", ...args);
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual(["prices.csv"]);
  });
});

describe("data inspect", () => {
  it("keeps what it read in the cache, and nothing with --no-cache", async () => {
    const { cwd, write, data } = stage();
    write("GBP-CHF.csv", csv(good(0), good(1)));
    await data("inspect", "GBP-CHF.csv", "--no-cache");
    expect(existsSync(join(cwd, "cache"))).toBe(false);
    await data("inspect", "GBP-CHF.csv");
    expect(
      readdirSync(join(cwd, "cache", "pegbot", "columns")).filter((name) => name.endsWith(".columns")),
    ).toHaveLength(1);
  });

  it("names the ways to a cache where there is no folder for it, and the way without", async () => {
    const { write, data } = stage();
    write("GBP-CHF.csv", csv(good(0), good(1)));
    vi.stubEnv("XDG_CACHE_HOME", "cache");
    const { code, stderr } = await data("inspect", "GBP-CHF.csv");
    expect([code, stderr]).toEqual([
      2,
      'pegbot: XDG_CACHE_HOME must be an absolute path, was "cache"; or read without a cache by --no-cache\n',
    ]);
    expect(await data("inspect", "GBP-CHF.csv", "--no-cache")).toMatchObject({ code: 0 });
  });

  it.each([
    ["an empty file", "", "GBP-CHF.csv: empty: the file is empty"],
    ["wrong columns", "a,b\n1,2\n", "GBP-CHF.csv:1: columns: "],
    ["a cut row", csv(good(0), good(1)).slice(0, -4), "GBP-CHF.csv:3: open-end: "],
    ["time going back", csv(good(1), good(0)), "GBP-CHF.csv:3: backwards: "],
    ["a duplicate", csv(good(0), good(0)), "GBP-CHF.csv:3: duplicate: "],
  ])("refuses %s by name and line, exit code 2", async (_, text, expected) => {
    const { write, data } = stage();
    write("GBP-CHF.csv", text);
    const { code, stdout, stderr } = await data("inspect", "GBP-CHF.csv");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain("invariant");
  });
});

it("a flag that cannot be read ends the program with exit code 2 and the rule", async () => {
  const cases = [
    [["generate", "--out", "x", "--from", "2026-13-01"], "must be a time from 1990 to 2089"],
    [["import", "x.csv", "--format", "excel", "--out", "y.csv"], "Allowed choices are csv"],
    [["import", "x.csv", "--format", "csv", "--zone", "Zurich", "--out", "y.csv"], "a time zone must be UTC"],
    [["import"], "(for example: pegbot data import eurofxref-hist.zip --format ecb --pair GBP/CHF"],
    [["inspect", "x.csv", "--tolerate", "all"], "must be some of fields"],
  ] as const;
  const ended = await Promise.all(cases.map(([args]) => pegbot(["data", ...args])));
  for (const [i, { code, stderr }] of ended.entries()) {
    expect(stderr).toContain(cases[i]?.[1]);
    expect(code).toBe(2);
  }
});

describe("a plot", () => {
  it("draws the middle of each column between the lowest and the highest", () => {
    const nothing = Number.NaN;
    expect(plotLine({ low: [1, 2, nothing, 3.5, 1], high: [1, 3, nothing, 4, 4] })).toBe("1 to 3.75  ▁▅ █▅");
  });

  it("of a price that never moves is flat", () => {
    expect(plotLine({ low: [1, 1, 1], high: [1, 1, 1] })).toBe("1 to 1  ▁▁▁");
  });
});
