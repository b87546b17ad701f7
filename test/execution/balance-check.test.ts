// The balance rule: which differences are exact, when any other one freezes its asset and halts the bot, and what the halt says.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { orderMoves } from "../../src/domain/moves.ts";
import { millis, mono } from "../../src/domain/time.ts";
import { BalanceCheck, type BalanceHalt, type OpenItem } from "../../src/execution/balance-check.ts";
import type { Moment } from "../../src/execution/request.ts";
import type { BalanceDifference } from "../../src/journal/record.ts";
import { ONE_FILLED, settled, UNTOUCHED } from "./first-fill.ts";
import { Keeping, opened, orderOf, tradeOf } from "./keeping.ts";
import { CHF, ORDER, VCHF } from "./life.ts";

const amount = (text: string, asset: Asset): Money =>
  text.startsWith("-") ? Money.of(text.slice(1), asset).negated() : Money.of(text, asset);

function item(id: string, ...moves: readonly Money[]): OpenItem {
  return { id, text: `${id}, on the way`, moves: moves.map((one) => ({ least: one, most: one })) };
}

/** Books of 1,000 CHF and no VCHF, on a clock of seconds. */
class Checked {
  readonly check: BalanceCheck;
  readonly records: BalanceDifference[] = [];
  halts: BalanceHalt[] = [];
  items: readonly OpenItem[] = [];
  now: Moment = { at: millis(0), mono: mono(0) };

  constructor(records: readonly BalanceDifference[] = []) {
    const books = new Map([
      [CHF, Money.of("1000", CHF)],
      [VCHF, Money.zero(VCHF)],
    ]);
    this.check = new BalanceCheck({
      held: (asset) => books.get(asset),
      openItems: () => this.items,
      youngMs: 120_000,
    });
    for (const record of records) this.check.fold(record);
  }

  at(second: number, monoSecond = second): this {
    this.now = { at: millis(second * 1_000), mono: mono(monoSecond * 1_000) };
    return this;
  }

  /** By how much the venue has more than the books. */
  differ(chf: string, vchf = "0", excused: readonly Asset[] = []): this {
    const row = (asset: Asset, held: string, more: string): Balance => ({
      asset,
      available: Money.of(held, asset).plus(amount(more, asset)),
      pending: Money.zero(asset),
    });
    return this.see([row(CHF, "1000", chf), row(VCHF, "0", vchf)], excused);
  }

  see(rows: readonly Balance[], excused: readonly Asset[] = []): this {
    const { records, halt } = this.check.see(rows, this.now, {
      isOpened: true,
      excused: new Set(excused),
    });
    this.records.push(...records);
    if (halt !== undefined) this.halts.push(halt);
    return this;
  }

  get frozen(): readonly Asset[] {
    return this.check.frozen(this.now)?.assets ?? [];
  }
}

describe("a difference is exact", () => {
  const isExact = (items: readonly OpenItem[], chf: string, vchf: string): boolean => {
    const checked = new Checked();
    checked.items = items;
    return checked.differ(chf, vchf).check.isClear;
  };
  const three = [item("a", amount("100", VCHF)), item("b", amount("40", VCHF)), item("c", amount("-7", VCHF))];

  test("where it is zero, one open item, or all of them together", () => {
    for (const exact of ["0", "100", "40", "133"]) expect(isExact(three, "0", exact), exact).toBe(true);
    // Two of three, more than all, and a unit beside each of them.
    for (const odd of ["140", "93", "33", "141", "1", "101", "99.999999999999999999", "134"])
      expect(isExact(three, "0", odd), odd).toBe(false);
  });

  test("where an item moves two assets only as a whole, at each price that the order allows", () => {
    const order: OpenItem = { id: "T-1", text: "T-1, outcome unknown", moves: orderMoves(ORDER, 0) };
    // 100 at 1.001 at most, and at 5 % less at best.
    for (const chf of ["-100.1", "-100.05", "-95.095"]) expect(isExact([order], chf, "100"), chf).toBe(true);
    for (const chf of ["0", "-100.11", "-95.09"]) expect(isExact([order], chf, "100"), chf).toBe(false);
    expect(isExact([order], "-100.05", "0")).toBe(false);
  });

  test("in one asset while it is not in another that no item joins to it", () => {
    const checked = new Checked();
    checked.items = three;
    expect(checked.differ("5", "100").frozen).toEqual([CHF]);
  });
});

