import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { mono } from "../../src/domain/time.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { compareTotals } from "../../src/execution/totals.ts";
import { TotalsWatch } from "../../src/execution/totals-watch.ts";

const ASSETS = ["CHF", "EUR", "VCHF", "VEUR"] as Asset[];
const TURNS = 6_000;

test("balances are taken for exact only where the whole comparison finds nothing at all", () => {
  const seed = 20_261_115;
  const random = createRandom(seed);
  const pick = (chance: number): boolean => random.next() < chance;
  const watch = new TotalsWatch();
  const ledger = new Map(ASSETS.map((asset) => [asset, Money.of("100", asset)]));
  let rows: readonly Balance[] = [];
  let exact = 0;
  const rowOf = (asset: Asset): Balance => {
    const total = ledger.get(asset) ?? Money.zero(asset);
    const pending = pick(0.1) ? Money.of("1", asset) : Money.zero(asset);
    const available = total.minus(pending).plus(pick(0.02) ? Money.of("0.01", asset) : Money.zero(asset));
    return { asset, available, pending: pick(0.02) ? undefined : pending };
  };
  for (let turn = 0; turn < TURNS; turn++) {
    const asset = ASSETS[Math.floor(random.next() * ASSETS.length)] as Asset;
    if (pick(0.3)) ledger.set(asset, Money.of(String(Math.floor(random.next() * 3)), asset));
    if (pick(0.02)) ledger.set(asset, Money.of("1", asset).negated());
    // The rows of what did not move are the same objects, as a venue in process gives them.
    const known = rows.map((row) => (pick(0.3) ? rowOf(row.asset) : row));
    rows = pick(0.1) || rows.length === 0 ? ASSETS.map(rowOf) : known;
    if (pick(0.03)) rows = rows.slice(1);
    if (pick(0.03)) rows = [...rows, rowOf(asset)];
    if (pick(0.03)) rows = [...rows].reverse();
    const held = (one: Asset): Money | undefined => ledger.get(one);
    const totals = compareTotals(rows, held, [], watch.expected);
    const isNothing = totals.differences.length + totals.unknown.length + totals.negative.length === 0;
    const nonce = turn as Nonce;
    // While something is in doubt nobody asks whether they agree.
    if (!pick(0.2) && watch.agree(rows, nonce, held)) {
      exact++;
      expect(isNothing, `turn ${turn}, seed ${seed}`).toBe(true);
      expect(watch.frozen()).toBe(undefined);
      expect(watch.isToBeSeenAgain).toBe(false);
    } else {
      watch.see(totals, { rows, nonce, foreign: new Set() }, mono(turn), 1_000);
      expect(watch.frozen() === undefined).toBe(totals.unexplained.length + totals.unknown.length === 0);
    }
  }
  // Not by refusing to say so: balances are seldom off here.
  expect(exact).toBeGreaterThan(TURNS / 20);
});

test("what agreed before another answer was compared whole says nothing about an order of rows that came since", () => {
  const watch = new TotalsWatch();
  const ledger = new Map(ASSETS.map((asset) => [asset, Money.of("100", asset)]));
  const held = (asset: Asset): Money | undefined => ledger.get(asset);
  const rowOf = (asset: Asset): Balance => ({
    asset,
    available: Money.of("100", asset),
    pending: Money.zero(asset),
  });
  const [chf, eur] = ASSETS.slice(0, 2).map(rowOf) as [Balance, Balance];
  const see = (rows: readonly Balance[]): void => {
    watch.see(
      compareTotals(rows, held, [], watch.expected),
      { rows, nonce: undefined, foreign: new Set() },
      mono(1),
      1_000,
    );
  };
  see([chf, eur]);
  expect(watch.agree([chf, eur], undefined, held)).toBe(true);
  // An order in doubt: compared whole, without a glance first.
  see([eur, chf]);
  expect(watch.agree([chf, rowOf(chf.asset)], undefined, held), "EUR is not named").toBe(false);
});

test("a difference stops the bot when a second answer shows it too, and late balances can be the reason no more", () => {
  const asset = ASSETS[0] as Asset;
  const rows = [{ asset, available: Money.of("105", asset), pending: Money.zero(asset) }];
  const totals = compareTotals(rows, () => Money.of("100", asset), [], []);
  const stops = (watch: TotalsWatch, at: number, nonce: number): boolean =>
    watch.see(totals, { rows, nonce: nonce as Nonce, foreign: new Set() }, mono(at), 1_000) !== undefined;
  const quiet = new TotalsWatch();
  quiet.seeTrades(mono(1));
  // One answer that two have asked for is one.
  expect([stops(quiet, 0, 1), stops(quiet, 1, 1), stops(quiet, 2, 2)]).toEqual([false, false, true]);
  const busy = new TotalsWatch();
  const seen = [0, 500, 999, 1_000].map((at) => {
    busy.moved(asset, mono(at));
    return stops(busy, at, at);
  });
  expect(seen).toEqual([false, false, false, true]);
});
