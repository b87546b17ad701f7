// Payments on a rail to a bank: what the accounts hear of them.

import { expect, test } from "vitest";
import { Accounts } from "../../../src/bot/accounts/accounts.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import type { MovementEvent } from "../../../src/domain/movement.ts";
import type { RailIntent } from "../../../src/domain/rail.ts";
import { millis } from "../../../src/domain/time.ts";
import { Payments } from "../../../src/execution/payments.ts";
import { compareTotals, type Mover } from "../../../src/execution/totals.ts";
import { CHF, VCHF } from "../life.ts";

const RAIL: RailIntent = {
  type: "StablecoinToFiat",
  sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
  destination: "CH93",
  memo: undefined,
  asset: VCHF,
  currency: CHF,
  blockchain: "ETH",
  known: [],
};

function lived(...statuses: readonly string[]): readonly string[] {
  const payments = new Payments();
  const accounts = new Accounts(0);
  accounts.adopt([Money.of("1000", VCHF)]);
  for (const status of statuses) {
    const row = { railId: "a", paymentId: "p1", status, amount: Money.of("400", VCHF), at: undefined };
    for (const { id, report } of payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(0)).events)
      expect(accounts.move(id, report, millis(0))).toBeUndefined();
  }
  return [String(accounts.held(VCHF)), String(accounts.inFlight(CHF))];
}

test("a payment to a bank is in flight until it has settled", () => {
  expect(lived("pending", "pending")).toEqual(["600", "400"]);
  expect(lived("pending", "settled", "settled")).toEqual(["600", "0"]);
});

