// What is named and frozen when venue and ledger differ while something of ours is still to show.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { explainsAll, subsetsOf } from "../../src/execution/balance-vote.ts";
import { groupsOf, moverSets } from "../../src/execution/mover-sets.ts";
import { compareTotals, fillMovements, type Mover } from "../../src/execution/totals.ts";
import { FILL as A_FILL, ORDER } from "./life.ts";

const money = (text: string): Money => {
  const [amount = "", asset = ""] = text.split(" ");
  return Money.of(amount, asset as Asset);
};
const mover = (id: string, booked: boolean, ...changes: readonly string[]): Mover => ({
  id,
  booked,
  movements: changes.map((text) => ({ least: money(text), most: money(text) })),
});

/** What is unexplained. */
function seen(venue: readonly string[], ledger: readonly string[], ...movers: readonly Mover[]): readonly string[] {
  const rows = venue.map(money).map((available): Balance => {
    const { asset } = available;
    return { asset, available, pending: Money.zero(asset) };
  });
  const held = new Map(ledger.map(money).map((amount) => [amount.asset, amount]));
  const { unexplained } = compareTotals(rows, (asset) => held.get(asset), movers, held.keys());
  return unexplained.map((rest) => `${rest} ${rest.asset}`);
}

const MINT = mover("M-1", false, "112000 VCHF");
const FILL = mover("P-1", true, "100 GBP", "-101 VGBP");

test("coins of a mint in flight are not what is unexplained when somebody else moved another asset", () => {
  const ledger = ["0 VCHF", "1100 GBP", "899 VGBP"];
  // The fill is shown, and is not shown yet.
  expect(seen(["112000 VCHF", "1600 GBP", "899 VGBP"], ledger, MINT, FILL)).toEqual(["500 GBP"]);
  expect(seen(["112000 VCHF", "1500 GBP", "1000 VGBP"], ledger, MINT, FILL)).toEqual(["500 GBP"]);
  // Nothing of ours touches what came.
  expect(seen(["112000 VCHF", "1100 GBP", "899 VGBP", "7 USDC"], ledger, MINT, FILL)).toEqual(["7 USDC"]);
  expect(seen(["111000 VCHF", "1600 GBP", "899 VGBP"], ledger, MINT, FILL)).toEqual(["-1000 VCHF", "500 GBP"]);
});

test("where a doubt shows on one side only it is that side which differs, and something always does", () => {
  const ledger = ["1000 VCHF", "1000 CHF", "10 BTC"];
  const doubt = mover("P-2", false, "-100 VCHF", "99 CHF");
  expect(seen(["900 VCHF", "1000 CHF"], ledger.slice(0, 2), doubt)).toEqual(["-100 VCHF"]);
  const withFee = mover("P-3", false, "-100 VCHF", "99 CHF", "-1 BTC");
  expect(seen(["900 VCHF", "1099 CHF", "10 BTC"], ledger, withFee)).toEqual(["-100 VCHF", "99 CHF"]);
});

test("what agrees with a doubt beside it is the ledger's own doing only where that is booked", () => {
  const ledger = new Map(["1000 VCHF", "1000 CHF", "1100 GBP", "899 VGBP"].map(money).map((one) => [one.asset, one]));
  const rowsOf = (...texts: readonly string[]): readonly Balance[] =>
    texts.map(money).map((available) => ({ asset: available.asset, available, pending: Money.zero(available.asset) }));
  const doubt = mover("P-2", false, "-100 VCHF", "99 CHF");
  const compared = (rows: readonly Balance[]) => {
    const { moved, landed, unexplained, unknown, unlisted } = compareTotals(
      rows,
      (asset) => ledger.get(asset),
      [FILL, doubt],
      ledger.keys(),
    );
    const ids = (movers: readonly Mover[]) => movers.map(({ id }) => id);
    return [ids(moved), ids(landed), unexplained.map(String), unknown, unlisted];
  };
  const others = rowsOf("1100 GBP", "899 VGBP");
  expect(compared([...rowsOf("1000 VCHF", "1000 CHF"), ...others])).toEqual([["P-1"], [], [], [], []]);
  expect(compared([...rowsOf("900 VCHF", "1099 CHF"), ...others])).toEqual([["P-1"], ["P-2"], [], [], []]);
  // Of one side nothing is known: the other shows it.
  const [vchf] = rowsOf("900 VCHF") as [Balance];
  const unsaid = { ...vchf, pending: undefined };
  expect(compared([unsaid, ...rowsOf("1099 CHF"), ...others])).toEqual([["P-1"], ["P-2"], [], ["VCHF"], []]);
});

