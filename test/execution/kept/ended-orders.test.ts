// Orders that have ended: the newest are kept as they are, older ones flat. Whatever is asked of one has the same answer.

import { describe, expect, test } from "vitest";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Failure, Nonce } from "../../../src/exchange/port.ts";
import type { Submission } from "../../../src/execution/submission.ts";
import { fillOf, Keeping, orderOf, tradeOf } from "../keeping.ts";
import { CHF, VCHF } from "../life.ts";

const ONE_FILLED = { CHF: "899.95", VCHF: "100" };
/** Enough for all that ended before to be flat. */
const MANY = 50;

type Said = {
  readonly submission: Submission | undefined;
  readonly controls: readonly unknown[];
  readonly records: readonly unknown[];
  readonly reports: readonly unknown[];
};

const opened = () => new Keeping().opened(Money.of("1000", CHF), Money.of("0", VCHF));

function settledIn(bot: Keeping): string {
  const id = bot.fill();
  bot.trades([tradeOf(id)]).balances(ONE_FILLED);
  return id;
}

/** What becomes of an order when so many others have ended after it, and this happens. */
function outcomeAfter(
  others: number,
  end: (bot: Keeping) => string,
  happens: (bot: Keeping, id: string) => void,
): Said {
  const bot = opened();
  const id = end(bot);
  for (let i = 0; i < others; i++) bot.reject();
  happens(bot, id);
  for (let i = 0; i < others; i++) bot.reject();
  const records = bot.entries.flatMap(({ record }) => ("id" in record && record.id === id ? [record.kind] : []));
  const reports = bot.reports.filter((one) => one.id === id);
  return { submission: bot.executor.get(id), controls: bot.controls, records, reports };
}

const HAPPENINGS: Readonly<Record<string, (bot: Keeping, id: string) => void>> = {
  nothing: () => undefined,
  "its trade": (bot, id) => bot.trades([tradeOf(id)]),
  "its trade twice, and the balances with it": (bot, id) =>
    bot
      .trades([tradeOf(id)])
      .trades([tradeOf(id), tradeOf(id)])
      .balances(ONE_FILLED),
  "its trade under the venue's own id": (bot, id) => bot.trades([tradeOf(id, { clientOrderId: undefined })]),
  "a trade of other amounts": (bot, id) => bot.trades([tradeOf(id, { sold: Money.of("100.06", CHF) })]),
  "a trade of another id": (bot, id) => bot.trades([tradeOf(id, { tradeId: "another" })]),
  "an order that is Filled": (bot, id) => bot.orders([orderOf(id, "Filled")]),
  "an order that is Rejected": (bot, id) => bot.orders([orderOf(id, "Rejected")]),
};

describe("an order that ended before many others is the same as one that ended last", () => {
  for (const [name, happens] of Object.entries(HAPPENINGS))
    test(`when history shows ${name}`, () => {
      for (const end of [settledIn, (bot: Keeping) => bot.reject()])
        expect(outcomeAfter(MANY, end, happens)).toEqual(outcomeAfter(0, end, happens));
    });
});

test("a second answer to it is refused as before, and its id is used once", () => {
  for (const others of [0, MANY]) {
    const bot = opened();
    const [filled, rejected] = [settledIn(bot), bot.reject()];
    for (let i = 0; i < others; i++) bot.reject();
    expect(() => bot.fill(filled)).toThrow("must be on record as sent before it is answered, was settled");
    expect(() => bot.reject(rejected)).toThrow("must be on record as sent before it is answered, was rejected");
    for (const id of [filled, rejected]) expect(() => bot.intend(id)).toThrow("must be used once");
  }
});

test("one that came back to life and ended again is kept from its second end on, and let go after ten thousand others", () => {
  const bot = opened();
  const id = bot.reject();
  for (let i = 0; i < MANY; i++) bot.reject();
  bot.trades([tradeOf(id)]).balances(ONE_FILLED);
  for (let i = 0; i < 9_999; i++) bot.reject();
  expect(bot.state(id)).toBe("settled");
  bot.reject();
  expect(bot.state(id)).toBe(undefined);
  bot.trades([tradeOf(id)]);
  expect(bot.controls).toHaveLength(1);
});

test("many that are asked for at once are each changed by what is said of them", () => {
  const bot = opened();
  const ids = Array.from({ length: 3 }, () => bot.reject());
  for (let i = 0; i < MANY; i++) bot.reject();
  bot.trades(ids.map((id) => tradeOf(id)));
  expect(ids.map((id) => bot.state(id))).toEqual(["zombie", "zombie", "zombie"]);
  expect(bot.accounts.held(VCHF)).toEqual(Money.of("300", VCHF));
});

describe("every field of an order that ended before many others is as it was, here and read back from the journal", () => {
  const AMOUNTS = [
    "1",
    "100",
    "0.000000000000000003",
    "8999999999.999999999999999999",
    "123456789012345.000000000000000001",
  ];
  const FAILURES: readonly Failure[] = [
    { code: "not-fillable", status: 200, venueCode: "E7", message: "no counterpart" },
    { code: "bad-request", status: undefined, venueCode: undefined, message: "" },
  ];

  function settled(bot: Keeping, quantity: string, at: number | undefined): Submission | undefined {
    const [size, price] = [Quantity.of(quantity), Price.of("1.000000000000000007")];
    const id = bot.send(bot.intend(undefined, { quantity: size, limit: price, expiresAt: millis(0.5), reason: "r" }));
    const sold = price.times(size, CHF, "down");
    const fill = {
      bought: size.of(VCHF),
      sold,
      fee: size.of(VCHF).share(1, "down"),
      at: at === undefined ? at : millis(at),
    };
    bot.fill(id, fill);
    bot.trades([tradeOf(id, { ...fillOf(id), ...fill, tradeId: at === undefined ? undefined : `t-${id}` })]);
    bot.balances({ CHF: `${bot.accounts.held(CHF)}`, VCHF: `${bot.accounts.held(VCHF)}` });
    return bot.executor.get(id);
  }

  function rejected(bot: Keeping, failure: Failure): Submission | undefined {
    const id = bot.send();
    const outcome = { kind: "rejected", failure, nonce: bot.nonce as Nonce, receivedAt: bot.now.at } as const;
    bot.take((out) => bot.executor.outcome(id, outcome, bot.now, out));
    return bot.executor.get(id);
  }

  test("when it filled or was rejected, to the last digit", () => {
    const bot = new Keeping().opened(Money.of("900000000000000", CHF), Money.of("0", VCHF));
    // Each as it is when it has just ended.
    const before = [
      ...AMOUNTS.flatMap((quantity) => [settled(bot, quantity, undefined), settled(bot, quantity, 1_760_000_000_123)]),
      ...FAILURES.map((failure) => rejected(bot, failure)),
    ];
    const now = (keeping: Keeping) => before.map((one) => keeping.executor.get(one?.id ?? ""));
    expect(before.map((one) => one?.state.kind)).toEqual([...Array(10).fill("settled"), "rejected", "rejected"]);
    for (let i = 0; i < MANY; i++) bot.reject();
    expect(now(bot)).toStrictEqual(before);
    const another = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(now(another)).toEqual(before);
  });
});
