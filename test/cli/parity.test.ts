// `parity` as a user runs it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUSY } from "../support/busy.ts";
import { runHere } from "../support/run-here.ts";
import type { Finished } from "./pegbot.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-parity-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const FUNDS = "CHF=100000,VCHF=100000,GBP=100000,VGBP=100000,USDC=100000";

/** Buys and sells a pair of USDC in turn, in sizes from `size`. */
function run(name: string, size: string, ...more: string[]): Promise<Finished> {
  writeFileSync(
    join(folder, name),
    `import { defineStrategy } from "pegbot/strategy";
export default defineStrategy({
  name: "in-turn",
  state: () => ({ count: 0 }),
  decide({ quote, fair, state, openOrders, buy, sell }) {
    if (quote.symbol !== "VCHF/USDC" || fair === undefined || openOrders.length > 0) return undefined;
    state.count += 1;
    const order = { size: ${size}, reason: "in turn" };
    return state.count % 2 === 1
      ? buy(quote.symbol, { ...order, limit: quote.ask * 1.001 })
      : sell(quote.symbol, { ...order, limit: quote.bid * 0.999 });
  },
});`,
  );
  const span = [...BUSY, "--to", "2026-01-01T00:01", "--limit", "offsetWindowMs=off: buys and sells in turn"];
  return runHere(["parity", "--strategy", join(folder, name), "--funds", FUNDS, ...span, ...more]);
}

it("finds a backtest and paper equal, on a pair of USDC too", async () => {
  const { code, stdout } = await run("in-turn.ts", "100 + state.count", "--json");
  const { isEqual, backtest, paper } = JSON.parse(stdout);
  expect([isEqual, backtest]).toEqual([true, paper]);
  expect(backtest.fills).toBeGreaterThan(5);
  expect(code).toBe(0);
});

it("names the first step that differs, with exit code 1", async () => {
  const { code, stdout } = await run("drawn.ts", "100 + Math.random()");
  expect(stdout).toMatch(
    /different from step 1 on:\n {2}backtest {2}2026-01-01T00:00:0\S+ approved #1 buy .*\n {2}paper {5}2026-01-01T00:00:0\S+ approved #1 buy /,
  );
  expect(code).toBe(1);
});
