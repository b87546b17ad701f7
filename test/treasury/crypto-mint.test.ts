// A mint that BTC pays for: never more than the named limit without a halt, booked as what was spent, and refused where the venue
// might take the coin's fiat instead. Real commands on virtual time.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { MintIntent } from "../../src/domain/mint.ts";
import type { Money } from "../../src/domain/money/money.ts";
import { expectSameBooks, SLOW_BOT, TreasuryWorld } from "./world.ts";

const BTC = "BTC" as Asset;
const QUICK = { settlement: { medianMs: 60_000, sigma: 0, minMs: 60_000, maxMs: 60_000 } };
const MINUTE = 60_000;

async function withoutFrancs(funds: Readonly<Record<string, string>> = {}): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(1, QUICK, { VCHF: "500000", VGBP: "1000", GBP: "200000", BTC: "5", ...funds });
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  return world;
}

/** What the venue would take now, with its spread of 30 bp. */
async function priceOf(world: TreasuryWorld): Promise<number> {
  const quotes = world.venue.venue.quotes(world.moment());
  const quote = quotes.ok ? quotes.value.find(({ symbol }) => symbol === "VCHF/BTC") : undefined;
  return (120_000 * (Number(String(quote?.bid)) + Number(String(quote?.ask)))) / 2;
}

function limit(btc: number): string {
  return `${btc.toFixed(8)} BTC`;
}

function theMint(world: TreasuryWorld) {
  const [mint] = world.reader().executor.treasury.requests("mint");
  if (mint === undefined) throw new Error("no mint");
  return mint;
}

test("is approved with its limit in BTC, sent once, booked as what was spent, and settles while the bot runs", async () => {
  const world = await withoutFrancs();
  const price = await priceOf(world);
  const finished = await world.end(world.mint({ wait: true, spend: limit(price * 1.02) }));
  expect([finished.code, finished.stdout], finished.stderr).toEqual([0, expect.stringMatching(/^settled/)]);
  expect(finished.stderr).toContain("converted by the venue");
  const { request, state } = theMint(world);
  expect(String((request as MintIntent).spentMax.asset)).toBe("BTC");
  const { spent } = (state as { receipt: { spent: Money } }).receipt;
  expect(spent.asset).toBe(BTC);
  expect(spent.toNumber()).toBeGreaterThan(price);
  expect(spent.toNumber()).toBeLessThan(price * 1.02);
  await world.pass(MINUTE);
  expect(world.halts()).toEqual([]);
  expect(world.calls("mintTokens")).toHaveLength(1);
  expectSameBooks(world);
});

test("that costs more than its limit is booked and halts the bot", async () => {
  const world = await withoutFrancs();
  await world.end(world.mint({ spend: limit((await priceOf(world)) * 1.0005) }));
  await world.pass(5 * MINUTE);
  expect(world.halts()).toEqual([expect.stringMatching(/cost .* BTC with a fee of .*, approved was at most .* BTC/)]);
  expectSameBooks(world);
});

test("is refused, with nothing sent, where its fiat would pay too, the limit is a typing error, or there is too little", async () => {
  const rich = await withoutFrancs({ CHF: "1000000" });
  const price = await priceOf(rich);
  const both = await rich.end(rich.mint({ spend: limit(price * 1.02) }));
  expect([both.code, both.stderr]).toEqual([3, expect.stringContaining("venue.profile.mintFunding")]);
  const poor = await withoutFrancs();
  for (const [spend, why] of [
    [limit(price * 1.2), /--spend must be at most 1\.1 times the cost/],
    ["50 BTC", /available are 5 BTC; BTC comes in by the account's transitional wallet/],
    ["120000 VCHF", /another asset than VCHF and CHF/],
    ["1 ETH", /available are 0 ETH/],
  ] as const) {
    const { code, stderr } = await poor.end(poor.mint({ spend }));
    expect([code, stderr], spend).toEqual([3, expect.stringMatching(why)]);
  }
  expect([...rich.calls("mintTokens"), ...poor.calls("mintTokens")]).toEqual([]);
});

test("pays with BTC although its fiat is there, where a field of the request names what pays", async () => {
  const world = await TreasuryWorld.open(
    1,
    { ...QUICK, mintFundingField: "funding" },
    { VCHF: "500000", CHF: "1000000", BTC: "5" },
  );
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  const finished = await world.end(world.mint({ wait: true, spend: limit((await priceOf(world)) * 1.02) }));
  expect([finished.code, finished.stdout], finished.stderr).toEqual([0, expect.stringMatching(/^settled/)]);
  const { spent } = (theMint(world).state as { receipt: { spent: Money } }).receipt;
  expect(spent.asset).toBe(BTC);
  const plain = await world.end(world.mint({ wait: true }));
  expect([plain.code, plain.stdout], plain.stderr).toEqual([0, expect.stringMatching(/^settled/)]);
  expectSameBooks(world);
});