test("of ten thousand payments that are over and no longer listed the oldest are forgotten, and none that may be booked twice", () => {
  const payments = new Payments();
  const row = (count: number, status = "settled") => {
    const amount = Money.of("400", VCHF);
    return { railId: "a", paymentId: `p${count}`, status, amount, at: undefined };
  };
  const news = (...rows: readonly ReturnType<typeof row>[]): number =>
    payments.see(rows, () => ({ id: "L-1", request: RAIL }), millis(0)).events.length;
  const all = Array.from({ length: 10_002 }, (_, count) => row(count, count === 1 ? "pending" : "settled"));
  news(...all);
  payments.overdue(all, millis(0));
  expect(news(...all), "whatever is listed is known").toBe(0);
  // The second is in flight, and the first is listed: the two after them go.
  payments.overdue([row(0)], millis(0));
  expect([0, 1, 4, 10_001].map((count) => news(row(count, count === 1 ? "no longer listed" : "settled")))).toEqual([
    0, 0, 0, 0,
  ]);
  expect([0, 2, 3, 4].map((count) => payments.flights.ended(`payment:p${count}`) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(payments.flights.get("payment:p1")).toBeDefined();
});

test("since when a payment is held is known while it is, also by who reads the records, and anew when it is held again", () => {
  const [payments, next] = [new Payments(), new Payments()];
  const heldAt = (status: string, at: number): readonly (number | undefined)[] => {
    const row = { railId: "a", paymentId: "p1", status, amount: Money.of("400", VCHF), at: undefined };
    for (const event of payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(at)).events) next.fold(event);
    return [payments, next].map(({ flights }) => flights.keptBack()[0]?.at);
  };
  expect(heldAt("pending", 1)).toEqual([undefined, undefined]);
  expect(heldAt("Held", 2)).toEqual([2, 2]);
  expect(heldAt("Held", 3)).toEqual([2, 2]);
  expect(heldAt("pending", 4)).toEqual([undefined, undefined]);
  expect(heldAt("held", 5)).toEqual([5, 5]);
  expect(heldAt("settled", 6)).toEqual([undefined, undefined]);
});

test("a payment that is rejected leaves nothing in flight: its coins are owned once", () => {
  expect(lived("pending", "Rejected", "rejected")).toEqual(["1000", "0"]);
  expect(lived("rejected", "rejected")).toEqual(["1000", "0"]);
});

test("of what arrives a fee may be off, and of what is given nothing: another amount of a booked payment is told", () => {
  const seen = (type: RailIntent["type"], ...amounts: readonly Money[]): readonly string[] => {
    const payments = new Payments();
    const request: RailIntent = { ...RAIL, type, toAccount: true };
    return amounts.flatMap((amount) => {
      const row = { railId: "a", paymentId: "p1", status: "pending", amount, at: undefined };
      return payments.see([row], () => ({ id: "L-1", request }), millis(0)).problems;
    });
  };
  const [coins, fiat] = [(amount: string) => Money.of(amount, VCHF), (amount: string) => Money.of(amount, CHF)];
  expect(seen("StablecoinToFiat", coins("4000"), fiat("4000"), fiat("3960"))).toEqual([]);
  expect(seen("FiatToStablecoin", fiat("4000"), coins("4000"), coins("3960"))).toEqual([]);
  const odd = (text: string) => [expect.stringContaining(`: it is listed with ${text}; look at the venue's portal`)];
  expect(seen("StablecoinToFiat", coins("4000"), coins("3999"))).toEqual(odd("3999 VCHF, and booked with 4000 VCHF"));
  expect(seen("StablecoinToFiat", coins("4000"), fiat("3900"))).toEqual(odd("3900 CHF, and booked with 4000 CHF"));
  expect(seen("FiatToStablecoin", fiat("4000"), fiat("3999"))).toEqual(odd("3999 CHF, and booked with 4000 CHF"));
  expect(seen("FiatToStablecoin", fiat("4000"), Money.of("4000", "GBP" as Asset))).toEqual(
    odd("4000 GBP, and booked with 4000 VCHF"),
  );
});

test("a part payment leaves the rest waited for and kept, until it comes; a fee is no rest", () => {
  const payments = new Payments();
  const accounts = new Accounts(0);
  accounts.adopt([Money.of("70000", VCHF)]);
  const rail = { id: "L-1", request: RAIL };
  const book = (events: readonly MovementEvent[]): void => {
    for (const { id, report } of events) expect(accounts.move(id, report, millis(0))).toBeUndefined();
  };
  const waiting = () => Array.from(payments.expectations.all(), ({ pays, leaves }) => [pays, leaves].map(String));
  const pay = (paymentId: string, amount: string, asset = VCHF): readonly string[] => {
    const row = { railId: "a", paymentId, status: "pending", amount: Money.of(amount, asset), at: undefined };
    const { events, problems } = payments.see([row], () => rail, millis(0));
    book(events);
    return problems;
  };
  book([payments.expectations.expect(rail, Quantity.of("62503"), millis(0))]);
  expect(pay("p1", "20000")).toEqual([
    "payment p1 on rail L-1 is of 20000 VCHF, expected were 62503 VCHF; it is booked as it is; 42503 VCHF of it are still waited for",
  ]);
  expect(waiting()).toEqual([["42503", "42503"]]);
  // 70,000 less 20,000 that were paid and 42,503 that are kept.
  expect([accounts.held(VCHF), accounts.heldAtLeast(VCHF)].map(String)).toEqual(["50000", "7497"]);
  expect(pay("p2", "42503")).toEqual([]);
  expect(waiting()).toEqual([]);
  book([payments.expectations.expect(rail, Quantity.of("1000"), millis(0))]);
  pay("p3", "990");
  expect(waiting()).toEqual([]);
  // Fiat does not tell how many coins left, and tells all the same that not all of it was paid.
  book([payments.expectations.expect(rail, Quantity.of("7000"), millis(0))]);
  expect(pay("p4", "3000", CHF)).toEqual([
    expect.stringMatching(
      /^payment p4 .* expected were 7000 VCHF; it is not booked,.*; 4000 VCHF of it are still waited for$/,
    ),
  ]);
  expect(waiting()).toEqual([["4000", "4000"]]);
  pay("p5", "3950", CHF);
  expect(waiting()).toEqual([]);
});

test("what an unknown word has moved nobody knows: it is booked when a known one follows", () => {
  expect([lived("weird"), lived("weird", "pending")]).toEqual([
    ["1000", "0"],
    ["600", "400"],
  ]);
});

test("a payment under a word that nobody knows is told once, when it is first seen", () => {
  const payments = new Payments();
  const row = { railId: "a", paymentId: "p1", status: "weird", amount: Money.of("400", VCHF), at: undefined };
  const see = () => payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(0)).held;
  expect(see()).toEqual([
    'payment:p1 of 400 VCHF, listed as "weird", a word that nobody knows, on rail L-1: it is not booked; what it moves differs and halts the bot, and pegbot adopt takes it over',
  ]);
  expect(see()).toEqual([]);
});

test("a payment under an unknown word is nobody's riddle any more once it is refused, known, or gone from the list", () => {
  const payments = new Payments();
  const see = (status: string, paymentId: string) => {
    const row = { railId: "a", paymentId, status, amount: Money.of("400", VCHF), at: undefined };
    payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(0));
    return row;
  };
  const unsaid = () => [payments.unsaid().map(({ paymentId }) => paymentId), [...payments.over()].length];
  const rows = ["p1", "p2", "p3"].map((id) => see("weird", id));
  expect(unsaid()).toEqual([["p1", "p2", "p3"], 3]);
  see("rejected", "p1");
  expect(unsaid()).toEqual([["p2", "p3"], 2]);
  see("pending", "p2");
  expect(unsaid()).toEqual([["p3"], 1]);
  payments.overdue(rows, millis(0));
  expect(unsaid()).toEqual([["p3"], 1]);
  payments.overdue(rows.slice(0, 2), millis(0));
  expect(unsaid()).toEqual([[], 0]);
});

