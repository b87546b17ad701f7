// Days on which prices break, replayed from a recording: the loss is seen at once, ends the day, and is said everywhere.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { type Depeg, depegRows, stepRows } from "../support/depeg.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";
import { writeColumns } from "../support/write-columns.ts";

const FROM = Date.UTC(2026, 0, 6);
const HOUR = 3_600_000;
const STAYS: Depeg = { from: FROM, calmHours: 2, hours: 5, depth: 0.12, everyMs: 20_000 };

type Run = {
  readonly ended: { readonly state: string; readonly since: number; readonly reason: string };
  readonly equity: { readonly time: number[]; readonly equity: number[] };
  readonly trades: readonly { readonly time: number; readonly symbol: string; readonly side: string }[];
  readonly books: { readonly closing: readonly { readonly asset: string; readonly amount: string }[] };
  readonly caps: Readonly<Record<string, { readonly orders: number }>>;
};

async function replayed(file: string, rows: readonly string[], ...more: string[]) {
  const cwd = temporaryFolder();
  writeColumns(join(cwd, file), rows.join("\n"));
  const out = join(cwd, "report.html");
  const funds = "CHF=100000,VCHF=100000,GBP=100000,VGBP=100000";
  const args = ["backtest", "--market", "demo", "--funds", funds, "--data", join(cwd, file), "--out", out, ...more];
  const { code, stdout, stderr } = await runHere([...args, "--json"], recordedShell());
  const run = JSON.parse(stdout) as Run;
  return { code, run, stderr, report: readFileSync(out, "utf8") };
}

/** The part of equity that was lost at this time, from what the run opened with. */
function lostBy({ equity: { time, equity } }: Run, at: number): number {
  const row = time.findLastIndex((one) => one <= at);
  return 1 - (equity[row] as number) / (equity[0] as number);
}

const heldOf = (run: Run, asset: string): number =>
  Number(run.books.closing.find((holding) => holding.asset === asset)?.amount);

describe("a coin that loses 12 % in an hour", () => {
  it.each([["and never comes back", undefined]])(
    "%s halts the bot at the limit of the day, which exit code, head and report say",
    async (_, backHours) => {
      const day = backHours === undefined ? STAYS : { ...STAYS, backHours, hours: 76, everyMs: 60_000 };
      const { code, run, stderr, report } = await replayed("VCHF-CHF.columns", depegRows(day));
      expect([code, run.ended.state]).toEqual([5, "HALTED"]);
      expect(run.ended.reason).toMatch(/^RC05: loss of the day is /);
      // 2 % a day, and what one look costs: 12 % of 41 % of equity in an hour, a look every row.
      const perLook = 0.12 * 0.41 * (day.everyMs / HOUR);
      expect(lostBy(run, run.ended.since)).toBeLessThan(0.02 + perLook + 0.0015);
      expect(run.ended.since).toBeLessThan(FROM + 3 * HOUR);
      expect(stderr).toContain("the bot did not trade to the end: HALTED since 2026-01-06 02:");
      expect(report).toContain("HALTED since 2026-01-06 02:");
      // At 11 bp below par it was bought until it and 100,000 VGBP were two thirds of 420,000, and not with all cash.
      expect([heldOf(run, "VCHF") > 160_000, heldOf(run, "VCHF") < 173_000, run.caps.RC34?.orders]).toEqual([
        true,
        true,
        expect.any(Number),
      ]);
    },
  );

  it.each(["twap", "reference-taker"])("halts %s at the limit of the day, too", async (strategy) => {
    const day = { ...STAYS, hours: 4, everyMs: 60_000 };
    // More of the coin than the rest together, so that 12 % of it are beyond the limit whatever the strategy does.
    const funds = ["--funds", "CHF=100000,VCHF=200000"];
    const { code, run } = await replayed("VCHF-CHF.columns", depegRows(day), "--strategy", strategy, ...funds);
    expect([code, run.ended.state]).toEqual([5, "HALTED"]);
    expect(run.ended.reason).toMatch(/^RC05: loss of the day is /);
    // Two thirds of equity lose 12 % in an hour, looked at every minute.
    expect(lostBy(run, run.ended.since)).toBeLessThan(0.02 + 0.08 / 60 + 0.0015);
  });

  /** What exits may sell on a day (exit.perDayMax) is more than the coins of this account. */
  const SMALL = ["--funds", "CHF=70000,VCHF=10000"];
  it("is sold on the way out, where the strategy wants it, inside its limits", async () => {
    const { run } = await replayed("VCHF-CHF.columns", depegRows(STAYS), ...["--param", "stopBps=60"], ...SMALL);
    const sold = run.trades.filter(({ time, side }) => side === "sell" && time > FROM + 2 * HOUR);
    expect(sold.length).toBeGreaterThan(3);
    // The reserve of 1 % stays, which is of the most that was held.
    expect(heldOf(run, "VCHF")).toBeLessThan(2_000);
    // 41 % of equity at 0.6 to 1 % below par.
    expect(lostBy(run, FROM + 5 * HOUR)).toBeLessThan(0.005);
  });
});

describe("a currency that is let go, 1,500 bp in a minute", () => {
  it("halts the bot within one look", async () => {
    const rows = stepRows(FROM, 3, 1, 0.15);
    const { code, run } = await replayed("GBP-CHF.columns", rows);
    expect([code, run.ended.state]).toEqual([5, "HALTED"]);
    // Half of equity is in pounds: 2 % are lost after 4 %, 16 s into the minute; what leaps is held for 10 s, and a look takes 10.
    expect(run.ended.since - (FROM + HOUR)).toBeLessThan(40_000);
  });
});
