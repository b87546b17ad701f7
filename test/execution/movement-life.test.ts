// Mints and rails from being sent to their end: they are remembered whatever number of orders comes after them, and what a
// list or a person says of them is told once.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { Effects } from "../../src/execution/effects.ts";
import type { Approval } from "../../src/risk/treasury-gate.ts";
import { Keeping, opened } from "./keeping.ts";
import { aMint, CHF, VCHF } from "./life.ts";
import {
  accepted,
  asked,
  booksMovements,
  doubted,
  halts,
  hearSaid,
  LISTED,
  minted,
  QUANTITY,
  RAIL,
  restarted,
  takenOver,
} from "./moving.ts";

describe("a mint and a rail that are over", () => {
  test("are no strangers in the venue's lists after ten thousand orders, also after a restart, and count for the day", () => {
    const bot = opened();
    const mint = minted(bot);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
    bot.take((out) => bot.executor.resolve(mint, { kind: "not-landed", by: "ann", reason: "paid back" }, bot.now, out));
    const rows = [{ railId: "a", status: "rejected", reason: "name" }];
    accepted(bot, { kind: "rail", rail: RAIL, isAnother: false }, "L-1", {
      railId: "a",
      status: "held",
      reason: undefined,
    });
    bot.answer({ witness: "rails", rows, ...asked(bot) });
    expect([bot.state(mint), bot.state("L-1")]).toEqual(["settled", "settled"]);
    for (let count = 0; count < 10_001; count++) bot.reject();
    const after = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const keeping of [bot, after]) {
      keeping.nonce = 50_000;
      keeping.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(keeping) });
      keeping.answer({ witness: "rails", rows, ...asked(keeping) });
      expect(keeping.controls).toEqual([]);
      expect(keeping.executor.treasury.mintsSince(millis(0))).toHaveLength(1);
    }
  });
});

test.each([
  ["that the list had before it was sent", ["r1"], "the venue listed r1 before M-2 was sent"],
  ["of another one of ours", [], `r1 is ${aMint.id}, and not M-2`],
])("a mint that is answered with the id %s is in doubt, stops the bot, and is found in the list", (_, known, why) => {
  const bot = opened();
  const first = minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  bot.take((out) => bot.executor.resolve(first, { kind: "not-landed", by: "ann", reason: "paid back" }, bot.now, out));
  const receipt = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: Money.of(QUANTITY, CHF) };
  accepted(bot, { kind: "mint", mint: { ...aMint.request, known } }, "M-2", receipt);
  expect(bot.state("M-2")).toBe("unknown");
  expect(bot.controls).toMatchObject([
    { kind: "halt", cause: "contradiction", reason: `the answer to M-2 contradicts itself: ${why}` },
  ]);
  bot.answer({
    ...{ witness: "supply-changes", asset: VCHF, ...asked(bot) },
    rows: [LISTED, { ...LISTED, requestId: "r2", transactionId: "x2" }],
  });
  expect([bot.state("M-2"), bot.executor.treasury.ownerOf("mint", "r2")]).toEqual(["confirmed", "M-2"]);
});

test("a mint that was answered as done and is never listed can be closed by a person as given back, also for the next start", () => {
  const bot = opened();
  const id = minted(bot);
  const paidBack = { kind: "not-landed", by: "ann", reason: "paid back" } as const;
  const resolve = (out: Effects): void => bot.executor.resolve(id, paidBack, bot.now, out);
  expect(() => bot.take(resolve)).toThrow("must wait for a person");
  bot.at(1).at(1_000);
  expect(bot.controls).toMatchObject([
    { kind: "halt", cause: "doubt", reason: expect.stringMatching(/history does not show it after 0:15:00$/) },
  ]);
  bot.take(resolve);
  expect(bot.said).toMatchObject([{ report: { kind: "returned" } }]);
  const after = new Keeping({ writer: "bot00002", entries: bot.entries });
  for (const { executor } of [bot, after])
    expect(executor.get(id)?.state).toMatchObject({ kind: "settled", receipt: { status: "returned" } });
  expect([...after.executor.open()]).toEqual([]);
});