test("a payment without a time of its own that was seen under an unknown word, and then taken over, is not booked again", () => {
  const payments = new Payments();
  const see = (status: string, at: number) => {
    const row = { railId: "a", paymentId: "p1", status, amount: Money.of("400", VCHF), at: undefined };
    const { events } = payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(at));
    return events.map(({ report }) => report.kind);
  };
  expect(see("weird", 10)).toEqual([]);
  payments.adopt(millis(20), [Money.of("400", VCHF).negated()]);
  expect([see("weird", 30), see("pending", 40), see("settled", 50)]).toEqual([["released"], [], []]);
});

test("a row under the id of a payment on another rail is named as such, also where the list has no other", () => {
  const payments = new Payments();
  const railOf = (railId: string) => ({ id: railId === "a" ? "L-1" : "L-2", request: RAIL });
  const see = (railId: string): readonly string[] => {
    const row = { railId, paymentId: "p1", status: "pending", amount: Money.of("400", VCHF), at: undefined };
    payments.see([row], railOf, millis(0));
    return payments.odd([row], railOf);
  };
  expect(see("a")).toEqual([]);
  expect(see("b")).toEqual([expect.stringMatching(/^-400 VCHF are what payment:p1 on rail L-2 would take/)]);
  expect(see("a")).toEqual([]);
});

test("what the journal says of a mint makes no payment of it", () => {
  const payments = new Payments();
  const [spent, comes] = [Money.of("400", CHF), Money.of("400", VCHF)];
  const report = { kind: "departed", door: "mint", spent, fee: Money.zero(CHF), comes } as const;
  for (const id of ["M-bot00001-1", "payment:p1"])
    payments.fold({ kind: "movement", id, report, receivedAt: millis(0) });
  expect(payments.open().map(({ id }) => id)).toEqual(["payment:p1"]);
});

type Row = {
  readonly status: string;
  readonly amount: Money | undefined;
  readonly paymentId?: string;
  readonly toldAt?: number;
};
type Sight = { readonly held: string; readonly after?: number; readonly movers?: readonly Mover[] };

/** Rows of the list and totals of the balances, as they come; what is held and in flight at the end. */
function arriving(...seen: readonly (Row | Sight)[]): readonly string[] {
  const payments = new Payments();
  const accounts = new Accounts(0);
  accounts.adopt([Money.of("1000", VCHF)]);
  const request: RailIntent = { ...RAIL, type: "FiatToStablecoin", toAccount: true };
  const book = (events: readonly MovementEvent[]): void => {
    for (const { id, report } of events) expect(accounts.move(id, report, millis(0))).toBeUndefined();
  };
  for (const one of seen) {
    if ("status" in one) {
      const { toldAt = 0, ...shown } = one;
      const row = { railId: "a", paymentId: "p1", at: undefined, ...shown };
      book(payments.see([row], () => ({ id: "L-1", request }), millis(toldAt)).events);
      continue;
    }
    const movers = [...payments.movers(), ...(one.movers ?? [])];
    const balances = [{ asset: VCHF, available: Money.of(one.held, VCHF), pending: Money.zero(VCHF) }];
    const totals = compareTotals(balances, (asset) => accounts.settled(asset), movers, [VCHF]);
    book(payments.arrived(totals, movers, millis(one.after ?? 0), 30_000));
  }
  const fees = accounts.ledger.total("fees", VCHF) ?? Money.zero(VCHF);
  return [accounts.settled(VCHF), accounts.inFlight(VCHF), fees].map(String);
}

const paid = (status: string, amount = "10000"): Row => ({ status, amount: Money.of(amount, CHF) });

test("a payment to our account whose amount is told later is booked then, once", () => {
  const told = { status: "settled", amount: Money.of("400", VCHF) };
  expect(
    arriving(
      { status: "pending", amount: undefined },
      { ...told, status: "pending" },
      told,
      told,
      { held: "1400" },
      told,
    ),
  ).toEqual(["1400", "0", "0"]);
});

test("a payment to our account is not booked by an unknown word, in a third currency, once it was given back, or after it had settled", () => {
  const [unknown, whole] = [{ status: "pending", amount: undefined }, Money.of("400", VCHF)];
  const booked = [
    arriving(unknown, { status: "weird", amount: whole }),
    arriving({ status: "pending", amount: Money.of("400", "EUR" as Asset) }),
    arriving(paid("pending"), paid("rejected"), paid("pending")),
    // The balances had shown it before anybody said how much it was.
    arriving({ ...unknown, status: "settled" }, { status: "settled", amount: whole }),
  ];
  expect(booked.map(([held, inFlight]) => [held, inFlight])).toEqual(booked.map(() => ["1000", "0"]));
});

