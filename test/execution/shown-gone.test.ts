// Whether balances show that what paid for a mint or a payment is gone: only where they cannot be read in any other way.

import { describe, expect, it } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { LEFT } from "../../src/domain/movement.ts";
import { goneReport, shownGone } from "../../src/execution/shown-gone.ts";
import type { Mover } from "../../src/execution/totals.ts";
import { Keeping } from "./keeping.ts";
import { VCHF } from "./life.ts";
import { asked, LISTED, minted } from "./moving.ts";
import { adoptAll, foreignTrade } from "./sight.ts";

const CHF = "CHF" as Asset;
const chf = (amount: string): Money => Money.of(amount, CHF);

/** 100 CHF of 1,000 went away with it. */
const UNSEEN = [{ id: "M-1", spent: chf("100") }];

function gone(rows: readonly Partial<Balance>[], movers: readonly Mover[] = [], ledger = "900"): readonly string[] {
  const whole = rows.map((row) => ({ asset: CHF, available: chf("0"), pending: chf("0"), ...row }));
  return shownGone(UNSEEN, whole, () => chf(ledger), movers);
}

const moving = (id: string, amount: string, booked: boolean): Mover => {
  return { id, booked, movements: [{ least: chf(amount), most: chf(amount) }] };
};

describe("what paid for a mint is shown to be gone", () => {
  it("by balances without it, and not by those from before", () => {
    expect(gone([{ available: chf("900") }])).toEqual(["M-1"]);
    expect(gone([{ available: chf("1000") }])).toEqual([]);
  });

  it("not by balances that something else explains as well, or that nothing does", () => {
    expect(gone([{ available: chf("900") }], [moving("T-1", "-100", false)])).toEqual([]);
    expect(gone([{ available: chf("1000") }], [moving("T-1", "100", false)])).toEqual([]);
    expect(gone([{ available: chf("950") }])).toEqual([]);
  });

  it("beside something else that can only be there too, and once where it is among what was booked lately", () => {
    expect(gone([{ available: chf("907") }], [moving("T-1", "7", false)])).toEqual(["M-1"]);
    expect(gone([{ available: chf("900") }], [moving("M-1", "-100", true)])).toEqual(["M-1"]);
  });

  it("beside many on their way, in whatever order what left is listed", () => {
    const coming = (id: string, least: string, most: string): Mover => {
      return { id, booked: false, movements: [{ least: chf(least), most: chf(most) }] };
    };
    const others = ["18195", "2645", "4839", "953", "1554"].map((amount) => moving(`M-${amount}`, amount, false));
    const flights = [...others, coming("M-642", "592", "642"), coming("M-3929", "3879", "3929")];
    const unseen = ["582", "1961"].map((amount) => ({ id: `P-${amount}`, spent: chf(amount) }));
    const shown = (available: string): readonly string[] =>
      shownGone(unseen, [{ asset: CHF, available: chf(available), pending: chf("0") }], () => chf("480000"), flights);
    // 582 that are still there, 18,195 and 3,929 that have come; or 642 and 3,929 less 60 of fees, and both have left.
    expect(shown("502706")).toEqual(["P-1961"]);
    expect(shown("502124")).toEqual(["P-582", "P-1961"]);
  });

  it("not by balances that do not say what there is, unless there is nothing", () => {
    expect(gone([{ available: chf("900"), pending: undefined }])).toEqual([]);
    expect(gone([])).toEqual([]);
    expect(gone([], [], "0")).toEqual(["M-1"]);
  });
});

it("that it is gone is told once, with the venue's word, and not before there is one or after it is over", () => {
  expect(goneReport({ stage: "departed", status: "held" })).toEqual({ kind: "told", status: "held", reason: LEFT });
  expect(goneReport({ stage: "departed", status: "held", isShownGone: true })).toBeUndefined();
  expect(goneReport({ stage: "departed" })).toBeUndefined();
  expect(goneReport({ stage: "arrived", status: "settled" })).toBeUndefined();
  expect(goneReport(undefined)).toBeUndefined();
});

it("that it is gone is not shown where somebody else has moved the same asset, and is once that was taken over", () => {
  const bot = new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF));
  minted(bot);
  const move = (): readonly unknown[] => {
    for (const event of bot.said) if (event.kind === "movement") bot.accounts.move(event.id, event.report, bot.now.at);
    return bot.said.flatMap((event) =>
      event.kind === "movement" && event.report.kind === "told" ? [event.report.reason] : [],
    );
  };
  move();
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  move();
  bot.seconds += 1;
  bot.trades([foreignTrade("portal-1")]);
  move();
  bot.seconds += 1;
  const shown = { CHF: "379999.63", VCHF: "0" };
  bot.balances(shown);
  expect(move()).toEqual([]);
  adoptAll(bot, { trades: [foreignTrade("portal-1")], mints: [], balances: shown });
  bot.seconds += 1;
  bot.balances(shown);
  expect(move()).toEqual([LEFT]);
});
