import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import type { MovementReport } from "../../src/domain/movement.ts";
import type { Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import type { Answer } from "../../src/execution/effects.ts";
import type { ExecutorView } from "../../src/execution/executor.ts";
import type { Arriving } from "../../src/execution/payment/arrivals.ts";
import { compareWithVenue, comparisonAsks } from "../../src/execution/adjustment.ts";
import type { Flying } from "../../src/execution/under-way.ts";
import { Keeping, opened, orderOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";
import { asked, compared, foreignTrade, mintOf, planned, type Sight, started } from "./sight.ts";

describe("a start", () => {
  test("reads all histories first, and the balances last", () => {
    const witnesses = comparisonAsks([VCHF]).map(({ witness, asset }) => [witness, asset]);
    expect(witnesses).toEqual([
      ["trades", undefined],
      ["orders", undefined],
      ["rails", undefined],
      ["supply-changes", VCHF],
      ["balances", undefined],
    ]);
    expect(new Set(comparisonAsks([VCHF], true).map((ask) => ask.class))).toEqual(new Set(["doubt"]));
    const withRails = comparisonAsks([], true).map(({ witness }) => witness);
    expect(withRails).toEqual(["trades", "orders", "rails", "payments", "balances"]);
  });

  test("on an untouched account opens the books with the venue's balances, and is ready from then on", () => {
    const bot = new Keeping();
    const start = started(bot, { balances: { CHF: "1000", VCHF: "0" } });
    expect(start).toMatchObject({
      kind: "first",
      note: "first start: the venue's balances are the opening entry: 1000 CHF, 0 VCHF",
      plan: {
        record: { history: { until: undefined, ids: [] }, by: "bot" },
        event: { kind: "adoption", amounts: [Money.of("1000", CHF), Money.zero(VCHF)] },
      },
    });
    expect(started(new Keeping(), { balances: {} })).toMatchObject({
      note: "first start: the venue's balances are the opening entry: none",
    });
    if (start.kind !== "first") return;
    bot.adopt(start.plan.record);
    expect(started(bot, { balances: { CHF: "1000", VCHF: "0" } })).toEqual({ kind: "ready" });
    expect(bot.controls).toEqual([]);
  });

  test.each([
    ["a trade", { trades: [foreignTrade("A-9")] }],
    ["an order", { orders: [orderOf("A-9", "Rejected")] }],
    ["a rail", { rails: [{ railId: "r1", status: "pending", reason: undefined }] }],
    ["a mint", { mints: [mintOf("m1")] }],
  ] as const)("with an empty journal beside %s refuses, and names adopt", (_what, sight) => {
    expect(started(new Keeping(), sight)).toMatchObject({
      kind: "refused",
      code: "history-without-journal",
      wayOut: "pegbot adopt",
    });
  });

  test("on balances whose pending part is unknown opens nothing", () => {
    expect(started(new Keeping(), { balances: { CHF: "1000+?" } })).toMatchObject({
      kind: "refused",
      code: "unknown-balance",
    });
  });

  test("after a foreign trade, or with other balances than the ledger's, refuses", () => {
    expect(started(opened(), { trades: [foreignTrade("A-9")] })).toMatchObject({
      code: "foreign-activity",
      wayOut: expect.stringContaining("pegbot adopt"),
      stop: { cause: "foreign", subject: "order o-x" },
    });
    expect(started(opened(), { balances: { CHF: "1000", VCHF: "0", EUR: "5" } })).toMatchObject({
      code: "unexplained-balance",
      reason: "the venue's balances differ from the ledger by 5 EUR, which no order of ours explains",
      wayOut: expect.stringContaining("pegbot adopt"),
      stop: { cause: "balances" },
    });
  });

  test("with an order in doubt is ready where its assets explain the difference: they are frozen", () => {
    const bot = opened();
    bot.doubt();
    expect(started(bot, { balances: { CHF: "899.95", VCHF: "100" } })).toEqual({ kind: "ready" });
    expect(bot.executor.freeze(bot.now).kind).toBe("assets");
  });

  test("is not judged without every witness", () => {
    const bot = opened();
    expect(compareWithVenue(bot.executor, [], bot.accounts, bot.now)).toEqual({
      ok: false,
      error: "the venue's trades must be read, and were not",
    });
    const witnesses = ["trades", "orders", "rails", "balances"] as const;
    const answers = witnesses.map((witness, i) => ({ ...asked(bot), witness, rows: [], receivedAt: millis(7 - i) }));
    for (const missing of witnesses) {
      const others = answers.filter(({ witness }) => witness !== missing) as readonly Answer[];
      expect(compareWithVenue(bot.executor, others, bot.accounts, bot.now)).toMatchObject({
        error: `the venue's ${missing} must be read, and were not`,
      });
    }
    // As of the youngest of them.
    const all = compareWithVenue(bot.executor, answers as readonly Answer[], bot.accounts, bot.now);
    expect(all).toMatchObject({ value: { receivedAt: 7 } });
  });

  test("says of how many rows the journal knows nothing, by how much an asset differs, and of which nothing is known", () => {
    const rows = ["1", "2", "3"].map((n) => ({ ...foreignTrade(`A-${n}`), tradeId: `t-${n}`, orderId: `o-${n}` }));
    const reason = (bot: Keeping, sight: Sight): string => {
      const start = started(bot, sight);
      return start.kind === "refused" ? start.reason : start.kind;
    };
    expect(reason(opened(), { trades: rows })).toMatch(/^the venue shows trade "t-1".* and 2 more, of which the/);
    expect(reason(new Keeping(), { trades: rows.slice(1) })).toContain(" and 1 more: the books must not begin at zero");
    expect(reason(new Keeping(), { trades: rows.slice(2) })).toMatch(/"t-3"(?!.* more).*: the books must not begin at/);
    expect(reason(opened(), { trades: rows.slice(2) })).not.toContain(" more");
    expect(reason(opened(), { balances: { VCHF: "0", CHF: "1005" } })).toBe(
      "the venue's balances differ from the ledger by 5 CHF, which no order of ours explains",
    );
    expect(reason(opened(), { balances: { VCHF: "0" } })).toBe("the venue does not say what there is of CHF");
    expect(
      compared(opened(), { balances: { VCHF: "0", EUR: "1", CHF: "1" } }).differences.map(({ asset }) => asset),
    ).toEqual(["CHF", "EUR", "VCHF"]);
  });
});

test("a fill that the balances show beside a difference is waited for by a start, and no longer by who takes the rest over", () => {
  const bot = opened();
  const id = bot.fill();
  const seen = { balances: { CHF: "899.95", VCHF: "100", EUR: "5" } };
  const waited = (how: object) => compared(bot, seen, how).unclear.map(({ submission }) => submission.id);
  expect([waited({}), waited({ takesOver: true })]).toEqual([[id], []]);
});

describe("a payment that comes onto the account while venue and journal are compared", () => {
  const arriving = (status: string): Keeping => {
    const bot = opened();
    const move = (report: MovementReport): void => {
      const event = { kind: "movement", id: "payment:p1", report, receivedAt: bot.now.at } as const;
      const step = { sequence: 1, at: bot.now.at, event, decisions: [], commands: [] } as unknown as Step;
      bot.hear({ sequence: 1, hash: "", writer: "bot00001", record: { kind: "step", at: bot.now.at, step } });
    };
    const comes = Money.of("10000", VCHF);
    move({ kind: "departed", door: "payment", spent: Money.zero(CHF), fee: Money.zero(CHF), comes });
    move({ kind: "told", status, reason: undefined });
    return bot;
  };
  const amountsOf = (bot: Keeping, held: string): readonly string[] => {
    const plan = planned(bot, { balances: { CHF: "1000", VCHF: held } });
    if (!plan.ok) throw new Error(plan.error);
    return plan.value.record.amounts.map((amount) => `${amount} ${amount.asset}`);
  };

  test.each(["0", "10000", "9990"])("is no difference, whether it is there or not, fee or none: %s held", (held) => {
    for (const status of ["pending", "settled"]) {
      const bot = arriving(status);
      expect([amountsOf(bot, held), started(bot, { balances: { CHF: "1000", VCHF: held } }).kind]).toEqual([
        [],
        "ready",
      ]);
    }
  });

  test("is not taken over with another difference: it would be booked a second time when it arrives", () => {
    expect(amountsOf(arriving("settled"), "10500")).toEqual(["500 VCHF"]);
    expect(amountsOf(arriving("pending"), "500")).toEqual(["500 VCHF"]);
  });
});

describe("coins on their way", () => {
  type Way = {
    readonly flights?: readonly Flying[];
    readonly arriving?: readonly Arriving[];
    readonly rest?: object;
  };
  const money = (text: string): Money => Money.of(text, VCHF);
  /** What the ledger is held against, by what the venue shows; available, and after a plus what is pending. */
  function heldAgainst(
    shown: string,
    ledger: string | undefined,
    { flights = [], arriving = [], rest = {}, ...how }: Way & { readonly takesOver?: boolean },
  ): string {
    const bot = opened();
    const movements = { inFlight: () => flights, arriving: () => arriving, uncosted: () => [], ...rest };
    const histories = { strangers: () => [], contested: () => [], ...rest };
    const likeness = () => ({ text: "", finding: "", own: [] });
    const balances = { unclear: () => [], paidLately: () => [], likeness, ...rest };
    const { terms } = bot.executor;
    const executor = { movements, histories, balances, terms } as unknown as ExecutorView;
    const answers = ["trades", "orders", "rails", "balances"].map((witness) => ({
      ...{ witness, ...asked(bot) },
      rows: witness === "balances" ? [bot.balanceOf(VCHF, shown)] : [],
    })) as unknown as readonly Answer[];
    const books = { assets: [VCHF], settled: () => (ledger === undefined ? undefined : money(ledger)) };
    const comparison = compareWithVenue(executor, answers, books, bot.now, how);
    return comparison.ok ? String(comparison.value.differences[0]?.ledger) : comparison.error;
  }
  const flight = (coins: string, isSettled: boolean): Flying => ({ coins: money(coins), isSettled }) as Flying;

  test("of mints may be there or not; beside another difference those count that are pending, have settled by the list, or leave less over", () => {
    const flights = [flight("100", true), flight("40", false)];
    const against = (shown: string, ledger?: string) => heldAgainst(shown, ledger, { flights });
    expect([against("1000", "1000"), against("1140", "1000"), against("1000+140", "1000")]).toEqual([
      "1000",
      "1140",
      "1140",
    ]);
    // 50 more than there should be: with all of it pending, with a part, and with none that has settled.
    expect([against("1050+140", "1000"), against("1050+139", "1000"), against("1050", "1000")]).toEqual([
      "1140",
      "1140",
      "1100",
    ]);
    const single = { flights: [flight("40", false)] };
    // As near to both it counts as there: what is wrongly left out would be in the books twice.
    expect(heldAgainst("1020", "1000", single)).toBe("1040");
    expect(heldAgainst("1008", "1000", { flights: [flight("10", false), flight("8.5", false)] })).toBe("1008.5");
    expect(["1050", "1040", "1000", "1019", "995"].map((shown) => heldAgainst(shown, "1000", single))).toEqual([
      "1040",
      "1040",
      "1000",
      "1000",
      "1000",
    ]);
    // A part of what is pending is missing, and so is much of what was there.
    expect([heldAgainst("1000+35", "1000", single), heldAgainst("970+40", "1000", single)]).toEqual(["1040", "1040"]);
    // Of a coin that the books never had.
    expect([against("0"), against("140"), against("7")]).toEqual(["undefined", "140", "100"]);
    expect([heldAgainst("7", undefined, single), against("5+?", "3")]).toEqual(["undefined", "3"]);
  });

  test("of a mint that the list has called settled for a day count as there for whoever takes over: else nothing would ever end it", () => {
    const { at } = opened().now;
    const since = (listedMs: number): Flying => ({ ...flight("40", true), listedAt: millis(at - listedMs) });
    const against = (shown: string, listedMs: number, takesOver: boolean) =>
      heldAgainst(shown, "1000", { flights: [since(listedMs), flight("7", false)], takesOver });
    expect([against("1000", 86_400_000, true), against("1047", 86_400_000, true)]).toEqual(["1040", "1047"]);
    expect([against("1000", 86_399_999, true), against("1000", 86_400_000, false)]).toEqual(["1000", "1000"]);
    // The list has called it something else since.
    const flights = [{ ...since(86_400_000), isSettled: false }];
    expect(heldAgainst("1000", "1000", { flights, takesOver: true })).toBe("1000");
  });

  test("of a mint and of a payment together, and beside what may be owed for a mint or was moved by a stranger", () => {
    const flights = [flight("100", false)];
    const arriving = [{ least: money("50"), most: money("50"), isSettled: false }];
    const both = ["1150", "1050+100", "1050"].map((shown) => heldAgainst(shown, "1000", { flights, arriving }));
    expect(both).toEqual(["1150", "1150", "1050"]);
    const owed = { rest: { uncosted: () => [{ id: "M-1", least: money("5"), most: money("6") }] } };
    expect([heldAgainst("5+?", "3", owed), heldAgainst("7", undefined, owed)]).toEqual(["3", "undefined"]);
    // 100 more, of which a trade says that it moved 90.
    const changes: string[] = [];
    const row = { key: "trade:x", text: "", subject: "", assets: [VCHF], at: undefined, moved: [money("90")] };
    const rest = {
      strangers: ({ witness }: Answer) => (witness === "trades" ? [row] : []),
      likeness(moved: readonly Money[]) {
        changes.push(...moved.map(String));
        return { text: "", finding: "", own: [] };
      },
    };
    heldAgainst("1100", "1000", { rest, takesOver: true });
    expect(changes).toEqual(["10"]);
    // Not of an order: what it moved is no fill.
    const mint = { id: "M-1", kind: "mint", request: {}, state: { kind: "confirmed", receipt: {} }, assets: [VCHF] };
    const waiting = { unclear: () => [mint], dueAt: () => undefined };
    expect(heldAgainst("1000", "1000", { rest: waiting, takesOver: true })).toBe("1000");
  });

  test("of payments are what the venue shows where they explain it; beside another difference those count that have settled, or leave less over", () => {
    const payment = (most: string, isSettled: boolean): Arriving => ({
      ...{ least: money(most).minus(money("10")), most: money(most) },
      isSettled,
    });
    const arriving = [payment("1000", true), payment("400", false)];
    const against = (shown: string, ledger?: string) => heldAgainst(shown, ledger, { arriving });
    expect(["500", "1500", "1490", "1900", "900"].map((shown) => against(shown, "500"))).toEqual([
      "500",
      "1500",
      "1490",
      "1900",
      "900",
    ]);
    expect([against("1501", "500"), against("1489.9", "500"), against("7"), against("5+?", "3")]).toEqual([
      "1500",
      "1500",
      "1000",
      "3",
    ]);
    // Both are there, though the list calls one pending, and something else.
    expect([against("1930", "500"), against("1690", "500")]).toEqual(["1900", "1500"]);
    // So many that nobody tries them all.
    const many = Array.from({ length: 40 }, () => payment("1000", false));
    expect(heldAgainst("501", "500", { arriving: many })).toBe("500");
    // Of ten two have settled by the list, and the balances show one of them yet.
    const ten = Array.from({ length: 10 }, (_, i) => payment(String(1000 * 2 ** i), i < 2));
    expect(heldAgainst("1500", "500", { arriving: ten })).toBe("1500");
    // Of fourteen four have: 1,000, 2,000 and 4,000 are there, 8,000 not yet, and 8,192,000 is that the list does not call settled.
    const fourteen = Array.from({ length: 14 }, (_, i) => payment(String(1000 * 2 ** i), i < 4));
    expect(heldAgainst("8199500", "500", { arriving: fourteen })).toBe("8199500");
  });
});
