// What is kept of each asset against what it comes to when everything is summed anew, after every change.

import { describe, expect, it } from "vitest";
import { Accounts } from "../../../src/books/accounts/accounts.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
import { fillAtLimit } from "../../support/strategy-bench.ts";

const SYMBOLS = ["VCHF/CHF", "VGBP/GBP", "VCHF/USDC"] as PairSymbol[];
const ASSETS = ["CHF", "VCHF", "GBP", "VGBP", "USDC"] as Asset[];
const SEED = 815;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(0, list.length - 1)] as T;
}

function amount(random: Random, asset: Asset): Money {
  return Money.of((random.integer(1, 1_000_000) / 100).toFixed(2), asset);
}

function intentOf(random: Random, id: number): OrderIntent {
  const quantity = Quantity.of((random.integer(1_000, 90_000) / 100).toFixed(2));
  const limit = Price.of((random.integer(99_000, 101_000) / 100_000).toFixed(5));
  const terms = { symbol: pick(random, SYMBOLS), side: random.next() < 0.5 ? "buy" : "sell", quantity, limit } as const;
  const times = { decidedAt: millis(0), expiresAt: millis(1) };
  return { clientOrderId: `T-figures-${id}` as ClientOrderId, ...terms, reason: "test", ...times };
}

function change(accounts: Accounts, random: Random, id: number): void {
  const open = [...accounts.open.values()];
  const draw = random.next();
  if (draw < 0.3) {
    const intent = intentOf(random, id);
    accounts.reserve(intent);
  } else if (draw < 0.45 && open.length > 0) accounts.release(pick(random, open).intent.clientOrderId);
  else if (draw < 0.7 && open.length > 0) {
    const { intent } = pick(random, open);
    const fee = Money.of("0.01", pick(random, [...new Set(intent.symbol.split("/") as Asset[])]));
    accounts.book({ ...fillAtLimit(intent), fee });
  } else if (draw < 0.75) accounts.adopt([amount(random, pick(random, ASSETS))]);
  else if (draw < 0.85)
    accounts.tell(
      ASSETS.filter(() => random.next() < 0.8).map((asset) => ({
        asset,
        available: amount(random, asset),
        pending: undefined,
      })),
    );
  else move(accounts, random, id);
}

function move(accounts: Accounts, random: Random, id: number): void {
  const [leaves, comes] = [amount(random, pick(random, ASSETS)), amount(random, pick(random, ASSETS))];
  const name = `M-${random.integer(1, 5)}`;
  const draw = random.next();
  if (draw < 0.4) accounts.move(name, { kind: "reserved", door: "mint", leaves, comes }, millis(id));
  else if (draw < 0.6) accounts.move(name, { kind: "released", reason: "test" }, millis(id));
  else if (draw < 0.8)
    accounts.move(
      name,
      { kind: "departed", door: "mint", spent: leaves, fee: Money.zero(leaves.asset), comes },
      millis(id),
    );
  else accounts.move(name, { kind: "arrived", at: "account" }, millis(id));
}

/** Summed anew from what there is. */
function summed(accounts: Accounts, asset: Asset): readonly (string | undefined)[] {
  const of = (money: Money): readonly Money[] => (money.asset === asset ? [money] : []);
  const pending = [...accounts.open.values(), ...accounts.movements.tied()];
  const leaving = Money.sum(
    pending.flatMap(({ leaves }) => of(leaves)),
    asset,
  );
  const coming = Money.sum(
    pending.flatMap(({ comes }) => of(comes)),
    asset,
  );
  const settled = accounts.ledger.total("holdings", asset);
  const inFlight = accounts.ledger.total("inFlight", asset);
  const isHeld = settled !== undefined || inFlight !== undefined;
  const held = isHeld
    ? Money.sum(
        [settled, inFlight].flatMap((money) => money ?? []),
        asset,
      )
    : undefined;
  const told = accounts.balance(asset)?.available;
  const spendable = told && settled && told.min(settled).minus(leaving);
  const placed = accounts.ledger.total("adopted", asset)?.negated() ?? Money.zero(asset);
  const all = [held, held?.minus(leaving), held?.plus(coming), leaving, spendable, placed];
  return all.map((money) => money?.toString());
}

function kept(accounts: Accounts, asset: Asset): readonly (string | undefined)[] {
  const { held, atMost } = accounts.figureOf(asset);
  expect([held, atMost]).toEqual([accounts.held(asset), accounts.heldAtMost(asset)]);
  return [
    accounts.held(asset),
    accounts.heldAtLeast(asset),
    accounts.heldAtMost(asset),
    accounts.leaving(asset),
    accounts.spendable(asset),
    accounts.placed(asset),
  ].map((money) => money?.toString());
}

describe("figures of an asset", () => {
  it(`are what everything sums up to after each of 1,500 random changes (seed ${SEED})`, () => {
    const random = createRandom(SEED);
    const accounts = new Accounts(20);
    let known = 0;
    for (let id = 0; id < 1_500; id++) {
      change(accounts, random, id);
      // Not always all of them: what nobody asked for in between must be right as well.
      for (const asset of ASSETS) {
        if (random.next() < 0.3) continue;
        expect(kept(accounts, asset), `${asset} after change ${id}`).toEqual(summed(accounts, asset));
        if (accounts.spendable(asset) !== undefined) known++;
      }
    }
    expect(known).toBeGreaterThan(500);
  });
});
