// Payments on rails: each is booked once, from its row and with the fee that the row or the configuration states. A row that says
// anything else is not booked, freezes rails and is named, and adopted by its key it never is.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import type { Payment } from "../../../src/exchange/port.ts";
import type { HistoryMark } from "../../../src/journal/record.ts";
import { Keeping, type KeepingOptions } from "../keeping.ts";
import { CHF, VCHF } from "../life.ts";
import { accepted, asked, booksMovements, RAIL, restarted } from "../moving.ts";

const COINS = "20000";

/** An account of 1,000 CHF and 20,000 VCHF with a rail onto it, one to a bank and one to a wallet outside. */
function account(options: KeepingOptions = {}): Keeping {
  const bot = booksMovements(new Keeping(options).opened(Money.of("1000", CHF), Money.of(COINS, VCHF)));
  const rails = {
    in: { ...RAIL, toAccount: true },
    out: { ...RAIL, type: "StablecoinToFiat", destination: "CH93" },
    wallet: { ...RAIL, destination: "0x2" },
  };
  for (const [railId, rail] of Object.entries(rails))
    accepted(bot, { kind: "rail", rail }, `L-${railId}`, { railId, status: "pending", reason: undefined });
  const rows = Object.keys(rails).map((railId) => ({ railId, status: "pending", reason: undefined }));
  bot.answer({ witness: "rails", rows, ...asked(bot) });
  return bot;
}

function row(railId: string, amount: Money | undefined, change: Partial<Payment> = {}): Payment {
  return { railId, paymentId: "p1", status: "pending", amount, at: undefined, ...change };
}

const vchf = (amount: string): Money => Money.of(amount, VCHF);
const chf = (amount: string): Money => Money.of(amount, CHF);

/** What the list leads to, as `id kind` of each report. */
function listed(bot: Keeping, ...rows: readonly Payment[]): readonly string[] {
  bot.answer({ witness: "payments", rows, ...asked(bot) });
  return bot.said.flatMap((event) => (event.kind === "movement" ? [`${event.id} ${event.report.kind}`] : []));
}

/** Coins of the account, coins on the way to it and fiat on the way to a bank. */
function books({ accounts }: Keeping): readonly string[] {
  return [accounts.settled(VCHF), accounts.inFlight(VCHF), accounts.inFlight(CHF)].map(String);
}

