import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { BUSY } from "../support/busy.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";
import { writeColumns } from "../support/write-columns.ts";
import type { Finished } from "./pegbot.ts";

const T0 = Date.UTC(2026, 0, 5);

function stage(isScreen = false) {
  const cwd = temporaryFolder();
  const place = (name: string): string => join(cwd, name);
  const at = (arg: string): string => (/^[A-Za-z-]+\.(?:csv|html|ts|db|columns)$/.test(arg) ? place(arg) : arg);
  const run = async (...args: string[]): Promise<Finished> => {
    const shell = recordedShell({ interactive: isScreen, notesAreSeen: isScreen });
    const out = args.includes("--out") || args[0] !== "backtest" ? [] : ["--out", place("report.html")];
    const { code, stdout, stderr } = await runHere([...args.map(at), ...out], shell);
    const plain = (text: string): string => text.replaceAll(`${cwd}/`, "");
    return { code, stdout: plain(stdout), stderr: plain(stderr) };
  };
  return {
    place,
    write: (name: string, ...rows: string[]) => writeFileSync(place(name), `${rows.join("\n")}\n`),
    quoted: (name: string, ...rows: string[]) => writeColumns(place(name), rows.join("\n")),
    read: (name: string) => readFileSync(place(name), "utf8"),
    run,
    backtest: (...args: string[]) => run("backtest", "--market", "demo", ...args),
  };
}

/** Seeds and times at which the built-in strategy has something to do at once. */
const MINUTES = [...BUSY, "--to", "2026-01-01T00:20:00Z"];
const SHORT = [...MINUTES, "--param", "edgeBps=0", "--param", "skewBps=0"];
const traceIn = ({ stdout }: Finished): string | undefined => /^trace {3}([0-9a-f]{64})$/m.exec(stdout)?.[1];

