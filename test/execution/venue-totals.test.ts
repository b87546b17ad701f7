import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { Keeping, opened, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";
import { UNTOUCHED } from "./sight.ts";

describe("venue totals", () => {
  test("that differ by one unit freeze the asset at once, and halt at the second answer when nothing of ours moved and no trade of a stranger", () => {
    const bot = opened().balances({ CHF: "1000.000000000000000001", VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    expect(bot.controls).toEqual([]);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["balances", "trades"]);
    bot.trades([]).balances({ CHF: "1000.000000000000000001", VCHF: "0" });
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "balances",
        reason: expect.stringContaining("0.000000000000000001 CHF"),
        wayOut: expect.stringContaining("adopt"),
      },
    ]);
  });

  test("that one answer brings to several who asked count once", () => {
    const bot = opened().balances({ CHF: "1001", VCHF: "0" });
    bot.nonce--;
    bot.balances({ CHF: "1001", VCHF: "0" }).trades([]);
    expect(bot.controls).toEqual([]);
    bot.balances({ CHF: "1001", VCHF: "0" });
    expect(bot.controls).toMatchObject([{ kind: "halt" }]);
  });

  test("that are right again free the asset, and a difference later begins anew", () => {
    const bot = opened().balances({ CHF: "1001", VCHF: "0" }).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.balances({ CHF: "1001", VCHF: "0" });
    expect(bot.controls).toEqual([]);
  });

  test("say since when they agree again: from the first answer on that does, and not while one differs, is unknown or negative", () => {
    const bot = opened();
    const since = (second: number, amounts: Readonly<Record<string, string>>): number | undefined => {
      bot.at(second).balances(amounts);
      const { agreeSince } = bot.executor.balances;
      return agreeSince === undefined ? undefined : (agreeSince - bot.now.at) / 1_000 + second;
    };
    expect(new Keeping().executor.balances.agreeSince).toBeUndefined();
    expect([since(10, UNTOUCHED), since(20, UNTOUCHED)]).toEqual([10, 10]);
    expect([since(30, { CHF: "1001", VCHF: "0" }), since(40, { CHF: "1001", VCHF: "0" })]).toEqual([
      undefined,
      undefined,
    ]);
    expect([since(50, UNTOUCHED), since(60, UNTOUCHED)]).toEqual([50, 50]);
    expect(since(70, { VCHF: "0" })).toBeUndefined();
    expect(since(80, UNTOUCHED)).toBe(80);
    // Explained by a fill that they do not show yet.
    bot.fill();
    expect(since(90, UNTOUCHED)).toBe(80);
    expect(since(100, { CHF: "1000", VCHF: "-1" })).toBeUndefined();
  });

  test("that nobody can read freeze everything after 120 s, until they are read again", () => {
    const bot = opened();
    const unread = (second: number) => {
      bot.at(second);
      const question = { witness: "balances", askedAt: bot.now.mono, code: "unreadable" } as const;
      return bot.take((out) => bot.executor.unanswered(question, bot.now, out));
    };
    unread(10);
    unread(100);
    bot.at(129);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(130);
    expect(bot.executor.freeze(bot.now)).toEqual({
      kind: "everything",
      reason: "the venue's balances cannot be read for 0:02:00 or more: what was booked since is checked by nobody",
    });
    bot.balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    // Counted anew: one that fails now and then freezes nothing.
    unread(140);
    bot.at(200).balances(UNTOUCHED);
    bot.at(300);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    expect(bot.controls).toEqual([]);
  });

  test.each(["trades", "orders"] as const)("and %s that nobody can read freeze everything after as long", (witness) => {
    const bot = opened();
    const unread = (second: number, code = "venue-down") => {
      const question = { witness, askedAt: bot.at(second).now.mono, code } as const;
      bot.take((out) => bot.executor.unanswered(question, bot.now, out));
    };
    unread(10);
    bot.at(129).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    unread(130);
    expect(bot.executor.freeze(bot.now)).toEqual({
      kind: "everything",
      reason: `the venue's ${witness} cannot be read for 0:02:00 or more: what was booked since is checked by nobody`,
    });
    if (witness === "trades") bot.trades([]);
    else bot.orders([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    expect(bot.controls).toEqual([]);
  });

  test("may be late after a fill: half of it freezes for up to 120 s and only then halts", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances(UNTOUCHED);
    // All of it late is explained.
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(10).balances({ CHF: "899.95", VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [VCHF] });
    bot.at(100).balances({ CHF: "899.95", VCHF: "0" });
    expect(bot.controls).toEqual([]);
    bot.at(130).balances({ CHF: "899.95", VCHF: "0" });
    expect(bot.controls).toMatchObject([{ kind: "halt", reason: expect.stringContaining("-100 VCHF") }]);
  });

  test("that never show a fill halt when they must", () => {
    const bot = opened();
    bot.trades([tradeOf(bot.fill())]);
    bot.at(119).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(121).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets" });
    bot.at(241).balances(UNTOUCHED);
    expect(bot.controls).toMatchObject([{ kind: "halt" }]);
  });

  describe("behind many fills", () => {
    /** Each other than the one before. */
    function fillOnce(bot: Keeping, turn: number): void {
      const sold = Money.of(`99.${10 + turn}`, CHF);
      bot.at(4 * turn).trades([tradeOf(bot.fill(undefined, { sold }), { sold })]);
    }
    function busy(count: number): Keeping {
      const bot = new Keeping({}).opened(Money.of("90000", CHF), Money.of("0", VCHF));
      for (let turn = 0; turn < count; turn++) fillOnce(bot, turn);
      return bot;
    }
    /** So many of them, and what others moved. */
    const showing = (shown: number, besides = 0): { CHF: string; VCHF: string } => {
      let cents = 9_000_000 + 100 * besides;
      for (let turn = 0; turn < shown; turn++) cents -= 9_910 + turn;
      return { CHF: String(cents / 100), VCHF: String(100 * shown) };
    };
    const frozen = (bot: Keeping) => bot.executor.freeze(bot.now);

    test.each([11, 20])("of which %i are late halt nothing and freeze nothing within their time", (count) => {
      const bot = busy(count);
      bot.at(100).balances(showing(0));
      bot.at(110).balances(showing(7));
      bot.at(119).balances(showing(count - 1));
      expect(frozen(bot)).toEqual({ kind: "none" });
      bot.at(200).balances(showing(count));
      expect([frozen(bot), bot.controls, [...bot.executor.open()].length]).toEqual([{ kind: "none" }, [], 0]);
    });

    test("that were sent in another order than they were decided on freeze nothing", () => {
      const bot = new Keeping({}).opened(Money.of("90000", CHF), Money.of("0", VCHF));
      for (let turn = 0; turn < 12; ) {
        // The slot goes to whichever is worth the most by then: here the last of four comes first.
        for (const id of Array.from({ length: 4 }, () => bot.intend()).toReversed()) {
          const sold = Money.of(`99.${10 + turn}`, CHF);
          bot.at(4 * turn++).trades([tradeOf(bot.fill(bot.send(id), { sold }), { sold })]);
        }
      }
      for (const shown of [0, 2, 6, 10]) {
        bot.at(60 + shown).balances(showing(shown));
        expect(frozen(bot), `${shown} of 12`).toEqual({ kind: "none" });
      }
      bot.at(119).balances(showing(12));
      expect([bot.controls, [...bot.executor.open()].length]).toEqual([[], 0]);
    });

    test("that they never show freeze when the first must be there, and halt as long after that", () => {
      const bot = busy(20);
      const look = (seconds: number) => bot.at(seconds).trades([]).balances(showing(0));
      look(119);
      expect(frozen(bot)).toEqual({ kind: "none" });
      look(121);
      expect(frozen(bot)).toMatchObject({ kind: "assets", assets: [VCHF, CHF] });
      for (const seconds of [140, 180, 220, 240]) look(seconds);
      expect(bot.controls).toEqual([]);
      look(241);
      expect(bot.controls).toMatchObject([{ kind: "halt", cause: "balances" }]);
    });

    test.each([
      ["come and nobody knows from where, when they have caught up", 11, 0, 11, 5_000],
      ["are gone, while they show none", 20, 0, 0, -5_000],
      ["are gone, while they show half", 20, 10, 10, -5_000],
      ["are gone, while they show half of many", 29, 9, 14, -5_000],
    ])("freeze at once, and halt, where 5,000 CHF %s", (_what, count, before, shown, besides) => {
      const bot = busy(count);
      const end = 4 * count;
      const look = (seconds: number) =>
        bot
          .at(end + seconds)
          .trades([])
          .balances(showing(seconds < 20 ? shown : count, besides));
      bot.at(end - 1).balances(showing(before));
      expect(frozen(bot)).toEqual({ kind: "none" });
      look(0);
      expect(frozen(bot)).toMatchObject({ kind: "assets", assets: [CHF] });
      expect(frozen(bot)).toMatchObject({ reason: expect.stringContaining(`ledger by ${besides} CHF`) });
      for (let second = 10; second < 120; second += 10) look(second);
      expect(bot.controls).toEqual([]);
      look(120);
      expect(bot.controls).toMatchObject([{ kind: "halt", cause: "balances" }]);
      expect(bot.controls[0]).toMatchObject({ reason: expect.stringContaining(`${besides} CHF`) });
    });

    test("for as long as the bot trades settle what they show, freeze nothing, and see what others move", () => {
      const bot = busy(1);
      for (let turn = 1; turn < 80; turn++) {
        fillOnce(bot, turn);
        // 70 s behind: 17 fills or 18.
        bot.balances(showing(Math.max(0, turn - 17)));
        expect(frozen(bot), `turn ${turn}`).toEqual({ kind: "none" });
      }
      expect([bot.controls, [...bot.executor.open()].length]).toEqual([[], 18]);
      bot.balances(showing(62, -1));
      expect(frozen(bot)).toMatchObject({ kind: "assets", assets: [CHF] });
    });
  });

  test("are explained by an order in doubt as long as it is, escalated or not", () => {
    const bot = opened();
    const id = bot.doubt();
    for (const seconds of [1, 2, 200, 901, 2_000]) bot.at(seconds).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(id)).toBe("escalated");
    expect(bot.controls).toEqual([]);
  });

  test("are explained by an order that is being sent, also by another process", () => {
    const bot = opened();
    const command = new Keeping({ writer: "order001", entries: bot.entries });
    command.send();
    for (const entry of command.entries.slice(bot.entries.length)) bot.hear(entry);
    bot.balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("of an unknown pending part, or of an asset that is no longer listed, freeze it and halt nothing", () => {
    const bot = opened().balances({ CHF: "1000+?", VCHF: "0" }).balances({ CHF: "1000+?", VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    bot.balances(UNTOUCHED).balances({ VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    expect(bot.controls).toEqual([]);
  });

  test("that no longer list what we hold halt when that has lasted for 120 s, whatever else they list", () => {
    const bot = opened().balances(UNTOUCHED);
    const others = { VCHF: "0", VGBP: "0" };
    bot.at(10).balances(others);
    expect(bot.executor.freeze(bot.now)).toMatchObject({
      kind: "assets",
      assets: [CHF],
      reason: "the venue does not say what there is of CHF",
    });
    bot.at(129).balances(others);
    expect(bot.controls).toEqual([]);
    // Counted anew: a row that is left out now and then is no reason to stop.
    bot.at(130).balances({ ...UNTOUCHED, VGBP: "0" });
    bot.at(140).balances(others).at(259).balances(others);
    expect(bot.controls).toEqual([]);
    bot.at(260).balances(others);
    expect(bot.controls).toMatchObject([
      {
        ...{ kind: "halt", cause: "balances", reason: "the venue does not say what there is of CHF" },
        wayOut: expect.stringMatching(/when its balances list it again, pegbot resume/),
      },
    ]);
  });

  test("may leave out what an order in doubt may have taken whole, for as long as it is in doubt", () => {
    const bot = opened().balances(UNTOUCHED);
    const id = bot.doubt();
    for (const seconds of [1, 121, 242, 500]) bot.at(seconds).balances({ VCHF: "0" });
    expect(bot.state(id)).toBe("fenced");
    expect(bot.controls).toEqual([]);
  });

  test("need not list an asset of which there is nothing", () => {
    const bot = opened().balances(UNTOUCHED).balances({ CHF: "1000" });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("below nothing halt at once", () => {
    expect(opened().balances({ CHF: "1000", VCHF: "-1" }).controls).toMatchObject([
      { kind: "halt", cause: "balances", reason: expect.stringContaining("must not be negative") },
    ]);
  });

  test("count what is pending", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "0+100" });
    expect(bot.state(id)).toBe("settled");
  });
});
