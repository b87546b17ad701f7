// What a person may say of an order of which the venue lists a trade.

import { describe, expect, test } from "vitest";
import { type OrderResolveOptions, resolveOrder } from "../../src/cli/action/resolve/order.ts";
import { explain } from "../../src/cli/shell.ts";
import type { Tool } from "../../src/cli/tool/tool.ts";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import type { AnyReceipt, Resolution, MoneyRequest } from "../../src/execution/request.ts";
import { Keeping, tradeOf } from "../execution/keeping.ts";
import { CHF, VCHF } from "../execution/life.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

type Said = { readonly code: number; readonly text: string };

/** Says so of an order that the trades have contradicted; what comes of it is in the books of `bot`. */
async function say(
  bot: Keeping,
  id: string,
  rows: readonly TradeRecord[],
  options: OrderResolveOptions,
  balances: Readonly<Record<string, string>> = {},
  meanwhile: () => void = () => {},
): Promise<Said> {
  const shell = recordedShell();
  const config = configSchema.parse({ venue: { baseUrl: "http://127.0.0.1:1/api/v1/" }, key: { file: "./key.pem" } });
  const tool = {
    config,
    desk: { executor: bot.executor, engine: { context: { accounts: bot.accounts } } },
    exchange: {
      trades: () => rows,
      balances: () => Object.entries(balances).map(([asset, text]) => bot.balanceOf(asset, text)),
    },
    now: () => bot.now,
    latch: { check: () => "halted" },
    read: (_what: string, answer: unknown) => answer,
    take({ resolution }: { readonly resolution: Resolution<AnyReceipt> }, refusal: () => string | undefined) {
      meanwhile();
      const why = refusal();
      if (why !== undefined) throw new Error(why);
      bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
    },
  } as unknown as Tool;
  const submission = bot.executor.get(id) as MoneyRequest<"order">;
  const given = { reason: "seen in the portal", yes: true, ...options };
  return resolveOrder(tool, { shell, prompts: scriptedPrompts() }, submission, given).then(
    (code) => ({ code, text: shell.stdout() + shell.stderr() }),
    (error: unknown) => ({ code: explain(error).code, text: explain(error).lines.join("\n") }),
  );
}

function contradicted(change: Partial<TradeRecord>): { bot: Keeping; id: string; rows: readonly TradeRecord[] } {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  const rows = [tradeOf(id, change)];
  bot.trades(rows);
  expect(bot.state(id)).toBe("escalated");
  return { bot, id, rows };
}

const BTC = Money.of("0.00001", "BTC" as Asset);
const STATED = { bought: "100 VCHF", sold: "100.05 CHF", fee: "0 CHF", orderId: "o1" };

test.each([
  ["a fee in a third currency", { fee: BTC }, /fee must be in VCHF or CHF, was in BTC/],
  ["a price beyond the limit", { sold: Money.of("110", CHF) }, /paid must be at most 100\.11 at limit 1\.001, was 110/],
])(
  "a listed trade with %s is booked by nobody's word, and leads to --not-filled and adopt",
  async (_what, odd, why) => {
    const { bot, id, rows } = contradicted(odd);
    for (const amounts of [{}, STATED]) {
      const refused = await say(bot, id, rows, { filled: true, ...amounts });
      expect(refused).toMatchObject({ code: 3, text: expect.stringMatching(why) });
      expect(refused.text).toMatch(/nothing was changed;? .*resolve .* --not-filled .* then pegbot adopt takes over/);
    }
    expect(bot.state(id)).toBe("escalated");
    const closed = await say(bot, id, rows, { notFilled: true });
    expect(closed).toMatchObject({ code: 0, text: expect.stringMatching(why) });
    expect(closed.text).toMatch(/is closed as not filled\nnext: pegbot adopt, then pegbot resume/);
    expect([bot.state(id), bot.reports.at(-1)?.report.kind]).toEqual(["presumed-dead", "dead"]);
  },
);

test.each([
  ["filled", { filled: true, ...STATED }, "confirmed: anna has closed it as filled"],
  ["not filled", { notFilled: true }, "presumed-dead: anna has closed it as not filled"],
])(
  "who comes second is told that a person has closed it as %s, beside one who asks and later too",
  async (_, first, how) => {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
    const id = bot.doubt();
    bot.trades([]).at(901);
    expect(bot.state(id)).toBe("escalated");
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
        expect.stringContaining(`must be escalated to be closed by a person, was ${how}; nothing was changed`),
      ]);
    }
  },
);

test("who has closed it is told of as many of the last as are kept whole", () => {
  const bot = new Keeping({ endedMax: 2 }).opened(Money.of("1000", CHF), Money.zero(VCHF));
  const ids = [1, 2, 3].map((count) => {
    const id = bot.doubt();
    bot.trades([]).at(count * 901);
    bot.take((out) => bot.executor.resolve(id, { kind: "not-landed", by: "anna", reason: "no" }, bot.now, out));
    return id;
  });
  const closed = "anna has closed it as not filled";
  expect(ids.map((id) => bot.executor.closedBy(id))).toEqual([undefined, closed, closed]);
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
  expect(bot.state(id)).toBe("escalated");
  const unstated = await say(bot, id, [tradeOf(other)], { filled: true });
  expect(unstated).toMatchObject({
    code: 2,
    text: expect.stringMatching(/shows no trade of .*so its amounts must be/),
  });
  expect(bot.state(id)).toBe("escalated");
  expect(await say(bot, id, [tradeOf(other)], { notFilled: true })).toMatchObject({ code: 0 });
  expect(bot.state(id)).toBe("presumed-dead");
});