test("what is listed without a pending amount is not said, and only what is not listed at all is missing", () => {
  const held = (asset: Asset): Money => Money.of("5", asset);
  const [chf, eur, vchf] = ["CHF", "EUR", "VCHF"] as unknown as [Asset, Asset, Asset];
  const rows: readonly Balance[] = [
    { asset: chf, available: held(chf), pending: undefined },
    { asset: eur, available: held(eur), pending: Money.zero(eur) },
  ];
  const { unknown, unlisted } = compareTotals(rows, held, [], [chf, eur, vchf]);
  expect([unknown.toSorted(), unlisted]).toEqual([[chf, vchf], [vchf]]);
});

test("a pending amount below nothing is named as much as an available one", () => {
  const row = (available: string, pending: string): Balance => {
    const asset = "CHF" as Asset;
    return { asset, available: Money.of(available, asset), pending: Money.of(pending, asset) };
  };
  const rows = [row("5", "-1"), row("-1", "5"), row("5", "0")];
  expect(rows.map((one) => compareTotals([one], () => money("4 CHF"), [], []).negative.length)).toEqual([1, 1, 0]);
});

test("a fee in what was bought is off it once: where the whole order came, or where it is off already", () => {
  const moved = (bought: string) =>
    fillMovements(ORDER, { ...A_FILL, bought: money(bought), fee: money("1 VCHF") }).map(({ least }) => String(least));
  expect([moved("100 VCHF"), moved("99 VCHF")]).toEqual([
    ["99", "-100.05"],
    ["99", "-100.05"],
  ]);
});

test("a fee in what was sold, or in neither, is paid besides", () => {
  const texts = (order: typeof ORDER, fill: typeof A_FILL) =>
    fillMovements(order, fill).map(({ least }) => `${least} ${least.asset}`);
  const sold = { ...A_FILL, side: "sell", bought: money("100.05 CHF"), sold: money("100 VCHF") } as const;
  expect(texts({ ...ORDER, side: "sell" }, { ...sold, fee: money("1 VCHF") })).toEqual(["100.05 CHF", "-101 VCHF"]);
  expect(texts(ORDER, { ...A_FILL, fee: money("1 CHF") })).toEqual(["100 VCHF", "-101.05 CHF"]);
  expect(texts(ORDER, { ...A_FILL, fee: money("1 EUR") })).toEqual(["100 VCHF", "-100.05 CHF", "-1 EUR"]);
});

