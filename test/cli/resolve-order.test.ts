// What a person may say of an order of which the venue lists a trade.

import { describe, expect, test } from "vitest";
import type { MoneyCommand } from "../../src/app/money-command/money-command.ts";
import { explain } from "../../src/app/shell.ts";
import { type ResolveOptions, resolveOrder } from "../../src/cli/command/resolve.ts";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import { type AnyReceipt, isEscalated, type MoneyRequest, type Resolution } from "../../src/execution/request.ts";
import { FRESH } from "../../src/risk/trading-state.ts";
import { Keeping, tradeOf } from "../execution/keeping.ts";
import { CHF, VCHF } from "../execution/life.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

type Said = { readonly code: number; readonly text: string };

/** Says so of an order that the trades have contradicted; what comes of it is in the books of `bot`. */
async function say(
  bot: Keeping,
  id: string,
  rows: readonly TradeRecord[],
  options: ResolveOptions,
  balances: Readonly<Record<string, string>> = booked(bot),
  meanwhile: () => void = () => {},
): Promise<Said> {
  const shell = recordedShell();
  const config = configSchema.parse({ venue: { baseUrl: "http://127.0.0.1:1/api/v1/" }, key: { file: "./key.pem" } });
  const tool = {
    config,
    tradingCore: {
      executor: bot.executor,
      engine: { books: { accounts: bot.accounts, counters: { tradingState: FRESH } } },
    },
    exchange: {
      trades: () => rows,
      balances: () => Object.entries(balances).map(([asset, text]) => bot.balanceOf(asset, text)),
    },
    now: () => bot.now,
    killFile: { standing: () => ({ ...FRESH, state: "HALTED" }) },
    read: (_what: string, answer: unknown) => answer,
    take({ resolution }: { readonly resolution: Resolution<AnyReceipt> }, refusal: () => string | undefined) {
      meanwhile();
      const why = refusal();
      if (why !== undefined) throw new Error(why);
      bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
    },
  } as unknown as MoneyCommand;
  const submission = bot.executor.get(id) as MoneyRequest<"order">;
  const given = { reason: "seen in the portal", yes: true, ...options };
  return resolveOrder(tool, { shell, prompts: scriptedPrompts() }, submission, given).then(
    (code) => ({ code, text: shell.stdout() + shell.stderr() }),
    (error: unknown) => ({ code: explain(error).code, text: explain(error).lines.join("\n") }),
  );
}

/** The venue has what the books have. */
function booked({ accounts }: Keeping): Readonly<Record<string, string>> {
  return { CHF: String(accounts.settled(CHF)), VCHF: String(accounts.settled(VCHF)) };
}

/** It waits for a person. */
function expectAsked(bot: Keeping, id: string): void {
  expect(isEscalated((bot.executor.get(id) as MoneyRequest).state)).toBe(true);
}

function contradicted(change: Partial<TradeRecord>): { bot: Keeping; id: string; rows: readonly TradeRecord[] } {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  const rows = [tradeOf(id, change)];
  bot.trades(rows);
  expectAsked(bot, id);
  return { bot, id, rows };
}

const BTC = Money.of("0.00001", "BTC" as Asset);
const STATED = { bought: "100 VCHF", sold: "100.05 CHF", fee: "0 CHF", orderId: "o1" };

test.each([
  ["a fee in a third currency", { fee: BTC }, /fee must be in VCHF or CHF, was in BTC/],
  ["a price beyond the limit", { sold: Money.of("110", CHF) }, /paid must be at most 100\.11 at limit 1\.001, was 110/],
])(
  "a listed trade with %s is not booked by a person's word either, and leads to --not-filled and adopt",
  async (_what, odd, why) => {
    const { bot, id, rows } = contradicted(odd);
    for (const amounts of [{}, STATED]) {
      const refused = await say(bot, id, rows, { filled: true, ...amounts });
      expect(refused).toMatchObject({ code: 3, text: expect.stringMatching(why) });
      expect(refused.text).toMatch(
        /nothing was changed;? .*resolve .* --not-filled .* then pegbot adopt takes this trade over/,
      );
    }
    expectAsked(bot, id);
    const closed = await say(bot, id, rows, { notFilled: true });
    expect(closed).toMatchObject({ code: 0, text: expect.stringMatching(why) });
    expect(closed.text).toMatch(/is closed as not filled\nnext: pegbot adopt, then pegbot resume/);
    expect([bot.state(id), bot.reports.at(-1)?.report.kind]).toEqual(["released", "dead"]);
  },
);

test.each([
  ["filled", { filled: true, ...STATED }, "confirmed"],
  ["not filled", { notFilled: true }, "released by anna"],
])("a second resolve finds it closed as %s, in the same process and after a restart", async (_, first, how) => {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  bot.trades([]).at(901);
  expectAsked(bot, id);
  const receipt = { ...tradeOf(id), tradeId: undefined } as unknown as AnyReceipt;
  const by = { by: "anna", reason: "yes" };
  const resolution = (
    "filled" in first ? { kind: "landed", receipt, ...by } : { kind: "not-landed", ...by }
  ) as Resolution<AnyReceipt>;
  bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
  const next = new Keeping({ writer: "bot00002", entries: bot.entries });
  for (const one of [bot, next]) {
    const second = await say(one, id, [], { notFilled: true });
    expect([second.code, second.text]).toEqual([
      3,
      expect.stringContaining(`must wait for a person to be closed by one, was ${how}; nothing was changed`),
    ]);
  }
});