test("what another person has closed while this one was asked is not closed again", async () => {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  bot.trades([]).at(901);
  const first = { kind: "not-landed", by: "anna", reason: "no" } as const;
  const closing = () => void bot.take((out) => bot.executor.resolve(id, first, bot.now, out));
  const second = await say(bot, id, [], { notFilled: true, reason: "me too" }, {}, closing);
  expect(second.text).toMatch(/must be escalated to be closed by a person, was presumed-dead: anna has closed it/);
  expect(bot.executor.closedBy(id)).toMatch(/^anna /);
});

test("nothing is closed that a person does not confirm, nor by amounts that are not believed of it", async () => {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  const id = bot.doubt();
  bot.trades([]).at(901);
  const there = { CHF: "899.95", VCHF: "100" };
  for (const word of [{ notFilled: true }, { filled: true, ...STATED }]) {
    const unconfirmed = await say(bot, id, [], { ...word, yes: false }, there);
    expect(unconfirmed).toMatchObject({ code: 2, text: expect.stringMatching(/this needs a confirmation/) });
  }
  // A tenth of it, which would be far better than its limit; and less than was ordered. Whatever the balances say.
  for (const [change, balances] of [
    [{ sold: "10.005 CHF" }, { CHF: "989.995", VCHF: "100" }],
    [{ bought: "99 VCHF" }, { CHF: "899.95", VCHF: "99" }],
  ] as const) {
    const unbelieved = await say(bot, id, [], { filled: true, ...STATED, ...change }, balances);
    expect(unbelieved).toMatchObject({ code: 3, text: expect.stringMatching(/this is not believed of/) });
  }
  expect([bot.state(id), bot.accounts.held(VCHF)]).toEqual(["escalated", Money.zero(VCHF)]);
  expect(await say(bot, id, [], { filled: true, ...STATED }, there)).toMatchObject({ code: 0 });
});

describe("that an order filled, by a person's word and no trade of the history,", () => {
  function lost(seconds: number): { bot: Keeping; id: string } {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("50", VCHF));
    const id = bot.doubt();
    bot.trades([]).at(901);
    expect(bot.state(id)).toBe("escalated");
    bot.seconds = seconds;
    return { bot, id };
  }
  const word = { filled: true, ...STATED };

  test.each([
    ["nothing has moved", { CHF: "1000", VCHF: "50" }, /they have 50 VCHF, and with it would have 150 VCHF \(/],
    ["one side has not moved", { CHF: "1000", VCHF: "150" }, /they have 1000 CHF, and with it would have 899\.95 CHF/],
    [
      "it cost something else",
      { CHF: "899.9", VCHF: "150" },
      /they have 899\.9 CHF, and with it would have 899\.95 CHF/,
    ],
    ["a venue leaves out what there is nothing of", { CHF: "899.95" }, undefined],
    ["it is all there", { CHF: "899.95", VCHF: "150" }, undefined],
    ["it is there, pending in part", { CHF: "899.95", VCHF: "50+100" }, undefined],
    ["the venue does not say what is pending", { CHF: "1000+?", VCHF: "50+?" }, undefined],
    ["other money moved beside it, so that nobody can say", { CHF: "300", VCHF: "150" }, undefined],
  ])("is held against the balances: where %s", async (_what, balances, refused) => {
    const { bot, id } = lost(901);
    const said = await say(bot, id, [], word, balances);
    expect([said.code, bot.state(id)]).toEqual(refused === undefined ? [0, "confirmed"] : [3, "escalated"]);
    if (refused === undefined) return;
    expect(said.text).toMatch(refused);
    expect(said.text).toMatch(/protocol\.balancesMsMax, 120 s.*; nothing was changed/);
    expect(said.text).toMatch(new RegExp(`pegbot resolve ${id} --not-filled`));
  });

  test("waits for no balances that may be behind", async () => {
    const bot = new Keeping({ settings: { escalateAfterMs: 10_000 } }).opened(Money.of("1000", CHF), Money.zero(VCHF));
    const id = bot.doubt();
    bot.trades([]).at(119);
    expect(bot.state(id)).toBe("escalated");
    expect(await say(bot, id, [], word, { CHF: "1000", VCHF: "0" })).toMatchObject({ code: 0 });
  });

  test("is refused by no balances that another order of unknown outcome may have made so", async () => {
    const { bot, id } = lost(901);
    // Bought for 100.05 with this one, sold again by the other: as if nothing had moved.
    bot.doubt(bot.send(bot.intend(undefined, { side: "sell", limit: Price.of("0.99") })));
    expect(await say(bot, id, [], word, { CHF: "1000", VCHF: "50" })).toMatchObject({ code: 0 });
  });
});
