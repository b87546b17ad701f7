import { expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import { notionalOf } from "../../src/domain/notional.ts";
import type { Side } from "../../src/domain/order.ts";
import { createRandom } from "../../src/domain/random.ts";
import { reservedBy } from "../../src/domain/reservation.ts";

const order = (side: Side, limit: string, quantity: string) => ({
  symbol: "VCHF/CHF" as PairSymbol,
  side,
  limit: Price.of(limit),
  quantity: Quantity.of(quantity),
});

test("a buy ties up what it costs with the fee on top, a sale what it sells; each brings the other", () => {
  // 1.01 * 100 = 101, and 10 bp of it are 0.101.
  const buy = reservedBy(order("buy", "1.01", "100"), 10);
  expect([`${buy.leaves} ${buy.leaves.asset}`, `${buy.comes} ${buy.comes.asset}`]).toEqual(["101.101 CHF", "100 VCHF"]);
  const sale = reservedBy(order("sell", "1.01", "100"), 10);
  expect([`${sale.leaves} ${sale.leaves.asset}`, `${sale.comes} ${sale.comes.asset}`]).toEqual(["100 VCHF", "101 CHF"]);
});

test("the fee on top of a buy is rounded up to the last digit, whatever the size of the order", () => {
  const seed = 3;
  const random = createRandom(seed);
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random.next() * 10)).join("");
  for (let i = 0; i < 500; i++) {
    const [limit, size] = [`1.${digits(1 + (i % 17))}1`, `${1 + (i % 9)}${digits(i % 14)}.${digits(i % 18)}1`];
    const buy = order("buy", limit, size);
    const feeBps = (i % 40) / 4;
    const worth = notionalOf(buy);
    const { leaves } = reservedBy(buy, feeBps);
    expect(leaves.minus(worth).toString(), `seed ${seed}, ${limit} ${size} ${feeBps}`).toBe(
      worth.share(feeBps, "up").toString(),
    );
  }
});