test("a payment to our account is what the balances show of it: what is missing is its fee", () => {
  expect(arriving(paid("pending"), { held: "1000" }, paid("settled"))).toEqual(["1000", "10000", "0"]);
  expect(arriving(paid("settled"), { held: "10990" })).toEqual(["10990", "0", "10"]);
  expect(arriving(paid("settled"), { held: "1000" }, { held: "11000", after: 1_000 })).toEqual(["11000", "0", "0"]);
});

test("what is missing of a payment and too much for a fee counts as come, so that the balances differ", () => {
  // 1 % of it is 100.
  expect(arriving(paid("settled"), { held: "10899" })).toEqual(["1000", "10000", "0"]);
  expect(arriving(paid("settled"), { held: "10899", after: 30_000 })).toEqual(["11000", "0", "0"]);
});

test("a payment is waited for from when the list first called it settled, in whatever words it says so again", () => {
  const again = { ...paid("completed"), toldAt: 29_000 };
  expect(arriving(paid("settled"), again, { held: "10899", after: 29_999 })).toEqual(["1000", "10000", "0"]);
  expect(arriving(paid("settled"), again, { held: "10899", after: 30_000 })).toEqual(["11000", "0", "0"]);
});

test("a small payment that the balances do not show yet is not taken for its own fee", () => {
  expect(arriving(paid("settled", "40"), { held: "1000" })).toEqual(["1000", "40", "0"]);
  expect(arriving(paid("settled", "40"), { held: "1000" }, { held: "1040", after: 1_000 })).toEqual(["1040", "0", "0"]);
  // A tenth of it is 4.
  expect(arriving(paid("settled", "40"), { held: "1036" })).toEqual(["1036", "0", "4"]);
  expect(arriving(paid("settled", "40"), { held: "1035.9" })).toEqual(["1000", "40", "0"]);
  expect(arriving(paid("settled", "40"), { held: "1000", after: 30_000 })).toEqual(["1040", "0", "0"]);
});

test("the fee of a payment is not read off balances that something else may have moved", () => {
  const order: Mover = {
    id: "T-1",
    booked: false,
    movements: [{ least: Money.of("-20", VCHF), most: Money.of("-10", VCHF) }],
  };
  expect(arriving(paid("settled"), { held: "10990", movers: [order] })).toEqual(["1000", "10000", "0"]);
  // It has filled for certain, and nobody knows for how much.
  expect(arriving(paid("settled"), { held: "10885", movers: [order] })).toEqual(["1000", "10000", "0"]);
  // What is booked and not there yet may hide a fee of just as much.
  const late: Mover = {
    ...order,
    booked: true,
    movements: [{ least: Money.of("-10", VCHF), most: Money.of("-10", VCHF) }],
  };
  expect(arriving(paid("settled"), { held: "11000", movers: [late] })).toEqual(["1000", "10000", "0"]);
  // Coins of a mint that are on their way are so many or none.
  const mint: Mover = { ...order, movements: [{ least: Money.of("5000", VCHF), most: Money.of("5000", VCHF) }] };
  expect(arriving(paid("settled"), { held: "10990", movers: [mint] })).toEqual(["10990", "0", "10"]);
  expect(arriving(paid("settled"), { held: "15990", movers: [mint] })).toEqual(["10990", "0", "10"]);
});

test("several payments that came together share what is missing", () => {
  const rows = [paid("settled"), { ...paid("settled", "20"), paymentId: "p2" }];
  expect(arriving(...rows, { held: "11015" })).toEqual(["11015", "0", "5"]);
});

test("the fee of a payment is told beside as many others as the balances are explained with, and beside more it is booked in full", () => {
  const beside = (count: number): readonly string[] => {
    const others = Array.from({ length: count }, (_, i) => ({
      ...paid("pending", String(20_000 * 2 ** i)),
      paymentId: `o${i}`,
    }));
    return arriving(...others, paid("settled"), { held: "10990" }, { held: "10990", after: 30_000 });
  };
  expect(beside(11)).toEqual(["10990", String(20_000 * (2 ** 11 - 1)), "10"]);
  expect(beside(12)).toEqual(["11000", String(20_000 * (2 ** 12 - 1)), "0"]);
});