function see(bot: Keeping, coins: string): void {
  const rows = [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", coins)];
  bot.answer({ witness: "balances", rows, ...asked(bot) });
}

test.each([
  ["in", "29995", "so it is gross"],
  ["in", "30000", "so it is net"],
  ["out", "10000", "so it is gross"],
  ["out", "9995", "so it is net"],
  ["in", "29990", "gross if the balance moves by 9995 VCHF, net if by 10000"],
])("an amount next to a fee (%s) is not booked, and the balances at %s say which it is", (railId, coins, said) => {
  const bot = account();
  const rows = [row(railId, vchf("10000"), { fee: vchf("5"), odd: "either", isEither: true, status: "Settled" })];
  see(bot, coins);
  expect(listed(bot, ...rows)).toEqual([]);
  expect(bot.executor.treasury.payments.oddRows()[0]?.text).toContain(said);
});

describe("a payment onto the account", () => {
  const configured = () => vchf("40");

  test.each([
    ["the fee that its row states", vchf("30"), configured, "29970"],
    ["a stated fee of zero, whatever the configuration states", vchf("0"), configured, "30000"],
    ["the fee that the configuration states, where its row states none", undefined, configured, "29960"],
    ["its gross amount, where neither states a fee", undefined, () => undefined, "30000"],
    ["a fee in fiat at par", chf("30"), configured, "29970"],
  ])("is booked with %s", (_, fee, railFee, coins) => {
    const bot = account({ railFee });
    expect(listed(bot, row("in", chf("10000"), { fee }))).toEqual(["payment:p1 departed", "payment:p1 told"]);
    expect(books(bot)).toEqual([COINS, "10000", "0"]);
    expect(listed(bot, row("in", chf("10000"), { fee, status: "Settled" }))).toEqual([
      "payment:p1 told",
      "payment:p1 arrived",
    ]);
    expect(books(bot)).toEqual([coins, "0", "0"]);
    see(bot, coins);
    expect([bot.executor.freeze(bot.now).kind, bot.executor.treasury.rails.reason]).toEqual(["none", undefined]);
  });

  test("is booked once, whatever the list repeats and however often the bot is started", () => {
    let bot = account();
    const settled = row("in", chf("10000"), { status: "settled" });
    expect(listed(bot, settled)).toEqual(["payment:p1 departed", "payment:p1 told", "payment:p1 arrived"]);
    for (let start = 0; start < 3; start++) {
      expect(listed(bot, settled)).toEqual([]);
      bot = restarted(bot);
      expect([books(bot), bot.executor.treasury.payments.ended("payment:p1")]).toEqual([
        ["30000", "0", "0"],
        "it came onto the account at 1970-01-01T00:00:00Z",
      ]);
    }
  });

  test("is an open item of the balances until its row calls it settled: they may show it or not", () => {
    const bot = account();
    listed(bot, row("in", chf("10000"), { fee: vchf("30") }));
    for (const coins of [COINS, "29970", COINS]) {
      bot.seconds += 300;
      see(bot, coins);
      expect([bot.executor.freeze(bot.now).kind, bot.controls]).toEqual(["none", []]);
    }
    expect(books(bot)).toEqual([COINS, "10000", "0"]);
  });

  test.each([
    ["before it was booked", [], []],
    ["after it was booked", ["pending"], ["payment:p1 told", "payment:p1 returned"]],
  ])("that is rejected %s brings nothing", (_, before, reports) => {
    const bot = account();
    for (const status of before) listed(bot, row("in", chf("10000"), { status }));
    expect(listed(bot, row("in", chf("10000"), { status: "Rejected" }))).toEqual(reports);
    expect([books(bot), bot.executor.treasury.rails.reason]).toEqual([[COINS, "0", "0"], undefined]);
    expect(listed(restarted(bot), row("in", chf("10000"), { status: "rejected" }))).toEqual([]);
  });

  test("waits for a rate, explains the balances meanwhile, and is booked once when there is one", () => {
    let isValued = false;
    const bot = account({ isValued: () => isValued });
    expect(listed(bot, row("in", chf("10000")))).toEqual([]);
    bot.seconds += 300;
    see(bot, "30000");
    expect([bot.executor.freeze(bot.now).kind, bot.controls, books(bot)]).toEqual(["none", [], [COINS, "0", "0"]]);
    isValued = true;
    expect(bot.at(301).said).toMatchObject([{ report: { kind: "departed" } }, { report: { kind: "told" } }]);
    expect([bot.at(302).said, listed(bot, row("in", chf("10000"))), books(bot)]).toEqual([
      [],
      [],
      [COINS, "10000", "0"],
    ]);
  });
});

describe("a payment to a bank", () => {
  test("leaves with its coins, is in flight until it has settled, and is booked once; also by the next process", () => {
    const bot = account();
    const reports = ["payment:p1 departed", "payment:p1 told"];
    expect([listed(bot, row("out", vchf("400"))), listed(bot, row("out", vchf("400")))]).toEqual([reports, []]);
    expect(books(bot)).toEqual(["19600", "0", "400"]);
    const next = restarted(bot);
    expect(listed(next, row("out", vchf("400")))).toEqual([]);
    expect(listed(next, row("out", vchf("400"), { status: "completed" }))).toEqual([
      "payment:p1 told",
      "payment:p1 arrived",
    ]);
    expect(books(next)).toEqual(["19600", "0", "0"]);
  });

  test("gives its coins back when it is rejected, once", () => {
    const bot = account();
    listed(bot, row("out", vchf("400")));
    listed(bot, row("out", vchf("400"), { status: "rejected" }));
    expect([books(bot), listed(bot, row("out", vchf("400"), { status: "rejected" }))]).toEqual([[COINS, "0", "0"], []]);
  });

  test("that is listed in fiat left with the coins that were expected, or with its fee; without either it is not booked", () => {
    const left = (fee: Money | undefined, expected: string | undefined): string | undefined => {
      const bot = account();
      if (expected !== undefined)
        bot.take((out) => bot.executor.treasury.expect("L-out", Quantity.of(expected), bot.now, out));
      listed(bot, row("out", fee === undefined ? chf("400") : chf("400").plus(fee), { fee }));
      return bot.executor.treasury.rails.reason ?? String(bot.accounts.settled(VCHF));
    };
    expect([left(undefined, "400"), left(chf("2"), undefined)]).toEqual(["19600", "19598"]);
    expect(left(undefined, "500")).toContain("its list states 400 CHF, and not how many VCHF left");
  });

  test("arrives there when its fiat has a rate; its coins leave without one", () => {
    let isValued = false;
    const bot = account({ isValued: () => isValued });
    listed(bot, row("out", vchf("400"), { status: "settled" }));
    expect(books(bot)).toEqual(["19600", "0", "400"]);
    isValued = true;
    bot.at(1);
    expect(books(bot)).toEqual(["19600", "0", "0"]);
  });
});

test("a payment to a wallet outside moves nothing of the account", () => {
  const bot = account();
  expect(listed(bot, row("wallet", chf("400")))).toEqual(["payment:p1 told"]);
  expect([listed(bot, row("wallet", chf("400"))), books(bot)]).toEqual([[], [COINS, "0", "0"]]);
});

test("rows on rails of others, and rows without a rail, are no payments of ours", () => {
  const bot = account();
  expect(listed(bot, row("theirs", chf("400")), row("in", chf("1"), { railId: undefined }))).toEqual([]);
  expect(bot.executor.treasury.rails.reason).toBeUndefined();
});

describe("a row that is odd", () => {
  const first = row("in", chf("10000"));
  const GBP = "GBP" as Asset;

  test.each<[string, readonly Payment[], readonly Payment[], string]>([
    ["under a status that pegbot does not know", [], [{ ...first, status: "odd" }], "venue.profile.statuses"],
    ["without an id", [], [{ ...first, paymentId: undefined }], "it has no id"],
    ["without an amount", [], [{ ...first, amount: undefined }], "its amount is not listed"],
    ["in a third currency", [], [{ ...first, amount: Money.of("9", GBP) }], "its amount is in GBP"],
    ["with a fee in a third currency", [], [{ ...first, fee: Money.of("9", GBP) }], "its fee is in GBP"],
    ["under the id of one on another rail", [first], [{ ...first, railId: "out" }], "a payment on rail in"],
    ["with another amount than was booked", [first], [{ ...first, amount: chf("9000") }], "booked with 10000 VCHF"],
    ["with another fee than was booked", [first], [{ ...first, fee: vchf("30") }], "booked with 10000 VCHF, fee 0"],
    ["whose id is listed twice", [], [first, { ...first, amount: chf("5000") }], "its id is listed twice"],
    [
      "that had settled and is rejected since",
      [{ ...first, status: "settled" }],
      [{ ...first, status: "rejected" }],
      "the list says otherwise",
    ],
  ])("%s is not booked, freezes rails once, and is named; also for the next process", (_, before, rows, why) => {
    const bot = account();
    if (before.length > 0) listed(bot, ...before);
    const owned = books(bot);
    expect([listed(bot, ...rows), books(bot)]).toEqual([[], owned]);
    const { treasury } = bot.executor;
    expect(treasury.rails.reason).toContain(why);
    expect(treasury.rails.reason).toContain("pegbot adopt");
    const wish = { kind: "rail", rail: RAIL, isAnother: true } as never;
    expect(treasury.refusal(wish)).toMatch(/^rails are frozen: .*pegbot rails --acknowledge/);
    const frozen = (one: Keeping) => one.entries.filter(({ record }) => record.kind === "rails").length;
    listed(bot, ...rows);
    expect([frozen(bot), treasury.payments.oddRows()]).toMatchObject([1, [{ text: expect.stringContaining(why) }]]);
    const next = restarted(bot);
    expect([listed(next, ...rows), books(next)]).toEqual([[], owned]);
    expect([next.executor.treasury.rails.reason, frozen(next)]).toEqual([treasury.rails.reason, 1]);
  });

  test.each<[string, Payment, Payment]>([
    ["by its id", { ...first, status: "odd" }, { ...first, status: "settled" }],
    ["by its content, where it has no id", { ...first, paymentId: undefined }, { ...first, paymentId: undefined }],
  ])("and was adopted %s is never booked, and freezes nothing again; also for the next process", (_, odd, later) => {
    const bot = account();
    listed(bot, odd);
    const ids = bot.executor.treasury.payments.oddRows().map(({ key }) => key);
    adopt(bot, vchf("10000"), { until: undefined, ids });
    const acknowledged = { kind: "rails", at: bot.now.at, state: "released", whitelist: undefined } as const;
    for (const one of [bot, restarted(bot)]) {
      one.executor.treasury.rails.fold({ ...acknowledged, reason: "looked", by: "ann" });
      expect([listed(one, later), one.executor.treasury.rails.reason, books(one)]).toEqual([
        [],
        undefined,
        ["30000", "0", "0"],
      ]);
    }
  });

  function adopt(bot: Keeping, amount: Money, history: HistoryMark): void {
    bot.adopt({ kind: "adoption", at: bot.now.at, amounts: [amount], history, reason: "looked", by: "ann" });
  }
});

describe("an expectation", () => {
  const expected = (bot: Keeping) => bot.executor.treasury.payments.expectations().map(({ id }) => id);
  const expects = (bot: Keeping, rail: string, amount: string): void => {
    bot.take((out) => bot.executor.treasury.expect(rail, Quantity.of(amount), bot.now, out));
  };

  test("reserves what is to leave, and ends with the payment of its amount; also for the next process", () => {
    const bot = account();
    expects(bot, "L-out", "300");
    expects(bot, "L-out", "400");
    expect(String(bot.accounts.heldAtLeast(VCHF))).toBe("19300");
    const next = restarted(bot);
    expect(expected(next)).toEqual(["expected:L-out:1", "expected:L-out:2"]);
    expect(listed(next, row("out", vchf("400")))).toEqual([
      "expected:L-out:2 released",
      "payment:p1 departed",
      "payment:p1 told",
    ]);
    expect([expected(next), String(next.accounts.heldAtLeast(VCHF))]).toEqual([["expected:L-out:1"], "19300"]);
  });

  test("ends with a payment of another amount too, which says so", () => {
    const bot = account();
    expects(bot, "L-out", "500");
    listed(bot, row("out", vchf("400")));
    expect(bot.said[0]).toMatchObject({
      report: { kind: "released", reason: "payment:p1 of 400 VCHF has come; expected were 500 VCHF" },
    });
    expect(String(bot.accounts.heldAtLeast(VCHF))).toBe("19600");
  });
});

test.each([
  ["in", "here", "30000"],
  ["in", "back", COINS],
  ["out", "through", "10000"],
  ["out", "back", COINS],
] as const)(
  "a payment (%s) that a person closes as %s is booked so once, whatever its list says since",
  (rail, end, coins) => {
    const bot = account();
    listed(bot, row(rail, vchf("10000")));
    bot.take((out) => bot.executor.treasury.closePayment("payment:p1", end, "support says so", bot.now, out));
    expect(books(bot)).toEqual([coins, "0", "0"]);
    for (const one of [bot, restarted(bot)])
      for (const status of ["pending", "settled", "rejected"])
        expect([listed(one, row(rail, vchf("10000"), { status })), books(one)]).toEqual([[], [coins, "0", "0"]]);
  },
);