test("of two listed trades the one that can be its fill is booked, and it is not denied", async () => {
  const { bot, id, rows } = contradicted({ fee: BTC });
  const both = [...rows, tradeOf(id, { tradeId: "t2" })];
  const denied = await say(bot, id, both, { notFilled: true });
  expect([denied.code, denied.text]).toEqual([3, expect.stringMatching(/so it did fill; nothing was changed/)]);
  expect(await say(bot, id, both, { filled: true })).toMatchObject({ code: 0 });
  expect(bot.reports.at(-1)).toMatchObject({ id, report: { kind: "filled", fill: { tradeId: "t2" } } });
});

test("the trade of another order is no word on this one, whatever it is like", async () => {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const [id, other] = [bot.doubt(), bot.fill()];
  bot.trades([tradeOf(other)]).at(901);
  expectAsked(bot, id);
  const unstated = await say(bot, id, [tradeOf(other)], { filled: true });
  expect(unstated).toMatchObject({
    code: 2,
    text: expect.stringMatching(/shows no trade of .*so its amounts must be/),
  });
  expectAsked(bot, id);
  expect(await say(bot, id, [tradeOf(other)], { notFilled: true })).toMatchObject({ code: 0 });
  expect(bot.state(id)).toBe("released");
});

test("what another person has closed while this one was asked is not closed again", async () => {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  bot.trades([]).at(901);
  const first = { kind: "not-landed", by: "anna", reason: "no" } as const;
  const closing = () => void bot.take((out) => bot.executor.resolve(id, first, bot.now, out));
  const second = await say(bot, id, [], { notFilled: true, reason: "me too" }, undefined, closing);
  expect(second.text).toMatch(/must wait for a person to be closed by one, was released by anna/);
});

test("nothing is closed that a person does not confirm, nor by amounts that are not believed of it", async () => {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  bot.trades([]).at(901);
  const there = { CHF: "899.95", VCHF: "100" };
  for (const word of [{ notFilled: true }, { filled: true, ...STATED }]) {
    const shown = "filled" in word ? there : undefined;
    const unconfirmed = await say(bot, id, [], { ...word, yes: false }, shown);
    expect(unconfirmed).toMatchObject({ code: 2, text: expect.stringMatching(/this needs a confirmation/) });
  }
  // A tenth of it; less than was ordered, and beyond its limit, whatever the balances say.
  for (const [change, balances, why] of [
    [{ sold: "10.005 CHF" }, there, /would differ from the books/],
    [{ bought: "99 VCHF" }, { CHF: "899.95", VCHF: "99" }, /this is not believed of/],
    [{ sold: "110 CHF" }, { CHF: "890", VCHF: "100" }, /this is not believed of/],
  ] as const) {
    const unbelieved = await say(bot, id, [], { filled: true, ...STATED, ...change }, balances);
    expect(unbelieved).toMatchObject({ code: 3, text: expect.stringMatching(why) });
  }
  expectAsked(bot, id);
  expect(bot.accounts.held(VCHF)).toEqual(Money.zero(VCHF));
  expect(await say(bot, id, [], { filled: true, ...STATED }, there)).toMatchObject({ code: 0 });
});

describe("the balances must be exact with an order closed", () => {
  function lost(): { bot: Keeping; id: string } {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("50", VCHF));
    const id = bot.doubt();
    bot.trades([]).at(901);
    expectAsked(bot, id);
    return { bot, id };
  }
  const filled = { filled: true, ...STATED };
  const notFilled = { notFilled: true };

  test.each([
    ["filled, and nothing has moved", filled, { CHF: "1000", VCHF: "50" }, false],
    ["filled, and one side has not moved", filled, { CHF: "1000", VCHF: "150" }, false],
    ["filled, and it cost something else", filled, { CHF: "899.9", VCHF: "150" }, false],
    ["filled, and a row is missing", filled, { CHF: "899.95" }, false],
    ["filled, and other money moved too", filled, { CHF: "300", VCHF: "150" }, false],
    ["filled, and it is all there", filled, { CHF: "899.95", VCHF: "150" }, true],
    ["filled, and it is there, pending in part", filled, { CHF: "899.95", VCHF: "50+100" }, true],
    ["not filled, and it is all there", notFilled, { CHF: "899.95", VCHF: "150" }, false],
    ["not filled, and a row is missing", notFilled, { CHF: "1000" }, false],
    ["not filled, and other money moved too", notFilled, { CHF: "1000", VCHF: "51" }, false],
    ["not filled, and nothing has moved", notFilled, { CHF: "1000", VCHF: "50" }, true],
  ])("as %s", async (_, word, balances, isClosed) => {
    const { bot, id } = lost();
    const said = await say(bot, id, [], word, balances);
    expect([said.code, bot.state(id) === "unknown"]).toEqual(isClosed ? [0, false] : [3, true]);
    if (isClosed) return;
    expect(said.text).toMatch(/would differ from the books: .*; nothing was changed/);
    expect(said.text).toMatch(/--venue-confirms/);
    expect(await say(bot, id, [], { ...word, venueConfirms: true }, balances)).toMatchObject({ code: 0 });
  });

  test("with another one of unknown outcome in them or not", async () => {
    const { bot, id } = lost();
    // Bought for 100.05 with this one, sold again by the other: as if nothing had moved.
    bot.doubt(bot.send(bot.intend(undefined, { side: "sell", limit: Price.of("0.99") })));
    expect(await say(bot, id, [], filled, { CHF: "1000", VCHF: "50" })).toMatchObject({ code: 0 });
  });
});