test("no fee is told by a set of payments that fits where not every set of them is tried", () => {
  // Settled 10,000, 20,000 and 40,000, which are there less 10.
  const rows = Array.from({ length: 13 }, (_, i) => ({
    ...paid(i < 3 ? "settled" : "pending", String(10_000 * 2 ** i)),
    paymentId: `o${i}`,
  }));
  expect(arriving(...rows.slice(0, 12), { held: "70990" })[2]).toBe("10");
  expect(arriving(...rows, { held: "70990" })[2]).toBe("0");
});

test("payments that left are shown by balances that are behind in any order, beside many on their way", () => {
  const payments = new Payments();
  // The list has the newest first: 582 left after 1,961.
  for (const [paymentId, amount] of Object.entries({ p2: "582", p1: "1961" })) {
    const row = { railId: "a", paymentId, status: "pending", amount: Money.of(amount, VCHF), at: undefined };
    for (const event of payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(1)).events)
      payments.fold(event);
  }
  const coming = ["18195", "2645", "4839", "953", "1554", "592 642", "3879 3929"].map((range): Mover => {
    const [least = "", most = least] = range.split(" ");
    return {
      id: `M-${most}`,
      booked: false,
      movements: [{ least: Money.of(least, VCHF), most: Money.of(most, VCHF) }],
    };
  });
  // 582 that are still there, 18,195 and 3,929. In the order of the list only both may have left: then 642 and 3,929 less 60 have come.
  const balances = [{ asset: VCHF, available: Money.of("502706", VCHF), pending: Money.zero(VCHF) }];
  const movers = [...coming, ...payments.flights.leftSince(0)];
  const { moved, unexplained } = compareTotals(balances, () => Money.of("480000", VCHF), movers, [VCHF]);
  expect([unexplained, moved.map(({ id }) => id)]).toEqual([[], ["payment:p1"]]);
});

test("of several payments none is booked while one of them is not there: it is no fee of the other", () => {
  const rows = [paid("settled"), { ...paid("settled", "5000"), paymentId: "p2" }];
  expect(arriving(...rows, { held: "11000" })).toEqual(["1000", "15000", "0"]);
  expect(arriving(...rows, { held: "11000" }, { held: "15990", after: 1_000 })).toEqual(["15990", "0", "10"]);
  // Nor is a small one, which could be it.
  const small = [paid("settled"), { ...paid("settled", "40"), paymentId: "p2" }];
  expect(arriving(...small, { held: "11000" })).toEqual(["1000", "10040", "0"]);
  expect(arriving(...small, { held: "11000" }, { held: "11040", after: 1_000 })).toEqual(["11040", "0", "0"]);
});

test("a payment that is not settled by the list makes no fee of another: beside one to a bank that nobody has read of, both seem to have come", () => {
  const rows = [paid("settled", "1307"), { ...paid("pending", "1288"), paymentId: "p2" }];
  // 1307 and 5540.23 of a mint have come, 4330 have left: as much as both less 77.77.
  const coins = Money.of("5540.23", VCHF);
  const mint: Mover = { id: "T-1", booked: false, movements: [{ least: coins, most: coins }] };
  expect(arriving(...rows, { held: "3517.23", movers: [mint] })).toEqual(["1000", "2595", "0"]);
  // Both have come, to the last digit: the second is booked once the list says so.
  expect(arriving(...rows, { held: "3595" })).toEqual(["2307", "1288", "0"]);
});

const wanted = (payments: Payments): void => {
  payments.expectations.expect({ id: "L-1", request: RAIL }, Quantity.of("400"), millis(0));
};

test.each([
  ["fiat of the same amount is booked: so many coins were to be paid", Money.of("400", CHF), "600", []],
  [
    "fiat of another amount is not booked, and is told so",
    Money.of("399", CHF),
    "1000",
    [/399 CHF, expected were 400 VCHF; it is not booked.*pegbot adopt and/],
  ],
  [
    "another currency is not booked, and is told so",
    Money.of("400", "EUR" as Asset),
    "1000",
    [/400 EUR, expected were 400 VCHF; it is not booked/],
  ],
  [
    "no amount is not booked, and is told so",
    undefined,
    "1000",
    [/an unknown amount, expected were 400 VCHF; it is not booked/],
  ],
  [
    "other coins are booked as they are",
    Money.of("399", VCHF),
    "601",
    [/399 VCHF, expected were 400 VCHF; it is booked as it is$/],
  ],
] as const)("a payment to a bank that is listed with %s", (_, amount, held, problems) => {
  const payments = new Payments();
  wanted(payments);
  const accounts = new Accounts(0);
  accounts.adopt([Money.of("1000", VCHF)]);
  const row = { railId: "a", paymentId: "p1", status: "pending", amount, at: undefined };
  const seen = payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(0));
  for (const { id, report } of seen.events) accounts.move(id, report, millis(0));
  expect(String(accounts.held(VCHF))).toBe(held);
  expect(seen.problems).toEqual(problems.map((text) => expect.stringMatching(text)));
});