describe("a difference outside what is open and young", () => {
  test("of one unit freezes its asset at once and halts after 120 s, with both totals and the line to type", () => {
    const checked = new Checked();
    expect(checked.differ("0.000000000000000001").frozen).toEqual([CHF]);
    checked.at(119).differ("0.000000000000000001");
    expect(checked.halts).toEqual([]);
    checked.at(120).differ("0.000000000000000001");
    expect(checked.halts).toEqual([
      {
        cause: "balances",
        subject: "difference of CHF",
        reason:
          "the venue has 1000.000000000000000001 CHF and the books 1000, a difference of 0.000000000000000001, since 1970-01-01T00:00:00Z; nothing of ours is open there",
        adopt: "pegbot adopt",
      },
    ]);
  });

  test("is outside where it passes the sum of all that would add to it, whatever would take away", () => {
    const checked = new Checked();
    checked.items = [item("a", amount("100", VCHF)), item("b", amount("-40", VCHF))];
    expect([checked.differ("0", "101").frozen, checked.differ("0", "-41").frozen]).toEqual([[VCHF], [VCHF]]);
    expect([checked.differ("0", "99").frozen, checked.differ("0", "-39").frozen]).toEqual([[], []]);
  });

  test("that changes or turns keeps its clock; one that was gone begins anew", () => {
    const checked = new Checked().differ("5").at(60).differ("-7").at(119).differ("1").at(120).differ("2");
    expect(checked.halts).toHaveLength(1);
    const again = new Checked().differ("5").at(60).differ("0");
    expect(again.frozen).toEqual([]);
    again.at(61).differ("5").at(180).differ("5");
    expect(again.halts).toEqual([]);
    again.at(181).differ("5");
    expect(again.halts).toHaveLength(1);
  });

  test("that unattributed rows explain is frozen, and their halt is the one halt", () => {
    const checked = new Checked().differ("5").at(120).differ("5", "0", [CHF]);
    expect([checked.frozen, checked.halts]).toEqual([[CHF], []]);
  });
});

describe("a difference inside what is open and young, and not exact", () => {
  const inside = (): Checked => {
    const checked = new Checked();
    checked.items = [item("a", amount("100", VCHF)), item("b", amount("40", VCHF))];
    return checked.differ("0", "120");
  };

  test("freezes its asset after 60 s and halts after 270 s", () => {
    const checked = inside();
    expect(checked.frozen).toEqual([]);
    expect(checked.at(59).frozen).toEqual([]);
    expect(checked.at(60).frozen).toEqual([VCHF]);
    checked.at(269).differ("0", "120");
    expect(checked.halts).toEqual([]);
    checked.at(270).differ("0", "120");
    expect(checked.halts).toMatchObject([
      {
        reason: expect.stringMatching(
          /^the venue has 120 VCHF and the books 0, a difference of 120, since .*; of ours there: a, on the way, b, on the way$/,
        ),
        adopt: "pegbot adopt --beside a b",
      },
    ]);
  });

  test("halts at once where it gets outside when its 120 s are over", () => {
    const checked = inside();
    checked.at(200).differ("0", "120");
    expect(checked.halts).toEqual([]);
    checked.at(201).differ("0", "141");
    expect([checked.frozen, checked.halts.length]).toEqual([[VCHF], 1]);
  });
});

