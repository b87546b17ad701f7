// Mints and rails: what may be sent next to them, how they are looked for, what they may cost, and when rails may be used.

import { describe, expect, test } from "vitest";
import type { MintRecord } from "../../src/domain/mint.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { RailRecord, SupplyChange } from "../../src/exchange/port.ts";
import { receiptDifference } from "../../src/execution/evidence.ts";
import { railRefused } from "../../src/treasury/rebalancer/rails.ts";
import { Keeping, opened } from "./keeping.ts";
import { aMint, CHF, VCHF } from "./life.ts";
import { accepted, asked, booksMovements, doubted, LISTED, minted, QUANTITY, RAIL, restarted } from "./moving.ts";

const MINT = { kind: "mint", mint: aMint.request } as const;
const { id: ID } = aMint;
const WHEN = { decidedAt: millis(0), expiresAt: millis(1), reason: "a test" };
const RESOLVE = `pegbot resolve ${ID} --landed|--not-landed --reason "..."`;

const railSaid = (status: string, railId = "a", reason?: string): RailRecord => ({ railId, status, reason });

const OWN = { destination: "0x1", type: "FiatToStablecoin" } as const;

function supply(bot: Keeping, ...rows: readonly SupplyChange[]): void {
  bot.answer({ witness: "supply-changes", asset: VCHF, rows, ...asked(bot) });
}

function rails(bot: Keeping, ...rows: readonly RailRecord[]): void {
  bot.answer({ witness: "rails", rows, ...asked(bot) });
}

describe("a mint of unknown outcome", () => {
  test("is never given up by itself, however often nothing is found, and asks a person after 15 minutes", () => {
    const bot = opened();
    doubted(bot, MINT, ID);
    for (let minute = 0; minute < 15; minute++) {
      bot.at(minute * 60);
      supply(bot);
      bot.balances({ CHF: "1000", VCHF: "0" });
    }
    expect([bot.state(ID), bot.said]).toEqual(["unknown", []]);
    expect(bot.at(900).said).toMatchObject([{ id: ID, report: { kind: "escalated", wayOut: RESOLVE } }]);
    expect(bot.at(90_000).said).toEqual([]);
    expect(bot.state(ID)).toBe("unknown");
  });

  test("is looked for every minute, then every 5 minutes, then every 15, for seven days", () => {
    const bot = opened();
    doubted(bot, MINT, ID);
    supply(bot);
    const queried: number[] = [];
    for (let seconds = 0; seconds < 8 * 86_400; seconds += 30) {
      const asks = bot.at(seconds).asks.filter((ask) => ask.class === "doubt");
      if (asks.length === 0) continue;
      expect(asks.map(({ witness }) => witness)).toEqual(["supply-changes", "balances"]);
      queried.push(seconds / 60);
      supply(bot);
      bot.balances({ CHF: "1000", VCHF: "0" });
    }
    const gaps = queried.slice(1).map((minute, i) => minute - (queried[i] as number));
    expect(gaps.slice(1, 9)).toEqual(Array(8).fill(1));
    expect(gaps[12]).toBe(5);
    expect(gaps.at(-1)).toBe(15);
    expect(queried.at(-1)).toBeGreaterThan(7 * 1_440 - 15);
    expect(queried.at(-1)).toBeLessThanOrEqual(7 * 1_440 + 15);
  });

  test("that the list shows without its cost freezes its assets and asks a person for it, and is booked once by that word", () => {
    const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF)));
    doubted(bot, MINT, ID);
    supply(bot, LISTED);
    expect(bot.said).toMatchObject([
      { report: { kind: "escalated", wayOut: expect.stringContaining('--venue-id r1 --spent "..." --fee "..."') } },
    ]);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [VCHF, CHF] });
    // Settled by the list: nothing of it is booked before its cost is known.
    supply(bot, { ...LISTED, status: "settled" });
    expect([bot.state(ID), String(bot.accounts.settled(CHF))]).toEqual(["confirmed", "500000"]);
    const receipt = { requestId: "r1", transactionId: undefined, spent: Money.of("120020.37", CHF) };
    const word = { kind: "landed", receipt: { ...receipt, fee: Money.of("20", CHF) }, by: "ann", reason: "x" } as const;
    const next = restarted(bot);
    next.take((out) => next.executor.resolve(ID, word, next.now, out));
    expect([next.state(ID), next.accounts.settled(CHF), next.accounts.settled(VCHF)].map(String)).toEqual([
      "settled",
      "379979.63",
      QUANTITY,
    ]);
    supply(next, { ...LISTED, status: "settled" });
    expect(next.said).toEqual([]);
  });
});

test("a mint that the list calls settled is booked at once; coins that the balances do not show then halt the bot", () => {
  const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF)));
  minted(bot);
  supply(bot, { ...LISTED, status: "Completed" });
  // 500,000 - 120,000.37.
  expect([bot.state(ID), bot.accounts.settled(CHF), bot.accounts.settled(VCHF)].map(String)).toEqual([
    "settled",
    "379999.63",
    QUANTITY,
  ]);
  const see = (seconds: number, vchf: string) => bot.at(seconds).balances({ CHF: "379999.63", VCHF: vchf });
  see(1, "0");
  expect(bot.executor.freeze(bot.now).kind).toBe("none");
  see(61, "0");
  expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [VCHF] });
  expect(see(121, "0").controls).toMatchObject([{ cause: "balances", subject: "difference of VCHF" }]);
});