test("a payment of another amount than expected that was taken over before it was listed is not said to be booked", () => {
  const payments = new Payments();
  wanted(payments);
  payments.adopt(millis(10), [Money.of("-390", VCHF)]);
  const row = { railId: "a", paymentId: "p1", status: "pending", amount: Money.of("390", VCHF), at: millis(5) };
  const { problems } = payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(20));
  expect(problems).toEqual([expect.stringMatching(/expected were 400 VCHF; it was taken over before it was listed$/)]);
});

test("a payment to a bank that nobody expected and that cannot be booked is told, once", () => {
  const payments = new Payments();
  const row = { railId: "a", paymentId: "p1", status: "pending", amount: Money.of("7", CHF), at: undefined };
  const problems = [1, 2].map(() => payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(0)).problems);
  expect(problems).toEqual([
    [expect.stringMatching(/is of 7 CHF; it is not booked, .* how many VCHF left for it:/)],
    [],
  ]);
});

test("a payment ends what was waited for in its amount, and only when it is first seen", () => {
  const payments = new Payments();
  const rail = { id: "L-1", request: RAIL };
  for (const amount of ["100", "400", "400"]) payments.expectations.expect(rail, Quantity.of(amount), millis(0));
  for (const status of ["pending", "pending", "settled"]) {
    const row = { railId: "a", paymentId: "p1", status, amount: Money.of("400", CHF), at: undefined };
    expect(payments.see([row], () => rail, millis(0)).problems).toEqual([]);
  }
  expect([...payments.expectations.all()].map(({ pays }) => String(pays))).toEqual(["100", "400"]);
});

test("a payment from outside is not booked while nobody can say what it is worth, explains the balances meanwhile, and is booked then", () => {
  let isValued = false;
  const payments = new Payments(() => isValued);
  const rail = { id: "L-1", request: { ...RAIL, type: "FiatToStablecoin", toAccount: true } as RailIntent };
  payments.expectations.expect(rail, Quantity.of("400"), millis(0));
  const row = { railId: "a", paymentId: "p1", status: "settled", amount: Money.of("400", VCHF), at: undefined };
  const see = () => payments.see([row], () => rail, millis(0));
  const first = see();
  expect([first.events, first.problems, first.held]).toEqual([
    [],
    [],
    [expect.stringMatching(/^payment:p1 is not booked yet: VCHF has no rate,/)],
  ]);
  // Said once, still waited for, and no difference that nobody explains.
  expect([see().held, payments.areValued, payments.valuable(millis(0))]).toEqual([[], false, []]);
  expect([payments.movers().length, payments.arriving(VCHF).map(({ isSettled }) => isSettled)]).toEqual([1, [true]]);
  const balances = [{ asset: VCHF, available: Money.of("1400", VCHF), pending: Money.zero(VCHF) }];
  const totals = compareTotals(balances, () => Money.of("1000", VCHF), payments.movers(), [VCHF]);
  expect(totals.unexplained).toEqual([]);
  expect(payments.arrived(totals, payments.movers(), millis(60_000), 30_000)).toEqual([]);
  expect([...payments.expectations.all()]).toHaveLength(1);
  isValued = true;
  expect(payments.valuable(millis(1))).toEqual([row]);
  expect(see().events.map(({ id, report }) => `${id} ${report.kind}`)).toEqual([
    "expected:L-1:1 released",
    "payment:p1 departed",
    "payment:p1 told",
  ]);
  expect([payments.areValued, payments.arrived(totals, payments.movers(), millis(2), 30_000).length]).toEqual([
    true,
    1,
  ]);
});

test("of payments that have come together by the balances each can be closed as there, and the fee is taken off once", () => {
  const payments = new Payments();
  const onRamp = { id: "L-1", request: { ...RAIL, type: "FiatToStablecoin", toAccount: true } as RailIntent };
  const row = { railId: "a", status: "pending", at: undefined };
  const rows = ["2000", "1000", "500"].map((amount, i) => {
    return { ...row, paymentId: `p${i}`, amount: Money.of(amount, VCHF) };
  });
  payments.see(rows, () => onRamp, millis(0));
  // 2000 + 1000 less 30; of the third nothing is there.
  const balances = [{ asset: VCHF, available: Money.of("2970", VCHF), pending: Money.zero(VCHF) }];
  let held = Money.zero(VCHF);
  const feeOf = (id: string) =>
    payments.arrivalFee(
      id,
      compareTotals(balances, () => held, payments.movers(), [VCHF]),
      payments.movers(),
    );
  const shown = () => ["payment:p0", "payment:p1", "payment:p2"].map((id) => feeOf(id)?.toString());
  expect(shown()).toEqual(["30", "30", undefined]);
  payments.close("payment:p0", { kind: "here", fee: Money.of("30", VCHF) }, "looked", millis(1));
  held = Money.of("1970", VCHF);
  expect(shown()).toEqual([undefined, "0", undefined]);
});