describe("many fills that the balances may not show yet", () => {
  const CENTS = 1_000_000;
  const text = (cents: number, asset: string): string => `${cents / 100} ${asset}`;
  const idsOf = (movers: readonly Mover[]): readonly string[] => movers.map(({ id }) => id);

  /** In the order in which they were sent, what is in doubt first. */
  function sent(random: Random, booked: number, open: number): readonly Mover[] {
    const cents = (): number => 1 + Math.floor(random.next() * CENTS);
    return Array.from({ length: booked + open }, (_, index) => {
      const isBuy = random.next() < 0.7;
      const [coins, fiat] = [isBuy ? cents() : -cents(), isBuy ? -cents() : cents()];
      return mover(`P-${index}`, index >= open, text(coins, "VCHF"), text(fiat, "CHF"));
    });
  }

  /** The venue has these, beside what others moved. */
  function judged(movers: readonly Mover[], landed: readonly Mover[], strange: readonly Money[] = []) {
    const assets = ["VCHF", "CHF"] as Asset[];
    const opening = (asset: Asset): Money => Money.of("10000000", asset);
    const sum = (some: readonly Mover[], asset: Asset): Money => {
      const moved = some.flatMap(({ movements }) => movements.map(({ least }) => least));
      return Money.sum(
        [...moved, ...strange.filter(() => some === landed)].filter((one) => one.asset === asset),
        asset,
      );
    };
    const rows = assets.map((asset) => {
      return { asset, available: opening(asset).plus(sum(landed, asset)), pending: Money.zero(asset) };
    });
    const booked = movers.filter((one) => one.booked);
    const changes = assets.map((asset) => sum(landed, asset));
    const ways = subsetsOf(movers).filter((some) => explainsAll(some, changes));
    const totals = compareTotals(rows, (asset) => opening(asset).plus(sum(booked, asset)), movers, assets);
    return { totals, ways };
  }

  test("explain what they show in the order in which they were sent, and settle just that, as all sets of them would", () => {
    const seed = 20_261_117;
    const random = createRandom(seed);
    for (let turn = 0; turn < 60; turn++) {
      const movers = sent(random, 9 + Math.floor(random.next() * 2), turn % 3);
      const shown = Math.floor(random.next() * (movers.length + 1));
      const landed = movers.filter((one, index) => (one.booked ? index < shown : random.next() < 0.5));
      const { totals, ways } = judged(movers, landed);
      const why = `turn ${turn}, seed ${seed}`;
      expect([totals.unexplained, totals.unjudged], why).toEqual([[], []]);
      expect(ways, why).toHaveLength(1);
      expect([...idsOf(totals.moved), ...idsOf(totals.landed)].toSorted(), why).toEqual(idsOf(landed).toSorted());
    }
  });

  test("explain nothing that no set of them explains: what others moved beside them is what differs", () => {
    const seed = 20_261_118;
    const random = createRandom(seed);
    for (let turn = 0; turn < 60; turn++) {
      const movers = sent(random, 9 + Math.floor(random.next() * 2), turn % 2);
      const shown = Math.floor(random.next() * (movers.length + 1));
      const landed = movers.filter((one, index) => one.booked && index < shown);
      const strange = [money(text(Math.floor((random.next() - 0.5) * CENTS), turn % 3 === 0 ? "VCHF" : "CHF"))];
      const { totals, ways } = judged(movers, landed, strange);
      const why = `turn ${turn}, seed ${seed}`;
      expect(ways, why).toEqual([]);
      expect(totals.unexplained.map(String), why).toEqual(strange.map(String));
      expect(totals.moved, why).toEqual([]);
    }
  });

  test("explain one that is out of its turn, and no two", () => {
    const movers = sent(createRandom(7), 20, 0);
    const without = (...missing: readonly number[]) =>
      judged(
        movers.slice(0, 12),
        movers.slice(0, 10).filter((_, index) => !missing.includes(index)),
      );
    expect([without(3).totals.unexplained, idsOf(without(3).totals.moved)]).toEqual([
      [],
      idsOf(movers.slice(0, 10).toSpliced(3, 1)),
    ]);
    expect(without(3, 6).totals.unexplained).toHaveLength(2);
  });

  test("explain one that is out of its turn also beside a dozen on their way, of which one or none has come, which proves nothing of any", () => {
    const fills = Array.from({ length: 6 }, (_, index) => mover(`P-${index}`, true, `${2 ** index} VCHF`));
    const flights = Array.from({ length: 13 }, (_, index) => mover(`M-${index}`, false, `${2 ** (6 + index)} VCHF`));
    const told = (amount: string) => {
      const rows = [{ asset: "VCHF" as Asset, available: money(amount), pending: money("0 VCHF") }];
      // 1 + 2 + 4 + 8 + 16 + 32
      const totals = compareTotals(rows, () => money("63 VCHF"), [...fills, ...flights], []);
      return [totals.unexplained, totals.unjudged, idsOf([...totals.moved, ...totals.landed])];
    };
    // The first five without the second: 1 + 4 + 8 + 16; and 1,024 of the fifth flight.
    // Not every set of so many is tried, and another one may be the true one.
    expect(told("29 VCHF")).toEqual([[], [], []]);
    expect(told("1053 VCHF")).toEqual([[], [], []]);
  });

  test("beside payments that left, which are not shown in the order in which they are listed", () => {
    const coming = (id: string, least: string, most = least): Mover => {
      return { id, booked: false, movements: [{ least: money(`${least} VCHF`), most: money(`${most} VCHF`) }] };
    };
    const others = ["18195", "2645", "4839", "953", "1554"].map((amount) => coming(`M-${amount}`, amount));
    const flights = [...others, coming("M-642", "592", "642"), coming("M-3929", "3879", "3929")];
    // The list has the newest first: 582 left after 1,961.
    const left = ["582", "1961"].map(
      (amount): Mover => ({ ...mover(`P-${amount}`, true, `-${amount} VCHF`), isFree: true }),
    );
    const told = (amount: string) => {
      const rows = [{ asset: "VCHF" as Asset, available: money(amount), pending: money("0 VCHF") }];
      const totals = compareTotals(rows, () => money("480000 VCHF"), [...flights, ...left], []);
      return [totals.unexplained, totals.unjudged, idsOf([...totals.moved, ...totals.landed])];
    };
    // 480,000 and 582 that are still there, 18,195 and 3,929. As well 642 and 3,929 may have come, less 60 of fees, and both have left.
    expect(told("502706 VCHF")).toEqual([[], [], ["P-1961", "M-18195", "M-3929"]]);
  });

  test("are judged apart where they share no asset, as balances of one pair may be behind alone", () => {
    const buys = (asset: string) =>
      Array.from({ length: 6 }, (_, index) =>
        mover(`${asset}-${index}`, true, `1${index} V${asset}`, `-2${index} ${asset}`),
      );
    const [francs, pounds] = [buys("CHF"), buys("GBP")];
    const mixed = francs.flatMap((one, index) => [one, pounds[index] as Mover]);
    expect(groupsOf(mixed)).toEqual([francs, pounds]);
    // All of the francs, 10 to 15 at 20 to 25, and none of the pounds.
    const venue = ["75 VCHF", "865 CHF", "0 VGBP", "1000 GBP"];
    const ledger = ["75 VCHF", "865 CHF", "75 VGBP", "865 GBP"];
    expect(seen(venue, ledger, ...mixed)).toEqual([]);
    expect(seen(["75 VCHF", "865 CHF", "0 VGBP", "999 GBP"], ledger, ...mixed)).toEqual(["-1 GBP"]);
  });

  test("and as much in doubt or on its way are tried in bounds, and what is not told there is not called explained", () => {
    const flights = Array.from({ length: 30 }, (_, index) => mover(`M-${index}`, false, `${2 ** index} VCHF`));
    const { likely, odd, isPart } = moverSets([...sent(createRandom(3), 60, 0), ...flights]);
    expect([isPart, likely.length, odd().length]).toEqual([true, 61 * 62, 0]);
    const rows = (amount: string): Balance[] => [
      { asset: "VCHF" as Asset, available: money(amount), pending: money("0 VCHF") },
    ];
    const told = (amount: string) => {
      const { unexplained, unjudged } = compareTotals(rows(amount), () => money("0 VCHF"), flights, []);
      return [unexplained, unjudged].map((some) => some.map(String));
    };
    expect([told("0 VCHF"), told("64 VCHF")]).toEqual([
      [[], []],
      [[], []],
    ]);
    // Two of them, as a payment that comes while a mint is paid for; and all but two.
    expect([told("96 VCHF"), told(`${2 ** 30 - 1 - 96} VCHF`)]).toEqual([
      [[], []],
      [[], []],
    ]);
    // 64, 32 and 8: three, which nobody tries, and two are nearer than one.
    expect(told("104 VCHF")).toEqual([[], ["8"]]);
  });

  test("and many on their way are tried as their list has them, and with any two otherwise", () => {
    const flights = Array.from({ length: 14 }, (_, index): Mover => {
      return { ...mover(`M-${index}`, false, `${2 ** index} VCHF`), isSettled: index < 4 };
    });
    const told = (amount: string) => {
      const rows = [{ asset: "VCHF" as Asset, available: money(amount), pending: money("0 VCHF") }];
      const { unexplained, unjudged } = compareTotals(rows, () => money("0 VCHF"), flights, []);
      return [unexplained, unjudged].map((some) => some.map(String));
    };
    // 1, 2, 4 and 8 have settled; besides 8,192 as of a mint that is pending, and not yet 4.
    for (const amount of ["15", "8207", "8203", "11"]) expect(told(`${amount} VCHF`)).toEqual([[], []]);
    // 8,192 and 4,096, and not yet 4.
    expect(told("12299 VCHF")).toEqual([[], ["-4"]]);
    expect(moverSets(flights).likely).toHaveLength(3 * (1 + 14 + 91));
  });
});