test.each([
  ["pending by the list and in the balances", "pending", QUANTITY],
  ["pending by both", "pending", "0"],
  ["held", "held", "0"],
])("a mint that is %s halts nothing, for days", (_, status, vchf) => {
  const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF)));
  minted(bot);
  for (let hour = 0; hour < 50; hour++) {
    bot.at(hour * 3_600);
    supply(bot, { ...LISTED, status });
    bot.balances({ CHF: "379999.63", VCHF: vchf });
  }
  expect([bot.state(ID), bot.controls, bot.executor.freeze(bot.now).kind]).toEqual(["confirmed", [], "none"]);
});

test("a mint is confirmed by a record that has its request id and, where shown, its amounts; a rail by its id", () => {
  const mint: MintRecord = { requestId: "r1", transactionId: undefined, fee: undefined, spent: Money.of("7", CHF) };
  const other = (change: Partial<MintRecord>) => receiptDifference("mint", mint, { ...mint, ...change });
  expect([other({ spent: undefined }), other({ fee: Money.of("1", CHF) })]).toEqual([undefined, undefined]);
  expect(other({ spent: Money.of("8", CHF) })).toBe("known is 7 CHF; seen is 8 CHF");
  expect(other({ requestId: "r2" })).toBe("known is mint r1; seen is mint r2");
  expect(receiptDifference("rail", railSaid("pending"), railSaid("held"))).toBeUndefined();
  expect(receiptDifference("rail", railSaid("pending"), railSaid("held", "b"))).toBe("known is rail a; seen is rail b");
});

test.each([
  ["within what was approved", "120120.37", "120", CHF, 0],
  ["with a fee above what was approved", "120120.37", "120.01", CHF, 1],
  ["in sum more than was approved", "120120.38", "120", CHF, 1],
  ["with a fee in another currency, however small", "120120.37", "1", VCHF, 1],
] as const)("a mint that cost, %s, is booked, and halts where it must", (_, spent, fee, asset, halts) => {
  const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.of("10", VCHF)));
  const receipt = { requestId: "r1", transactionId: undefined, spent: Money.of(spent, CHF), fee: Money.of(fee, asset) };
  accepted(bot, MINT, ID, receipt);
  expect(bot.controls).toMatchObject(
    Array(halts).fill({ subject: `cost of ${ID}`, wayOut: 'pegbot resume --reason "..."' }),
  );
  expect(bot.said).toMatchObject([{ report: { kind: "departed" } }]);
});

test("while rails are frozen no rail begins and no mint goes to a wallet", () => {
  const bot = opened();
  const { treasury } = bot.executor;
  const refused = () =>
    [
      { kind: "mint", mint: aMint.request, ...WHEN } as const,
      { kind: "mint", mint: { ...aMint.request, destination: "0x1" }, ...WHEN } as const,
      { kind: "rail", rail: RAIL as never, isAnother: true, ...WHEN } as const,
    ].map((wish) => treasury.frozenRefusal(wish) !== undefined);
  expect(refused()).toEqual([false, false, false]);
  const record = { kind: "rails", at: millis(0), whitelist: undefined, reason: "new", by: "bot" } as const;
  treasury.rails.fold({ ...record, state: "frozen" });
  expect(refused()).toEqual([false, true, true]);
});

test("one mint of a coin at a time: a second is refused while the first is open, and those of unknown outcome count for the day", () => {
  const bot = opened();
  bot.seconds = 5;
  const wish = { kind: "mint", mint: aMint.request, ...WHEN } as const;
  expect(bot.executor.treasury.refusal(wish)).toBeUndefined();
  doubted(bot, MINT, ID);
  for (const one of [bot, restarted(bot)]) {
    const { treasury } = one.executor;
    expect(treasury.refusal(wish)).toMatch(/^one mint of VCHF at a time: M-k3v9x2qa-1 is unknown/);
    const other = { ...wish, mint: { ...aMint.request, asset: "VGBP" } } as never;
    expect(treasury.refusal(other)).toBeUndefined();
    expect([treasury.mintsSince(millis(5_000)).length, treasury.mintsSince(millis(5_001)).length]).toEqual([1, 0]);
  }
});

test("next to a rail of unknown outcome no second one of its content begins; next to one that stands only where a second is meant", () => {
  const bot = opened();
  doubted(bot, { kind: "rail", rail: RAIL, isAnother: false }, "L-1");
  const refused = (isAnother: boolean) =>
    bot.executor.treasury.refusal({ kind: "rail", rail: RAIL as never, isAnother, ...WHEN }) !== undefined;
  expect([refused(true), refused(false)]).toEqual([true, true]);
  rails(bot, { ...railSaid("pending"), request: OWN });
  expect([refused(true), refused(false)]).toEqual([false, true]);
  rails(bot, railSaid("rejected", "a", "no papers"));
  expect([bot.state("L-1"), refused(false), railRefused(bot.executor.treasury, RAIL as never)]).toEqual([
    "settled",
    false,
    "no papers",
  ]);
});

test("a lost mint whose entry states its cost needs no person, and one beyond what was approved halts", () => {
  for (const [spent, fee, controls] of [
    ["120120.37", "120", []],
    ["120130", "120", [{ kind: "halt", cause: "contradiction" }]],
  ] as const) {
    const bot = opened();
    doubted(bot, MINT, ID);
    const row = { ...LISTED, spent: Money.of(spent, CHF), fee: Money.of(fee, CHF) };
    supply(bot, row);
    expect(bot.said[0]).toMatchObject({ id: ID, report: { kind: "departed", spent: row.spent, fee: row.fee } });
    expect(bot.said.filter((one) => one.kind === "movement" && one.report.kind === "escalated")).toEqual([]);
    expect([bot.state(ID), bot.controls]).toMatchObject(["confirmed", controls]);
  }
});