test("a payment that waits for its value and is rejected moves nothing; one to a bank leaves at once and arrives when it has a value", () => {
  let isValued = false;
  const inward = new Payments(() => isValued);
  const row = { railId: "a", paymentId: "p1", amount: Money.of("400", VCHF), at: undefined };
  const onRamp = { id: "L-1", request: { ...RAIL, type: "FiatToStablecoin", toAccount: true } as RailIntent };
  for (const status of ["pending", "rejected"]) inward.see([{ ...row, status }], () => onRamp, millis(0));
  expect([inward.areValued, inward.movers()]).toEqual([true, []]);
  const outward = new Payments(() => isValued);
  const kinds = () =>
    outward
      .see([{ ...row, status: "settled" }], () => ({ id: "L-1", request: RAIL }), millis(0))
      .events.map(({ report }) => report.kind);
  expect([kinds(), kinds()]).toEqual([["departed", "told"], []]);
  isValued = true;
  expect([kinds(), kinds()]).toEqual([["arrived"], []]);
});

/** What is told of one payment on a rail, list by list. */
function toldOf(change: Partial<RailIntent>, ...rows: readonly Row[]): readonly unknown[] {
  const payments = new Payments();
  const request = { ...RAIL, ...change };
  return rows.map((row) =>
    payments
      .see([{ railId: "a", paymentId: "p1", at: undefined, ...row }], () => ({ id: "L-1", request }), millis(0))
      .events.map(({ report }) => report.kind)
      .join(" "),
  );
}

test("nothing is booked of a payment without its amount, nor of one to a wallet outside, and nothing is told of one that has ended", () => {
  const [amount, on] = [Money.of("400", VCHF), { type: "FiatToStablecoin" } as const];
  const untold = (status: string): Row => ({ status, amount: undefined });
  expect(toldOf({}, untold("pending"), untold("settled"))).toEqual(["told", "told"]);
  expect(toldOf({}, untold("pending"), untold("rejected"))).toEqual(["told", "told"]);
  // To a bank: whoever looked at the balances meanwhile has taken it over.
  expect(toldOf({}, untold("pending"), { status: "pending", amount })).toEqual(["told", ""]);
  expect(toldOf(on, { status: "pending", amount }, { status: "settled", amount })).toEqual(["told", "told"]);
  const words = ["pending", "settled", "completed", "rejected"];
  expect(toldOf({}, ...words.map((status) => ({ status, amount })))).toEqual(["departed told", "told arrived", "", ""]);
  // Seen for the first time when it is over.
  expect(toldOf({}, { status: "settled", amount })).toEqual(["departed told arrived"]);
});

test("a payment that has come onto the account is booked once, whatever balances show it again", () => {
  expect(arriving(paid("settled"), { held: "11000" }, { held: "11000" }, { held: "11000", after: 60_000 })).toEqual([
    "11000",
    "0",
    "0",
  ]);
});

test("rows without an id, without a rail and of rails of others are no payments of ours", () => {
  const payments = new Payments();
  const row = { railId: "a", paymentId: "p1", status: "pending", amount: Money.of("400", VCHF), at: undefined };
  const others = [
    { ...row, railId: undefined },
    { ...row, railId: "b" },
    { ...row, paymentId: undefined },
  ];
  const railOf = (railId: string) => (railId === "a" ? { id: "L-1", request: RAIL } : undefined);
  expect(payments.see(others, railOf, millis(0))).toEqual({ events: [], problems: [], held: [] });
  expect(payments.see([...others, row], railOf, millis(0)).events.length).toBe(2);
});

test("payments are awaited where one is expected, and on rails without any once the list was read; also by the journal alone", () => {
  const payments = new Payments();
  const rail = { id: "L-1", request: RAIL };
  const rails = ["a", "b", "c"].map((railId, i) => ({ id: `L-${i + 1}`, railId, since: millis(i) }));
  const idsOf = (one: Payments) => one.awaited(rails).map(({ id, rail: on, pays }) => `${id} ${on} ${pays}`);
  const events = [payments.expectations.expect(rail, Quantity.of("400"), millis(0))];
  expect(idsOf(payments)).toEqual(["expected:L-1:1 L-1 400"]);
  const row = { railId: "b", paymentId: "p1", status: "pending", amount: Money.of("9", VCHF), at: undefined };
  events.push(...payments.see([row], () => ({ id: "L-2", request: RAIL }), millis(0)).events);
  expect(idsOf(payments)).toEqual(["expected:L-1:1 L-1 400", "L-3 L-3 undefined"]);
  const restored = new Payments();
  for (const event of events) restored.fold(event);
  expect(idsOf(restored)).toEqual(["expected:L-1:1 L-1 400"]);
  expect(restored.see([row], () => ({ id: "L-2", request: RAIL }), millis(0)).events).toEqual([]);
});