describe("the clock of a difference", () => {
  test("is journaled: begun once, ended once, and a restart does not begin it anew", () => {
    const first = new Checked().differ("5").at(10).differ("6");
    expect(first.records).toEqual([{ kind: "difference", at: 0, asset: CHF, amount: Money.of("5", CHF) }]);
    const restarted = new Checked(first.records).at(119, 1).differ("6");
    expect([restarted.records, restarted.halts, restarted.frozen]).toEqual([[], [], [CHF]]);
    restarted.at(120, 2).differ("6");
    expect(restarted.halts).toMatchObject([{ reason: expect.stringContaining("since 1970-01-01T00:00:00Z") }]);
    restarted.at(130, 12).differ("0");
    expect(restarted.records).toEqual([{ kind: "difference", at: 130_000, asset: CHF, amount: undefined }]);
    const after = new Checked([...first.records, ...restarted.records]).at(140, 1).differ("6").at(259, 120).differ("6");
    expect(after.halts).toEqual([]);
  });

  test("goes on by the monotonic clock where the wall clock is set back", () => {
    const checked = new Checked().at(10_000, 0).differ("5").at(5_000, 120).differ("5");
    expect(checked.halts).toHaveLength(1);
  });

  test("over restarts of the whole executor runs until the halt", () => {
    const bot = opened().at(10).balances({ CHF: "1001", VCHF: "0" });
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.at(129).balances({ CHF: "1001", VCHF: "0" });
    expect(next.controls).toEqual([]);
    next.at(130).balances({ CHF: "1001", VCHF: "0" });
    expect(next.controls).toMatchObject([{ kind: "halt", cause: "balances" }]);
  });

  test("ends with an adoption, and the next answer is judged anew", () => {
    const bot = opened().balances({ CHF: "1001", VCHF: "0" });
    bot.at(100).opened(Money.of("0.5", CHF)).balances({ CHF: "1001", VCHF: "0" });
    bot.at(219).balances({ CHF: "1001", VCHF: "0" });
    expect(bot.controls).toEqual([]);
    bot.at(220).balances({ CHF: "1001", VCHF: "0" });
    expect(bot.controls).toMatchObject([{ reason: expect.stringContaining("a difference of 0.5") }]);
  });
});

describe("balances without a pending part", () => {
  test("are compared by what is available alone, freeze and halt as always, and keep trading where they agree", () => {
    const bot = opened().balances({ CHF: "1000+?", VCHF: "0+?" });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95+?", VCHF: "100+?" });
    expect(bot.state(id)).toBe("settled");
    bot.at(10).balances({ CHF: "800+?", VCHF: "100+?" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    bot.at(130).balances({ CHF: "800+?", VCHF: "100+?" });
    expect(bot.controls).toMatchObject([{ reason: expect.stringContaining("a difference of -99.95") }]);
  });

  test("have no vote on an unknown outcome: it is not counted absent", () => {
    const { bot, first } = settled();
    const id = bot.at(10).doubt();
    bot.trades([tradeOf(first)]);
    for (const seconds of [10, 15, 130, 310]) {
      bot
        .at(seconds)
        .trades([tradeOf(first)])
        .orders([orderOf(first, "Filled")]);
      bot.balances({ CHF: "899.95+?", VCHF: "100" });
    }
    expect(bot.executor.get(id)?.state).toMatchObject({ fence: expect.any(Number), absences: 0 });
    const reasons = bot.entries.flatMap(({ record }) =>
      record.kind === "evidence" && record.id === id && record.finding.kind === "silent" ? [record.finding.reason] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(["the venue does not state what is pending of CHF"]));
  });
});

test("balances that may not show a booking yet, or differ by more than what is open, have no vote", () => {
  const checked = new Checked();
  checked.items = [{ id: "T-2", text: "T-2, outcome unknown", moves: orderMoves(ORDER, 0) }];
  const vote = (chf: string, vchf: string): string => {
    const rows = [
      { asset: CHF, available: Money.of(chf, CHF), pending: Money.zero(CHF) },
      { asset: VCHF, available: Money.of(vchf, VCHF), pending: Money.zero(VCHF) },
    ];
    const found = checked.check.vote("T-2", rows, checked.now);
    return found.kind === "none" ? found.reason : found.kind;
  };
  expect([vote("1000", "0"), vote("899.95", "100")]).toEqual(["absent", "landed"]);
  expect(vote("1001", "0")).toBe("the balances differ by more than what is open");
  checked.check.booked("T-1", [amount("-1", CHF)], checked.now.at, checked.now.mono);
  expect([vote("1000", "0"), checked.at(119) && vote("899.95", "100")]).toEqual([
    "the balances may not show T-1 yet",
    "the balances may not show T-1 yet",
  ]);
  expect(checked.at(120) && vote("1000", "0")).toBe("absent");
});

describe("an asset that is no longer listed", () => {
  test("and that the books have is frozen at once and halts after 120 s; the venue is asked before it is adopted as gone", () => {
    const bot = opened().balances(UNTOUCHED);
    const others = { VCHF: "0", VGBP: "0" };
    bot.at(10).balances(others);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    bot.at(129).balances(others);
    expect(bot.controls).toEqual([]);
    bot.at(130).balances(others);
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "balances",
        reason: expect.stringMatching(/^the venue no longer lists CHF, of which the books have 1000, since /),
        wayOut: 'ask the venue about CHF, then pegbot adopt --gone CHF, then pegbot resume --reason "..."',
      },
    ]);
  });

  test("is missed also by a process that never saw it listed: all of it may have left while none ran", () => {
    const bot = opened();
    bot.trades([tradeOf(bot.fill())]).balances(ONE_FILLED);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.at(600).balances({ CHF: "899.95" });
    expect(next.executor.freeze(next.now)).toMatchObject({ kind: "assets", assets: [VCHF] });
    next.at(720).balances({ CHF: "899.95" });
    expect(next.controls).toMatchObject([
      { reason: expect.stringContaining("no longer lists VCHF, of which the books have 100") },
    ]);
    expect(opened().balances({ VCHF: "0" }).executor.freeze(opened().now)).toMatchObject({ assets: [CHF] });
  });
});