test("a mint that was closed as given back and settles after all halts the bot, also after a restart, and its coins are adopted once", () => {
  const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF)));
  const id = minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "held" }], ...asked(bot) });
  bot.take((out) => bot.executor.resolve(id, { kind: "not-landed", by: "ann", reason: "promised" }, bot.now, out));
  expect([bot.state(id), String(bot.accounts.settled(CHF))]).toEqual(["settled", "500000"]);
  for (const one of [restarted(bot), bot]) {
    one.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "settled" }], ...asked(one) });
    expect([one.said, String(one.accounts.settled(VCHF))]).toEqual([[], "0"]);
    // 500,000 less 120,000.37 that left after all.
    const balances = [one.balanceOf("CHF", "379999.63"), one.balanceOf("VCHF", QUANTITY)];
    one.answer({ witness: "balances", rows: balances, ...asked(one) });
    halts(one, balances);
    expect(one.controls).toMatchObject([{ cause: "balances", wayOut: expect.stringContaining("pegbot adopt") }]);
    expect(takenOver(one, balances)).toBe(`-${QUANTITY} CHF, ${QUANTITY} VCHF`);
  }
});

test.each([
  ["rejected by the venue", "rejected"],
  ["closed by a person as not landed", "released"],
])(
  "a mint that was %s and is listed after all halts the bot once, and is booked when a person states its cost",
  (_, was) => {
    const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("1000", VCHF)));
    const { id } = aMint;
    if (was === "rejected") {
      bot.take((out) =>
        bot.executor.intend({ kind: "mint", mint: aMint.request, id } as Approval, undefined, bot.now, out),
      );
      bot.reject(bot.send(id));
    } else {
      doubted(bot, { kind: "mint", mint: aMint.request }, id);
      bot.answer({ witness: "supply-changes", asset: VCHF, rows: [], ...asked(bot) }).at(1_000);
      bot.take((out) => bot.executor.resolve(id, { kind: "not-landed", by: "ann", reason: "not there" }, bot.now, out));
    }
    bot.controls.length = 0;
    expect([bot.state(id), bot.accounts.leaving(CHF).isZero()]).toEqual([was, true]);
    // The list of its coin is read before a difference is called unexplained.
    bot.balances({ CHF: "379975.63", VCHF: "1000" });
    expect(bot.asks).toContainEqual({ witness: "supply-changes", asset: VCHF, class: "doubt" });
    bot.seconds += 30;
    const list = (status: string): void => {
      bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
    };
    list("pending");
    expect([bot.state(id), bot.executor.freeze(bot.now).kind]).toEqual(["late", "assets"]);
    const reason = expect.stringContaining(`${id} happened after it had been given up (${was})`);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "late_fill", reason }]);
    // 120,000.37 for the coins and 24 of fee.
    const cost = { spent: Money.of("120024.37", CHF), fee: Money.of("24", CHF) };
    const receipt = { requestId: "r1", transactionId: undefined, ...cost };
    bot.take((out) => bot.executor.resolve(id, { kind: "landed", receipt, by: "ann", reason: "portal" }, bot.now, out));
    list("settled");
    const { accounts } = bot;
    expect([bot.state(id), accounts.settled(CHF), accounts.settled(VCHF), accounts.inFlight(VCHF)].map(String)).toEqual(
      ["settled", "379975.63", "121000.37", "0"],
    );
    bot.balances({ CHF: "379975.63", VCHF: "121000.37" });
    expect([bot.controls.length, bot.executor.freeze(bot.now).kind, restarted(bot).state(id)]).toEqual([
      1,
      "none",
      "settled",
    ]);
  },
);

test("a mint that the venue calls returned is that by its word, no person has closed it, and what the list says next is heard", () => {
  const bot = opened();
  const id = minted(bot);
  const listed = (status: string): void => {
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
  };
  listed("returned");
  expect(bot.said).toMatchObject([{ id, report: { kind: "told", status: "returned" } }]);
  expect(bot.state(id)).toBe("confirmed");
  hearSaid(bot);
  listed("settled");
  expect(bot.said).toMatchObject([
    { id, report: { kind: "told", status: "settled" } },
    { id, report: { kind: "arrived" } },
  ]);
});

test.each([
  ["to a wallet, whose coins leave the account, waits", "0x1", "confirmed"],
  ["onto the account, where they stay, does not wait", undefined, "settled"],
])("a mint %s for a rate before it is over", (_, destination, state) => {
  let isValued = false;
  const bot = new Keeping({ isValued: () => isValued }).opened(Money.of("120000.37", CHF), Money.of("0", VCHF));
  const receipt = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: Money.of(QUANTITY, CHF) };
  accepted(bot, { kind: "mint", mint: { ...aMint.request, destination } }, aMint.id, receipt);
  const look = (): string | undefined => {
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "settled" }], ...asked(bot) });
    return bot.state(aMint.id);
  };
  expect(look()).toBe(state);
  isValued = true;
  expect(look()).toBe("settled");
});