test("what ends a wait says what came and what is still to come", () => {
  const payments = new Payments();
  const rail = { id: "L-1", request: RAIL };
  const came = (paymentId: string, amount: Money): unknown => {
    const row = { railId: "a", paymentId, status: "pending", amount, at: undefined };
    const { events } = payments.see([row], () => rail, millis(0));
    return events.flatMap(({ report }) => (report.kind === "released" ? [report.reason] : []));
  };
  payments.expectations.expect(rail, Quantity.of("1000"), millis(0));
  expect(came("p1", Money.of("400", VCHF))).toEqual(["payment p1 of 400 VCHF has come, 600 VCHF are still to come"]);
  expect(came("p2", Money.of("600", VCHF))).toEqual(["payment p2 has come"]);
  // Of another currency nobody can say how much is left.
  payments.expectations.expect(rail, Quantity.of("1000"), millis(0));
  expect(came("p3", Money.of("400", "EUR" as Asset))).toEqual(["payment p3 has come"]);
});

test("a payment to our account that cannot be booked is told, unless its amount may still come or it goes to a wallet outside", () => {
  const problems = (toAccount: true | undefined, amount: Money | undefined): readonly string[] => {
    const request: RailIntent = { ...RAIL, type: "FiatToStablecoin", ...(toAccount && { toAccount }) };
    const row = { railId: "a", paymentId: "p1", status: "pending", amount, at: undefined };
    return new Payments().see([row], () => ({ id: "L-1", request }), millis(0)).problems;
  };
  const euros = Money.of("400", "EUR" as Asset);
  expect(problems(true, euros)).toEqual([
    expect.stringMatching(/is of 400 EUR; it is not booked, because the list does not say how many VCHF come with it:/),
  ]);
  expect([problems(true, undefined), problems(undefined, euros), problems(undefined, undefined)]).toEqual([[], [], []]);
});

test("what waits for a value is asked about by asset and time, keeps waiting under an unknown word, and is given back only with one", () => {
  const asked: unknown[] = [];
  let isValued = false;
  const payments = new Payments((asset, at) => {
    asked.push([asset, at]);
    return isValued;
  });
  const rail = { id: "L-1", request: { ...RAIL, type: "FiatToStablecoin", toAccount: true } as RailIntent };
  const see = (status: string) => {
    const row = { railId: "a", paymentId: "p1", status, amount: Money.of("400", VCHF), at: undefined };
    const { events, held } = payments.see([row], () => rail, millis(7));
    return [events.map(({ report }) => report.kind).join(" "), held.length];
  };
  const order: Mover = { id: "T-1", booked: false, movements: [] };
  expect(payments.beside([order])).toEqual([order]);
  expect([see("pending"), payments.arriving(VCHF).map(({ isSettled }) => isSettled)]).toEqual([["", 1], [false]]);
  expect([see("weird"), payments.areValued, payments.movers().length]).toEqual([["", 0], false, 1]);
  payments.valuable(millis(8));
  expect(asked).toEqual([
    [VCHF, 7],
    [VCHF, 8],
  ]);
  expect(payments.beside([order]).map(({ id }) => id)).toEqual(["T-1", "payment:p1"]);
  isValued = true;
  expect(see("pending")).toEqual(["departed told", 0]);
  isValued = false;
  expect([see("rejected"), see("rejected")]).toEqual([
    ["told", 1],
    ["", 0],
  ]);
  isValued = true;
  expect([see("rejected"), payments.movers()]).toEqual([["returned", 0], []]);
});

test("coins that leave for a bank are booked without a rate of either; what arrives there waits for that of its fiat", () => {
  const payments = new Payments((asset) => asset !== CHF);
  const row = { railId: "a", paymentId: "p1", amount: Money.of("400", VCHF), at: undefined };
  const see = (status: string) => payments.see([{ ...row, status }], () => ({ id: "L-1", request: RAIL }), millis(0));
  const first = see("pending");
  expect([first.events.map(({ report }) => report.kind), first.held, payments.areValued]).toEqual([
    ["departed", "told"],
    [],
    true,
  ]);
  const second = see("settled");
  expect([second.events.map(({ report }) => report.kind), second.held]).toEqual([
    ["told"],
    [expect.stringContaining("CHF has no rate")],
  ]);
});