test("a negative balance halts at once, and no adoption is named for it", () => {
  expect(opened().balances({ CHF: "1000", VCHF: "-1" }).controls).toMatchObject([
    {
      kind: "halt",
      cause: "balances",
      reason: "balances must not be negative, were -1 available and 0 pending of VCHF",
      wayOut: 'ask the venue about VCHF, then pegbot resume --reason "..."',
    },
  ]);
});

describe("the executor", () => {
  test("lets a fill be late for its 120 s, and halts for one that is never shown", () => {
    const bot = opened();
    bot.trades([tradeOf(bot.fill())]);
    bot.at(10).balances(UNTOUCHED).at(69);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(70);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF, VCHF] });
    bot.at(119).balances(UNTOUCHED);
    expect(bot.controls).toEqual([]);
    bot.at(130).balances(UNTOUCHED);
    expect(bot.controls).toMatchObject([{ kind: "halt", reason: expect.stringContaining("a difference of -100,") }]);
  });

  test("takes an unknown outcome as an explanation for as long as it is one, also of one that is being sent", () => {
    const bot = opened();
    const id = bot.doubt();
    for (const seconds of [1, 2, 200, 901, 2_000]) bot.at(seconds).balances(ONE_FILLED);
    expect([bot.phase(id), bot.controls]).toEqual(["escalated", []]);
    const other = opened();
    const command = new Keeping({ writer: "order001", entries: other.entries });
    command.send();
    for (const entry of command.entries.slice(other.entries.length)) other.hear(entry);
    other.balances(ONE_FILLED);
    expect(other.executor.freeze(other.now)).toEqual({ kind: "none" });
  });
});

describe("a list that cannot be read", () => {
  test.each(["balances", "trades", "orders"] as const)(
    "of %s freezes everything after 120 s, until it is read",
    (one) => {
      const bot = opened();
      const unread = (second: number): void => {
        const question = { witness: one, askedAt: bot.at(second).now.mono, code: "venue-down" } as const;
        bot.take((out) => bot.executor.unanswered(question, bot.now, out));
      };
      const read = (): unknown =>
        one === "balances" ? bot.balances(UNTOUCHED) : one === "trades" ? bot.trades([]) : bot.orders([]);
      unread(10);
      unread(129);
      expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
      bot.at(130);
      const reason = `the venue's ${one} cannot be read for 0:02:00 or more`;
      expect(bot.executor.freeze(bot.now)).toEqual({ kind: "everything", reason });
      read();
      expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
      // Counted anew: one that fails now and then freezes nothing.
      unread(140);
      bot.at(200);
      read();
      bot.at(300);
      expect([bot.executor.freeze(bot.now), bot.controls]).toEqual([{ kind: "none" }, []]);
    },
  );
});
