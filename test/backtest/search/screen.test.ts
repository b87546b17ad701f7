// The screen of a sweep: a kernel over columns ranks sets of parameters as the bot does.

import { expect, it } from "vitest";
import { backtestTerms } from "../../../backtest/options.ts";
import { agreementOf } from "../../../backtest/search/ranking.ts";
import { bestOf, type Screened, screened, screenedBy } from "../../../backtest/search/screen.ts";
import { columnsFile, screenColumns } from "../../../backtest/search/screen-columns.ts";
import { optionsOf, type Trial } from "../../../backtest/search/trial.ts";
import { runTrial } from "../../../backtest/search/trial-result.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { pegArbitrage } from "../../../src/strategy/peg-arbitrage.ts";
import { defineStrategy, ScreenAccount } from "../../../src/strategy/strategy.ts";
import { HOUR, NO_FILES, START, trialOf } from "./stage.ts";

const SEED = 3;
const TERMS = { ...backtestTerms, quotesMs: 4_000 };
const SETS = [0.5, 1, 2, 4, 8].flatMap((edgeBps) =>
  [500, 2_500].map((size) => ({ edgeBps, size, skewBps: 2 * edgeBps })),
);

async function columnsOf(changes: Partial<Trial> = {}) {
  const options = await optionsOf(
    trialOf({ terms: TERMS, seed: SEED, to: millis(START + 3 * HOUR), ...changes }),
    NO_FILES,
  );
  return screenColumns(options);
}

it(`ranks ten sets over three hours as the bot does (seed ${SEED})`, async () => {
  const columns = await columnsOf();
  const values = unwrap(screenedBy(pegArbitrage, { columns, use: "peg-arbitrage", sets: SETS }, "profit-over-holding"));
  const ran: Screened = await Promise.all(
    SETS.map(async (params) => {
      const found = await runTrial(
        trialOf({ terms: TERMS, seed: SEED, to: millis(START + 3 * HOUR), params }),
        NO_FILES,
      );
      return found.kind === "ran" ? found.figures.profitOverHolding : null;
    }),
  );
  expect(new Set(ran).size).toBeGreaterThan(7);
  const pairs = values.map((value, place) => [value, ran[place] ?? null] as const);
  expect(agreementOf("profit-over-holding", pairs), JSON.stringify(pairs)).toBeGreaterThanOrEqual(0.9);
});

it("has no agreement where all sets are equal", () => {
  expect(agreementOf("profit-over-holding", Array(9).fill([0, 0]))).toBeUndefined();
});

it("gives the same with one thread, with two, and without any", async () => {
  const columns = await columnsOf();
  const job = { columns, use: "peg-arbitrage", sets: SETS };
  for (const objective of ["profit-over-holding", "sharpe-over-holding"] as const) {
    const here = unwrap(screenedBy(pegArbitrage, job, objective));
    for (const threads of [1, 2]) expect(await screened(job, objective, { threads })).toEqual(here);
    const [best = -1] = bestOf(objective, here, 3);
    expect(here[best]).toBe(Math.max(...here.map((value) => value ?? Number.NEGATIVE_INFINITY)));
  }
});

it("names a kernel that returns something else, also from a thread", async () => {
  const columns = await columnsOf();
  const wrong = defineStrategy({ name: "wrong", decide: () => null, screen: () => new Float64Array(1) });
  const found = screenedBy(wrong, { columns, use: "", sets: [{}] }, "profit-over-holding");
  expect(found).toMatchObject({ ok: false });
  const missing = { columns, use: "/nowhere/strategy.ts", sets: [{}] };
  await expect(screened(missing, "profit-over-holding", { threads: 1 })).rejects.toThrow("strategy.ts");
});

it("fills at the price of arrival, up to the size and the caps, and waits for the confirmation", async () => {
  const columns = await columnsOf();
  const [pair] = columns.pairs.filter(({ symbol }) => symbol === "VCHF/CHF");
  if (pair === undefined) throw new Error("the pair must be there");
  const account = new ScreenAccount(columns);
  const [met, free] = [pair.buyAt[0] as number, account.free("CHF")];
  // 1 % stays, and 20 bp of the rest for the fee.
  expect(free).toBeCloseTo(100_000 * 0.99 * 0.998, 9);
  expect(account.order(pair, 0, "buy", met * 0.9999, 100)).toBe(false);
  expect(account.order(pair, 0, "buy", met, 1e9)).toBe(false);
  expect(account.order(pair, 0, "buy", met, 100)).toBe(true);
  expect([account.held("VCHF"), account.held("CHF")]).toEqual([100_100, 100_000 - 100 * met]);
  expect(account.nextRow).toBe(1);
  expect(account.capped(pair, 0, "buy", 1, 1e9)).toBe(15_000);
  expect(account.capped(pair, 0, "buy", 1.006, 1)).toBe(0);
  expect(account.left(pair, 0, "buy")).toBe((pair.askSize[0] as number) - 100);
});

it("writes its columns behind a line of JSON, each where a reader finds it", async () => {
  const columns = await columnsOf({ to: millis(START + HOUR) });
  const bytes = Buffer.from(columnsFile(columns));
  const end = bytes.indexOf("\n") + 1;
  const head = JSON.parse(bytes.subarray(0, end).toString()) as { columns: { name: string; length: number }[] };
  const place = head.columns.findIndex(({ name }) => name === "VGBP/GBP ask");
  const before = head.columns.slice(0, place).reduce((sum, { length }) => sum + length, 0);
  expect(end % 8).toBe(0);
  expect(bytes.readDoubleLE(end + 8 * before)).toBe(columns.pairs.find(({ symbol }) => symbol === "VGBP/GBP")?.ask[0]);
  expect(bytes.length).toBe(end + 8 * head.columns.reduce((sum, { length }) => sum + length, 0));
});
