// Mints that neither settle nor fail: told once, and asked of a person after a day.

import { describe, expect, test } from "vitest";
import type { Balance } from "../../src/domain/balance.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { LEFT, SHOWN, UNSHOWN } from "../../src/domain/movement.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Payment, SupplyChange } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/effects.ts";
import { planAdoption } from "../../src/execution/adjustment.ts";
import { type Comparison, compareWithVenue } from "../../src/execution/adjustment.ts";
import { Keeping, opened } from "./keeping.ts";
import { aMint, CHF, VCHF } from "./life.ts";
import { accepted, asked, doubted, hearSaid, LISTED, minted, RAIL } from "./moving.ts";

describe("a mint that the venue's list has no longer", () => {
  const HOUR = 3_600;
  const OLDER: SupplyChange = { ...LISTED, requestId: "r0", transactionId: "x0", status: "settled" };
  const NEWER: SupplyChange = { ...OLDER, requestId: "r2", transactionId: "x2", quantity: Quantity.of("130000") };
  const read = (bot: Keeping, ...rows: readonly SupplyChange[]): readonly string[] => {
    bot.seconds += HOUR;
    bot.answer({ witness: "supply-changes", asset: VCHF, rows, ...asked(bot) });
    const said = bot.said.map(({ report }) => (report.kind === "told" ? report.status : report.kind));
    hearSaid(bot);
    return said;
  };
  const pending = (): Keeping => {
    const bot = opened();
    minted(bot);
    hearSaid(bot);
    expect(read(bot, OLDER, LISTED)).toContain("pending");
    return bot;
  };

  test.each([
    ["is empty", []],
    ["shows what is older", [OLDER]],
  ])("which %s, is told as that once, stays in flight, and is told again when it is back", (_, rows) => {
    let bot = pending();
    expect([read(bot, ...rows), read(bot, ...rows)]).toEqual([["no longer listed"], []]);
    bot = new Keeping({ writer: "bot00002", entries: bot.entries });
    bot.seconds = 3 * HOUR;
    expect([bot.said, read(bot, ...rows)]).toEqual([[], []]);
    expect([bot.state(aMint.id), read(bot, OLDER, LISTED), read(bot, OLDER, LISTED)]).toEqual([
      "confirmed",
      ["pending"],
      [],
    ]);
  });

  test("which had it again meanwhile, is asked of a person a day after it has it no longer for the second time", () => {
    const bot = pending();
    expect([read(bot), read(bot, OLDER, LISTED)]).toEqual([["no longer listed"], ["pending"]]);
    bot.seconds += 30 * HOUR;
    expect([read(bot), read(bot)]).toEqual([["no longer listed"], []]);
    bot.seconds += 23 * HOUR;
    expect(read(bot)).toEqual(["escalated"]);
  });

  test("which may show only the newest, says nothing", () => {
    const bot = pending();
    expect(read(bot, NEWER)).toEqual([]);
  });

  test("is asked of a person after a day, once, however often the bot is started meanwhile", () => {
    let bot = pending();
    const told = Array.from({ length: 30 }, () => {
      const { seconds, entries } = bot;
      bot = new Keeping({ writer: `bot${seconds}`, entries });
      bot.seconds = seconds;
      return read(bot);
    });
    expect(told.slice(0, 24).flat()).toEqual(["no longer listed"]);
    expect(told.slice(24).flat()).toEqual(["escalated"]);
  });
});