describe("backtest", () => {
  it("prints a table and its trace, and writes report and trades; the same again for the same seed", async () => {
    const { backtest, read } = stage();
    const first = await backtest(...SHORT, "--trades", "trades.csv");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("peg-arbitrage on a synthetic market (demo)");
    expect(first.stdout).toMatch(/fills +\d+/);
    expect(first.stdout).toContain("report  report.html");
    const trades = read("trades.csv").trim().split("\n");
    expect(trades.length).toBeGreaterThan(5);
    expect(read("report.html")).toContain("one request at a time, 1000 ms from an answer to the next");
    const trace = traceIn(first);
    expect(trace).toBeDefined();
    expect(traceIn(await backtest(...SHORT))).toBe(trace);
    expect(traceIn(await backtest(...SHORT, "--seed", "2"))).not.toBe(trace);
  });

  it("prints everything as JSON, every assumption with its value", async () => {
    const { backtest } = stage();
    const { code, stdout } = await backtest(
      ...SHORT,
      "--json",
      "--fee-bps",
      "1.5",
      "--latency",
      "40ms",
      "--funds",
      "CHF=5000,VCHF=5000",
    );
    expect(code).toBe(0);
    const { settings, figures, strategyState } = JSON.parse(stdout);
    // Of the built-in strategy: when each pair was last ordered, and at which price.
    expect(Object.keys(strategyState)).not.toEqual([]);
    expect(settings.cadence).toBeUndefined();
    const assumed = new Map(
      settings.assumptions.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(assumed.get("fee")).toBe("1.5 bp of the quote leg");
    expect(assumed.get("network")).toContain("one way 40 ms");
    expect(assumed.get("funds at the start")).toBe("5000 CHF, 5000 VCHF");
    expect(assumed.get("limit ordersPerMinuteMax")).toBe("30");
    expect(assumed.get("market pegs.VCHF.deviationBps")).toBe("12");
    expect(figures.fees.kind).toBe("known");
  });

  it("ends with exit code 5 where the bot was halted, and says so first", async () => {
    const { backtest, write, read } = stage();
    write(
      "throws.ts",
      `import { defineStrategy } from "pegbot/strategy";
export default defineStrategy({ name: "throws", decide() { throw new Error("boom"); } });`,
    );
    const short = [...BUSY, "--to", "2026-01-01T00:02:00Z", "--strategy", "throws.ts"];
    const result = await backtest(...short);
    const said =
      /^the bot did not trade to the end: HALTED since 2026-01-01 00:00:\d\d UTC, after .* of 2 min \(figures count the whole time\): .*boom/;
    expect(result).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(said),
      stderr: expect.stringMatching(said),
    });
    expect(read("report.html")).toContain('"stopped":"the bot did not trade to the end: HALTED');
    const json = await backtest(...short, "--json");
    expect(json).toMatchObject({ code: 5, stderr: expect.stringMatching(said) });
    expect(JSON.parse(json.stdout).ended).toMatchObject({
      state: "HALTED",
      reason: expect.stringContaining("boom"),
    });
  });

  it("refuses parameters in the strategy's own words, and what cannot be, with exit code 2", async () => {
    const { backtest, place } = stage();
    const refused = async (text: string, ...args: string[]): Promise<void> => {
      const { code, stderr } = await backtest(...args);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
    };
    await refused("params has no edge: there are symbols, edgeBps", "--param", "edge=3");
    await refused("params.edgeBps must be at least 0, was -1", "--param", "edgeBps=-1");
    await refused('--market "pegs.VCHF.x" is no parameter', "--market", "pegs.VCHF.x=1");
    await refused("--to must be after", "--from", "2026-02-01", "--to", "2026-01-01");
    await refused("--out must end in .html", "--out", "trades.csv");
    // Not even the superuser can write there.
    await refused("--out: /proc/report.html cannot be written (ENOENT", "--out", "/proc/report.html");
    await refused("--as needs --data", "--as", "venue");
    expect(existsSync(place("report.html"))).toBe(false);
  });

  it("puts a year together by episode, and anew for other rates without another run", async () => {
    const { run } = stage();
    const calm = ["backtest", "--market", "calm", "--seeds", "2", "--quotes-every", "30s", "--db", "runs.db"];
    const year = async (...more: string[]) => {
      const { code, stdout, stderr } = await run(...calm, ...more, "--json");
      expect(code).toBe(0);
      return { ...JSON.parse(stdout), stderr };
    };
    const one = await year("--rate", "lesser=2", "--against", "edgeBps=40");
    expect(one.stderr).toContain("prices better than fair by more than");
    expect(one.runs.map(({ kind, seed }: { kind: string; seed: number }) => [kind, seed])).toEqual([
      ["quiet", 1],
      ["lesser", 1],
      ["quiet", 2],
      ["lesser", 2],
    ]);
    const [quiet, lesser] = one.year.rows;
    expect(quiet).toMatchObject({ kind: "quiet", rate: 365.25 - 4 });
    expect(lesser.fills).toBeGreaterThan(0);
    expect(one.year.all.mean).toBeCloseTo(quiet.year.mean + lesser.year.mean, 6);
    const over = (runs: { over: number }[]): number[] => runs.map((run) => run.over);
    const [, first = 0, , second = 0] = over(one.runs).map(
      (own, place) => own - (over(one.against.runs)[place] as number),
    );
    // Quiet days without a fill are alike: two events a year, of two seeds.
    expect(one.difference.all.mean).toBeCloseTo((2 * (first + second)) / 2, 6);
    expect(one.difference.all.mean).not.toBe(0);
    const two = await year("--rate", "lesser=4", "--policy-rate", "GBP=4");
    // 4 % of 50,000 VGBP at 1.06 or near, and of five times as many GBP; Swiss francs pay nothing.
    const cash = new Map(two.opening.map((one: { asset: string; cash: number }) => [one.asset, one.cash / 2_000]));
    expect([cash.get("CHF"), cash.get("VCHF")]).toEqual([0, 0]);
    expect(cash.get("VGBP")).toBeCloseTo(1.06, 1);
    expect(Number(cash.get("GBP")) / Number(cash.get("VGBP"))).toBeCloseTo(5, 6);
    expect(two.stderr).toContain("4 runs, 4 of them kept in runs.db from before");
    expect(two.year.rows[1].year.mean).toBeCloseTo(2 * lesser.year.mean, 6);
    const refused = async (text: string, ...args: string[]): Promise<void> =>
      expect(await run(...calm, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
    await refused("--rate must look like lesser=3", "--rate", "lessr=3");
    await refused("--against takes one strategy", "--against", "twap", "--against", "grid");
  });

  it("takes a file of quotes as the venue's prices, and one of a currency pair as a reference", async () => {
    const { backtest, quoted } = stage();
    const rows = (mid: number): string[] =>
      Array.from({ length: 1_200 }, (_, i) => {
        const price = mid * (1 + 0.0015 * Math.sin(i / 60));
        return `${T0 + i * 1_000},${(price * 0.9998).toFixed(6)},${(price * 1.0002).toFixed(6)}`;
      });
    quoted("VCHF-CHF.columns", "time,bid,ask", ...rows(1));
    const venue = await backtest("--data", "VCHF-CHF.columns");
    expect(venue).toMatchObject({ code: 0, stderr: "" });
    expect(venue.stdout).toMatch(/VCHF-CHF\.columns \(VCHF\/CHF, 1200 rows, sha256 [0-9a-f]{12}\) as venue/);
    expect(venue.stdout.replace(/\s+/g, " ")).toContain("other pairs have synthetic prices and are not traded");
    const fills = Number(/fills +(\d+)/.exec(venue.stdout)?.[1]);
    expect(fills).toBeGreaterThan(5);
    expect(venue.stdout).toMatch(new RegExp(`Pairs\npair .*\nVCHF/CHF +recorded +${fills} `));
    const both = JSON.parse((await backtest("--data", "VCHF-CHF.columns", "--synthetic-too", "--json")).stdout);
    expect(both.settings.title).toBe("peg-arbitrage on VCHF-CHF.columns, a synthetic market (demo)");
    expect(both.pairs).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ symbol: "VCHF/CHF", prices: "recorded" }),
        expect.objectContaining({ symbol: "VGBP/GBP", prices: "synthetic" }),
      ]),
    );
    quoted("GBP-CHF.columns", "time,bid,ask", ...rows(1.2));
    const reference = await backtest("--data", "GBP-CHF.columns", "--json");
    expect(reference).toMatchObject({ code: 0, stderr: "" });
    const { books } = JSON.parse(reference.stdout);
    const pound = books.opening.find(({ asset }: { asset: string }) => asset === "GBP");
    expect(Number(pound.rate)).toBeCloseTo(1.2, 2);
    const wrong = await backtest("--data", "GBP-CHF.columns", "--as", "venue");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("the venue does not list GBP/CHF") });
    const outside = await backtest("--data", "VCHF-CHF.columns", "--from", "2026-01-01");
    expect(outside).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the data cover 2026-01-05T00:00:00.000Z"),
    });
  });

  it("takes bars as the venue's prices: what is decided on one meets the open of the next, half a spread away", async () => {
    const { backtest, write, read, quoted } = stage();
    const price = (i: number): string => (i % 2 === 0 ? "0.9980" : "1.0010");
    const bars = Array.from({ length: 30 }, (_, i) => `${T0 + i * 60_000},${price(i)},1.002,0.997,1.0000,`);
    quoted("VCHF-CHF.columns", "time,open,high,low,close,volume", ...bars);
    write(
      "on-bars.ts",
      `import { defineStrategy } from "pegbot/strategy";
export default defineStrategy({ name: "on-bars", wakes: ["bar"], decide: ({ bar, buy }) =>
  bar && buy("VCHF/CHF", { limit: 1.004, size: 100, reason: "a bar closed" }) });`,
    );
    const result = await backtest(
      "--data",
      "VCHF-CHF.columns",
      "--strategy",
      "on-bars.ts",
      "--half-spread-bps",
      "10",
      "--limit",
      "adverseBpsMax=off: every other open is against the trade",
      "--trades",
      "trades.csv",
    );
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const [header = "", ...rows] = read("trades.csv").trim().split("\n");
    const place = header.split(",").indexOf("price");
    const prices = rows.map((row) => Number(row.split(",")[place]));
    expect(prices.length).toBeGreaterThan(10);
    // 0.9980 and 1.0010 with 10 bp on top; the close of 1.0000 is nobody's price.
    for (const [row, paid] of prices.entries()) expect([0.998998, 1.002001], `row ${row}`).toContain(paid);
    expect(new Set(prices).size).toBe(2);
  });

  it("refuses data that is damaged, or no column file, with exit code 2, and leaves no report", async () => {
    const { backtest, write, place } = stage();
    write("VCHF-CHF.columns", "time,bid,ask");
    write("VCHF-CHF.csv", "time,bid,ask", `${T0},0.999,1.001`);
    for (const [name, expected] of [
      ["VCHF-CHF.columns", "VCHF-CHF.columns: damaged:"],
      ["VCHF-CHF.csv", "pegbot data import makes one"],
    ] as const)
      expect(await backtest("--data", name)).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) });
    expect(existsSync(place("report.html"))).toBe(false);
  });
});
