import { describe, expect, test } from "vitest";
import { Accounts } from "../../src/books/accounts/accounts.ts";
import { type MoneyRequest, reservationOf } from "../../src/execution/request.ts";
import type { Entry } from "../../src/journal/record.ts";
import type { Approval } from "../../src/risk/treasury-gate.ts";
import { testBooks } from "../support/test-books.ts";
import { look, settled } from "./first-fill.ts";
import { type Keeping, tradeOf } from "./keeping.ts";
import { aMint, CHF, VCHF } from "./life.ts";
import { doubted } from "./moving.ts";

type Life = { readonly bot: Keeping; readonly first: string };

/** Brings an order of a bot, whose first fill has settled, into each state. */
const LIVES = {
  intended: ({ bot }: Life) => bot.intend(),
  sending: ({ bot }: Life) => bot.send(),
  "not-sent": ({ bot }: Life) => {
    const id = bot.intend();
    bot.take((out) => bot.executor.outcome(id, { kind: "not-sent", code: "expired", reason: "too old" }, bot.now, out));
    return id;
  },
  rejected: ({ bot }: Life) => bot.reject(),
  accepted: ({ bot }: Life) => bot.fill(),
  confirmed: ({ bot, first }: Life) => {
    const id = bot.fill();
    bot.trades([tradeOf(first), tradeOf(id)]);
    return id;
  },
  settled: ({ bot, first }: Life) => {
    const id = bot.fill();
    bot.trades([tradeOf(first), tradeOf(id)]).balances({ CHF: "799.9", VCHF: "200" });
    return id;
  },
  unknown: ({ bot }: Life) => bot.doubt(),
  fenced: (life: Life) => fenced(life),
  escalated: (life: Life) => {
    const id = fenced(life);
    life.bot.at(910);
    return id;
  },
  released: (life: Life) => released(life),
  late: (life: Life) => {
    const id = released(life);
    life.bot.trades([tradeOf(life.first), tradeOf(id)]);
    return id;
  },
} satisfies Record<MoneyRequest["state"]["kind"] | "fenced" | "escalated", (life: Life) => string>;

function fenced({ bot, first }: Life): string {
  const id = bot.at(10).doubt();
  bot.trades([tradeOf(first)]);
  return id;
}

function released(life: Life): string {
  const id = fenced(life);
  for (const seconds of [10, 15, 130]) look(life.bot, seconds, life.first);
  return id;
}

/** The engine's accounts, by nothing but the journal. */
function accountsOf(entries: readonly Entry[]): Accounts {
  const accounts = new Accounts(0);
  const books = testBooks({ accounts });
  for (const { record } of entries) {
    if (record.kind === "adoption") accounts.adopt(record.amounts);
    if (record.kind === "intent" && record.request.kind === "order")
      books.approved(record.request.order, {}, record.at);
    if (record.kind === "step") books.take(record.step.event);
  }
  return accounts;
}

test.each(Object.entries(LIVES))(
  "an order that is %s counts both ways as long as it may happen, in the protocol and in the engine's accounts alike",
  (phase, live) => {
    const life = settled();
    const id = live(life);
    const { bot } = life;
    expect(bot.phase(id)).toBe(phase);
    const state = bot.executor.get(id)?.state;
    if (state === undefined) throw new Error("it must be known");
    const seen = reservationOf(state);
    const accounts = accountsOf(bot.entries);
    expect(accounts.open.size).toBe(seen === "both-ways" ? 1 : 0);
    // 899.95 less 100.05 for the fill; reported by the answer, by history or by both, it is booked once.
    expect(`${accounts.held(CHF)} ${accounts.held(VCHF)}`).toBe(seen === "booked" ? "799.9 200" : "899.95 100");
  },
);

describe("unknown outcomes freeze", () => {
  test.each(["intended", "sending", "accepted", "released"] as const)("nothing where an order is %s", (kind) => {
    const life = settled();
    LIVES[kind](life);
    expect(life.bot.executor.freeze(life.bot.now)).toEqual({ kind: "none" });
  });

  test.each(["unknown", "fenced"] as const)("the two assets of one that is %s", (kind) => {
    const life = settled();
    const id = LIVES[kind](life);
    expect(life.bot.executor.freeze(life.bot.now)).toEqual({
      kind: "assets",
      assets: [VCHF, CHF],
      reason: `the outcome of ${id} is unknown; a second one, or one for 0:15:00, freezes everything`,
    });
  });

  test("everything when there are two, mints among them", () => {
    for (const second of ["order", "mint"]) {
      const { bot } = settled();
      bot.doubt();
      if (second === "order") bot.doubt();
      else doubted(bot, { kind: "mint", mint: aMint.request } as unknown as Approval, aMint.id);
      const reason = "unknown outcomes are 2, limit is 1";
      expect(bot.executor.freeze(bot.now)).toEqual({ kind: "everything", reason });
    }
  });

  test("everything when one is 15 minutes old, escalated or not", () => {
    const life = settled();
    fenced(life);
    const { bot } = life;
    bot.seconds = 909;
    expect(bot.executor.freeze(bot.now).kind).toBe("assets");
    bot.seconds = 910;
    expect(bot.executor.freeze(bot.now).kind).toBe("everything");
    bot.at(910);
    expect(bot.executor.freeze(bot.now).kind).toBe("everything");
  });
});