describe("a mint that has settled on one side only", () => {
  const HOUR = 3_600;
  const balancesOf = (bot: Keeping, vchf: string | undefined): readonly Balance[] => {
    return [bot.balanceOf("CHF", "200000"), ...(vchf === undefined ? [] : [bot.balanceOf("VCHF", vchf)])];
  };
  const says = (bot: Keeping, status: string, vchf: string | undefined): readonly string[] => {
    bot.seconds += HOUR;
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
    const rows = balancesOf(bot, vchf);
    bot.answer({ witness: "balances", rows, ...asked(bot) });
    return bot.said.flatMap(({ report }) => (report.kind === "escalated" ? [report.reason] : []));
  };
  const rich = (): Keeping => {
    const bot = new Keeping().opened(Money.of("320000.37", CHF), Money.of("0", VCHF));
    minted(bot);
    bot.accounts.adopt([Money.of("-120000.37", CHF)]);
    return bot;
  };

  test.each([
    ["by the list", "settled", "0", "listed"],
    ["by the balances", "pending", "120000.37", "balances have shown"],
  ])("%s is asked of a person after a day, once, and settles when the other side follows", (_, status, vchf, why) => {
    const bot = rich();
    const told = Array.from({ length: 30 }, () => says(bot, status, vchf));
    expect(told.slice(0, 24).flat()).toEqual([]);
    expect(told.flat()).toEqual([expect.stringContaining(why)]);
    expect(bot.state(aMint.id)).toBe("confirmed");
    expect(says(bot, "settled", "120000.37")).toEqual([]);
    expect(bot.state(aMint.id)).toBe("settled");
  });

  test.each([
    ["by the list", "settled", "0"],
    ["by the balances", "pending", "120000.37"],
  ])("%s is asked of a person after a day, once, however often the bot is started meanwhile", (_, status, vchf) => {
    let [bot, shown] = [rich(), 0];
    const asks = (hours: number): number => {
      const next = new Keeping({ writer: `bot${bot.seconds}`, entries: bot.entries });
      next.accounts.adopt([Money.of("-120000.37", CHF)]);
      next.seconds = bot.seconds + (hours - 1) * HOUR;
      bot = next;
      const asked = says(bot, status, vchf).length;
      shown += bot.said.filter(({ report }) => report.kind === "told" && report.reason === SHOWN).length;
      hearSaid(bot);
      return asked;
    };
    expect([asks(1), asks(12), asks(11), asks(2), asks(1), asks(48)]).toEqual([0, 0, 0, 1, 0, 0]);
    expect(shown).toBe(status === "pending" ? 1 : 0);
  });

  test("is asked of a person after a day also where one was asked before whether it happened, over a start too", () => {
    const bot = new Keeping().opened(Money.of("320000.37", CHF), Money.of("0", VCHF));
    doubted(bot, { kind: "mint", mint: aMint.request }, aMint.id);
    hearSaid(bot);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [], ...asked(bot) });
    hearSaid(bot.at(1_000));
    expect(bot.state(aMint.id)).toBe("escalated");
    bot.accounts.adopt([Money.of("-120000.37", CHF)]);
    expect(says(bot, "settled", "0")).toEqual([]);
    hearSaid(bot);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.accounts.adopt([Money.of("-120000.37", CHF)]);
    next.seconds = bot.seconds;
    const told = Array.from({ length: 30 }, () => says(next, "settled", "0"));
    expect(told.flat()).toEqual([expect.stringContaining("listed")]);
  });

  test("by the balances that went and came again is asked of a person a day after it came again, over a start too", () => {
    const bot = rich();
    expect(says(bot, "pending", "120000.37")).toEqual([]);
    hearSaid(bot);
    expect(says(bot, "pending", "0")).toEqual([]);
    bot.seconds += 27 * HOUR;
    expect(says(bot, "pending", "120000.37")).toEqual([]);
    hearSaid(bot);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.accounts.adopt([Money.of("-120000.37", CHF)]);
    next.seconds = bot.seconds;
    expect(says(next, "pending", "120000.37")).toEqual([]);
    next.seconds += 23 * HOUR;
    expect(says(next, "pending", "120000.37")).toHaveLength(1);
  });

  test("by the balances that went while it ran and came again before the next start is asked of a person a day after that", () => {
    const bot = rich();
    says(bot, "pending", "120000.37");
    hearSaid(bot);
    says(bot, "pending", "0");
    expect(bot.said).toMatchObject([{ report: { kind: "told", status: "pending", reason: UNSHOWN } }]);
    hearSaid(bot);
    says(bot, "pending", "0");
    expect(bot.said).toEqual([]);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.accounts.adopt([Money.of("-120000.37", CHF)]);
    next.seconds = bot.seconds + 27 * HOUR;
    expect(says(next, "pending", "120000.37")).toEqual([]);
    next.seconds += 23 * HOUR;
    expect(says(next, "pending", "120000.37")).toHaveLength(1);
  });

  test("by the balances while the list has it no longer is told once as either", () => {
    const bot = rich();
    says(bot, "pending", "0");
    const told = [1, 2, 3].flatMap(() => {
      bot.seconds += HOUR;
      bot.answer({ witness: "supply-changes", asset: VCHF, rows: [], ...asked(bot) });
      const listed = bot.said;
      bot.answer({ witness: "balances", rows: balancesOf(bot, "120000.37"), ...asked(bot) });
      return [...listed, ...bot.said].flatMap(({ report }) =>
        report.kind === "told" ? [report.reason ?? report.status] : [],
      );
    });
    expect(told).toEqual(["no longer listed", SHOWN]);
  });

  test("by the balances, and in the list no longer, is asked of a person as either, once, over starts too", () => {
    let bot = rich();
    const hour = (rows: readonly SupplyChange[], vchf: string): readonly string[] => {
      const { seconds, entries } = bot;
      bot = new Keeping({ writer: `bot${seconds}`, entries });
      bot.accounts.adopt([Money.of("-120000.37", CHF)]);
      bot.seconds = seconds + HOUR;
      const answers: readonly Answer[] = [
        { witness: "supply-changes", asset: VCHF, rows, ...asked(bot) },
        { witness: "balances", rows: balancesOf(bot, vchf), ...asked(bot) },
      ];
      return answers.flatMap((answer) => {
        bot.answer(answer);
        hearSaid(bot);
        return bot.said.flatMap(({ report }) => (report.kind === "escalated" ? [report.reason] : []));
      });
    };
    const day = (rows: readonly SupplyChange[], vchf: string): readonly string[] =>
      Array.from({ length: 26 }, () => hour(rows, vchf)).flat();
    hour([LISTED], "0");
    expect(day([], "0")).toEqual([expect.stringContaining("does not list")]);
    expect(day([], "120000.37")).toEqual([expect.stringContaining("balances have shown the coins")]);
    // The list has it again, and no longer once more: nothing is new of the balances.
    expect(day([LISTED], "120000.37")).toEqual([]);
    expect(day([], "120000.37")).toEqual([expect.stringContaining("does not list")]);
  });

  const payments = (bot: Keeping, status: string): void => {
    const rows = Array.from({ length: 13 }, (_, index): Payment => {
      const amount = Money.of(String(2 ** index * 1_000), VCHF);
      return { railId: "a", paymentId: `p${index}`, status, amount, at: undefined };
    });
    bot.answer({ witness: "payments", rows, ...asked(bot) });
  };

  /** A day and more beside more than a dozen payments on their way, of which none has come. What is said of the mint. */
  const besideMany = (bot: Keeping, status: string): readonly string[] => {
    const rail = { ...RAIL, toAccount: true };
    accepted(bot, { kind: "rail", rail }, "L-1", { railId: "a", status: "pending", reason: undefined });
    payments(bot, "pending");
    return Array.from({ length: 26 }, () => {
      says(bot, status, "120000.37");
      return bot.said.map(({ report }) => ("reason" in report && report.reason) || report.kind);
    }).flat();
  };

  test("by the list is not said to be missing in balances of which nobody can tell what they show", () => {
    const bot = rich();
    expect(besideMany(bot, "settled")).toEqual([LEFT]);
    expect(bot.state(aMint.id)).toBe("confirmed");
  });

  test("by the balances is not said to be gone from them while nobody can tell what they show, nor counted anew", () => {
    const bot = rich();
    says(bot, "pending", "120000.37");
    expect(bot.said).toMatchObject([{ report: { kind: "told", reason: SHOWN } }, { report: { reason: LEFT } }]);
    expect(besideMany(bot, "pending")).toEqual([]);
    payments(bot, "rejected");
    expect(says(bot, "pending", "120000.37")).toEqual([expect.stringContaining("balances have shown the coins")]);
  });

  test("by the balances while it is held for one reason, and then for another, is told with the other", () => {
    const bot = rich();
    const rows = balancesOf(bot, "120000.37");
    const heard = (reason: string | undefined) => {
      bot.seconds += HOUR;
      bot.answer({
        witness: "supply-changes",
        asset: VCHF,
        rows: [{ ...LISTED, status: "held", reason }],
        ...asked(bot),
      });
      const listed = [...bot.said];
      bot.answer({ witness: "balances", rows, ...asked(bot) });
      return [...listed, ...bot.said].flatMap(({ report }) => (report.kind === "told" ? [report.reason] : []));
    };
    expect(["EDD", "EDD", "sanctions", "sanctions"].map(heard)).toEqual([["EDD", SHOWN, LEFT], [], ["sanctions"], []]);
  });

  test.each([
    ["that lists what there is nothing of", "0", "0"],
    ["that leaves it out", undefined, undefined],
    ["that leaves it out since", "0", undefined],
  ])("by the list for a day ends with an adoption, at a venue %s", (_, before, after) => {
    const bot = rich();
    for (let hour = 0; hour < 26; hour++) says(bot, "settled", before);
    const balances = balancesOf(bot, after);
    const compared = (): Comparison => {
      const answers = [
        ...(["trades", "orders", "rails"] as const).map((witness) => ({ witness, rows: [], ...asked(bot) })),
        { witness: "balances", rows: balances, ...asked(bot) } as const,
      ];
      return unwrap(compareWithVenue(bot.executor, answers, bot.accounts, bot.now, { takesOver: true }));
    };
    const { record } = unwrap(planAdoption(compared(), { reason: "lost", by: "ann" }, bot.now.at));
    expect(record.amounts).toEqual([Money.of("-120000.37", VCHF)]);
    bot.adopt(record);
    expect(unwrap(planAdoption(compared(), { reason: "again", by: "ann" }, bot.now.at)).record.amounts).toEqual([]);
    bot.answer({ witness: "balances", rows: balances, ...asked(bot) });
    expect([bot.state(aMint.id), bot.executor.freeze(bot.now)]).toEqual(["settled", { kind: "none" }]);
  });
});
